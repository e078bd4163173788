"""The one writer of a process, with group commit.

A thread takes every change that waits, runs them in one transaction and commits once, so that many
clients share one flush to disk. Each change is acknowledged after that commit. When one change of
a group fails, the group is undone and its members run one by one. The thread outlives whatever a
change raises: it would take every later write with it.
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
    """Owns the writing connection; the thread starts with the first change.

    `on_commit` is told the number of the last change once it is on disk.
    """

    def __init__(
        self, connection: Connection, database: Database, on_commit: Callable[[int], None]
    ) -> None:
        self._connection = connection
        self._path = database.path
        self._on_commit = on_commit
        self._waiting: SimpleQueue[_Pending | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._failure: HermesError | None = None
        self._closed = False

    def write(self, change: Callable[[SqliteTx], T]) -> T:
        if threading.current_thread() is self._thread:  # it would wait for itself
            raise HermesError(
                "A change asked the store to write.", "Write through the transaction it is given."
            )
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

    def stop(self, failure: HermesError) -> None:
        """Refuse every change from now on: the file is damaged."""
        self._failure = self._failure or failure

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
            if group and not self._commit(group):
                for pending in group:
                    self._commit([pending])

    def _take_group(self) -> tuple[list[_Pending], bool]:
        """Wait for a change, then take all that wait with it; True if there will be no more."""
        group: list[_Pending] = []
        item = self._waiting.get()
        while item is not None:
            if item.future.set_running_or_notify_cancel():
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
            self._begin()
        except HermesError as error:  # nothing was run: no member can mend it
            self._fail(group, error)
            return True
        try:
            with translated(self._path):
                results, seq = self._transact(group)
        except BaseException as error:  # a change's own error belongs to whoever asked for it
            if len(group) > 1 and not isinstance(error, Corrupt):
                return False
            self._fail(group, error)
            return True
        self._on_commit(seq)
        for pending, result in zip(group, results, strict=True):
            pending.future.set_result(result)
        return True

    def _begin(self) -> None:
        if self._failure is not None:
            raise self._failure
        with translated(self._path):
            self._connection.execute("BEGIN IMMEDIATE")

    def _transact(self, group: list[_Pending]) -> tuple[list[Any], int]:
        """The results of the group and the number of its last change, both on disk."""
        try:
            tx = SqliteTx(self._connection)
            results = [pending.change(tx) for pending in group]
            tx.finish()
            seq = tx.changes.latest()
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._connection.codec.forget()  # it may know a dictionary that was undone
            raise
        return results, seq

    def _fail(self, group: list[_Pending], error: BaseException) -> None:
        if isinstance(error, Corrupt):
            self.stop(error)  # what is left of a damaged file must not be made worse
        for pending in group:
            pending.future.set_exception(error)
