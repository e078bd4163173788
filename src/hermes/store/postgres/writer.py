"""The one writer of a process, with group commit, over a connection that may break.

A thread takes every change that waits, runs them in one transaction and commits once. A profile has
one writer at a time: the transaction begins with a lock that other processes wait for, so that
numbers are dense and become visible in their order. Should the connection break, the group is run
again; should it break during the commit, the server is asked afterwards whether that transaction
was committed, so that nothing is lost and nothing is done twice.
"""

import math
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import psycopg

from hermes.errors import Conflict, HermesError, Unavailable
from hermes.store.base import Recording
from hermes.store.postgres.connection import Connection, is_lost, is_transient, translated
from hermes.store.postgres.server import Server, connect, widen
from hermes.store.postgres.standing import LOCK_SPACE, acting_for, expect_there
from hermes.store.postgres.tx import PostgresTx

T = TypeVar("T")
GROUP_LIMIT = 512
RETRY_FOR_S = 30.0
CLOSE_S = 5.0  # how long closing waits for a server that is away
_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 1.0
CHANNEL = "hermes_changes"
# A transaction is committed without waiting for the disk, which gives its lock to the next process
# at once; before it is acknowledged, a second one, which holds no lock, makes the log durable up to
# itself. So processes share a flush, and nobody waits for another's.
_FLUSH = "SELECT pg_logical_emit_message(true, 'hermes', '')"
_BEGIN = f"""BEGIN; SET LOCAL synchronous_commit = off;
  SELECT pg_advisory_xact_lock({LOCK_SPACE}, {{profile}}); {{acting}}"""
_MARK = """INSERT INTO meta (name, value) VALUES ('{name}', '{mark}')
  ON CONFLICT (profile, bank, name) DO UPDATE SET value = excluded.value; COMMIT"""


class _Pending:
    __slots__ = ("change", "future")

    def __init__(self, change: Callable[[PostgresTx], Any]) -> None:
        self.change = change
        self.future: Future[Any] = Future()


class _Unclear(Exception):
    """The connection broke while a transaction was being committed."""

    def __init__(self, mark: str, results: list[Any], seq: int) -> None:
        super().__init__(mark)
        self.mark, self.results, self.seq = mark, results, seq


