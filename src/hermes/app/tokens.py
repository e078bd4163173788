"""The tokens that open a profile to other programs: made, listed, taken back, recognised.

A token is 256 random bits and names its profile, so the profile comes from the token. Only its
SHA-256 is kept: with that many random bits a slow hash would protect nothing more.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.config.files import locked, write_atomic
from hermes.errors import Corrupt, NotFound, UserError
from hermes.guard.text import clean

if TYPE_CHECKING:
    from hermes.app.root import App
    from hermes.config.paths import ProfilePaths

PREFIX = "hermes"
SECRET_BYTES = 32
MAX_LABEL_CHARS = 80


class Scope(StrEnum):
    """What a caller may do; each may what those before it may."""

    READ = "read"
    WRITE = "write"
    OWNER = "owner"

    def covers(self, wanted: Scope) -> bool:
        order = tuple(Scope)
        return order.index(self) >= order.index(wanted)


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is kept: what it opens, never what it is."""

    id: str
    scope: Scope
    label: str
    created_at: int
    digest: str


class TokenActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def create(self, label: str = "", scope: Scope = Scope.WRITE) -> tuple[Token, str]:
        """A new token, and its text, which is not kept and cannot be shown again."""
        told = clean(label).text.strip()
        if len(told) > MAX_LABEL_CHARS:
            raise UserError(f"A label has at most {MAX_LABEL_CHARS} characters.", "Shorten it.")
        secret = f"{PREFIX}.{self._app.paths.name}.{secrets.token_urlsafe(SECRET_BYTES)}"
        number, now = secrets.token_hex(4), self._app.clock.now()
        token = Token(number, scope, told, now, digest_of(secret))
        with self._changing() as kept:
            kept.append(token)
        return token, secret

    def list(self) -> list[Token]:
        """Oldest first."""
        return load_tokens(tokens_file(self._app.paths))

    def revoke(self, token_id: str) -> Token:
        """Make a token useless from now on."""
        with self._changing() as kept:
            found = [token for token in kept if token.id == token_id]
            if not found:
                hint = "See `hermes token list`."
                raise NotFound(f"There is no token {token_id[:40]!r}.", hint)
            kept.remove(found[0])
        return found[0]

    def _changing(self) -> _Changing:
        return _Changing(tokens_file(self._app.paths))


class _Changing:
    """The tokens of a file under its lock; what is left of the list is written back."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = locked(file.with_name(f"{file.name}.lock"))
        self._kept: list[Token] = []

    def __enter__(self) -> list[Token]:
        self._lock.__enter__()
        self._kept = load_tokens(self._file)
        return self._kept

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                text = json.dumps([asdict(token) for token in self._kept], indent=2)
                write_atomic(self._file, text + "\n")
        finally:
            self._lock.__exit__(None, None, None)


def tokens_file(paths: ProfilePaths) -> Path:
    return paths.run / "tokens.json"


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def profile_of(secret: str) -> str | None:
    """The profile a token names; None for the daemon's own, which names none."""
    parts = secret.split(".")
    return parts[1] if len(parts) == 3 and parts[0] == PREFIX else None


def match_digest(digest: str, known: str) -> bool:
    """Whether two digests are the same, in a time that does not tell how much of them is."""
    return hmac.compare_digest(digest.encode(), known.encode())


def load_tokens(file: Path) -> list[Token]:
    """The tokens in a file; none where there is no file."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return []
    with os.fdopen(handle, encoding="utf-8") as stream:
        try:
            return [_token(item) for item in json.load(stream)]
        except (ValueError, TypeError, KeyError) as error:
            hint = f"Remove {file} and make new tokens with `hermes token create`."
            raise Corrupt(f"{file} does not hold tokens: {error}", hint) from error


def _token(item: dict[str, object]) -> Token:
    created = item["created_at"]
    if not isinstance(created, int):
        raise TypeError("created_at is no number")
    return Token(
        id=str(item["id"]),
        scope=Scope(str(item["scope"])),
        label=str(item["label"]),
        created_at=created,
        digest=str(item["digest"]),
    )
