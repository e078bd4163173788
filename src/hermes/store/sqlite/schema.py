"""The schema, by numbered migrations: a kill leaves the old one or the new one."""

import re
from collections.abc import Sequence
from importlib import resources

from hermes.errors import Conflict
from hermes.store.sqlite.connection import APPLICATION_ID, Connection, pragma, scalar

_NAME = re.compile(r"(\d{4})_\w+\.sql")


def list_migrations() -> list[tuple[int, str]]:
    """(number, SQL) of each migration, in order."""
    folder = resources.files("hermes.store.sqlite") / "migrations"
    found = [(match, file) for file in folder.iterdir() if (match := _NAME.fullmatch(file.name))]
    return sorted((int(match[1]), file.read_text("utf-8")) for match, file in found)


def schema_version(connection: Connection) -> int:
    return scalar(connection, "PRAGMA user_version")


def migrate(connection: Connection, migrations: Sequence[tuple[int, str]] | None = None) -> int:
    """Bring the database to the newest schema; the version it is at now."""
    known = list_migrations() if migrations is None else migrations
    _refuse_foreign(connection)
    for version, sql in known:
        if schema_version(connection) < version:
            _step(connection, version, sql)
    return _checked(connection, known[-1][0])


def _step(connection: Connection, version: int, sql: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if schema_version(connection) < version:  # another process may have been faster
            _run_all(connection, sql)
            pragma(connection, f"user_version = {version}")
            pragma(connection, f"application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _run_all(connection: Connection, sql: str) -> None:
    for _ in connection.execute(sql):
        pass


def _refuse_foreign(connection: Connection) -> None:
    """A database that another program made is not ours to add tables to."""
    found = scalar(connection, "PRAGMA application_id")
    tables = scalar(connection, "SELECT count(*) FROM sqlite_schema")
    if tables and found != APPLICATION_ID:
        raise Conflict(
            f"{connection.filename} is a database of another program.",
            "Set memory.path to a file of its own.",
        )


def _checked(connection: Connection, newest: int) -> int:
    version = schema_version(connection)
    if version > newest:
        raise Conflict(
            f"The database has schema {version}; this Hermes knows up to {newest}.",
            "Upgrade Hermes: an older program must not write a newer database.",
        )
    return version
