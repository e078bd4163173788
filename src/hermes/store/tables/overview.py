"""Looking over a whole memory, the same on every store."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Protocol

from hermes.errors import NotFound
from hermes.store.base.facts import Facts
from hermes.store.base.overview import Pair, Window
from hermes.store.tables.statements import BankNumbers, Statements, count
from hermes.types import Entity, Fact

_BELIEVED = "f.retracted_at IS NULL AND f.superseded_by IS NULL"
_FIRST_SAID = "coalesce((SELECT min(s.at) FROM fact_sources s WHERE s.fact = f.id), f.recorded_at)"
_HIDDEN = "(SELECT id FROM sessions WHERE hidden_at IS NOT NULL)"
_OF_ENTITY = """EXISTS (SELECT 1 FROM messages m JOIN message_mentions x ON x.message = m.id
  WHERE m.episode = e.id AND x.entity = ?)"""
# Sessions of one moment are told apart by when they were made.
OLDER = "(s.last_at, s.id) < (SELECT a.last_at, a.id FROM sessions a WHERE a.uid = ?)"
MENTIONING = """s.id IN (SELECT e.session FROM message_mentions x
  JOIN messages m ON m.id = x.message JOIN episodes e ON e.id = m.episode WHERE x.entity = ?)"""
"""Sessions `s` in which an entity is mentioned."""
_LAST = "\U0010ffff"
_NAMES_EACH = 8  # of an entity; more of its names may begin alike
Conditions = tuple[list[str], list[object]]


def expect_anchor(connection: Statements, session_id: str) -> None:
    """Refuse to list what comes after a session that is not there: that would look like the end."""
    if not count(connection, "SELECT count(*) FROM sessions WHERE uid = ?", (session_id,)):
        raise NotFound(
            f"There is no session {session_id!r} to list those after it.",
            "It may have been erased meanwhile: list again from the first page.",
        )


def older_than(seen_at: int | None) -> str:
    """Sessions `s` listed after one, which was last spoken in then when it was listed itself."""
    return OLDER if seen_at is None else OLDER.replace("a.last_at", str(int(seen_at)))


class FindEntity(Protocol):
    def find(self, number: int, /) -> Entity | None: ...


class OverviewTable:
    """Counts and lists over all groups of rows; a store adds how it joins them best."""

    _bank_of_message: ClassVar = "e.bank"

    def __init__(
        self, connection: Statements, banks: BankNumbers, facts: Facts, entities: FindEntity
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
        shown = {at: turns - hidden.get(at, 0) for at, turns in counts.items()}
        return {at: turns for at, turns in shown.items() if turns}

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
        of_fact, given = self._connection.among("m.entity", entities)
        of_message, again = self._connection.among("entity", entities)
        facts = f"""SELECT DISTINCT m.fact, m.entity FROM fact_mentions m
          JOIN facts f ON f.id = m.fact WHERE {_BELIEVED} AND {of_fact}"""
        messages = f"SELECT DISTINCT message, entity FROM message_mentions WHERE {of_message}"
        sql = f"""WITH told AS ({facts}), said AS ({messages}),
          pairs AS (
            SELECT a.entity AS one, b.entity AS other FROM told a
              JOIN told b ON b.fact = a.fact AND b.entity > a.entity
            UNION ALL SELECT a.entity, b.entity FROM said a
              JOIN said b ON b.message = a.message AND b.entity > a.entity)
          SELECT one, other, count(*) AS together FROM pairs GROUP BY one, other
          ORDER BY together DESC, one, other LIMIT ?"""
        found = self._connection.execute(sql, (*given, *again, limit))
        return [Pair(*row) for row in found]

    def list_begun(self, bank: str, key: str, limit: int) -> list[Entity]:
        if not key:
            return []
        sql = """SELECT DISTINCT n.entity FROM entity_names n JOIN entities e ON e.id = n.entity
          JOIN banks b ON b.id = e.bank WHERE n.key >= ?1 AND n.key < ?2
          AND e.merged_into IS NULL AND (?3 = '' OR b.name = ?3) LIMIT ?4"""
        values = (key, key + _LAST, bank, _NAMES_EACH * limit)
        ids = [int(number) for (number,) in self._connection.execute(sql, values)]
        found = [entity for number in ids if (entity := self._entities.find(number)) is not None]
        return sorted(found, key=lambda each: (-each.mentions, each.id))[:limit]

    def find_messages(self, ids: Sequence[int], window: Window) -> set[int]:
        tests, values = self._within(window, self._bank_of_message, "m.at")
        if window.entity_id is not None:
            tests.append("m.id IN (SELECT message FROM message_mentions WHERE entity = ?)")
            values.append(window.entity_id)
        return {int(number) for (number,) in self._shown(ids, (tests, values))}

    def _shown(self, ids: Sequence[int], conditions: Conditions) -> Iterable[tuple[int]]:
        """Which of these messages `m`, of episodes `e`, are not hidden and fit the conditions."""
        raise NotImplementedError

    def count_copies(self) -> int:
        sql = f"""SELECT sum(copies) FROM (SELECT count(*) - 1 AS copies FROM facts f
          WHERE {_BELIEVED} GROUP BY bank, text) x"""
        return count(self._connection, sql)

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
        return ["1 = 1", *(test for test, _ in used)], [value for _, value in used]

    def _steps(self, table: str, at: str, conditions: Conditions, step_ms: int) -> dict[int, int]:
        tests, values = conditions
        step = int(step_ms)
        # Of a time before 1970 the step must begin before it, too.
        sql = f"""SELECT at - ((at % {step}) + {step}) % {step}, count(*)
          FROM (SELECT {at} AS at FROM {table} WHERE {" AND ".join(tests)}) x
          GROUP BY 1 ORDER BY 1"""
        return {int(begin): int(number) for begin, number in self._connection.execute(sql, values)}
