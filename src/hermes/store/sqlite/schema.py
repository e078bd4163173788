"""The schema, by numbered migrations: a kill leaves the old one or the new one."""

import re
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


def migrate(connection: Connection, upto: int | None = None) -> int:
    """Bring the database to the newest schema (or `upto`); the version it is at now."""
    for version, sql in list_migrations():
        if version <= schema_version(connection) or (upto is not None and version > upto):
            continue
        connection.execute("BEGIN IMMEDIATE")
        try:
            if schema_version(connection) < version:  # another process may have been faster
                _run_all(connection, sql)
                pragma(connection, f"user_version = {version}")
                pragma(connection, f"application_id = {APPLICATION_ID}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    return _checked(connection)


def _run_all(connection: Connection, sql: str) -> None:
    for _ in connection.execute(sql):
        pass


def _checked(connection: Connection) -> int:
    version = schema_version(connection)
    newest = list_migrations()[-1][0]
    if version > newest:
        raise Conflict(
            f"The database has schema {version}; this Hermes knows up to {newest}.",
            "Upgrade Hermes: an older program must not write a newer database.",
        )
    return version
