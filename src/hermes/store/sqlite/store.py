"""The SQLite store: one writer, many readers, and a watch over what was acknowledged."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from hermes.errors import Conflict, Corrupt, Refused, Unavailable
from hermes.store.base import Finding, StoreStatus
from hermes.store.base.backup import Copied
from hermes.store.base.erase import Look, ScanReport
from hermes.store.base.tidying import Tidied, Watch
from hermes.store.sqlite import schema
from hermes.store.sqlite.backup import copy_database
from hermes.store.sqlite.check import check_database
from hermes.store.sqlite.connection import Connection, Database, connect, scalar, translated
from hermes.store.sqlite.maintenance import tidy
from hermes.store.sqlite.mark import HighWaterMark, refuse_to_begin_anew
from hermes.store.sqlite.scan import purge, scan_database
from hermes.store.sqlite.sealed import find_seal
from hermes.store.sqlite.stage import SqliteStage, open_stage
from hermes.store.sqlite.tx import SqliteTx
from hermes.store.sqlite.writer import Writer

T = TypeVar("T")
IDLE_READERS = 8  # kept open for the next; each holds a cache of its own
SMALLEST_BYTES = 512  # of a database; SQLite overwrites what is smaller
_COUNTED = ("sessions", "episodes", "messages")


class SqliteStore:
    """Everything a profile remembers, in one file."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._readers: list[Connection] = []
        self._lock = threading.Lock()
        self._closed = False
        connection = connect(database, writable=True)
        try:
            with translated(database.path):
                _keep_private(database.path)
                self._schema = schema.migrate(connection)
                self._mark = HighWaterMark.open(database.path, scalar(connection, _LATEST))
        except BaseException:
            connection.close()
            raise
        self._writer = Writer(connection, database, self._mark.raise_to)

    @property
    def is_shared(self) -> bool:
        return False

    def write(self, change: Callable[[SqliteTx], T]) -> T:
        return self._writer.write(change)

    def submit(self, change: Callable[[SqliteTx], T]) -> "Future[T]":
        return self._writer.submit(change)

    def read(self, query: Callable[[SqliteTx], T]) -> T:
        with self._failing_closed():
            connection = self._reader()
            try:
                return self._ask(connection, query)
            finally:
                self._put_back(connection)

    def status(self) -> StoreStatus:
        return self.read(self._status)

    def check(self) -> list[Finding]:
        """Read everything, from disk and not from what a reader remembers."""
        self._refuse_if_closed()
        try:
            with self._failing_closed():
                return self._check()
        except Corrupt as error:
            return [Finding("failed", "database", error.message, error.hint)]

    def tidy(self, watch: Watch) -> Tidied:
        return tidy(self, self._database, watch)

    def copy_to(self, target: Path) -> Copied:
        self._refuse_if_closed()
        return copy_database(self._database, target)

    def open_stage(self, path: Path) -> SqliteStage:
        return open_stage(self._database, path)

    def purge(self) -> bool:
        return purge(self, self._database)

    def scan(self, look: Look) -> ScanReport:
        self._refuse_if_closed()
        return scan_database(self._database, look)

    def close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = True
            readers, self._readers = self._readers, []
        for reader in readers:
            reader.close()
        self._writer.close()
        self._mark.save()

    def _status(self, tx: SqliteTx) -> StoreStatus:
        files = (Path(f"{self._database.path}{end}") for end in ("", "-wal"))
        return StoreStatus(
            backend="sqlite",
            location=str(self._database.path),
            schema=self._schema,
            encrypted=self._database.key is not None,
            size_bytes=sum(file.stat().st_size for file in files if file.exists()),
            seq=tx.changes.latest(),
            counts={
                table: scalar(tx.connection, f"SELECT count(*) FROM {table}") for table in _COUNTED
            },
        )

    def _check(self) -> list[Finding]:
        connection = connect(self._database, writable=False)
        try:
            return self._ask(connection, lambda tx: check_database(tx.connection, self._database))
        finally:
            connection.close()

    def _ask(self, connection: Connection, query: Callable[[SqliteTx], T]) -> T:
        with translated(self._database.path), _snapshot(connection):
            return query(SqliteTx(connection))

    @contextmanager
    def _failing_closed(self) -> Iterator[None]:
        """What a read finds damaged, no write may touch any more."""
        try:
            yield
        except Corrupt as error:
            self._writer.stop(error)
            raise

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise Unavailable("The store is closed.", "Open it again to go on.")

    def _reader(self) -> Connection:
        with self._lock:
            self._refuse_if_closed()
            if self._readers:
                return self._readers.pop()
        return connect(self._database, writable=False)

    def _put_back(self, connection: Connection) -> None:
        with self._lock:
            if not self._closed and len(self._readers) < IDLE_READERS:
                self._readers.append(connection)
                return
        connection.close()


_LATEST = "SELECT max(seq) FROM changes"


@contextmanager
def _snapshot(connection: Connection) -> Iterator[None]:
    """One view of the database, however many queries; an error may have ended it already."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _keep_private(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        file = Path(f"{path}{end}")
        if file.exists() and file.stat().st_mode & 0o777 != 0o600 and find_seal(path) is None:
            file.chmod(0o600)


def open_store(database: Database) -> SqliteStore:
    """Open the store at a path, making it when it is new; refuses what it cannot trust."""
    if database.path.is_symlink():
        raise Refused(
            f"{database.path} is a symbolic link.",
            "Hermes opens only real files: move the database there, or set memory.path.",
        )
    if database.path.is_file() and 0 < database.path.stat().st_size < SMALLEST_BYTES:
        raise Conflict(
            f"{database.path} is no database, and SQLite would take it for an empty one.",
            "Move it away, or set memory.path to another file.",
        )
    refuse_to_begin_anew(database.path)
    previous = os.umask(0o077)
    try:
        database.path.parent.mkdir(parents=True, exist_ok=True)
        return SqliteStore(database)
    finally:
        os.umask(previous)
