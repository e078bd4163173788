"""Reflections on PostgreSQL."""

from hermes.errors import HermesError
from hermes.store.base.vectors import VectorKind
from hermes.store.postgres.connection import Connection
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.texts import PostgresLearntTexts
from hermes.store.postgres.vector_rows import remove_vectors
from hermes.store.rows import SESSION
from hermes.store.tables.reflections import COLUMNS, VALUES, ReflectionTable
from hermes.types import Reflection


class PostgresReflections(ReflectionTable):
    _connection: Connection

    def __init__(self, connection: Connection, parts: Parts) -> None:
        super().__init__(connection, parts.banks, SESSION)
        self._counters = parts.counters
        self._changes = parts.changes
        self.texts = parts.reflection_texts

    def add(self, reflection: Reflection, *, lesson_key: str) -> Reflection:
        if self.find_same(reflection.bank, reflection.task_type, lesson_key) is not None:
            raise HermesError("The store failed: that lesson is there already.", "Save it instead.")
        return super().add(reflection, lesson_key=lesson_key)

    def mark(self, session_id: str, upto: int) -> None:
        sql = """INSERT INTO reflected (bank, session, upto)
          SELECT bank, id, ?2 FROM sessions WHERE uid = ?1 ON CONFLICT (profile, bank, session)
          DO UPDATE SET upto = greatest(reflected.upto, excluded.upto)"""
        self._connection.execute(sql, (session_id, upto))

    def _insert(self, reflection: Reflection, values: tuple[object, ...]) -> int:
        number = self._counters.take("reflection")
        sql = f"INSERT INTO reflections (id, {COLUMNS}) VALUES (?, {VALUES})"
        self._connection.execute(sql, (number, *values))
        return number

    def _index(self) -> PostgresLearntTexts:
        return self.texts

    def _log(self, number: int, op: str) -> None:
        self._changes.record("reflection", number, number, op)

    def _drop_vectors(self, number: int) -> None:
        remove_vectors(self._connection, self._changes, VectorKind.REFLECTION, [number])
