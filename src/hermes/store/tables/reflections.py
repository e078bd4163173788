"""Reflections: lessons of past tasks and how often they held, the same on every store."""

from collections.abc import Sequence
from typing import Any, Protocol

from hermes.errors import NotFound
from hermes.store.base.vectors import VectorKind
from hermes.store.rows import ORIGIN_NUMBER, ORIGINS, session
from hermes.store.tables.retries import ask_again
from hermes.store.tables.statements import BankNumbers, Statements, count
from hermes.types import Reflection, Session, Trust

_REFLECTION = """SELECT r.id, b.name, r.task_type, r.lesson, r.worked, r.failed, r.next_time,
  r.successes, r.failures, r.created_at, r.updated_at, r.origin, r.trust, r.held, r.author,
  r.session FROM reflections r JOIN banks b ON b.id = r.bank"""
_LIVE = "r.deleted_at IS NULL"
COLUMNS = """bank, task_type, lesson, lesson_key, worked, failed, next_time, successes, failures,
  created_at, updated_at, origin, trust, held, author, session"""
VALUES = ", ".join("?" * 16)
_SAVE = """UPDATE reflections SET worked = ?, failed = ?, next_time = ?, successes = ?,
  failures = ?, updated_at = ?, trust = ?, held = ?, author = ?, session = ? WHERE id = ?"""
_DUE = """JOIN extractions x ON x.session = s.id
  LEFT JOIN reflected r ON r.session = s.id
  WHERE NOT x.pending AND s.hidden_at IS NULL AND x.upto > coalesce(r.upto, 0)
  ORDER BY s.last_at, s.id LIMIT ?"""


class IndexedTexts(Protocol):
    def add(self, number: int, text: str, bank: int, /) -> None: ...

    def remove(self, number: int, text: str, bank: int, /) -> None: ...


class ReflectionTable:
    """The table of reflections behind a connection; a store adds its rows, index and changes."""

    def __init__(self, connection: Statements, banks: BankNumbers, select_session: str) -> None:
        self._connection = connection
        self._banks = banks
        self._due = f"{select_session} {_DUE}"

    def _insert(self, reflection: Reflection, values: tuple[object, ...]) -> int:
        """Add a row of `COLUMNS`; its number."""
        raise NotImplementedError

    def _index(self) -> IndexedTexts:
        raise NotImplementedError

    def _log(self, number: int, op: str) -> None:
        """Leave word of a change for those who follow."""
        raise NotImplementedError

    def _drop_vectors(self, number: int) -> None:
        """Forget the vectors of a deleted one, where they do not go with the word of its change."""

    def mark(self, session_id: str, upto: int) -> None:
        raise NotImplementedError

    def add(self, reflection: Reflection, *, lesson_key: str) -> Reflection:
        bank = self._banks.number(reflection.bank, reflection.created_at)
        told = (reflection.worked, reflection.failed, reflection.next_time)
        counts = (reflection.successes, reflection.failures)
        times = (reflection.created_at, reflection.updated_at)
        by = (ORIGIN_NUMBER[reflection.origin], int(reflection.trust), reflection.held)
        said = (reflection.task_type, reflection.lesson, lesson_key)
        values = (bank, *said, *told, *counts, *times, *by, reflection.author)
        number = self._insert(reflection, (*values, reflection.session_id))
        self._index().add(number, _indexed(reflection), bank)
        self._log(number, "add")
        return self._get(number)

    def save(self, reflection: Reflection) -> None:
        values = (
            *(reflection.worked, reflection.failed, reflection.next_time, reflection.successes),
            *(reflection.failures, reflection.updated_at, int(reflection.trust), reflection.held),
            *(reflection.author, reflection.session_id, reflection.id),
        )
        self._connection.execute(_SAVE, values)
        self._log(reflection.id, "change")

    def find(self, number: int) -> Reflection | None:
        return next(iter(self._list("r.id = ?", (number,))), None)

    def find_same(self, bank: str, task_type: str, lesson_key: str) -> Reflection | None:
        where = "b.name = ? AND r.task_type = ? AND r.lesson_key = ?"
        return next(iter(self._list(where, (bank, task_type, lesson_key))), None)

    def get_many(self, ids: Sequence[int]) -> dict[int, Reflection]:
        return {each.id: each for each in self._list(*self._connection.among("r.id", ids))}

    def delete(self, number: int, *, at: int) -> None:
        gone = self._get(number)
        bank = self._banks.find_number(gone.bank) or 0
        self._index().remove(number, _indexed(gone), bank)
        sql = "UPDATE reflections SET deleted_at = ? WHERE id = ?"
        self._connection.execute(sql, (at, number))
        self._drop_vectors(number)
        self._log(number, "remove")

    def restore(self, number: int) -> Reflection:
        sql = """UPDATE reflections SET deleted_at = NULL
          WHERE id = ? AND deleted_at IS NOT NULL RETURNING bank"""
        banks = [int(bank) for (bank,) in self._connection.execute(sql, (number,))]
        if not banks:
            hint = "See `hermes memory reflections list`."
            raise NotFound(f"There is no deleted reflection:{number}.", hint)
        back = self._get(number)
        self._index().add(number, _indexed(back), banks[0])
        ask_again(self._connection, VectorKind.REFLECTION, [number])
        self._log(number, "add")
        return back

    def count(self, bank: str = "") -> int:
        sql = f"""SELECT count(*) FROM reflections r JOIN banks b ON b.id = r.bank
          WHERE {_LIVE} AND (?1 = '' OR b.name = ?1)"""
        return count(self._connection, sql, (bank,))

    def count_types(self, bank: str) -> dict[str, int]:
        sql = f"""SELECT r.task_type, count(*) FROM reflections r JOIN banks b ON b.id = r.bank
          WHERE {_LIVE} AND b.name = ? GROUP BY r.task_type"""
        return {str(name): int(n) for name, n in self._connection.execute(sql, (bank,))}

    def list_due(self, limit: int) -> list[Session]:
        return [session(row) for row in self._connection.execute(self._due, (limit,))]

    def upto(self, session_id: str) -> int:
        sql = """SELECT r.upto FROM reflected r JOIN sessions s ON s.id = r.session
          WHERE s.uid = ?"""
        return count(self._connection, sql, (session_id,))

    def _get(self, number: int) -> Reflection:
        found = self.find(number)
        if found is None:
            raise NotFound(
                f"There is no reflection:{number}.", "See `hermes memory reflections list`."
            )
        return found

    def _list(self, where: str, values: tuple[object, ...]) -> Sequence[Reflection]:
        sql = f"{_REFLECTION} WHERE {_LIVE} AND {where}"
        return [_reflection(row) for row in self._connection.execute(sql, values)]

    def list(self, bank: str = "", *, task_type: str = "", limit: int = 1_000) -> list[Reflection]:
        where = "(?1 = '' OR b.name = ?1) AND (?2 = '' OR r.task_type = ?2)"
        order = "ORDER BY r.updated_at DESC, r.id DESC LIMIT ?3"
        return [*self._list(f"{where} {order}", (bank, task_type, limit))]


def _indexed(reflection: Reflection) -> str:
    return f"{reflection.task_type} {reflection.lesson}"


def _reflection(row: Sequence[Any]) -> Reflection:
    return Reflection(*row[:11], *_by(*row[11:]))


def _by(origin: int, trust: int, held: int, author: str, session_id: str) -> tuple[Any, ...]:
    return ORIGINS[origin], Trust(trust), bool(held), author, session_id
