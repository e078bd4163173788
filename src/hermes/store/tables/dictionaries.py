"""Learning a dictionary, and replacing one that holds pieces of what was erased, or does not suit.

A dictionary is learnt from messages and repeats pieces of them. When one of those messages goes, or
when most have become summaries, a new dictionary is learnt from what is left, every message is
written anew with it, a few at a time, and the old one is removed. A number is never used twice:
other processes may remember what it stood for.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from hermes.store.codec import (
    DICTIONARY_BYTES,
    HARD_LEVEL,
    PLAIN,
    SAMPLES,
    USUAL_LEVEL,
    dictionary_of,
    find_better,
    holds,
    train,
)
from hermes.store.tables.statements import Statements, count

# In `meta` while older dictionaries are being retired: empty if that is still to begin, else the
# number of the new one and the last message up to which all are written with it.
_PENDING = "dictionary.retire"


class PackedTexts(Protocol):
    """The texts of messages as a store packs them, and what it packs them with."""

    def newest(self) -> int:
        """The number of the newest dictionary; 0 where there is none."""

    def add(self, content: bytes, now: int) -> int:
        """Keep a dictionary; the number it is given."""

    def sample(self, limit: int) -> list[str]:
        """The texts of the newest messages."""

    def list_packed(self, after: int, limit: int) -> list[tuple[int, bytes, bool]]:
        """Messages after one, by number: the packed text, and whether it is of a summary."""

    def rewrite(self, texts: Iterable[tuple[int, bytes, int]], dictionary: int) -> None:
        """Write packed texts of messages with another dictionary, each at a level."""


class Dictionaries:
    def __init__(self, connection: Statements, texts: PackedTexts) -> None:
        self._connection = connection
        self._texts = texts

    def current(self) -> int:
        """The dictionary to write with: none while there is too little to learn one from."""
        known = self._texts.newest()
        if known or count(self._connection, "SELECT count(*) FROM messages") < SAMPLES:
            return known
        return self.learn(self._last_at())

    def learn(self, now: int) -> int:
        """A dictionary learnt from the newest messages, or 0 where they have little in common."""
        content = self._train()
        return 0 if content is None else self._texts.add(content, now)

    def note_removed(self, texts: Sequence[str]) -> None:
        """Remember to renew the dictionary if it holds a piece of a text that goes.

        Those being retired go anyway; but the one that takes their place may hold it as well.
        """
        pending = self._pending()
        if not texts or pending == "":
            return
        sql = "SELECT content FROM dictionaries ORDER BY id DESC"
        contents = [bytes(content) for (content,) in self._connection.execute(sql)]
        staying = contents if pending is None else contents[:1]
        if any(holds(content, text) for content in staying for text in texts):
            self._note("")

    def renew(self, now: int) -> bool:
        """Begin to replace a dictionary that holds what is gone; whether one is being replaced."""
        pending = self._pending()
        if pending == "":  # else begun before, and cut short
            self._begin(self._train() or PLAIN, now)
        return pending is not None

    def fit(self) -> bool:
        """Begin to replace a dictionary whose size no longer suits; whether one is replaced."""
        if self._pending() is not None:
            return self.renew(self._last_at())
        sql = "SELECT length(content) FROM dictionaries ORDER BY id DESC LIMIT 1"
        size, chars = (count(self._connection, s) for s in (sql, "SELECT sum(chars) FROM banks"))
        content = find_better(size, chars, self._train)
        if content is not None:
            self._begin(content, self._last_at())
        return content is not None

    def reencode(self, after: int, limit: int) -> int:
        """Write the next messages with the new dictionary; the last of them, 0 at the end."""
        pending = self._pending()
        if not pending:
            return 0  # another process came to the end, or it is to begin again
        # Who began with an earlier dictionary has not seen the first messages with this one.
        after = min(after, int(pending.partition(" ")[2] or 0))
        newest = self._texts.newest()
        found = self._texts.list_packed(after, limit)
        others = (row for row in found if dictionary_of(row[1]) != newest)
        levels = ((n, text, HARD_LEVEL if part else USUAL_LEVEL) for n, text, part in others)
        self._texts.rewrite(levels, newest)
        if found:
            self._note(f"{newest} {found[-1][0]}")
            return found[-1][0]
        self._connection.execute("DELETE FROM dictionaries WHERE id < ?", (newest,))
        self._connection.execute("DELETE FROM meta WHERE name = ?", (_PENDING,))
        return 0

    def _train(self, size_bytes: int = DICTIONARY_BYTES) -> bytes | None:
        return train(self._texts.sample(SAMPLES), size_bytes)

    def _last_at(self) -> int:
        return count(self._connection, "SELECT max(at) FROM messages")

    def _begin(self, content: bytes, now: int) -> None:
        """Add a dictionary, and remember that what was written with others is to be renewed."""
        self._note(f"{self._texts.add(content, now)} 0")

    def _pending(self) -> str | None:
        sql = "SELECT value FROM meta WHERE name = ?"
        found = list(self._connection.execute(sql, (_PENDING,)))
        return str(found[0][0]) if found else None

    def _note(self, value: str) -> None:
        self._connection.execute("DELETE FROM meta WHERE name = ?", (_PENDING,))
        sql = "INSERT INTO meta (name, value) VALUES (?, ?)"
        self._connection.execute(sql, (_PENDING, value))
