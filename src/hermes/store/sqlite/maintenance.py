"""Giving space back and keeping the text index quick, in steps too short to be felt by writers.

`VACUUM` would hold every writer for as long as it copies the file. Instead free pages are moved to
the end and cut off a few at a time, and the segments of the text index are merged a few pages at a
time, each step a change in the writer's queue like any other. A file so small that `VACUUM` takes
a moment is written anew by it: its half-empty pages count.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol, TypeVar

import apsw

from hermes.store.base.tidying import Tidied, Watch
from hermes.store.sqlite.connection import Connection, Database, connect, pragma, scalar, translated
from hermes.store.sqlite.tx import SqliteTx
from hermes.store.tables.tidying import fit_dictionary

T = TypeVar("T")
MERGE_PAGES = 100
FREE_PAGES = 256
CLOSING_STEPS = 16  # together 16 MB, under half a second
SMALL_BYTES = 16 << 20  # written anew in under half a second
LOG_WAIT_MS = 200  # how long writers may have to wait for the log to be folded in

_TEXT_TABLES = """SELECT name FROM sqlite_schema
  WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%' ORDER BY name"""


class _Writes(Protocol):
    def write(self, change: Callable[[SqliteTx], T]) -> T: ...


def tidy(store: _Writes, database: Database, watch: Watch) -> Tidied:
    """Merge the text indexes, give free pages back, fold in the log; as far as `watch` lets it."""
    before = _size(database.path)
    tables = store.write(lambda tx: [str(name) for (name,) in tx.connection.execute(_TEXT_TABLES)])
    fit_dictionary(store, watch)
    merged = sum(_merge(store, table, watch) for table in tables)
    freed = _give_back(store, watch)
    if not watch.is_stopped():
        fold_log(database)
        write_anew(database)
    return Tidied(before, _size(database.path), merged, freed)


def write_anew(database: Database) -> bool:
    """Have a small file filled page by page; false if it is large, or there was no time or room."""
    if not 0 < _size(database.path) <= SMALL_BYTES:
        return False
    connection = connect(database, writable=True)
    try:
        with translated(database.path):
            connection.set_busy_timeout(LOG_WAIT_MS)
            with suppress(apsw.BusyError, apsw.FullError):
                connection.execute("VACUUM")
                pragma(connection, "wal_checkpoint(TRUNCATE)")
                return True
    finally:
        connection.close()
    return False


def fold_log(database: Database) -> bool:
    """Write the log into the database and empty it; false if readers were in the way."""
    connection = connect(database, writable=True)
    try:
        with translated(database.path):
            connection.set_busy_timeout(LOG_WAIT_MS)
            busy = pragma(connection, "wal_checkpoint(TRUNCATE)")[0][0]
    finally:
        connection.close()
    return not busy


def _merge(store: _Writes, table: str, watch: Watch) -> int:
    """Merge one text index into a single segment; how many steps that took."""
    store.write(lambda tx: merge_step(tx.connection, table, -MERGE_PAGES))
    steps = 1
    while not watch.is_stopped():
        moved = store.write(lambda tx: merge_step(tx.connection, table, MERGE_PAGES))
        if not moved:
            break
        steps += 1
        watch.on_step(f"merging {table}")
    return steps


def merge_step(connection: Connection, table: str, pages: int) -> bool:
    """Merge about so many pages; whether there was something to merge."""
    before = connection.total_changes()
    sql = f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)"
    connection.execute(sql, (pages,))
    return connection.total_changes() - before > 1  # the request itself counts as one


def _give_back(store: _Writes, watch: Watch) -> int:
    """Cut free pages off the file; how many that was."""
    freed = 0
    while not watch.is_stopped():
        step = store.write(lambda tx: _give_back_step(tx.connection))
        if not step:
            break
        freed += step
        watch.on_step("giving space back")
    return freed


def give_back_some(connection: Connection) -> None:
    """Cut off free pages before a connection is closed, if nobody else is at work."""
    connection.set_busy_timeout(0)
    with suppress(apsw.BusyError, apsw.FullError, apsw.IOError, apsw.ReadOnlyError):
        for _ in range(CLOSING_STEPS):
            if not _give_back_step(connection):
                break


def _give_back_step(connection: Connection) -> int:
    before = scalar(connection, "PRAGMA freelist_count")
    if not before:
        return 0
    pragma(connection, f"incremental_vacuum({FREE_PAGES})")
    return before - scalar(connection, "PRAGMA freelist_count")


def _size(path: Path) -> int:
    files = (Path(f"{path}{end}") for end in ("", "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())
