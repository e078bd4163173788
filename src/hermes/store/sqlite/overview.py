"""Looking over a whole memory on SQLite."""

from collections.abc import Sequence

from hermes.store.base.facts import Facts
from hermes.store.base.overview import Pair, Window
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.sqlite.entities import SqliteEntities
from hermes.types import Entity, Fact

_BELIEVED = "f.retracted_at IS NULL AND f.superseded_by IS NULL"
_FIRST_SAID = "ifnull((SELECT min(s.at) FROM fact_sources s WHERE s.fact = f.id), f.recorded_at)"
_HIDDEN = "(SELECT id FROM sessions WHERE hidden_at IS NOT NULL)"
_OF_ENTITY = """EXISTS (SELECT 1 FROM messages m JOIN message_mentions x ON x.message = m.id
  WHERE m.episode = e.id AND x.entity = ?)"""
_LAST = "\U0010ffff"
_CHUNK = 500
Conditions = tuple[list[str], list[object]]


class SqliteOverview:
    def __init__(
        self,
        connection: Connection,
        banks: SqliteBanks,
        facts: Facts,
        entities: SqliteEntities,
    ) -> None:
        self._connection = connection
        self._banks = banks
        self._facts = facts
        self._entities = entities

    def count_turns(self, window: Window, step_ms: int) -> dict[int, int]:
        tests, values = self._within(window, "e.bank", "e.at")
        if window.entity_id is not None:
            tests.append(_OF_ENTITY)
            values.append(window.entity_id)
        counts = self._steps("episodes e", "e.at", (tests, values), step_ms)
        # Of hidden sessions there are few: counting them apart keeps the index of the rest enough.
        hidden = self._steps(
            "episodes e", "e.at", ([*tests, f"e.session IN {_HIDDEN}"], values), step_ms
        )
        shown = {at: count - hidden.get(at, 0) for at, count in counts.items()}
        return {at: count for at, count in shown.items() if count}

    def count_facts(self, window: Window, step_ms: int) -> dict[int, int]:
        tests, values = self._facts_within(window)
        return self._steps("facts f", _FIRST_SAID, (tests, values), step_ms)

    def list_facts(self, window: Window, limit: int) -> list[tuple[int, Fact]]:
        tests, values = self._facts_within(window)
        sql = f"""SELECT f.id, {_FIRST_SAID} AS said FROM facts f WHERE {" AND ".join(tests)}
          ORDER BY said DESC, f.id DESC LIMIT ?"""
        said = dict(list(self._connection.execute(sql, (*values, limit))))
        facts = self._facts.get_many(list(said))
        return [(int(at), facts[number]) for number, at in said.items() if number in facts]

    def list_pairs(self, entities: Sequence[int], limit: int) -> list[Pair]:
        if not entities:
            return []
        marks = ",".join("?" * len(entities))
        facts = f"""SELECT DISTINCT m.fact, m.entity FROM fact_mentions m
          JOIN facts f ON f.id = m.fact WHERE {_BELIEVED} AND m.entity IN ({marks})"""
        messages = f"""SELECT DISTINCT message, entity FROM message_mentions
          WHERE entity IN ({marks})"""
        sql = f"""WITH told AS ({facts}), said AS ({messages}),
          pairs AS (
            SELECT a.entity AS one, b.entity AS other FROM told a
              JOIN told b ON b.fact = a.fact AND b.entity > a.entity
            UNION ALL SELECT a.entity, b.entity FROM said a
              JOIN said b ON b.message = a.message AND b.entity > a.entity)
          SELECT one, other, count(*) AS together FROM pairs GROUP BY one, other
          ORDER BY together DESC, one, other LIMIT ?"""
        found = self._connection.execute(sql, (*entities, *entities, limit))
        return [Pair(*row) for row in found]

    def list_begun(self, bank: str, key: str, limit: int) -> list[Entity]:
        if not key:
            return []
        sql = """SELECT DISTINCT n.entity FROM entity_names n JOIN entities e ON e.id = n.entity
          JOIN banks b ON b.id = e.bank WHERE n.key >= ?1 AND n.key < ?2
          AND e.merged_into IS NULL AND (?3 = '' OR b.name = ?3) LIMIT ?4"""
        values = (key, key + _LAST, bank, 3 * limit)
        ids = [int(number) for (number,) in self._connection.execute(sql, values)]
        found = [entity for number in ids if (entity := self._entities.find(number)) is not None]
        return sorted(found, key=lambda each: (-each.mentions, each.id))[:limit]

    def find_messages(self, ids: Sequence[int], window: Window) -> set[int]:
        tests, values = self._within(window, "e.bank", "m.at")
        if window.entity_id is not None:
            tests.append("m.id IN (SELECT message FROM message_mentions WHERE entity = ?)")
            values.append(window.entity_id)
        found: set[int] = set()
        for start in range(0, len(ids), _CHUNK):
            part = ids[start : start + _CHUNK]
            sql = f"""SELECT m.id FROM messages m CROSS JOIN episodes e ON e.id = m.episode
              CROSS JOIN sessions s ON s.id = e.session
              WHERE s.hidden_at IS NULL AND m.id IN ({",".join("?" * len(part))})
              AND {" AND ".join(tests)}"""
            found.update(int(i) for (i,) in self._connection.execute(sql, (*part, *values)))
        return found

    def count_copies(self) -> int:
        sql = f"""SELECT total(copies) FROM (SELECT count(*) - 1 AS copies FROM facts f
          WHERE {_BELIEVED} GROUP BY bank, text)"""
        return scalar(self._connection, sql)

    def _facts_within(self, window: Window) -> Conditions:
        tests, values = self._within(window, "f.bank", _FIRST_SAID)
        tests.append(_BELIEVED)
        if window.entity_id is not None:
            tests.append("f.id IN (SELECT fact FROM fact_mentions WHERE entity = ?)")
            values.append(window.entity_id)
        return tests, values

    def _within(self, window: Window, bank: str, at: str) -> Conditions:
        number = (self._banks.find_number(window.bank) or 0) if window.bank else None
        pairs = (
            (f"{bank} = ?", number),
            (f"{at} >= ?", window.since_at),
            (f"{at} < ?", window.before_at),
        )
        used = [(test, value) for test, value in pairs if value is not None]
        return ["1", *(test for test, _ in used)], [value for _, value in used]

    def _steps(self, table: str, at: str, conditions: Conditions, step_ms: int) -> dict[int, int]:
        tests, values = conditions
        step = int(step_ms)
        # Of a time before 1970 the step must begin before it, too.
        sql = f"""SELECT at - ((at % {step}) + {step}) % {step}, count(*)
          FROM (SELECT {at} AS at FROM {table} WHERE {" AND ".join(tests)}) GROUP BY 1 ORDER BY 1"""
        return {int(begin): int(count) for begin, count in self._connection.execute(sql, values)}
