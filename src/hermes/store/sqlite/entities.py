"""Entities on SQLite."""

from collections.abc import Sequence
from dataclasses import replace

from hermes.errors import NotFound
from hermes.store.base.entities import Name
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.tables.entities import EntityTable
from hermes.types import Entity


class SqliteEntities(EntityTable):
    _connection: Connection

    def __init__(self, connection: Connection, banks: SqliteBanks) -> None:
        self._connection = connection
        self._banks = banks

    def add(self, entity: Entity, names: Sequence[Name], now: int) -> Entity:
        bank = self._banks.number(entity.bank, now)
        number = self._next("entity")
        sql = """INSERT INTO entities (id, bank, kind, merged_into, created_at)
          VALUES (?, ?, ?, ?, ?)"""
        values = (number, bank, str(entity.kind), entity.merged_into, now)
        self._connection.execute(sql, values)
        self._name(number, names)
        self._log(number, "add")
        return replace(entity, id=number)

    def save(self, entity: Entity, names: Sequence[Name]) -> None:
        sql = "UPDATE entities SET kind = ?, merged_into = ? WHERE id = ?"
        self._connection.execute(sql, (str(entity.kind), entity.merged_into, entity.id))
        if not self._connection.changes():
            hint = "See `hermes memory entities list`."
            raise NotFound(f"There is no entity {entity.id}.", hint)
        self._connection.execute("DELETE FROM entity_names WHERE entity = ?", (entity.id,))
        self._name(entity.id, names)
        self._log(entity.id, "change")

    def mention_in_fact(self, fact_id: int, mentions: Sequence[tuple[int, str]]) -> None:
        self._connection.execute("DELETE FROM fact_mentions WHERE fact = ?", (fact_id,))
        sql = "INSERT OR IGNORE INTO fact_mentions (fact, entity, key, place) VALUES (?, ?, ?, ?)"
        rows = [(fact_id, entity, key, place) for place, (entity, key) in enumerate(mentions)]
        self._connection.executemany(sql, rows)

    def mention_in_message(self, message_id: int, mentions: Sequence[tuple[int, str]]) -> None:
        sql = "INSERT OR IGNORE INTO message_mentions (message, entity, key) VALUES (?, ?, ?)"
        self._connection.executemany(sql, [(message_id, *mention) for mention in mentions])

    def move_mentions(self, entity_id: int, to_id: int, keys: Sequence[str]) -> int:
        named = f"AND key IN ({','.join('?' * len(keys))})" if keys else ""
        moved = 0
        for table in ("fact_mentions", "message_mentions"):
            sql = f"UPDATE OR REPLACE {table} SET entity = ? WHERE entity = ? {named}"
            self._connection.execute(sql, (to_id, entity_id, *keys))
            moved += self._connection.changes()
        return moved

    def version(self) -> int:
        sql = "SELECT value FROM counters WHERE name = 'entity_version'"
        return scalar(self._connection, sql)

    def _name(self, number: int, names: Sequence[Name]) -> None:
        sql = "INSERT INTO entity_names (entity, place, key, name) VALUES (?, ?, ?, ?)"
        rows = [(number, place, *name) for place, name in enumerate(names)]
        self._connection.executemany(sql, rows)

    def _next(self, counter: str) -> int:
        sql = "UPDATE counters SET value = value + 1 WHERE name = ? RETURNING value"
        return scalar(self._connection, sql, (counter,))

    def _log(self, entity: int, op: str) -> None:
        self._next("entity_version")
        sql = "INSERT INTO changes (kind, first, last, op) VALUES ('entity', ?, ?, ?)"
        self._connection.execute(sql, (entity, entity, op))
