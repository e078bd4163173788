"""Opening SQLite the one right way: keyed, in WAL mode, every commit on disk before it counts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from hermes.errors import Corrupt, HermesError, NotFound, Unavailable, UserError
from hermes.store.codec import TextCodec
from hermes.store.sqlite.sealed import FLAGS, find_seal, refuse_sealed, sealed_address

APPLICATION_ID = 0x48524D53  # "HRMS"
BUSY_TIMEOUT_MS = 30_000
LOG_PAGES = 4_000  # 16 MB: pages that change again and again are folded in once, not four times
_INCREMENTAL = 2


@dataclass(frozen=True, slots=True)
class Database:
    """Which file to open, with which key (none: not encrypted), through which file layer."""

    path: Path
    key: bytes | None = field(default=None, repr=False)
    wal: bool = True
    vfs: str | None = None


class Connection(apsw.Connection):
    """A connection that reads and writes compressed text; in SQL through `plain(text)`."""

    def __init__(self, path: str, flags: int, vfs: str | None = None) -> None:
        super().__init__(path, flags=flags, vfs=vfs)
        self.codec = TextCodec(self._load_dictionary)
        self.create_scalar_function("plain", self._plain, 1, deterministic=True)

    def among(self, column: str, values: Sequence[object]) -> tuple[str, tuple[object, ...]]:
        return f"{column} IN ({','.join('?' * len(values))})", tuple(values)

    def _plain(self, *stored: Any) -> str:
        return self.codec.decode(stored[0])

    def _load_dictionary(self, number: int) -> bytes:
        for (content,) in self.execute("SELECT content FROM dictionaries WHERE id = ?", (number,)):
            return bytes(content)
        raise Corrupt(
            f"Dictionary {number} is missing: texts compressed with it cannot be read.",
            "Restore the last good backup with `hermes backup restore`.",
        )


def connect(database: Database, *, writable: bool) -> Connection:
    """A connection ready for work; the file is made when it is missing and may be written.

    Where nothing may be written, the connection is there, and refuses what would.
    """
    if not writable and not database.path.exists():
        raise NotFound(f"There is no database at {database.path}.", "Record something first.")
    with translated(database.path):
        flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if writable else 0)
        sealed = database.path.exists() and find_seal(database.path) is not None
        address = sealed_address(database.path) if sealed else str(database.path)
        connection = Connection(address, FLAGS if sealed else flags, database.vfs)
        try:
            _unlock(connection, database)
            if not sealed:
                _settle(connection, database)
            _prepare(connection, writable=writable and not sealed)
        except BaseException:
            connection.close()
            raise
    return connection


def _unlock(connection: apsw.Connection, database: Database) -> None:
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    if database.key is not None:
        pragma(connection, "cipher = 'aegis'")
        pragma(connection, f"key = 'raw:{database.key.hex()}'")


def _settle(connection: apsw.Connection, database: Database) -> None:
    """What the file itself keeps."""
    pragma(connection, "page_size = 4096")
    if pragma(connection, "auto_vacuum") != [(_INCREMENTAL,)]:  # saying it again would write
        pragma(connection, "auto_vacuum = INCREMENTAL")  # of use only before the first table
    pragma(connection, f"journal_mode = {'wal' if database.wal else 'delete'}")


def _prepare(connection: apsw.Connection, *, writable: bool) -> None:
    pragma(connection, f"wal_autocheckpoint = {LOG_PAGES}")
    pragma(connection, "synchronous = FULL")
    pragma(connection, "foreign_keys = ON")
    pragma(connection, "secure_delete = ON")
    pragma(connection, "cache_size = -32768")
    pragma(connection, "mmap_size = 0")
    pragma(connection, "temp_store = MEMORY")
    if not writable:
        pragma(connection, "query_only = ON")


def pragma(connection: apsw.Connection, text: str) -> list[tuple[object, ...]]:
    """Run one pragma to its end: a string of several stops at the first that returns a row."""
    return [tuple(row) for row in connection.execute(f"PRAGMA {text}")]


def scalar(connection: apsw.Connection, sql: str, bindings: tuple[object, ...] = ()) -> int:
    """The single number a query answers with, 0 for none.

    The query is run to its end: a cursor left half-way keeps the log from being folded in, and one
    left half-way around another query is never freed (apsw 3.54).
    """
    rows = list(connection.execute(sql, bindings))
    return int(rows[0][0] or 0) if rows else 0


def _said(error: apsw.Error) -> str:
    """What SQLite says; of a page whose tag is wrong it has no words of its own."""
    return "a page cannot be read" if "not an error" in str(error) else str(error)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """SQLite's errors as ours."""
    try:
        yield
    except apsw.NotADBError as error:
        raise Corrupt(
            f"{path} cannot be read with this key, or is not a Hermes database.",
            "Check memory.encryption and the key in keys/; `hermes doctor` names the key.",
        ) from error
    except (apsw.CorruptError, apsw.FormatError) as error:
        raise Corrupt(
            f"{path} is damaged: {_said(error)}.",
            "Hermes stopped so as not to make it worse. Restore with `hermes backup restore`.",
        ) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise Unavailable(
            f"{path} has been locked by another process for {BUSY_TIMEOUT_MS // 1000} seconds.",
            "Find the process with `hermes status`, or try again.",
        ) from error
    except (apsw.FullError, apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError) as error:
        reason = find_seal(path)
        if reason is not None:
            raise refuse_sealed(path, reason, error) from error
        raise Unavailable(
            f"{path} cannot be written or read: {error}.",
            "Check free space and that you own the file, then try again.",
        ) from error
    except apsw.Error as error:
        raise HermesError(f"The store failed: {error}.", "Run `hermes doctor`.") from error
    except UnicodeEncodeError as error:
        raise UserError(
            f"A text holds half a character ({error.object[error.start]!r}) and cannot be kept.",
            "Take it out, or send the text as valid UTF-8.",
        ) from error
    except OverflowError as error:
        raise UserError(
            "A number is too large: 64 bits are kept.", "Give a smaller one."
        ) from error
