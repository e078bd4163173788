"""The chain that binds the lines of the log, decided once so that every store keeps the same.

A line's content (summary, details, reference and a random salt) is hashed by itself; the link binds
number, time, kind, that hash and the link before it. So content can be erased later, salt and all,
and the chain still holds; nobody can find out by guessing what an erased line said.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

START = bytes(32)
SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class EventContent:
    """What a line says. `details` is canonical JSON."""

    summary: str
    details: str
    ref: str
    salt: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class EventLink:
    """A line as it is kept, with what binds it; `hash` is what the next one builds on."""

    id: int
    at: int
    kind: str
    said: EventContent
    content: bytes
    hash: bytes
    erased_at: int | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """Where a chain ends: its number of lines and the last link."""

    count: int
    hash: bytes


def canonical(value: Mapping[str, object]) -> str:
    """The one way a JSON object is written: keys sorted, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def hash_content(said: EventContent) -> bytes:
    return _digest(
        {
            "details": said.details,
            "ref": said.ref,
            "salt": said.salt.hex(),
            "summary": said.summary,
        }
    )


def hash_link(previous: Head, at: int, kind: str, content: bytes) -> bytes:
    """The link of the line that follows `previous`."""
    return _digest(
        {
            "at": at,
            "content": content.hex(),
            "id": previous.count + 1,
            "kind": kind,
            "previous": previous.hash.hex(),
        }
    )


def _digest(value: Mapping[str, object]) -> bytes:
    return hashlib.sha256(canonical(value).encode("ascii")).digest()
