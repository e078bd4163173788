"""Which bank a conversation belongs to."""

import re
import unicodedata
from dataclasses import dataclass

from hermes.errors import UserError

DEFAULT = "default"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_HINT = "Use 1 to 64 of a-z, 0-9, '-' and '_', beginning with a letter or digit."


@dataclass(frozen=True, slots=True)
class Belonging:
    """Who and what a conversation is about, as far as it is known."""

    user: str = ""
    project: str = ""
    customer: str = ""


def choose_bank(strategy: str, belonging: Belonging) -> str:
    """The bank of a conversation under a strategy; `default` where what it asks for is unknown."""
    named = {
        "single": "",
        "user": belonging.user,
        "project": belonging.project,
        "customer": belonging.customer,
    }.get(strategy)
    if named is None:
        raise UserError(
            f"{strategy!r} is not a bank strategy.", "Use single, user, project or customer."
        )
    return bank_name(named) if named else DEFAULT


def bank_name(text: str) -> str:
    """A name for a bank made from any name of a person, project or customer."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9_-]+", "-", plain).strip("-_")[:64]
    if not slug:
        raise UserError(f"{text!r} gives no bank name.", _HINT)
    return slug


def check_bank(name: str) -> str:
    """`name` if a bank may be called so."""
    if not _NAME.fullmatch(name):
        raise UserError(f"{name[:80]!r} is not a bank name.", _HINT)
    return name
