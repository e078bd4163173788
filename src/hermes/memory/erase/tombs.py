"""What was erased, known only by keyed hashes: enough to recognise it, too little to read it.

A message is recognised by where, when, by whom and what; a fact by its bank and words; a phrase in
any text by its words. The tombstones lie in the store and, against the loss of it, in a file beside
the database, which a restore leaves where it is.
"""

import hashlib
import hmac
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from hermes.config.files import FILE_MODE
from hermes.errors import Corrupt
from hermes.memory.erase.words import Words, split_words
from hermes.store.base.erase import Tombstone

_LABEL = b"hermes tombstones v1"
MESSAGE, FACT, SESSION, PHRASE = "message", "fact", "session", "phrase"
REFLECTION = "reflection"


class Marker:
    """Makes tombstones under a profile's secret."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, _LABEL, hashlib.sha256)

    def message(self, session_id: str, at: int, role: str, text: str) -> bytes:
        return self._digest(MESSAGE, session_id, str(at), role, text)

    def fact(self, bank: str, text: str) -> bytes:
        return self._digest(FACT, bank, *split_words(text))

    def reflection(self, lesson: str) -> bytes:
        return self._digest(REFLECTION, *split_words(lesson))

    def session(self, session_id: str) -> bytes:
        return self._digest(SESSION, session_id)

    def phrase(self, words: Sequence[str]) -> bytes:
        return self._digest(PHRASE, *words)

    def _digest(self, *parts: str) -> bytes:
        content = "\x00".join(parts).encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, content, hashlib.sha256)


class Graveyard:
    """Whether something that comes back was erased."""

    def __init__(self, marker: Marker, stones: Iterable[Tombstone]) -> None:
        self._marker = marker
        self._digests: set[bytes] = set()
        self._sessions: dict[bytes, int] = {}
        lengths: set[int] = set()
        for stone in stones:
            if stone.kind == SESSION:
                self._sessions[stone.digest] = stone.at
            else:
                self._digests.add(stone.digest)
            if stone.kind == PHRASE:
                lengths.add(stone.words)
        self._lengths = sorted(lengths)

    def __bool__(self) -> bool:
        return bool(self._digests or self._sessions)

    def has_message(self, session_id: str, at: int, role: str, text: str) -> bool:
        if not self:
            return False
        if self._marker.message(session_id, at, role, text) in self._digests:
            return True
        return self.has_session(session_id, at)

    def has_session(self, session_id: str, at: int) -> bool:
        """Whether the session was erased later than `at`; what was said since may stay."""
        if not self._sessions:
            return False
        erased_at = self._sessions.get(self._marker.session(session_id))
        return erased_at is not None and at <= erased_at

    def has_fact(self, bank: str, text: str) -> bool:
        return bool(self) and self._marker.fact(bank, text) in self._digests

    def has_reflection(self, lesson: str) -> bool:
        return bool(self) and self._marker.reflection(lesson) in self._digests

    def has_words(self, texts: Iterable[str]) -> bool:
        """Whether a phrase that was erased is in one of the texts."""
        return bool(self._lengths) and any(self._holds_phrase(split_words(t)) for t in texts)

    def _holds_phrase(self, words: Words) -> bool:
        return any(
            self._marker.phrase(words[n : n + length]) in self._digests
            for length in self._lengths
            for n in range(len(words) - length + 1)
        )


def stones_file(database: Path) -> Path:
    return database.with_name(database.name + ".erased")


def append_stones(file: Path, stones: Sequence[Tombstone]) -> None:
    """Add tombstones to the file; on return they are on disk."""
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, FILE_MODE)
    with os.fdopen(handle, "ab") as stream:
        for stone in stones:
            line = [stone.digest.hex(), stone.kind, stone.at, stone.words]
            stream.write(json.dumps(line).encode() + b"\n")
        stream.flush()
        os.fsync(stream.fileno())


def load_stones(file: Path) -> list[Tombstone]:
    try:
        lines = file.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    if lines[-1]:
        lines.pop()  # cut short by a power cut: what it stood for was not erased yet
    try:
        read = [json.loads(line) for line in lines if line]
        return [Tombstone(bytes.fromhex(digest), kind, at, n) for digest, kind, at, n in read]
    except (ValueError, TypeError) as error:
        hint = "Put the file back from where it was, or delete it to let go of what was erased."
        raise Corrupt(f"{file} cannot be read.", hint) from error
