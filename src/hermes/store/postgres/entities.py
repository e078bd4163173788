"""Entities on PostgreSQL."""

from collections.abc import Sequence
from dataclasses import replace

from hermes.errors import NotFound
from hermes.store.base.entities import Name
from hermes.store.postgres.connection import Connection, require
from hermes.store.postgres.parts import Parts
from hermes.store.tables.entities import EntityTable
from hermes.types import Entity


class PostgresEntities(EntityTable):
    _connection: Connection

    def __init__(self, connection: Connection, parts: Parts) -> None:
        self._connection = connection
        self._banks = parts.banks
        self._counters = parts.counters
        self._changes = parts.changes

    def add(self, entity: Entity, names: Sequence[Name], now: int) -> Entity:
        bank = self._banks.number(entity.bank, now)
        number = self._counters.take("entity")
        if entity.merged_into != number:
            require(self._connection, "entities", [entity.merged_into])
        sql = """INSERT INTO entities (id, bank, kind, merged_into, created_at)
          VALUES (?, ?, ?, ?, ?)"""
        values = (number, bank, str(entity.kind), entity.merged_into, now)
        self._connection.execute(sql, values)
        self._name(number, bank, names)
        self._log(number, "add")
        return replace(entity, id=number)

    def save(self, entity: Entity, names: Sequence[Name]) -> None:
        found = self._connection.execute("SELECT bank FROM entities WHERE id = ?", (entity.id,))
        if not found:
            hint = "See `hermes memory entities list`."
            raise NotFound(f"There is no entity {entity.id}.", hint)
        require(self._connection, "entities", [entity.merged_into])
        sql = "UPDATE entities SET kind = ?, merged_into = ? WHERE id = ?"
        self._connection.defer(sql, (str(entity.kind), entity.merged_into, entity.id))
        self._connection.execute("DELETE FROM entity_names WHERE entity = ?", (entity.id,))
        self._name(entity.id, found[0][0], names)
        self._log(entity.id, "change")

    def mention_in_fact(self, fact_id: int, mentions: Sequence[tuple[int, str]]) -> None:
        self._connection.execute("DELETE FROM fact_mentions WHERE fact = ?", (fact_id,))
        if mentions:
            require(self._connection, "facts", [fact_id])
            require(self._connection, "entities", [entity for entity, _ in mentions])
        sql = """INSERT INTO fact_mentions (bank, fact, entity, key, place)
          SELECT bank, id, ?, ?, ? FROM facts WHERE id = ? ON CONFLICT DO NOTHING"""
        rows = [(entity, key, place, fact_id) for place, (entity, key) in enumerate(mentions)]
        self._connection.executemany(sql, rows)

    def mention_in_message(self, message_id: int, mentions: Sequence[tuple[int, str]]) -> None:
        if mentions:
            require(self._connection, "messages", [message_id])
            require(self._connection, "entities", [entity for entity, _ in mentions])
        sql = """INSERT INTO message_mentions (bank, message, entity, key)
          SELECT bank, id, ?, ? FROM messages WHERE id = ? ON CONFLICT DO NOTHING"""
        self._connection.executemany(sql, [(*mention, message_id) for mention in mentions])

    def move_mentions(self, entity_id: int, to_id: int, keys: Sequence[str]) -> int:
        moved = 0
        for table, of in (("fact_mentions", "fact"), ("message_mentions", "message")):
            mine = f"{table} WHERE entity = ?1 AND (cardinality(?3::text[]) = 0 OR key = ANY(?3))"
            values = (entity_id, to_id, list(keys))
            twins = f"SELECT {of}, key FROM {mine}"
            sql = f"DELETE FROM {table} WHERE entity = ?2 AND ?1 <> ?2 AND ({of}, key) IN ({twins})"
            self._connection.execute(sql, values)
            sql = f"""UPDATE {table} SET entity = ?2
              WHERE entity = ?1 AND (cardinality(?3::text[]) = 0 OR key = ANY(?3))"""
            self._connection.execute(sql, values)
            moved += self._connection.changes()
        if moved:
            require(self._connection, "entities", [to_id])
        return moved

    def version(self) -> int:
        return self._counters.get("entity_version")

    def _name(self, number: int, bank: int, names: Sequence[Name]) -> None:
        columns = "bank int8, entity int8, place int8, key text, name text"
        rows = [(bank, number, place, *name) for place, name in enumerate(names)]
        self._connection.insert("entity_names", columns, rows)

    def _log(self, entity: int, op: str) -> None:
        self._counters.take("entity_version")
        self._changes.record("entity", entity, entity, op)
