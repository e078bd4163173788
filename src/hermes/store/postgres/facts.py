"""Facts on PostgreSQL: their rows, each with its bank."""

from hermes.store.base.facts import FactChange
from hermes.store.base.vectors import VectorKind
from hermes.store.postgres.connection import Connection, require, scalar
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.texts import PostgresLearntTexts
from hermes.store.postgres.vector_rows import remove_vectors
from hermes.store.tables.facts import FactTable
from hermes.types import Fact

_ADD_SOURCE = """INSERT INTO fact_sources
  (id, bank, fact, quote, message, episode, session, at, start, stop, trust)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_MESSAGE = 1  # place of the message among a source's columns


class PostgresFacts(FactTable):
    def __init__(self, connection: Connection, parts: Parts) -> None:
        super().__init__(connection, parts.banks)
        self._server = connection
        self._counters = parts.counters
        self._changes = parts.changes
        self._texts = parts.fact_texts

    @property
    def texts(self) -> PostgresLearntTexts:
        return self._texts

    def _index(self) -> PostgresLearntTexts:
        return self._texts

    def _next(self, counter: str) -> int:
        return self._counters.take(counter)

    def _insert_source(self, fact_id: int, columns: tuple[object, ...]) -> None:
        bank = self._bank_of(fact_id)
        message = columns[_MESSAGE]
        require(self._server, "messages", [message if isinstance(message, int) else None])
        number = scalar(self._server, "SELECT max(id) FROM fact_sources") + 1
        self._server.execute(_ADD_SOURCE, (number, bank, fact_id, *columns))

    def _insert_change(self, fact_id: int, values: tuple[object, ...]) -> int:
        sql = """INSERT INTO fact_history (id, bank, fact, at, action, by, reason, before, after)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
        bank = self._bank_of(fact_id)
        number = scalar(self._server, "SELECT max(id) FROM fact_history") + 1
        self._server.execute(sql, (number, bank, fact_id, *values))
        return number

    def _insert_contradiction(self, one: int, other: int, at: int) -> None:
        require(self._server, "facts", [one, other])
        sql = """INSERT INTO contradictions (bank, fact, other, at) VALUES (?, ?, ?, ?)
          ON CONFLICT DO NOTHING"""
        self._server.execute(sql, (self._bank_of(one), one, other, at))

    def _check_heir(self, fact: Fact) -> None:
        require(self._server, "facts", [fact.superseded_by])

    def _drop_vector(self, item: int) -> None:
        remove_vectors(self._server, self._changes, VectorKind.FACT, [item])

    def _bank_of(self, fact_id: int) -> int:
        bank = scalar(self._server, "SELECT bank FROM facts WHERE id = ?", (fact_id,))
        if not bank:
            require(self._server, "facts", [fact_id])
        return bank

    def list_changes_since(self, seq: int, bank: str = "") -> list[FactChange]:
        self._changes.flush()
        return super().list_changes_since(seq, bank)

    def _log(self, number: int, op: str, *, kind: str = "fact") -> None:
        self._changes.record(kind, number, number, op)
