"""The PostgreSQL store: one writer a process, a pool of readers, rows of one profile."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from hermes.errors import Unavailable
from hermes.store.base import Finding, StoreStatus
from hermes.store.base.backup import Copied
from hermes.store.base.erase import Look, ScanReport
from hermes.store.base.tidying import Tidied, Watch
from hermes.store.postgres import schema
from hermes.store.postgres.check import check_profile
from hermes.store.postgres.connection import Connection, is_lost, scalar, translated
from hermes.store.postgres.listening import Listener, list_listeners
from hermes.store.postgres.maintenance import tidy, vacuum
from hermes.store.postgres.scan import scan_profile
from hermes.store.postgres.server import Raw, Server, configure, connect
from hermes.store.postgres.stage import PostgresStage
from hermes.store.postgres.standing import acting_for, expect_there
from hermes.store.postgres.tx import PostgresTx
from hermes.store.postgres.writer import CLOSE_S, RETRY_FOR_S, Writer

T = TypeVar("T")
POOL_TIMEOUT_S = 30.0
_PAUSE_S = 0.1
_COUNTED = ("sessions", "episodes", "messages")
_SIZE = """SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8 FROM pg_class c
  JOIN pg_namespace s ON s.oid = c.relnamespace
  WHERE s.nspname = current_schema() AND c.relkind = 'r'"""


class PostgresStore:
    """Everything a profile remembers, in a database it may share with others."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._closed = False
        self._lock = threading.Lock()
        self._connections: dict[int, Connection] = {}
        with translated(server.location):
            self._schema, self._profile = _enter(server)
            self._pool: ConnectionPool[Raw] = ConnectionPool(
                server.conninfo,
                kwargs={"autocommit": True},
                min_size=0,
                max_size=max(1, server.pool_size),
                configure=configure,
                max_idle=300,
                open=True,
                name="hermes",
            )
        self._writer = Writer(server, self._profile)

    @property
    def profile(self) -> int:
        """The number the rows of this profile carry."""
        return self._profile

    @property
    def is_shared(self) -> bool:
        return True

    def write(self, change: Callable[[PostgresTx], T]) -> T:
        return self._writer.write(change)

    def submit(self, change: Callable[[PostgresTx], T]) -> "Future[T]":
        return self._writer.submit(change)

    def read(self, query: Callable[[PostgresTx], T]) -> T:
        """Run a query; again, on another connection, where the one it had broke."""
        give_up_s = time.monotonic() + RETRY_FOR_S
        with translated(self._server.location):
            while True:
                self._refuse_if_closed()
                try:
                    return self._ask(query)
                except psycopg.OperationalError as error:
                    if isinstance(error, PoolTimeout) or not is_lost(error):
                        raise
                    if time.monotonic() > give_up_s:
                        raise
                    self._pool.check()
                    time.sleep(_PAUSE_S)

    def status(self) -> StoreStatus:
        return self.read(self._status)

    def check(self) -> list[Finding]:
        return self.read(lambda tx: check_profile(tx.connection))

    def tidy(self, watch: Watch) -> Tidied:
        return tidy(self, self._server, watch)

    def copy_to(self, target: Path) -> Copied:
        raise Unavailable(
            "A shared database is not copied page by page.",
            "Back it up with `hermes backup`, or copy it with `hermes db copy`.",
        )

    def open_stage(self, path: Path) -> PostgresStage:
        return PostgresStage(self, path.name)

    def purge(self) -> bool:
        """Leave nothing of removed rows in the tables; the server's own log ages out by itself."""
        self._refuse_if_closed()
        vacuum(self._server)
        return True

    def scan(self, look: Look) -> ScanReport:
        return self.read(lambda tx: scan_profile(tx, look))

    def listen(self, on_change: Callable[[int], None], who: str = "") -> Listener:
        """Be told of changes that other processes make, which know of us as `who`; a hint, sent
        when it can be.
        """
        self._refuse_if_closed()
        return Listener(self._server, self._profile, on_change, who)

    def list_listeners(self) -> list[str]:
        return self.read(lambda tx: list_listeners(tx.connection, self._profile))

    def close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._writer.close()
        self._pool.close(timeout=CLOSE_S)

    def _ask(self, query: Callable[[PostgresTx], T]) -> T:
        try:
            raw = self._pool.getconn(timeout=POOL_TIMEOUT_S)
        except PoolTimeout as error:
            raise Unavailable(
                f"{self._server.location} gave no connection in {POOL_TIMEOUT_S:.0f} seconds.",
                "Check that the server runs, or raise memory.poolSize.",
            ) from error
        connection = self._wrapped(raw)
        try:
            acting = acting_for(self._server, self._profile)
            begin = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {acting}"
            expect_there(raw.execute(begin.encode()))
            found = query(PostgresTx(connection))
            connection.flush()  # a query that tried to write is told so
            return found
        except psycopg.Error:
            raw.close()  # as in the writer: what it takes for prepared may not be there
            raise
        finally:
            connection.forget()
            _end(raw)
            self._pool.putconn(raw)

    def _wrapped(self, raw: Raw) -> Connection:
        """The wrapper of a pooled connection, with the dictionaries it has loaded."""
        with self._lock:
            known = self._connections.get(id(raw))
            if known is None or known.raw is not raw:
                self._connections = {
                    key: each for key, each in self._connections.items() if not each.raw.closed
                }
                known = self._connections[id(raw)] = Connection(raw)
            return known

    def _status(self, tx: PostgresTx) -> StoreStatus:
        return StoreStatus(
            backend="postgres",
            location=self._server.location,
            schema=self._schema,
            encrypted=False,
            size_bytes=scalar(tx.connection, _SIZE),
            seq=tx.changes.latest(),
            counts={
                table: scalar(tx.connection, f"SELECT count(*) FROM {table}") for table in _COUNTED
            },
        )

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise Unavailable("The store is closed.", "Open it again to go on.")


def _end(raw: Raw) -> None:
    """End a reading transaction, if there still is one."""
    if raw.closed or raw.broken:
        return
    try:
        raw.execute("ROLLBACK")
    except psycopg.Error:
        raw.close()


def _enter(server: Server) -> tuple[int, int]:
    """The schema of the database and the number of the profile, which is made when it is new."""
    raw = connect(server)
    try:
        version = schema.check_version(raw, server)
        schema.check_role(raw, server)
        with raw.transaction():
            raw.execute("SELECT set_config('hermes.profile_name', %s, true)", (server.profile,))
            find = "SELECT id FROM profiles WHERE name = %s"
            found = raw.execute(find, (server.profile,)).fetchall()
            if not found:
                add = "INSERT INTO profiles (name) VALUES (%s) ON CONFLICT DO NOTHING"
                raw.execute(add, (server.profile,))
                found = raw.execute(find, (server.profile,)).fetchall()
        return version, int(found[0][0])
    finally:
        raw.close()


def open_store(server: Server) -> PostgresStore:
    """Open the store of a profile; Conflict if the database is not at the schema we know."""
    return PostgresStore(server)
