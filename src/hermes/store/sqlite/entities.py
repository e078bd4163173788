"""Entities on SQLite."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from hermes.errors import NotFound
from hermes.store.base.entities import Name
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.types import Entity, EntityKind

_MENTIONS = """(SELECT count(DISTINCT fact) FROM fact_mentions m WHERE m.entity = e.id)
  + (SELECT count(DISTINCT message) FROM message_mentions m WHERE m.entity = e.id)"""
_ENTITY = f"""SELECT e.id, b.name, n.name, e.kind, {_MENTIONS} AS mentions, e.merged_into
  FROM entities e JOIN banks b ON b.id = e.bank
  JOIN entity_names n ON n.entity = e.id AND n.place = 0"""
_ORDER = "ORDER BY mentions DESC, e.id"


class SqliteEntities:
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

    def find(self, entity_id: int) -> Entity | None:
        return next(iter(self._entities("e.id = ?", (entity_id,))), None)

    def list_named(self, bank: str, key: str) -> list[Entity]:
        where = """e.id IN (SELECT entity FROM entity_names WHERE key = ?)
          AND e.merged_into IS NULL AND (? = '' OR b.name = ?)"""
        return self._entities(where, (key, bank, bank), _ORDER)

    def list_merged(self, entity_id: int) -> list[Entity]:
        return self._entities("e.merged_into = ?", (entity_id,), "ORDER BY e.id")

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

    def list_messages(self, entity_id: int, limit: int) -> list[int]:
        sql = """SELECT DISTINCT message FROM message_mentions WHERE entity = ?
          ORDER BY message DESC LIMIT ?"""
        return [int(row) for (row,) in self._connection.execute(sql, (entity_id, limit))]

    def list_in_fact(self, fact_id: int) -> list[Entity]:
        sql = "SELECT DISTINCT entity FROM fact_mentions WHERE fact = ? ORDER BY place"
        ids = [int(row) for (row,) in self._connection.execute(sql, (fact_id,))]
        found = (self.find(number) for number in ids)
        return [entity for entity in found if entity is not None]

    def version(self) -> int:
        sql = "SELECT value FROM counters WHERE name = 'entity_version'"
        return scalar(self._connection, sql)

    def _entities(self, where: str, values: Sequence[object], order: str = "") -> list[Entity]:
        sql = f"{_ENTITY} WHERE {where} {order}"
        rows = list(self._connection.execute(sql, tuple(values)))
        aliases = self._aliases(where, values)
        return [_entity(row, aliases.get(row[0], ())) for row in rows]

    def _aliases(self, where: str, values: Sequence[object]) -> dict[int, list[str]]:
        sql = f"""SELECT a.entity, a.name FROM entities e JOIN banks b ON b.id = e.bank
          JOIN entity_names a ON a.entity = e.id AND a.place > 0
          WHERE {where} ORDER BY a.entity, a.place"""
        found: dict[int, list[str]] = {}
        for entity, name in self._connection.execute(sql, tuple(values)):
            found.setdefault(entity, []).append(name)
        return found

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

    def list(self, bank: str = "", limit: int = 1_000_000) -> list[Entity]:
        where = "e.merged_into IS NULL AND (? = '' OR b.name = ?)"
        return self._entities(where, (bank, bank), f"{_ORDER} LIMIT {int(limit)}")


def _entity(row: Sequence[Any], aliases: Iterable[str]) -> Entity:
    number, bank, name, kind, mentions, merged_into = row
    return Entity(number, bank, name, EntityKind(kind), tuple(aliases), mentions, merged_into)
