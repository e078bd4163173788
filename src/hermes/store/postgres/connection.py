"""A connection inside a transaction: statements, counted numbers, and errors as ours.

Statements are written with ? as on the other store (`?2` for the second value), and answered whole:
nothing is left half read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache
from typing import Any, LiteralString

import psycopg
from psycopg import errors

from hermes.errors import Conflict, Corrupt, HermesError, Refused, Unavailable, UserError
from hermes.store.codec import TextCodec
from hermes.store.postgres.server import LOCK_TIMEOUT_S, STATEMENT_TIMEOUT_S, Raw

Row = tuple[Any, ...]
PROFILE = "(SELECT current_setting('hermes.profile')::int)"  # once a statement, not once a row
_MARK = re.compile(r"\?(\d*)")


@lru_cache(maxsize=4_096)
def numbered(sql: str) -> LiteralString:
    """A statement with the marks PostgreSQL wants: $1, $2…"""
    count = 0

    def mark(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"${found[1] or count}"

    return _MARK.sub(mark, sql)


class Connection:
    """One session with the server; not for use by two threads at once."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        self.codec = TextCodec(self._load_dictionary)
        self._cursor = psycopg.RawCursor(raw)
        self._changed = 0
        self._deferred: list[tuple[str, Sequence[object]]] = []
        self._pipeline: AbstractContextManager[object] | None = None

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement; all it answers."""
        self.flush()
        cursor = self._cursor
        cursor.execute(numbered(sql), values or None, binary=True)
        self._changed = max(0, cursor.rowcount)
        return cursor.fetchall() if cursor.description is not None else []

    def executemany(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement that answers nothing for each row, together with what else waits."""
        self._deferred += [(sql, row) for row in rows]

    def defer(self, sql: str, values: Sequence[object] = ()) -> None:
        """Run a statement whose answer nobody waits for: in its turn, together with others."""
        self._deferred.append((sql, values))

    def push(self) -> None:
        """Send what was deferred without waiting, so that the server works on it meanwhile."""
        waiting, self._deferred = self._deferred, []
        if not waiting:
            return
        if self._pipeline is None:
            self._pipeline = self.raw.pipeline()
            self._pipeline.__enter__()
        for sql, values in waiting:
            self._cursor.execute(numbered(sql), values or None)
        self.raw.pgconn.flush()

    def flush(self) -> None:
        """Send what was deferred, and wait until all of it is done."""
        self.push()
        pipeline, self._pipeline = self._pipeline, None
        if pipeline is not None:
            pipeline.__exit__(None, None, None)

    def last(self, sql: str) -> list[Row]:
        """What a query answers that is sent with all that was deferred, in one round trip."""
        self.push()
        if self._pipeline is None:
            return self.execute(sql)
        cursor = psycopg.RawCursor(self.raw)
        cursor.execute(numbered(sql), binary=True)
        self.flush()
        return cursor.fetchall()

    def forget(self) -> None:
        """Let go of what belongs to a transaction that was undone."""
        self._deferred = []
        pipeline, self._pipeline = self._pipeline, None
        if pipeline is not None:
            with suppress(psycopg.Error):  # whatever failed in it was told before
                pipeline.__exit__(None, None, None)

    def insert(self, table: str, columns: str, rows: Sequence[Sequence[object]]) -> None:
        """Add many rows at once; `columns` says each one's type: `id int8, text text`."""
        if not rows:
            return
        named = [column.split() for column in columns.split(", ")]
        names = ", ".join(name for name, _ in named)
        arrays = ", ".join(f"?::{kind}[]" for _, kind in named)
        values = [list(column) for column in zip(*rows, strict=True)]
        self.defer(
            f"INSERT INTO {table} (profile, {names}) SELECT {PROFILE}, * FROM unnest({arrays})",
            values,
        )

    def changes(self) -> int:
        """How many rows the last statement changed."""
        return self._changed

    def among(self, column: str, values: Sequence[object]) -> tuple[str, tuple[object, ...]]:
        return f"{column} = ANY(?)", (list(values),)

    def copy_out(self, sql: str) -> bytes:
        """What a query answers, in PostgreSQL's binary form; it takes no values."""
        self.flush()
        with self._cursor.copy(f"COPY ({sql}) TO STDOUT (FORMAT BINARY)") as rows:
            return b"".join(bytes(part) for part in rows)

    def _load_dictionary(self, number: int) -> bytes:
        for (content,) in self.execute("SELECT content FROM dictionaries WHERE id = ?", (number,)):
            return bytes(content)
        raise Corrupt(
            f"Dictionary {number} is missing: texts compressed with it cannot be read.",
            "Restore the last good backup with `hermes backup restore`.",
        )