class Writer:
    """Owns the writing connection; connection and thread come with the first change."""

    def __init__(self, server: Server, profile: int) -> None:
        self._server = server
        self._profile = profile
        self._name = f"writer {secrets.token_hex(8)}"
        self._connection: Connection | None = None
        self._waiting: SimpleQueue[_Pending | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._latest_s = math.inf  # when to give up whatever is tried
        self._is_open_ended = False  # whether the group being written may still grow

    def write(self, change: Callable[[PostgresTx], T]) -> T:
        if threading.current_thread() is self._thread:  # it would wait for itself
            raise HermesError(
                "A change asked the store to write.", "Write through the transaction it is given."
            )
        return self.submit(change).result()

    def submit(self, change: Callable[[PostgresTx], T]) -> "Future[T]":
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
            self._latest_s = time.monotonic() + CLOSE_S
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
        self._forget_mark()
        self._drop_connection()

    def _forget_mark(self) -> None:
        """Nobody will ask any more; a mark that stays, of a process that died, does no harm."""
        if self._connection is None or self._connection.raw.broken:
            return
        try:
            self._connection.raw.execute(
                f"""BEGIN; SET LOCAL synchronous_commit = off;
                SELECT set_config('hermes.profile', '{self._profile}', true);
                DELETE FROM meta WHERE name = '{self._name}'; COMMIT""".encode()
            )
        except psycopg.Error:
            return

    def _run(self) -> None:
        last = False
        while not last:
            group, last = self._take_group()
            self._is_open_ended = not last
            if group and not self._commit(group):
                self._is_open_ended = False
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
            with translated(self._server.location):
                results, seq = self._persist(group)
        except BaseException as error:  # a change's own error belongs to whoever asked for it
            if len(group) > 1 and not isinstance(error, Unavailable):
                return False
            for pending in group:
                pending.future.set_exception(error)
            return True
        for pending, result in zip(group, results, strict=True):
            pending.future.set_result(result)
        if seq and self._waiting.empty():  # else the next group tells
            self._tell(seq)
        return True

    def _persist(self, group: list[_Pending]) -> tuple[list[Any], int]:
        """The results of a group that is on disk, however often it took; with its last change."""
        give_up_s = time.monotonic() + RETRY_FOR_S
        pause_s = _FIRST_PAUSE_S
        while True:
            try:
                return self._transact(group)
            except _Unclear as unclear:
                if self._is_kept(unclear.mark, give_up_s):
                    return unclear.results, unclear.seq
            except psycopg.Error as error:
                if not is_transient(error) or self._is_late(give_up_s):
                    raise
                if is_lost(error):
                    self._drop_connection()
                time.sleep(pause_s)
                pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    def _is_late(self, give_up_s: float) -> bool:
        return time.monotonic() > min(give_up_s, self._latest_s)

    def _transact(self, group: list[_Pending]) -> tuple[list[Any], int]:
        connection = self._open()
        raw = connection.raw
        self._begin(connection)
        self._join(group)
        try:
            tx = PostgresTx(connection)
            results = list(_results(tx, [pending.change for pending in group]))
            seq = tx.finish()
            ((xid,),) = connection.last("SELECT pg_current_xact_id_if_assigned()::text")
        except psycopg.Error:
            # What a failed pipeline was to prepare is not there, though psycopg believes it is.
            self._drop_connection()
            raise
        except BaseException:
            connection.forget()
            connection.codec.forget()  # it may know a dictionary that was undone
            self._undo(connection)
            raise
        if xid is None:
            raw.execute("COMMIT")
        else:
            self._settle(connection, results, seq)
        return results, seq

    def _begin(self, connection: Connection) -> None:
        """Begin a transaction of the profile's one writer; refused where the profile is gone."""
        acting = acting_for(self._server, self._profile)
        begin = _BEGIN.format(profile=self._profile, acting=acting)
        begun = connection.raw.execute(begin.encode())
        try:
            expect_there(begun)
        except Conflict:
            self._undo(connection)
            raise

    def _settle(self, connection: Connection, results: list[Any], seq: int) -> None:
        """Commit, and wait for the disk; once the commit was sent nothing may be run again.

        The transaction leaves a mark of its own: a server that lost it may give its number to
        another, so the number alone would prove nothing.
        """
        mark = secrets.token_hex(16)
        try:
            connection.raw.execute(_MARK.format(name=self._name, mark=mark).encode())
        except psycopg.Error as error:
            if is_lost(error):
                raise _Unclear(mark, results, seq) from error
            self._undo(connection)
            raise
        try:
            connection.raw.execute(_FLUSH)
        except psycopg.Error as error:
            raise _Unclear(mark, results, seq) from error

    def _join(self, group: list[_Pending]) -> None:
        """Take along what has come in while the lock was waited for."""
        while len(group) < GROUP_LIMIT and self._is_open_ended:
            try:
                item = self._waiting.get_nowait()
            except Empty:
                return
            if item is None:
                self._waiting.put(None)  # the end is for who takes groups
                return
            if item.future.set_running_or_notify_cancel():
                group.append(item)

    def _undo(self, connection: Connection) -> None:
        try:
            connection.raw.execute("ROLLBACK")
        except psycopg.Error:  # gone, and the transaction with it
            self._drop_connection()

    def _is_kept(self, mark: str, give_up_s: float) -> bool:
        """Look, once the server answers again, whether a transaction left its mark."""
        pause_s = _FIRST_PAUSE_S
        while True:
            self._drop_connection()
            try:
                return self._find_mark(mark)
            except psycopg.Error as error:
                if not is_lost(error) or self._is_late(give_up_s):
                    raise Unavailable(
                        "The connection broke at the end of a write, and the server cannot say "
                        "whether it was kept.",
                        "Look whether it is there before you send it again.",
                    ) from error
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    def _find_mark(self, mark: str) -> bool:
        """The lock is waited for first: what was under way may only now come to its end."""
        connection = self._open()
        raw = connection.raw
        self._begin(connection)
        sql = "SELECT value FROM meta WHERE name = %s"
        found = raw.execute(sql, (self._name,)).fetchall()
        raw.execute("COMMIT")
        if not found or found[0][0] != mark:
            return False
        raw.execute(_FLUSH)
        return True

    def _tell(self, seq: int) -> None:
        """Let other processes know; a hint only, for who misses it looks by itself."""
        if self._connection is None:
            return
        try:
            self._connection.raw.execute(
                f"""BEGIN; SET LOCAL synchronous_commit = off;
                SELECT pg_notify('{CHANNEL}', '{self._profile}:{seq}'); COMMIT"""
            )
        except psycopg.Error:
            self._drop_connection()

    def _open(self) -> Connection:
        if self._connection is None:
            raw = connect(self._server)
            widen(raw)
            self._connection = Connection(raw)
        return self._connection

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.forget()
            self._connection.raw.close()
            self._connection = None


def _results(tx: PostgresTx, changes: list[Callable[[PostgresTx], Any]]) -> Iterator[Any]:
    """What each change gives; recordings that follow one another are written as one."""
    for are_recordings, run in groupby(changes, key=lambda change: isinstance(change, Recording)):
        if are_recordings:
            asked = [(change.turns, change.now) for change in run if isinstance(change, Recording)]
            yield from tx.conversations.record_all(asked)
        else:
            yield from (change(tx) for change in run)
