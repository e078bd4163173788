"""Reflections on SQLite."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from hermes.errors import NotFound
from hermes.store.sqlite import rows
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.sqlite.row_texts import REFLECTIONS, SqliteRowTexts
from hermes.store.sqlite.texts import SqliteTexts
from hermes.types import Reflection, Session, Trust

_REFLECTION = """SELECT r.id, b.name, r.task_type, r.lesson, r.worked, r.failed, r.next_time,
  r.successes, r.failures, r.created_at, r.updated_at, r.origin, r.trust, r.held, r.author,
  r.session FROM reflections r JOIN banks b ON b.id = r.bank"""
_LIVE = "r.deleted_at IS NULL"
_ADD = """INSERT INTO reflections (bank, task_type, lesson, lesson_key, worked, failed, next_time,
  successes, failures, created_at, updated_at, origin, trust, held, author, session)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_SAVE = """UPDATE reflections SET worked = ?, failed = ?, next_time = ?, successes = ?,
  failures = ?, updated_at = ?, trust = ?, held = ?, author = ?, session = ? WHERE id = ?"""
_DUE = f"""{rows.SESSION} JOIN extractions x ON x.session = s.id
  LEFT JOIN reflected r ON r.session = s.id
  WHERE NOT x.pending AND s.hidden_at IS NULL AND x.upto > ifnull(r.upto, 0)
  ORDER BY s.last_at, s.id LIMIT ?"""


class SqliteReflections:
    def __init__(self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts) -> None:
        self._connection = connection
        self._banks = banks
        self._texts = texts

    def add(self, reflection: Reflection, *, lesson_key: str) -> Reflection:
        bank = self._banks.number(reflection.bank, reflection.created_at)
        told = (reflection.worked, reflection.failed, reflection.next_time)
        counts = (reflection.successes, reflection.failures)
        times = (reflection.created_at, reflection.updated_at)
        by = (rows.ORIGIN_NUMBER[reflection.origin], int(reflection.trust), reflection.held)
        said = (reflection.task_type, reflection.lesson, lesson_key)
        values = (bank, *said, *told, *counts, *times, *by, reflection.author)
        self._connection.execute(_ADD, (*values, reflection.session_id))
        number = self._connection.last_insert_rowid()
        self.texts.add(number, _indexed(reflection), bank)
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
        marks = ",".join("?" * len(ids))
        return {each.id: each for each in self._list(f"r.id IN ({marks})", tuple(ids))}

    def delete(self, number: int, *, at: int) -> None:
        gone = self._get(number)
        bank = self._banks.find_number(gone.bank) or 0
        self.texts.remove(number, _indexed(gone), bank)
        sql = "UPDATE reflections SET deleted_at = ? WHERE id = ?"
        self._connection.execute(sql, (at, number))
        self._log(number, "remove")

    def restore(self, number: int) -> Reflection:
        sql = """UPDATE reflections SET deleted_at = NULL
          WHERE id = ? AND deleted_at IS NOT NULL RETURNING bank"""
        banks = [int(bank) for (bank,) in self._connection.execute(sql, (number,))]
        if not banks:
            hint = "See `hermes memory reflections list`."
            raise NotFound(f"There is no deleted reflection:{number}.", hint)
        back = self._get(number)
        self.texts.add(number, _indexed(back), banks[0])
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
        return [rows.session(row) for row in self._connection.execute(_DUE, (limit,))]

    def upto(self, session_id: str) -> int:
        sql = """SELECT r.upto FROM reflected r JOIN sessions s ON s.id = r.session
          WHERE s.uid = ?"""
        return scalar(self._connection, sql, (session_id,))

    def mark(self, session_id: str, upto: int) -> None:
        sql = """INSERT INTO reflected (session, upto) SELECT id, ?2 FROM sessions WHERE uid = ?1
          ON CONFLICT (session) DO UPDATE SET upto = max(upto, excluded.upto)"""
        self._connection.execute(sql, (session_id, upto))

    @cached_property
    def texts(self) -> SqliteRowTexts:
        return SqliteRowTexts(self._connection, self._banks, self._texts, REFLECTIONS)

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
        sql = "INSERT INTO changes (kind, first, last, op) VALUES ('reflection', ?, ?, ?)"
        self._connection.execute(sql, (number, number, op))

    def list(self, bank: str = "", *, task_type: str = "", limit: int = 1_000) -> list[Reflection]:
        where = "(?1 = '' OR b.name = ?1) AND (?2 = '' OR r.task_type = ?2)"
        order = "ORDER BY r.updated_at DESC, r.id DESC LIMIT ?3"
        return [*self._list(f"{where} {order}", (bank, task_type, limit))]


def _indexed(reflection: Reflection) -> str:
    return f"{reflection.task_type} {reflection.lesson}"


def _reflection(row: Sequence[Any]) -> Reflection:
    return Reflection(*row[:11], *_by(*row[11:]))


def _by(origin: int, trust: int, held: int, author: str, session: str) -> tuple[Any, ...]:
    return rows.ORIGINS[origin], Trust(trust), bool(held), author, session
