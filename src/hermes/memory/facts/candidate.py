"""What an extractor proposes: a statement, the words it rests on, and how it may be compared.

A candidate is not believed yet. `decide` says what becomes of it beside the facts already known.
Nothing here knows how candidates are found or kept.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from hermes.errors import Refused
from hermes.types import Confidence, FactKind, Message

USER = "user"

_SPACE = re.compile(r"\s+")
_SAME_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " "})


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposed fact about `subject`: its `attribute` has `value`.

    `single` says the attribute holds one value at a time; `replaces` names a value the source says
    is gone; `ended` turns the whole around: the subject no longer has this value.
    """

    text: str
    kind: FactKind
    subject: str = USER
    attribute: str = ""
    value: str = ""
    entities: tuple[str, ...] = ()
    confidence: Confidence = Confidence.HIGH
    quote: str = ""
    message_id: int | None = None
    at: int | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    single: bool = False
    correction: bool = False
    replaces: str = ""
    ended: bool = False


class Extractor(Protocol):
    """Finds candidates in the messages of one session, given in order."""

    name: str

    def extract(self, messages: Sequence[Message]) -> list[Candidate]: ...


def verify_quote(candidate: Candidate, message_text: str) -> Candidate:
    """The candidate, if its quote stands in the text (typographic marks and spacing aside)."""
    quote = _plain(candidate.quote)
    if not quote or quote not in _plain(message_text):
        raise Refused(
            f"A fact was refused: its quote is not in the source: {candidate.quote[:80]!r}",
            "Quote the message word for word.",
        )
    return candidate


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text.translate(_SAME_MARKS)).strip()
