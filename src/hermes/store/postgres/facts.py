"""Facts on PostgreSQL."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from hermes.errors import NotFound
from hermes.store import fact_rows
from hermes.store.base.facts import FactChange, FactFilter, FactTally
from hermes.store.base.vectors import VectorKind
from hermes.store.postgres.connection import Connection, Row, require, scalar
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.texts import PostgresLearntTexts
from hermes.store.postgres.vector_rows import remove_vectors
from hermes.types import Fact, FactSource

_ADD_SOURCE = """INSERT INTO fact_sources
  (id, bank, fact, quote, message, episode, session, at, start, stop, trust)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_NAMES = """SELECT m.fact, n.name FROM fact_mentions m
  JOIN entity_names n ON n.entity = m.entity AND n.place = 0"""
# Only what is still believed can be contradicted.
_RIVALS = """SELECT c.fact, c.other FROM contradictions c
  JOIN facts f ON f.id = c.fact JOIN facts o ON o.id = c.other
  WHERE f.retracted_at IS NULL AND f.superseded_by IS NULL
    AND o.retracted_at IS NULL AND o.superseded_by IS NULL"""


class PostgresFacts:
    def __init__(self, connection: Connection, parts: Parts) -> None:
        self._connection = connection
        self._banks = parts.banks
        self._counters = parts.counters
        self._changes = parts.changes
        self._texts = parts.fact_texts

    @property
    def texts(self) -> PostgresLearntTexts:
        return self._texts

    def reserve(self) -> tuple[int, int]:
        return self._counters.take("fact"), self._counters.take("fact_number")

    def add(self, fact: Fact, *, subject_key: str) -> None:
        bank = self._banks.number(fact.bank, fact.recorded_at)
        numbers = (fact.id, fact.number, bank, self._counters.take("fact_vector"))
        self._connection.execute(fact_rows.ADD, (*fact_rows.columns(fact, subject_key), *numbers))
        self.texts.add(fact.id, fact.text, bank)
        for source in fact.sources:
            self._insert_source(fact.id, source, bank)
        self._log(fact.id, "add")

    def save(self, fact: Fact, *, subject_key: str) -> None:
        sql = "SELECT text, bank, vector FROM facts WHERE id = ?"
        before = self._connection.execute(sql, (fact.id,))
        if not before:
            raise NotFound(f"There is no fact:{fact.number}.", "See `hermes memory facts list`.")
        columns = fact_rows.columns(fact, subject_key)
        require(self._connection, "facts", [fact.superseded_by])
        self._connection.execute(fact_rows.SAVE, (*columns, fact.id))
        ((text, bank, vector),) = before
        if text != fact.text:
            self._reword(fact, text, bank)
            remove_vectors(self._connection, self._changes, VectorKind.FACT, [vector])
        self._log(fact.id, "change")

    def add_source(self, fact_id: int, source: FactSource) -> None:
        self._insert_source(fact_id, source, self._bank_of(fact_id))
        self._log(fact_id, "change")

    def add_contradiction(self, fact_id: int, other_id: int, at: int) -> None:
        pair = sorted((fact_id, other_id))
        require(self._connection, "facts", pair)
        sql = """INSERT INTO contradictions (bank, fact, other, at) VALUES (?, ?, ?, ?)
          ON CONFLICT DO NOTHING"""
        self._connection.execute(sql, (self._bank_of(pair[0]), *pair, at))

    def drop_contradiction(self, fact_id: int, other_id: int) -> None:
        pair = sorted((fact_id, other_id))
        self._connection.execute("DELETE FROM contradictions WHERE fact = ? AND other = ?", pair)

    def find(self, number: int) -> Fact | None:
        return next(iter(self._facts("f.number = ?", (number,))), None)

    def get_many(self, ids: Sequence[int]) -> dict[int, Fact]:
        return {fact.id: fact for fact in self._facts("f.id = ANY(?)", (list(ids),))}

    def get_by_vector(self, items: Sequence[int]) -> dict[int, Fact]:
        sql = "SELECT id, vector FROM facts WHERE vector = ANY(?)"
        pairs: dict[int, int] = dict(self._connection.execute(sql, (list(items),)))
        return {pairs[fact.id]: fact for fact in self.get_many(list(pairs)).values()}

    def count(self, bank: str = "") -> int:
        where, values = fact_rows.conditions(FactFilter(bank=bank, current=True))
        sql = f"SELECT count(*) FROM facts f JOIN banks b ON b.id = f.bank WHERE {where}"
        return scalar(self._connection, sql, tuple(values))

    def tally(self, bank: str = "") -> FactTally:
        ((*counts,),) = self._connection.execute(fact_rows.TALLY, (bank, bank))
        sql = f"""SELECT count(DISTINCT f.id) FROM ({_RIVALS}) r JOIN facts f
          ON f.id IN (r.fact, r.other) JOIN banks b ON b.id = f.bank WHERE ? = '' OR b.name = ?"""
        contested = scalar(self._connection, sql, (bank, bank))
        return replace(FactTally(*counts), contested=contested)

    def list_superseded(self, fact_id: int) -> list[Fact]:
        return self._facts("f.superseded_by = ?", (fact_id,), "ORDER BY f.number")

    def record_change(self, change: FactChange) -> int:
        sql = """INSERT INTO fact_history (id, bank, fact, at, action, by, reason, before, after)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
        require(self._connection, "facts", [change.fact_id])
        number = scalar(self._connection, "SELECT max(id) FROM fact_history") + 1
        told = (change.fact_id, change.at, change.action, change.by, change.reason)
        fields = (fact_rows.render_fields(change.before), fact_rows.render_fields(change.after))
        bank = self._bank_of(change.fact_id)
        self._connection.execute(sql, (number, bank, *told, *fields))
        return number

    def list_changes(self, fact_id: int) -> list[FactChange]:
        sql = f"{fact_rows.CHANGE} WHERE h.fact = ? ORDER BY h.id"
        return [fact_rows.change(row) for row in self._connection.execute(sql, (fact_id,))]

    def list_changes_after(self, at: int, bank: str = "") -> list[FactChange]:
        sql = f"""{fact_rows.CHANGE} JOIN facts f ON f.id = h.fact JOIN banks b ON b.id = f.bank
          WHERE h.at > ? AND (? = '' OR b.name = ?) ORDER BY h.id DESC"""
        return [fact_rows.change(row) for row in self._connection.execute(sql, (at, bank, bank))]

    def _facts(self, where: str, values: Sequence[object], order: str = "") -> list[Fact]:
        sql = f"{fact_rows.FACT} WHERE {where} {order}"
        rows = self._connection.execute(sql, tuple(values))
        return list(self._whole(rows))

    def _whole(self, rows: Sequence[Row]) -> Iterator[Fact]:
        ids = [row[0] for row in rows]
        sources = _grouped(self._sources(ids))
        names = _grouped(self._among(_NAMES, "WHERE m.fact", ids, "ORDER BY m.place"))
        rivals: dict[int, list[int]] = {}
        for column in ("c.fact", "c.other"):
            for one, other in self._among(_RIVALS, f"AND {column}", ids):
                mine, theirs = (one, other) if column == "c.fact" else (other, one)
                rivals.setdefault(mine, []).append(theirs)
        for row in rows:
            yield fact_rows.fact(
                row,
                sources=sources.get(row[0], ()),
                entities=dict.fromkeys(names.get(row[0], ())),
                contradicts=sorted(rivals.get(row[0], ())),
            )

    def _sources(self, ids: Sequence[int]) -> Iterator[tuple[int, FactSource]]:
        for row in self._among(fact_rows.SOURCE, "WHERE fact", ids, "ORDER BY id"):
            yield row[0], fact_rows.source(row[1:])

    def _among(self, sql: str, column: str, ids: Sequence[int], order: str = "") -> list[Row]:
        return self._connection.execute(f"{sql} {column} = ANY(?) {order}", (list(ids),))

    def _insert_source(self, fact_id: int, source: FactSource, bank: int) -> None:
        require(self._connection, "facts", [fact_id])
        require(self._connection, "messages", [source.message_id])
        number = scalar(self._connection, "SELECT max(id) FROM fact_sources") + 1
        columns = fact_rows.source_columns(source)
        self._connection.execute(_ADD_SOURCE, (number, bank, fact_id, *columns))

    def _bank_of(self, fact_id: int) -> int:
        return scalar(self._connection, "SELECT bank FROM facts WHERE id = ?", (fact_id,))

    def _reword(self, fact: Fact, old_text: str, bank: int) -> None:
        self.texts.remove(fact.id, old_text, bank)
        self.texts.add(fact.id, fact.text, bank)
        sql = "UPDATE facts SET vector = ? WHERE id = ?"
        self._connection.execute(sql, (self._counters.take("fact_vector"), fact.id))

    def _log(self, fact: int, op: str) -> None:
        self._changes.record("fact", fact, fact, op)

    def list(self, wanted: FactFilter, limit: int) -> list[Fact]:
        where, values = fact_rows.conditions(wanted)
        return self._facts(where, values, f"ORDER BY f.number DESC LIMIT {int(limit)}")


def _grouped(pairs: Iterable[Sequence[Any]]) -> dict[int, list[Any]]:
    grouped: dict[int, list[Any]] = {}
    for key, value in pairs:
        grouped.setdefault(key, []).append(value)
    return grouped
