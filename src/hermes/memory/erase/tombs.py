"""What was erased, known only by keyed hashes: enough to recognise it, too little to read it.

A message is recognised by where, when, by whom and what; a fact by its bank and words, or by what
it says of whom; a phrase in any text by its words. What only repeats something erased (a line of
the log, a note, a held write) is recognised by the first words of that. The tombstones lie in the
store and, against its loss, in a file beside the database, which a restore leaves where it is.
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
REFLECTION, ENTITY, CLAIM, ECHO = "reflection", "entity", "claim", "echo"
_REMEMBERED = 50_000  # runs of words that were not erased
NEVER = -(1 << 62)  # a text without a time is as old as can be

Claim = tuple[str, str, str]
"""What a fact says, however it is worded: subject, attribute, value."""


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

    def claim(self, bank: str, claim: Claim) -> bytes:
        return self._digest(CLAIM, bank, *(" ".join(split_words(part)) for part in claim))

    def entity(self, bank: str, name: str) -> bytes:
        return self._digest(ENTITY, bank, *split_words(name))

    def echo(self, words: Sequence[str]) -> bytes:
        return self._digest(ECHO, *words)

    def session(self, session_id: str) -> bytes:
        return self._digest(SESSION, session_id)

    def phrase(self, words: Sequence[str]) -> bytes:
        return self._digest(PHRASE, *words)

    def _digest(self, *parts: str) -> bytes:
        content = "\x00".join(parts).encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, content, hashlib.sha256)


class Graveyard:
    """Whether something that comes back was erased.

    Everything is asked with the time it is of: what was said anew after its like was erased stays.
    """

    def __init__(self, marker: Marker, stones: Iterable[Tombstone]) -> None:
        self._marker = marker
        self._erased_at: dict[bytes, int] = {}
        lengths: dict[str, set[int]] = {PHRASE: set(), ECHO: set()}
        for stone in stones:
            known_at = self._erased_at.get(stone.digest, stone.at)
            self._erased_at[stone.digest] = max(known_at, stone.at)
            if stone.kind in lengths:
                lengths[stone.kind].add(stone.words)
        self._phrases = sorted(lengths[PHRASE])
        self._echoes = sorted(lengths[ECHO])
        self._strange: set[tuple[bool, Words]] = set()

    def __bool__(self) -> bool:
        return bool(self._erased_at)

    def has_message(self, session_id: str, at: int, role: str, text: str) -> bool:
        if not self:
            return False
        if self._marker.message(session_id, at, role, text) in self._erased_at:
            return True
        return self.has_session(session_id, at)

    def has_session(self, session_id: str, at: int) -> bool:
        """Whether the session was erased later than `at`; what was said since may stay."""
        return bool(self) and self._knows(self._marker.session(session_id), at)

    def has_fact(self, bank: str, text: str, claim: Claim = ("", "", ""), *, at: int) -> bool:
        """Whether a fact of these words was erased, or one that said the same of the same."""
        if not self:
            return False
        if self._knows(self._marker.fact(bank, text), at):
            return True
        return all(claim) and self._knows(self._marker.claim(bank, claim), at)

    def has_reflection(self, lesson: str, *, at: int) -> bool:
        return bool(self) and self._knows(self._marker.reflection(lesson), at)

    def has_entity(self, bank: str, names: Iterable[str], *, at: int) -> bool:
        return bool(self) and any(self._knows(self._marker.entity(bank, n), at) for n in names)

    def has_words(self, texts: Iterable[str], *, at: int = NEVER) -> bool:
        """Whether a phrase that was erased is in one of the texts."""
        return self._is_in_any(texts, is_phrase=True, at=at)

    def has_echo(self, texts: Iterable[str], *, at: int = NEVER) -> bool:
        """Whether one of the texts holds an erased phrase, or repeats what was erased."""
        said = list(texts)
        if self.has_words(said, at=at):
            return True
        return self._is_in_any(said, is_phrase=False, at=at)

    def _knows(self, digest: bytes, at: int) -> bool:
        erased_at = self._erased_at.get(digest)
        return erased_at is not None and at <= erased_at

    def _is_in_any(self, texts: Iterable[str], *, is_phrase: bool, at: int) -> bool:
        lengths = self._phrases if is_phrase else self._echoes
        return bool(lengths) and any(
            self._is_known(words[n : n + length], is_phrase=is_phrase, at=at)
            for words in map(split_words, texts)
            for length in lengths
            for n in range(len(words) - length + 1)
        )

    def _is_known(self, words: Words, *, is_phrase: bool, at: int) -> bool:
        """Whether words were erased; lines of a log say the same over and over, and a hash takes
        long, so that words which never were are remembered.
        """
        asked = (is_phrase, words)
        if asked in self._strange:
            return False
        digest = self._marker.phrase(words) if is_phrase else self._marker.echo(words)
        if digest in self._erased_at:
            return at <= self._erased_at[digest]
        if len(self._strange) >= _REMEMBERED:
            self._strange.clear()
        self._strange.add(asked)
        return False


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
