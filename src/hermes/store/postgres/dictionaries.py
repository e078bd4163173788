"""Learning a dictionary, and replacing one that holds pieces of what was erased, or does not suit.

As on the other store (see `sqlite.dictionaries`): a dictionary repeats pieces of the messages it
was learnt from, so that when one of those goes, every message is written anew with a new one.
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
from hermes.store.postgres.connection import Connection, scalar
from hermes.store.postgres.counters import Counters
from hermes.store.postgres.rows import plain, stored

# In `meta` while older dictionaries are being retired: empty if that is still to begin, else the
# number of the new one and the last message up to which all are written with it.
_PENDING = "dictionary.retire"


def learn_dictionary(connection: Connection, counters: Counters, now: int) -> int:
    """A dictionary learnt from the newest messages, or none where they have little in common."""
    learnt = _learn(connection)
    if learnt is None:
        return 0
    return _add(connection, counters, learnt, now)


class Dictionaries:
    def __init__(self, connection: Connection, counters: Counters) -> None:
        self._connection = connection
        self._counters = counters

    def current(self) -> int:
        """The dictionary to write with: none while there is too little to learn one from."""
        known = self._counters.get("newest_dictionary")
        if known or scalar(self._connection, "SELECT count(*) FROM messages") < SAMPLES:
            return known
        at = scalar(self._connection, "SELECT max(at) FROM messages")
        return learn_dictionary(self._connection, self._counters, at)

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
            self._begin(_learn(self._connection) or PLAIN, now)
        return pending is not None

    def fit(self) -> bool:
        """Begin to replace a dictionary whose size no longer suits; whether one is replaced."""
        now = scalar(self._connection, "SELECT max(at) FROM messages")
        if self._pending() is not None:
            return self.renew(now)
        sql = "SELECT length(content) FROM dictionaries ORDER BY id DESC LIMIT 1"
        size = scalar(self._connection, sql)
        chars = scalar(self._connection, "SELECT sum(chars) FROM banks")
        content = find_better(size, chars, lambda wanted: _learn(self._connection, wanted))
        if content is not None:
            self._begin(content, now)
        return content is not None

    def reencode(self, after: int, limit: int) -> int:
        pending = self._pending()
        if not pending:
            return 0  # another process came to the end, or it is to begin again
        # Who began with an earlier dictionary has not seen the first messages with this one.
        after = min(after, int(pending.partition(" ")[2] or 0))
        newest = self._counters.get("newest_dictionary")
        sql = """SELECT m.id, m.text, EXISTS (SELECT 1 FROM summary_parts p WHERE p.message = m.id)
          FROM messages m WHERE m.id > ? AND m.packed ORDER BY m.id LIMIT ?"""
        found = self._connection.execute(sql, (after, limit))
        renewed = [
            (*self._stored(text, newest, HARD_LEVEL if part else USUAL_LEVEL), number)
            for number, text, part in found
            if dictionary_of(text) != newest
        ]
        sql = "UPDATE messages SET packed = ?, size = ?, text = ? WHERE id = ?"
        self._connection.executemany(sql, renewed)
        if found:
            self._note(f"{newest} {found[-1][0]}")
            return int(found[-1][0])
        self._connection.execute("DELETE FROM dictionaries WHERE id < ?", (newest,))
        self._connection.execute("DELETE FROM meta WHERE name = ?", (_PENDING,))
        return 0

    def _stored(self, packed: bytes, newest: int, level: int) -> tuple[bool, int, bytes]:
        text = plain(self._connection, True, packed)
        return stored(self._connection, text, newest, level)

    def _begin(self, content: bytes, now: int) -> None:
        """Add a dictionary, and remember that what was written with others is to be renewed."""
        number = _add(self._connection, self._counters, content, now)
        self._note(f"{number} 0")

    def _pending(self) -> str | None:
        sql = "SELECT value FROM meta WHERE name = ?"
        found = list(self._connection.execute(sql, (_PENDING,)))
        return str(found[0][0]) if found else None

    def _note(self, value: str) -> None:
        self._connection.execute("DELETE FROM meta WHERE name = ?", (_PENDING,))
        sql = "INSERT INTO meta (name, value) VALUES (?, ?)"
        self._connection.execute(sql, (_PENDING, value))


def _learn(connection: Connection, size_bytes: int = DICTIONARY_BYTES) -> bytes | None:
    sql = "SELECT packed, text FROM messages ORDER BY id DESC LIMIT ?"
    samples = [plain(connection, *row) for row in connection.execute(sql, (SAMPLES,))]
    return train(samples, size_bytes)


def _add(connection: Connection, counters: Counters, content: bytes, now: int) -> int:
    number = counters.get("newest_dictionary") + 1
    sql = "INSERT INTO dictionaries (id, content, created_at) VALUES (?, ?, ?)"
    connection.execute(sql, (number, content, now))
    counters.set("newest_dictionary", number)
    return number
