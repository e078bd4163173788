"""Copies of a live database, made page by page, and the check that one can be trusted.

The copy is read on a connection of its own: in WAL mode it sees one moment, and writers go on.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import apsw

from hermes.errors import Conflict, Corrupt, Unavailable
from hermes.store.base.backup import Copied
from hermes.store.sqlite.check import check_database
from hermes.store.sqlite.connection import Connection, Database, connect, pragma, scalar, translated
from hermes.store.sqlite.schema import schema_version

# Tables that other tables are made of (of the text indexes) are left to those.
_TABLES = """SELECT name FROM pragma_table_list
  WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  ORDER BY name"""
IN_USE_WAIT_MS = 500
FLUSH_EVERY_S = 0.05


def copy_database(database: Database, target: Path) -> Copied:
    """Copy a database, as it is at this moment, into a new file with the same key."""
    if target.exists():
        raise Conflict(f"{target} is there already.", "Copies go into a new file.")
    source = connect(database, writable=False)
    try:
        copy = connect(_alone(database, target), writable=True)
        try:
            with translated(target), _paced(target):
                _copy_pages(source, copy, database.path)
                return describe(copy)
        finally:
            copy.close()
    finally:
        source.close()


def _copy_pages(source: Connection, copy: Connection, path: Path) -> None:
    try:
        with copy.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(-1)  # in steps it would begin again with every write
    except (apsw.FullError, apsw.IOError) as error:  # its own words are "not an error"
        raise Unavailable(
            "The copy of the database could not be written: the disk is full, or fails.",
            "Free some space and try again; the database itself is as it was.",
        ) from error
    except apsw.CorruptError as error:  # of the source: there is nothing in the copy yet
        raise Corrupt(
            f"{path} is damaged: a page cannot be read, so no copy was made.",
            "See `hermes doctor`; go back to the last good one with `hermes backup restore`.",
        ) from error
    pragma(copy, "journal_mode = delete")  # one file, whole by itself


@contextmanager
def _paced(path: Path) -> Iterator[None]:
    """Bring a growing file to disk bit by bit: all of it at once would hold up every writer."""
    handle = os.open(path, os.O_RDWR)  # of the copy: the live file is never opened like this
    done = threading.Event()

    def flush() -> None:
        while not done.wait(FLUSH_EVERY_S):
            os.fdatasync(handle)

    thread = threading.Thread(target=flush, name="hermes-copy", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        os.close(handle)


def check_copy(database: Database, path: Path) -> Copied:
    """Read every page of a copy; Corrupt if anything in it cannot be trusted."""
    copy = connect(_alone(database, path), writable=False)
    try:
        with translated(path):
            wrong = [f for f in check_database(copy, database) if f.level == "failed"]
            if wrong:
                raise Corrupt(f"{path.name}: {wrong[0].message}.", "Use another backup.")
            return describe(copy)
    finally:
        copy.close()


def describe(connection: Connection) -> Copied:
    tables = [str(name) for (name,) in connection.execute(_TABLES)]
    return Copied(
        schema=schema_version(connection),
        seq=scalar(connection, "SELECT max(seq) FROM changes"),
        counts={table: scalar(connection, f'SELECT count(*) FROM "{table}"') for table in tables},
    )


def refuse_if_used(database: Database) -> None:
    """Conflict if any other connection, of whatever process, has the database open.

    Leaves it as one file: its log is folded in.
    """
    if not database.path.exists():
        return
    connection = connect(database, writable=True)
    try:
        connection.set_busy_timeout(IN_USE_WAIT_MS)
        pragma(connection, "wal_checkpoint(TRUNCATE)")
        pragma(connection, "locking_mode = EXCLUSIVE")
        pragma(connection, "journal_mode = delete")  # only who is alone may leave the log behind
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("ROLLBACK")
    except (apsw.BusyError, apsw.LockedError, Unavailable) as error:
        raise Conflict(
            f"{database.path} is in use by another process.",
            "Stop it first (`hermes stop`; end open chats), then try again.",
        ) from error
    finally:
        connection.close()


def _alone(database: Database, path: Path) -> Database:
    return replace(database, path=path, wal=False)
