"""Texts as PostgreSQL keeps them packed, for their dictionaries to be learnt and replaced."""

from collections.abc import Iterable

from hermes.store.postgres.connection import Connection
from hermes.store.postgres.counters import Counters
from hermes.store.postgres.rows import plain, stored
from hermes.store.tables.dictionaries import Dictionaries


def open_dictionaries(connection: Connection, counters: Counters) -> Dictionaries:
    return Dictionaries(connection, PostgresPackedTexts(connection, counters))


class PostgresPackedTexts:
    def __init__(self, connection: Connection, counters: Counters) -> None:
        self._connection = connection
        self._counters = counters

    def newest(self) -> int:
        return self._counters.get("newest_dictionary")

    def add(self, content: bytes, now: int) -> int:
        number = self.newest() + 1
        sql = "INSERT INTO dictionaries (id, content, created_at) VALUES (?, ?, ?)"
        self._connection.execute(sql, (number, content, now))
        self._counters.set("newest_dictionary", number)
        return number

    def sample(self, limit: int) -> list[str]:
        sql = "SELECT packed, text FROM messages ORDER BY id DESC LIMIT ?"
        return [plain(self._connection, *row) for row in self._connection.execute(sql, (limit,))]

    def list_packed(self, after: int, limit: int) -> list[tuple[int, bytes, bool]]:
        sql = """SELECT m.id, m.text, EXISTS (SELECT 1 FROM summary_parts p WHERE p.message = m.id)
          FROM messages m WHERE m.id > ? AND m.packed ORDER BY m.id LIMIT ?"""
        return [(n, bytes(t), part) for n, t, part in self._connection.execute(sql, (after, limit))]

    def rewrite(self, texts: Iterable[tuple[int, bytes, int]], dictionary: int) -> None:
        rows = [(*self._stored(text, dictionary, level), number) for number, text, level in texts]
        sql = "UPDATE messages SET packed = ?, size = ?, text = ? WHERE id = ?"
        self._connection.executemany(sql, rows)

    def _stored(self, packed: bytes, dictionary: int, level: int) -> tuple[bool, int, bytes]:
        text = plain(self._connection, True, packed)
        return stored(self._connection, text, dictionary, level)
