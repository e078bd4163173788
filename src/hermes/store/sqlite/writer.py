"""The one writer of a process, with group commit.

A thread takes every change that waits, runs them in one transaction and commits once, so that many
clients share one flush to disk. Each change is acknowledged after that commit. When one change of
a group fails, the group is undone and its members run one by one. The thread outlives whatever a
change raises: it would take every later write with it.
"""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from hermes.errors import Corrupt, HermesError, Unavailable
from hermes.store.base import Recording
from hermes.store.sqlite.connection import Connection, Database, translated
from hermes.store.sqlite.maintenance import give_back_some
from hermes.store.sqlite.tx import SqliteTx
from hermes.store.sqlite.upkeep import Upkeep

T = TypeVar("T")
GROUP_LIMIT = 512
MAX_GATHER_S = 0.002
IDLE_S = 0.02  # without a change, after which the writer takes a step to look after the file


class _Pending:
    """A change that waits, and a future for whoever asked: here one that is waited for only once.

    A lock does for that, and costs a fifth of a `Future`: with many writers that is what counts.
    """

    __slots__ = ("_done", "_error", "_result", "change", "future")

    def __init__(self, change: Callable[[SqliteTx], Any], future: "Future[Any] | None") -> None:
        self.change = change
        self.future = future
        self._result: Any = None
        self._error: BaseException | None = None
        self._done = threading.Lock()
        self._done.acquire()

    def wait(self) -> Any:
        self._done.acquire()
        if self._error is not None:
            raise self._error
        return self._result

    def is_wanted(self) -> bool:
        return self.future is None or self.future.set_running_or_notify_cancel()

    def succeed(self, result: object) -> None:
        if self.future is not None:
            self.future.set_result(result)
            return
        self._result = result
        self._done.release()

    def fail(self, error: BaseException) -> None:
        if self.future is not None:
            self.future.set_exception(error)
            return
        self._error = error
        self._done.release()


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
        self._upkeep = Upkeep(connection)
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
        pending = _Pending(change, None)
        self._put(pending)
        return pending.wait()  # type: ignore[no-any-return]

    def submit(self, change: Callable[[SqliteTx], T]) -> "Future[T]":
        future: Future[T] = Future()
        self._put(_Pending(change, future))
        return future

    def _put(self, pending: _Pending) -> None:
        with self._lock:
            if self._closed:
                raise Unavailable("The store is closed.", "Open it again to go on.")
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="hermes-writer", daemon=True)
                self._thread.start()
            self._waiting.put(pending)

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
            if self._failure is None:
                give_back_some(self._connection)
        self._connection.close()

    def _run(self) -> None:
        last = False
        expected, patience_s = 1, 0.0
        while not last:
            group, last = self._take_group(expected, patience_s)
            started = time.monotonic()
            if group and not self._commit(group):
                for pending in group:
                    self._commit([pending])
            expected = len(group)
            patience_s = min((time.monotonic() - started) / 2, MAX_GATHER_S)

    def _take_group(self, expected: int, patience_s: float) -> tuple[list[_Pending], bool]:
        """Wait for a change, then take all that wait with it; True if there will be no more.

        Those who were just answered mostly come back at once. Were the first of them not made to
        wait for the others, it would pay a whole flush, and they the next: as many as came last
        time are waited for, but never as long as half a commit takes. Nobody alone ever waits.
        """
        group: list[_Pending] = []
        item = self._first()
        until = time.monotonic() + patience_s
        while item is not None:
            if item.is_wanted():
                group.append(item)
            if len(group) == GROUP_LIMIT:
                return group, False
            try:
                item = self._next(until if len(group) < expected else 0.0)
            except Empty:
                return group, False
        return group, True

    def _first(self) -> _Pending | None:
        """Wait for the next change; meanwhile the file is looked after, a little at a time."""
        while self._failure is None and self._upkeep.is_due:
            with suppress(Empty):
                return self._waiting.get(timeout=IDLE_S)
            try:
                with translated(self._path):
                    self._upkeep.step()
            except HermesError as error:
                if isinstance(error, Corrupt):
                    self.stop(error)
                break
        return self._waiting.get()

    def _next(self, until: float) -> _Pending | None:
        try:
            return self._waiting.get_nowait()
        except Empty:
            left = until - time.monotonic() if until else 0.0
            if left <= 0:
                raise
            return self._waiting.get(timeout=left)

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
            pending.succeed(result)
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
            results = list(_results(tx, [pending.change for pending in group]))
            tx.finish()
            seq = tx.changes.latest()
            self._upkeep.set_up()
            self._connection.execute("COMMIT")
            self._upkeep.note_change()
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
            pending.fail(error)


def _results(tx: SqliteTx, changes: list[Callable[[SqliteTx], Any]]) -> Iterator[Any]:
    """What each change gives; recordings that follow one another are written as one."""
    for are_recordings, run in groupby(changes, key=lambda change: isinstance(change, Recording)):
        if are_recordings:
            asked = [(change.turns, change.now) for change in run if isinstance(change, Recording)]
            yield from tx.conversations.record_all(asked)
        else:
            yield from (change(tx) for change in run)
