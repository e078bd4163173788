"""Entities as they are read, the same on every store; each writes them in its own way."""

from collections.abc import Iterable, Sequence
from typing import Any

from hermes.store.tables.statements import Statements
from hermes.types import Entity, EntityKind

_MENTIONS = """(SELECT count(DISTINCT fact) FROM fact_mentions m WHERE m.entity = e.id)
  + (SELECT count(DISTINCT message) FROM message_mentions m WHERE m.entity = e.id)"""
_ENTITY = f"""SELECT e.id, b.name, n.name, e.kind, {_MENTIONS} AS mentions, e.merged_into
  FROM entities e JOIN banks b ON b.id = e.bank
  JOIN entity_names n ON n.entity = e.id AND n.place = 0"""
_ORDER = "ORDER BY mentions DESC, e.id"


class EntityTable:
    """What is read of entities behind a connection."""

    _connection: Statements

    def find(self, entity_id: int) -> Entity | None:
        return next(iter(self._entities("e.id = ?", (entity_id,))), None)

    def list_named(self, bank: str, key: str) -> list[Entity]:
        where = """e.id IN (SELECT entity FROM entity_names WHERE key = ?)
          AND e.merged_into IS NULL AND (? = '' OR b.name = ?)"""
        return self._entities(where, (key, bank, bank), _ORDER)

    def list_merged(self, entity_id: int) -> list[Entity]:
        return self._entities("e.merged_into = ?", (entity_id,), "ORDER BY e.id")

    def list_messages(self, entity_id: int, limit: int) -> list[int]:
        sql = """SELECT DISTINCT message FROM message_mentions WHERE entity = ?
          ORDER BY message DESC LIMIT ?"""
        return [int(row) for (row,) in self._connection.execute(sql, (entity_id, limit))]

    def list_in_fact(self, fact_id: int) -> list[Entity]:
        sql = "SELECT entity FROM fact_mentions WHERE fact = ? ORDER BY place"
        ids = dict.fromkeys(int(row) for (row,) in self._connection.execute(sql, (fact_id,)))
        found = (self.find(number) for number in ids)
        return [entity for entity in found if entity is not None]

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

    def list(self, bank: str = "", limit: int = 1_000_000) -> list[Entity]:
        where = "e.merged_into IS NULL AND (? = '' OR b.name = ?)"
        return self._entities(where, (bank, bank), f"{_ORDER} LIMIT {int(limit)}")


def _entity(row: Sequence[Any], aliases: Iterable[str]) -> Entity:
    number, bank, name, kind, mentions, merged_into = row
    return Entity(number, bank, name, EntityKind(kind), tuple(aliases), mentions, merged_into)
