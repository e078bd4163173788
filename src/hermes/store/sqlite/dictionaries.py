"""Texts as SQLite packs them, for their dictionaries to be learnt and replaced (`tables`)."""

from collections.abc import Iterable

from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.tables.dictionaries import Dictionaries


def open_dictionaries(connection: Connection) -> Dictionaries:
    return Dictionaries(connection, SqlitePackedTexts(connection))


class SqlitePackedTexts:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def newest(self) -> int:
        return scalar(self._connection, "SELECT max(id) FROM dictionaries")

    def add(self, content: bytes, now: int) -> int:
        number = self.newest() + 1
        sql = "INSERT INTO dictionaries (id, content, created_at) VALUES (?, ?, ?)"
        self._connection.execute(sql, (number, content, now))
        return number

    def sample(self, limit: int) -> list[str]:
        sql = "SELECT plain(text) FROM messages ORDER BY id DESC LIMIT ?"
        return [text for (text,) in self._connection.execute(sql, (limit,))]

    def list_packed(self, after: int, limit: int) -> list[tuple[int, bytes, bool]]:
        sql = """SELECT id, text, EXISTS (SELECT 1 FROM summary_parts WHERE message = id)
          FROM messages WHERE id > ? AND typeof(text) = 'blob' ORDER BY id LIMIT ?"""
        return list(self._connection.execute(sql, (after, limit)))

    def rewrite(self, texts: Iterable[tuple[int, bytes, int]], dictionary: int) -> None:
        codec = self._connection.codec
        rows = [(codec.encode(codec.decode(t), dictionary, level), n) for n, t, level in texts]
        self._connection.executemany("UPDATE messages SET text = ? WHERE id = ?", rows)
