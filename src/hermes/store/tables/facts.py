"""Facts, the same on every store."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from hermes.errors import NotFound
from hermes.store import fact_rows
from hermes.store.base.facts import FactChange, FactFilter, FactTally
from hermes.store.tables.reflections import IndexedTexts
from hermes.store.tables.statements import BankNumbers, Statements, count
from hermes.types import Fact, FactSource

_CHUNK = 500
_HISTORY = "fact_history"  # in the sequence of changes: a line of it
_NAMES = """SELECT m.fact, n.name FROM fact_mentions m
  JOIN entity_names n ON n.entity = m.entity AND n.place = 0"""
# Only what is still believed can be contradicted.
_RIVALS = """SELECT c.fact, c.other FROM contradictions c
  JOIN facts f ON f.id = c.fact JOIN facts o ON o.id = c.other
  WHERE f.retracted_at IS NULL AND f.superseded_by IS NULL
    AND o.retracted_at IS NULL AND o.superseded_by IS NULL"""


class FactTable:
    """The table of facts behind a connection; a store adds its rows, index and changes."""

    def __init__(self, connection: Statements, banks: BankNumbers) -> None:
        self._connection = connection
        self._banks = banks

    def _index(self) -> IndexedTexts:
        raise NotImplementedError

    def _next(self, counter: str) -> int:
        raise NotImplementedError

    def _insert_source(self, fact_id: int, columns: tuple[object, ...]) -> None:
        """Add what `fact_rows.source_columns` gives."""
        raise NotImplementedError

    def _insert_change(self, fact_id: int, values: tuple[object, ...]) -> int:
        """Add (at, action, by, reason, before, after) to a fact's history; the row's number."""
        raise NotImplementedError

    def _insert_contradiction(self, one: int, other: int, at: int) -> None:
        raise NotImplementedError

    def _log(self, number: int, op: str, *, kind: str = "fact") -> None:
        """Leave word of a change for those who follow."""
        raise NotImplementedError

    def _check_heir(self, fact: Fact) -> None:
        """Refuse an heir that is not there, where no constraint sees to it."""

    def _drop_vector(self, item: int) -> None:
        """Forget the vector of an old wording, where it does not go with the word of its change."""

    def reserve(self) -> tuple[int, int]:
        return self._next("fact"), self._next("fact_number")

    def add(self, fact: Fact, *, subject_key: str) -> None:
        bank = self._banks.number(fact.bank, fact.recorded_at)
        numbers = (fact.id, fact.number, bank, self._next("fact_vector"))
        self._connection.execute(fact_rows.ADD, (*fact_rows.columns(fact, subject_key), *numbers))
        self._index().add(fact.id, fact.text, bank)
        for source in fact.sources:
            self._insert_source(fact.id, fact_rows.source_columns(source))
        self._log(fact.id, "add")

    def save(self, fact: Fact, *, subject_key: str) -> None:
        sql = "SELECT text, bank, vector FROM facts WHERE id = ?"
        before = list(self._connection.execute(sql, (fact.id,)))
        if not before:
            raise NotFound(f"There is no fact:{fact.number}.", "See `hermes memory facts list`.")
        self._check_heir(fact)
        columns = fact_rows.columns(fact, subject_key)
        self._connection.execute(fact_rows.SAVE, (*columns, fact.id))
        ((text, bank, vector),) = before
        if text != fact.text:
            self._reword(fact, text, bank)
            self._drop_vector(vector)
        self._log(fact.id, "change")

    def add_source(self, fact_id: int, source: FactSource) -> None:
        self._insert_source(fact_id, fact_rows.source_columns(source))
        self._log(fact_id, "change")

    def drop_source(self, fact_id: int, source: FactSource) -> None:
        sql = """DELETE FROM fact_sources WHERE fact = ? AND quote = ?
          AND message IS NOT DISTINCT FROM ? AND at IS NOT DISTINCT FROM ?"""
        self._connection.execute(sql, (fact_id, source.quote, source.message_id, source.at))
        self._log(fact_id, "change")

    def add_contradiction(self, fact_id: int, other_id: int, at: int) -> None:
        self._insert_contradiction(min(fact_id, other_id), max(fact_id, other_id), at)

    def drop_contradiction(self, fact_id: int, other_id: int) -> None:
        pair = sorted((fact_id, other_id))
        self._connection.execute("DELETE FROM contradictions WHERE fact = ? AND other = ?", pair)

    def find(self, number: int) -> Fact | None:
        return next(iter(self._facts("f.number = ?", (number,))), None)

    def get_many(self, ids: Sequence[int]) -> dict[int, Fact]:
        return {
            fact.id: fact
            for part in _parts(ids)
            for fact in self._facts(*self._connection.among("f.id", part))
        }

    def get_by_vector(self, items: Sequence[int]) -> dict[int, Fact]:
        pairs: dict[int, int] = {}
        for part in _parts(items):
            where, values = self._connection.among("vector", part)
            sql = f"SELECT id, vector FROM facts WHERE {where}"
            pairs.update((row, item) for row, item in self._connection.execute(sql, values))
        return {pairs[fact.id]: fact for fact in self.get_many(list(pairs)).values()}

    def count(self, bank: str = "") -> int:
        where, values = fact_rows.conditions(FactFilter(bank=bank, current=True))
        sql = f"SELECT count(*) FROM facts f JOIN banks b ON b.id = f.bank WHERE {where}"
        return count(self._connection, sql, tuple(values))

    def tally(self, bank: str = "") -> FactTally:
        ((*counts,),) = list(self._connection.execute(fact_rows.TALLY, (bank, bank)))
        sql = f"""SELECT count(DISTINCT f.id) FROM ({_RIVALS}) r JOIN facts f
          ON f.id IN (r.fact, r.other) JOIN banks b ON b.id = f.bank WHERE ? = '' OR b.name = ?"""
        contested = count(self._connection, sql, (bank, bank))
        return replace(FactTally(*counts), contested=contested)

    def list_superseded(self, fact_id: int) -> list[Fact]:
        return self._facts("f.superseded_by = ?", (fact_id,), "ORDER BY f.number")

    def record_change(self, change: FactChange) -> int:
        told = (change.at, change.action, change.by, change.reason)
        fields = (fact_rows.render_fields(change.before), fact_rows.render_fields(change.after))
        number = self._insert_change(change.fact_id, (*told, *fields))
        self._log(number, "add", kind=_HISTORY)
        return number

    def list_changes(self, fact_id: int) -> list[FactChange]:
        sql = f"{fact_rows.CHANGE} WHERE h.fact = ? ORDER BY h.id"
        return [fact_rows.change(row) for row in self._connection.execute(sql, (fact_id,))]

    def list_changes_after(self, at: int, bank: str = "") -> list[FactChange]:
        sql = f"""{fact_rows.CHANGE} JOIN facts f ON f.id = h.fact AND {fact_rows.SHOWN}
          JOIN banks b ON b.id = f.bank WHERE h.at > ? AND (? = '' OR b.name = ?)
          ORDER BY h.id DESC"""
        return [fact_rows.change(row) for row in self._connection.execute(sql, (at, bank, bank))]

    def list_changes_since(self, seq: int, bank: str = "") -> list[FactChange]:
        sql = f"""{fact_rows.CHANGE} JOIN changes c ON c.first = h.id AND c.kind = ? AND c.seq > ?
          JOIN facts f ON f.id = h.fact AND {fact_rows.SHOWN} JOIN banks b ON b.id = f.bank
          WHERE ? = '' OR b.name = ? ORDER BY c.seq DESC"""
        found = self._connection.execute(sql, (_HISTORY, seq, bank, bank))
        return [fact_rows.change(row) for row in found]

    def _facts(self, where: str, values: Sequence[object], order: str = "") -> list[Fact]:
        sql = f"{fact_rows.FACT} WHERE {where} {order}"
        rows = list(self._connection.execute(sql, tuple(values)))
        return list(self._whole(rows))

    def _whole(self, rows: Sequence[Sequence[Any]]) -> Iterator[Fact]:
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

    def _among(
        self, sql: str, column: str, ids: Sequence[int], order: str = ""
    ) -> Iterator[Sequence[Any]]:
        for part in _parts(ids):
            where, values = self._connection.among(column, part)
            yield from list(self._connection.execute(f"{sql} {where} {order}", values))

    def _reword(self, fact: Fact, old_text: str, bank: int) -> None:
        self._index().remove(fact.id, old_text, bank)
        self._index().add(fact.id, fact.text, bank)
        sql = "UPDATE facts SET vector = ? WHERE id = ?"
        self._connection.execute(sql, (self._next("fact_vector"), fact.id))

    def list(self, wanted: FactFilter, limit: int) -> list[Fact]:
        where, values = fact_rows.conditions(wanted)
        return self._facts(where, values, f"ORDER BY f.number DESC LIMIT {int(limit)}")


def _grouped(pairs: Iterable[Sequence[Any]]) -> dict[int, list[Any]]:
    grouped: dict[int, list[Any]] = {}
    for key, value in pairs:
        grouped.setdefault(key, []).append(value)
    return grouped


def _parts(ids: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for start in range(0, len(ids), _CHUNK):
        yield tuple(ids[start : start + _CHUNK])
