"""Facts on SQLite: their rows."""

from functools import cached_property

from hermes.store import fact_rows
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.sqlite.fact_texts import SqliteFactTexts
from hermes.store.sqlite.texts import SqliteTexts
from hermes.store.tables.facts import FactTable


class SqliteFacts(FactTable):
    def __init__(self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts) -> None:
        super().__init__(connection, banks)
        self._database = connection
        self._all_banks = banks
        self._message_texts = texts

    @cached_property
    def texts(self) -> SqliteFactTexts:
        return SqliteFactTexts(self._database, self._all_banks, self._message_texts)

    def _index(self) -> SqliteFactTexts:
        return self.texts

    def _next(self, counter: str) -> int:
        sql = "UPDATE counters SET value = value + 1 WHERE name = ? RETURNING value"
        return scalar(self._database, sql, (counter,))

    def _insert_source(self, fact_id: int, columns: tuple[object, ...]) -> None:
        self._database.execute(fact_rows.ADD_SOURCE, (fact_id, *columns))

    def _insert_change(self, fact_id: int, values: tuple[object, ...]) -> int:
        sql = """INSERT INTO fact_history (fact, at, action, by, reason, before, after)
          VALUES (?, ?, ?, ?, ?, ?, ?)"""
        self._database.execute(sql, (fact_id, *values))
        return self._database.last_insert_rowid()

    def _insert_contradiction(self, one: int, other: int, at: int) -> None:
        sql = "INSERT INTO contradictions (fact, other, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        self._database.execute(sql, (one, other, at))

    def _log(self, number: int, op: str, *, kind: str = "fact") -> None:
        sql = "INSERT INTO changes (kind, first, last, op) VALUES (?, ?, ?, ?)"
        self._database.execute(sql, (kind, number, number, op))
