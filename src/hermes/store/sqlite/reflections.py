"""Reflections on SQLite."""

from functools import cached_property

from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection
from hermes.store.sqlite.row_texts import REFLECTIONS, SqliteRowTexts
from hermes.store.sqlite.rows import SESSION
from hermes.store.sqlite.texts import SqliteTexts
from hermes.store.tables.reflections import COLUMNS, VALUES, ReflectionTable
from hermes.types import Reflection


class SqliteReflections(ReflectionTable):
    _connection: Connection
    _banks: SqliteBanks

    def __init__(self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts) -> None:
        super().__init__(connection, banks, SESSION)
        self._texts = texts

    @cached_property
    def texts(self) -> SqliteRowTexts:
        return SqliteRowTexts(self._connection, self._banks, self._texts, REFLECTIONS)

    def mark(self, session_id: str, upto: int) -> None:
        sql = """INSERT INTO reflected (session, upto) SELECT id, ?2 FROM sessions WHERE uid = ?1
          ON CONFLICT (session) DO UPDATE SET upto = max(upto, excluded.upto)"""
        self._connection.execute(sql, (session_id, upto))

    def _insert(self, reflection: Reflection, values: tuple[object, ...]) -> int:
        self._connection.execute(f"INSERT INTO reflections ({COLUMNS}) VALUES ({VALUES})", values)
        return self._connection.last_insert_rowid()

    def _index(self) -> SqliteRowTexts:
        return self.texts

    def _log(self, number: int, op: str) -> None:
        sql = "INSERT INTO changes (kind, first, last, op) VALUES ('reflection', ?, ?, ?)"
        self._connection.execute(sql, (number, number, op))
