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

_PENDING = "dictionary.retire"  # in `meta` while older dictionaries are being retired


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
        """Remember to renew the dictionary if it holds a piece of a text that goes."""
        if not texts or self._is_pending():
            return
        sql = "SELECT content FROM dictionaries"
        contents = [bytes(content) for (content,) in self._connection.execute(sql)]
        if any(holds(content, text) for content in contents for text in texts):
            sql = "INSERT OR REPLACE INTO meta (name, value) VALUES (?, '')"
            self._connection.execute(sql, (_PENDING,))

    def renew(self, now: int) -> bool:
        if not self._is_pending():
            return False
        sql = "SELECT value <> '' FROM meta WHERE name = ?"
        if scalar(self._connection, sql, (_PENDING,)):
            return True  # begun before, and cut short
        self._begin(self._learn() or PLAIN, now)
        return True

    def fit(self) -> bool:
        """Begin to replace a dictionary whose size no longer suits; whether one is replaced."""
        now = scalar(self._connection, "SELECT max(at) FROM messages")
        if self._is_pending():
            return self.renew(now)
        sql = "SELECT length(content) FROM dictionaries ORDER BY id DESC LIMIT 1"
        chars = scalar(self._connection, "SELECT total(chars) FROM banks")
        content = find_better(scalar(self._connection, sql), chars, self._learn)
        if content is not None:
            self._begin(content, now)
        return content is not None

    def reencode(self, after: int, limit: int) -> int:
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
        sql = "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)"
        self._connection.execute(sql, (_PENDING, str(number)))

    def _add(self, number: int, content: bytes, now: int) -> int:
        sql = "INSERT INTO dictionaries (id, content, created_at) VALUES (?, ?, ?)"
        self._connection.execute(sql, (number, content, now))
        return number

    def _is_pending(self) -> bool:
        sql = "SELECT count(*) FROM meta WHERE name = ?"
        return scalar(self._connection, sql, (_PENDING,)) > 0
