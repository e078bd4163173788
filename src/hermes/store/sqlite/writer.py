"""The one writer of a process, with group commit.

A thread takes every change that waits, runs them in one transaction and commits once, so that many
clients share one flush to disk. Each change is acknowledged after that commit. When one change of
a group fails, the group is undone and its members run one by one.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from hermes.errors import Corrupt, HermesError, Unavailable
from hermes.store.sqlite.connection import Connection, Database, translated
from hermes.store.sqlite.tx import SqliteTx

T = TypeVar("T")
GROUP_LIMIT = 512


class _Pending:
    __slots__ = ("change", "future")

    def __init__(self, change: Callable[[SqliteTx], Any]) -> None:
        self.change = change
        self.future: Future[Any] = Future()


class Writer:
    """Owns the writing connection; the thread starts with the first change."""

    def __init__(self, connection: Connection, database: Database) -> None:
        self._connection = connection
        self._path = database.path
        self._waiting: SimpleQueue[_Pending | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._failure: HermesError | None = None
        self._closed = False

    def write(self, change: Callable[[SqliteTx], T]) -> T:
        return self.submit(change).result()

    def submit(self, change: Callable[[SqliteTx], T]) -> "Future[T]":
        pending = _Pending(change)
        with self._lock:
            if self._closed:
                raise Unavailable("The store is closed.", "Open it again to go on.")
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="hermes-writer", daemon=True)
                self._thread.start()
            self._waiting.put(pending)
        return pending.future

    def close(self) -> None:
        """Finish what waits, then refuse the rest."""
        with self._lock:
            self._closed = True
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        last = False
        while not last:
            group, last = self._take_group()
            if self._failure is not None:
                _fail(group, self._failure)
            elif group and not self._commit(group):
                for pending in group:
                    self._commit([pending])

    def _take_group(self) -> tuple[list[_Pending], bool]:
        """Wait for a change, then take all that wait with it; True if there will be no more."""
        group: list[_Pending] = []
        item = self._waiting.get()
        while item is not None:
            group.append(item)
            if len(group) == GROUP_LIMIT:
                return group, False
            try:
                item = self._waiting.get_nowait()
            except Empty:
                return group, False
        return group, True

    def _commit(self, group: list[_Pending]) -> bool:
        """Run and commit a group; False if it was undone and must be tried one by one."""
        try:
            with translated(self._path):
                results = self._transact(group)
        except Exception as error:  # a change's own error belongs to whoever asked for it
            if len(group) > 1 and not isinstance(error, Corrupt):
                return False
            if isinstance(error, Corrupt):
                self._failure = error  # what is left of a damaged file must not be made worse
            _fail(group, error)
            return True
        for pending, result in zip(group, results, strict=True):
            pending.future.set_result(result)
        return True

    def _transact(self, group: list[_Pending]) -> list[Any]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            tx = SqliteTx(self._connection)
            results = [pending.change(tx) for pending in group]
            tx.finish()
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        return results


def _fail(group: list[_Pending], error: Exception) -> None:
    for pending in group:
        pending.future.set_exception(error)
