"""Replacing a dictionary that holds pieces of what was erased, or no longer suits what is kept.

A dictionary is learnt from messages and repeats pieces of them. When one of those messages goes, or
when most have become summaries, a new dictionary is learnt from what is left, every message is
written anew with it, a few at a time, and the old one is removed. A number is never used twice:
other processes may remember what it stood for.
"""

from collections.abc import Sequence

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
from hermes.store.sqlite.connection import Connection, scalar

# In `meta` while older dictionaries are being retired: empty if that is still to begin, else the
# number of the new one and the last message up to which all are written with it.
_PENDING = "dictionary.retire"


class Dictionaries:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def current(self) -> int:
        """The dictionary to write with: none while there is too little to learn one from."""
        known = scalar(self._connection, "SELECT max(id) FROM dictionaries")
        if known or scalar(self._connection, "SELECT count(*) FROM messages") < SAMPLES:
            return known
        content = self._learn()
        if content is None:
            return 0
        return self._add(1, content, scalar(self._connection, "SELECT max(at) FROM messages"))

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
        pending = self._pending()
        if pending == "":  # else begun before, and cut short
            self._begin(self._learn() or PLAIN, now)
        return pending is not None

    def fit(self) -> bool:
        """Begin to replace a dictionary whose size no longer suits; whether one is replaced."""
        now = scalar(self._connection, "SELECT max(at) FROM messages")
        if self._pending() is not None:
            return self.renew(now)
        sql = "SELECT length(content) FROM dictionaries ORDER BY id DESC LIMIT 1"
        chars = scalar(self._connection, "SELECT total(chars) FROM banks")
        content = find_better(scalar(self._connection, sql), chars, self._learn)
        if content is not None:
            self._begin(content, now)
        return content is not None

    def reencode(self, after: int, limit: int) -> int:
        pending = self._pending()
        if not pending:
            return 0  # another process came to the end, or it is to begin again
        # Who began with an earlier dictionary has not seen the first messages with this one.
        after = min(after, int(pending.partition(" ")[2] or 0))
        newest = scalar(self._connection, "SELECT max(id) FROM dictionaries")
        sql = """SELECT id, text, EXISTS (SELECT 1 FROM summary_parts WHERE message = id)
          FROM messages WHERE id > ? AND typeof(text) = 'blob' ORDER BY id LIMIT ?"""
        found = list(self._connection.execute(sql, (after, limit)))
        codec = self._connection.codec
        renewed = [
            (codec.encode(codec.decode(text), newest, HARD_LEVEL if part else USUAL_LEVEL), number)
            for number, text, part in found
            if dictionary_of(text) != newest
        ]
        self._connection.executemany("UPDATE messages SET text = ? WHERE id = ?", renewed)
        if found:
            self._note(f"{newest} {found[-1][0]}")
            return int(found[-1][0])
        self._connection.execute("DELETE FROM dictionaries WHERE id < ?", (newest,))
        self._connection.execute("DELETE FROM meta WHERE name = ?", (_PENDING,))
        return 0

    def _learn(self, size_bytes: int = DICTIONARY_BYTES) -> bytes | None:
        sql = "SELECT plain(text) FROM messages ORDER BY id DESC LIMIT ?"
        return train([text for (text,) in self._connection.execute(sql, (SAMPLES,))], size_bytes)

    def _begin(self, content: bytes, now: int) -> None:
        """Add a dictionary, and remember that what was written with others is to be renewed."""
        number = scalar(self._connection, "SELECT max(id) FROM dictionaries") + 1
        self._add(number, content, now)
        self._note(f"{number} 0")

    def _add(self, number: int, content: bytes, now: int) -> int:
        sql = "INSERT INTO dictionaries (id, content, created_at) VALUES (?, ?, ?)"
        self._connection.execute(sql, (number, content, now))
        return number

    def _pending(self) -> str | None:
        sql = "SELECT value FROM meta WHERE name = ?"
        found = list(self._connection.execute(sql, (_PENDING,)))
        return str(found[0][0]) if found else None

    def _note(self, value: str) -> None:
        self._connection.execute("DELETE FROM meta WHERE name = ?", (_PENDING,))
        sql = "INSERT INTO meta (name, value) VALUES (?, ?)"
        self._connection.execute(sql, (_PENDING, value))
