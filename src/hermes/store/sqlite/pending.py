"""Held writes on SQLite."""

from hermes.store.base.pending import HeldWrite
from hermes.store.sqlite.connection import Connection
from hermes.store.tables.held import COLUMNS, HeldTable


class SqlitePending(HeldTable):
    _connection: Connection

    def _insert(self, write: HeldWrite, values: tuple[object, ...]) -> int:
        sql = f"INSERT INTO held_writes ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._connection.execute(sql, values)
        return self._connection.last_insert_rowid()