def scalar(connection: Connection, sql: str, values: Sequence[object] = ()) -> int:
    """The single number a query answers with, 0 for none."""
    rows = connection.execute(sql, values)
    return int(rows[0][0] or 0) if rows else 0


def require(connection: Connection, table: str, ids: Iterable[int | None]) -> None:
    """Refuse to refer to rows that are not there: no constraint reaches over banks to see to it."""
    wanted = sorted({number for number in ids if number is not None})
    if not wanted:
        return
    sql = f"SELECT id FROM {table} WHERE id = ANY(?)"
    there = {number for (number,) in connection.execute(sql, (wanted,))}
    missing = [number for number in wanted if number not in there]
    if missing:
        raise HermesError(
            f"The store failed: {table} {missing[0]} is referred to, and not there.",
            "Run `hermes doctor`.",
        )


def is_lost(error: BaseException) -> bool:
    """Whether the connection broke, or the server went away: what ran may be run again."""
    return isinstance(error, _LOST) or (
        isinstance(error, psycopg.OperationalError) and error.sqlstate is None
    )


def is_transient(error: BaseException) -> bool:
    """Whether the same again may well succeed."""
    return is_lost(error) or isinstance(
        error, errors.SerializationFailure | errors.DeadlockDetected
    )


_LOST = (
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.CannotConnectNow,
    errors.ConnectionException,
    errors.ConnectionFailure,
    errors.IdleInTransactionSessionTimeout,
)
_OUTDATED = (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName)


@contextmanager
def translated(location: str) -> Iterator[None]:
    """PostgreSQL's errors as ours."""
    try:
        yield
    except psycopg.Error as error:
        raise _ours(error, location) from error
    except UnicodeEncodeError as error:
        raise UserError(
            f"A text holds half a character ({error.object[error.start]!r}) and cannot be kept.",
            "Take it out, or send the text as valid UTF-8.",
        ) from error
    except OverflowError as error:
        raise UserError(
            "A number is too large: 64 bits are kept.", "Give a smaller one."
        ) from error


def _reach_hint(said: str) -> str:
    if "password authentication failed" in said or "no password supplied" in said:
        return "Check user and password in memory.connectionString (HERMES_DB_URL)."
    if "does not support SSL" in said:
        return (
            "The server has no TLS: give it a certificate. Only where it is on this machine, set "
            "memory.sslMode to disable: over a network, passwords and memory would go in the clear."
        )
    if "no encryption" in said:
        return "The server takes encrypted connections only: set memory.sslMode to require."
    if "sslmode" in said:
        return "sslmode is disable, require, verify-ca or verify-full: see memory.sslMode."
    if "root certificate file" in said:
        return "Name the file that vouches for the server: sslrootcert=FILE in the address."
    if "certificate" in said:
        return "Check the certificate: sslrootcert in the address, or memory.sslMode."
    if "does not exist" in said:
        return "Create the database, or check its name in memory.connectionString."
    return "Check that the server runs, and host and port in memory.connectionString."


def _ours(error: psycopg.Error, location: str) -> HermesError:
    said = error.diag.message_primary or str(error).strip().splitlines()[0]
    kinds: tuple[tuple[tuple[type[Exception], ...], HermesError], ...] = (
        (
            (errors.LockNotAvailable,),
            Unavailable(
                f"{location} has been locked by another process for {LOCK_TIMEOUT_S} seconds.",
                "Find the process with `hermes status`, or try again.",
            ),
        ),
        (
            (errors.QueryCanceled,),
            Unavailable(
                f"{location} took longer than {STATEMENT_TIMEOUT_S} seconds to answer.",
                "Try again; `hermes db status` shows what the server is busy with.",
            ),
        ),
        (
            (errors.NumericValueOutOfRange,),
            UserError("A number is too large: 64 bits are kept.", "Give a smaller one."),
        ),
        (
            (errors.ProgramLimitExceeded,),
            UserError(f"A name is too long to be kept: {said}.", "Give a shorter one."),
        ),
        (_OUTDATED, Conflict(f"{location}: {said}.", "Bring it up to date: `hermes db migrate`.")),
        (
            (errors.InsufficientPrivilege, errors.InvalidAuthorizationSpecification),
            Refused(f"{location} refused: {said}.", "Check user, password and grants."),
        ),
        (
            (psycopg.OperationalError,),
            Unavailable(f"{location} cannot be reached: {said}.", _reach_hint(str(error))),
        ),
    )
    for matched, ours in kinds:
        if isinstance(error, matched):
            return ours
    return HermesError(f"The store failed: {said}.", "Run `hermes doctor`.")
