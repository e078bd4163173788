"""Held writes on PostgreSQL."""

from hermes.store.base.pending import HeldWrite
from hermes.store.postgres.connection import Connection, require
from hermes.store.postgres.parts import Parts
from hermes.store.tables.held import COLUMNS, HeldTable


class PostgresPending(HeldTable):
    _connection: Connection

    def __init__(self, connection: Connection, parts: Parts) -> None:
        super().__init__(connection, parts.banks)
        self._counters = parts.counters

    def _insert(self, write: HeldWrite, values: tuple[object, ...]) -> int:
        require(self._connection, "facts", [write.fact_id])
        number = self._counters.take("held")
        sql = f"INSERT INTO held_writes (id, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._connection.execute(sql, (number, *values))
        return number
