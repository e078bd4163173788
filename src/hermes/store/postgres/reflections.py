"""Reflections on PostgreSQL."""

from collections.abc import Sequence
from typing import Any

from hermes.errors import HermesError, NotFound
from hermes.store.base.vectors import VectorKind
from hermes.store.postgres.connection import Connection, scalar
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.rows import SESSION
from hermes.store.postgres.texts import PostgresLearntTexts
from hermes.store.postgres.vector_rows import remove_vectors
from hermes.store.rows import ORIGIN_NUMBER, ORIGINS, session
from hermes.store.text import index_form
from hermes.types import Reflection, Session, Trust

_REFLECTION = """SELECT r.id, b.name, r.task_type, r.lesson, r.worked, r.failed, r.next_time,
  r.successes, r.failures, r.created_at, r.updated_at, r.origin, r.trust, r.held, r.author,
  r.session FROM reflections r JOIN banks b ON b.id = r.bank"""
_LIVE = "r.deleted_at IS NULL"
_ADD = """INSERT INTO reflections (id, bank, task_type, lesson, lesson_key, worked, failed,
  next_time, successes, failures, created_at, updated_at, origin, trust, held, author, session)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_SAVE = """UPDATE reflections SET worked = ?, failed = ?, next_time = ?, successes = ?,
  failures = ?, updated_at = ?, trust = ?, held = ?, author = ?, session = ? WHERE id = ?"""
_DUE = f"""{SESSION} JOIN extractions x ON x.session = s.id
  LEFT JOIN reflected r ON r.session = s.id
  WHERE NOT x.pending AND s.hidden_at IS NULL AND x.upto > coalesce(r.upto, 0)
  ORDER BY s.last_at, s.id LIMIT ?"""


class PostgresReflections:
    def __init__(self, connection: Connection, parts: Parts) -> None:
        self._connection = connection
        self._banks = parts.banks
        self._counters = parts.counters
        self._changes = parts.changes
        self._texts = parts.reflection_texts

    @property
    def texts(self) -> PostgresLearntTexts:
        return self._texts

    def add(self, reflection: Reflection, *, lesson_key: str) -> Reflection:
        bank = self._banks.number(reflection.bank, reflection.created_at)
        told = (reflection.worked, reflection.failed, reflection.next_time)
        counts = (reflection.successes, reflection.failures)
        times = (reflection.created_at, reflection.updated_at)
        by = (ORIGIN_NUMBER[reflection.origin], int(reflection.trust), reflection.held)
        said = (reflection.task_type, reflection.lesson, lesson_key)
        values = (bank, *said, *told, *counts, *times, *by, reflection.author)
        if self.find_same(reflection.bank, reflection.task_type, lesson_key) is not None:
            raise HermesError("The store failed: that lesson is there already.", "Save it instead.")
        number = self._counters.take("reflection")
        self._connection.execute(_ADD, (number, *values, reflection.session_id))
        self.texts.add(number, _formed(reflection), bank)
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
        return {each.id: each for each in self._list("r.id = ANY(?)", (list(ids),))}

    def delete(self, number: int, *, at: int) -> None:
        gone = self._get(number)
        bank = self._banks.find_number(gone.bank) or 0
        self.texts.remove(number, _formed(gone), bank)
        sql = "UPDATE reflections SET deleted_at = ? WHERE id = ?"
        self._connection.execute(sql, (at, number))
        remove_vectors(self._connection, self._changes, VectorKind.REFLECTION, [number])
        self._log(number, "remove")

    def restore(self, number: int) -> Reflection:
        sql = """UPDATE reflections SET deleted_at = NULL
          WHERE id = ? AND deleted_at IS NOT NULL RETURNING bank"""
        banks = [int(bank) for (bank,) in self._connection.execute(sql, (number,))]
        if not banks:
            hint = "See `hermes memory reflections list`."
            raise NotFound(f"There is no deleted reflection:{number}.", hint)
        back = self._get(number)
        self.texts.add(number, _formed(back), banks[0])
        self._log(number, "add")
        return back

    def count(self, bank: str = "") -> int:
        sql = f"""SELECT count(*) FROM reflections r JOIN banks b ON b.id = r.bank
          WHERE {_LIVE} AND (?1 = '' OR b.name = ?1)"""
        return scalar(self._connection, sql, (bank,))

    def count_types(self, bank: str) -> dict[str, int]:
        sql = f"""SELECT r.task_type, count(*) FROM reflections r JOIN banks b ON b.id = r.bank
          WHERE {_LIVE} AND b.name = ? GROUP BY r.task_type"""
        return {str(name): int(n) for name, n in self._connection.execute(sql, (bank,))}

    def list_due(self, limit: int) -> list[Session]:
        return [session(row) for row in self._connection.execute(_DUE, (limit,))]

    def upto(self, session_id: str) -> int:
        sql = """SELECT r.upto FROM reflected r JOIN sessions s ON s.id = r.session
          WHERE s.uid = ?"""
        return scalar(self._connection, sql, (session_id,))

    def mark(self, session_id: str, upto: int) -> None:
        sql = """INSERT INTO reflected (bank, session, upto)
          SELECT bank, id, ?2 FROM sessions WHERE uid = ?1 ON CONFLICT (profile, bank, session)
          DO UPDATE SET upto = greatest(reflected.upto, excluded.upto)"""
        self._connection.execute(sql, (session_id, upto))

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

    def _log(self, number: int, op: str) -> None:
        self._changes.record("reflection", number, number, op)

    def list(self, bank: str = "", *, task_type: str = "", limit: int = 1_000) -> list[Reflection]:
        where = "(?1 = '' OR b.name = ?1) AND (?2 = '' OR r.task_type = ?2)"
        order = "ORDER BY r.updated_at DESC, r.id DESC LIMIT ?3"
        return [*self._list(f"{where} {order}", (bank, task_type, limit))]


def _formed(reflection: Reflection) -> str:
    return index_form(f"{reflection.task_type} {reflection.lesson}")


def _reflection(row: Sequence[Any]) -> Reflection:
    return Reflection(*row[:11], *_by(*row[11:]))


def _by(origin: int, trust: int, held: int, author: str, session: str) -> tuple[Any, ...]:
    return ORIGINS[origin], Trust(trust), bool(held), author, session
