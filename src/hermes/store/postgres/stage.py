"""Records on their way in, in a table of their own: nowhere to be seen until they are all there."""

import json
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from hermes.store.base.portable import Record
from hermes.store.postgres.connection import scalar
from hermes.store.postgres.tx import PostgresTx

T = TypeVar("T")
_COLUMNS = "stage text, n int8, section text, body text"


class _Store(Protocol):
    def read(self, query: Callable[[PostgresTx], T]) -> T: ...
    def write(self, change: Callable[[PostgresTx], T]) -> T: ...


class PostgresStage:
    def __init__(self, store: _Store, name: str) -> None:
        self._store = store
        self._name = name

    def count(self) -> int:
        sql = "SELECT count(*) FROM stages WHERE stage = ?"
        return self._store.read(lambda tx: scalar(tx.connection, sql, (self._name,)))

    def add(self, records: Sequence[tuple[str, Record]]) -> None:
        bodies = [(section, json.dumps(body, ensure_ascii=False)) for section, body in records]

        def keep(tx: PostgresTx) -> None:
            sql = "SELECT max(n) FROM stages WHERE stage = ?"
            first = scalar(tx.connection, sql, (self._name,)) + 1
            rows = [(self._name, n, *body) for n, body in enumerate(bodies, first)]
            tx.connection.insert("stages", _COLUMNS, rows)

        self._store.write(keep)

    def list_records(self, section: str, after: int, limit: int) -> list[tuple[int, Record]]:
        sql = """SELECT n, body FROM stages WHERE stage = ? AND section = ? AND n > ?
          ORDER BY n LIMIT ?"""
        values = (self._name, section, after, limit)
        rows = self._store.read(lambda tx: tx.connection.execute(sql, values))
        return [(n, json.loads(body)) for n, body in rows]

    def close(self) -> None:
        """Nothing is held open."""

    def discard(self) -> None:
        sql = "DELETE FROM stages WHERE stage = ?"
        self._store.write(lambda tx: tx.connection.execute(sql, (self._name,)))
