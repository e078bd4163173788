"""The SQLite store: one writer, many readers, and a watch over what was acknowledged."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

from hermes.errors import Corrupt, Unavailable
from hermes.store.base import Finding, StoreStatus
from hermes.store.sqlite import schema
from hermes.store.sqlite.check import check_database
from hermes.store.sqlite.connection import Connection, Database, connect, scalar, translated
from hermes.store.sqlite.mark import HighWaterMark
from hermes.store.sqlite.tx import SqliteTx
from hermes.store.sqlite.writer import Writer

T = TypeVar("T")
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
        self._writer = Writer(connection, database)

    def write(self, change: Callable[[SqliteTx], T]) -> T:
        result, seq = self._writer.write(lambda tx: (change(tx), tx.changes.latest()))
        self._mark.raise_to(seq)
        return result

    def submit(self, change: Callable[[SqliteTx], T]) -> "Future[T]":
        return self._writer.submit(change)

    def read(self, query: Callable[[SqliteTx], T]) -> T:
        connection = self._reader()
        try:
            with translated(self._database.path):
                connection.execute("BEGIN")
                try:
                    return query(SqliteTx(connection))
                finally:
                    connection.execute("ROLLBACK")
        finally:
            self._put_back(connection)

    def status(self) -> StoreStatus:
        return self.read(self._status)

    def check(self) -> list[Finding]:
        connection = self._reader()
        try:
            return check_database(connection, self._database)
        finally:
            self._put_back(connection)

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

    def _reader(self) -> Connection:
        with self._lock:
            if self._closed:
                raise Unavailable("The store is closed.", "Open it again to go on.")
            if self._readers:
                return self._readers.pop()
        return connect(self._database, writable=False)

    def _put_back(self, connection: Connection) -> None:
        with self._lock:
            if not self._closed:
                self._readers.append(connection)
                return
        connection.close()


_LATEST = "SELECT max(seq) FROM changes"


def _keep_private(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        file = Path(f"{path}{end}")
        if file.exists():
            file.chmod(0o600)


def open_store(database: Database) -> SqliteStore:
    """Open the store at a path, making it when it is new; refuses what it cannot trust."""
    if database.path.is_symlink():
        raise Corrupt(
            f"{database.path} is a symbolic link.",
            "Hermes opens only real files: move the database there, or set memory.path.",
        )
    database.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    previous = os.umask(0o077)
    try:
        return SqliteStore(database)
    finally:
        os.umask(previous)
