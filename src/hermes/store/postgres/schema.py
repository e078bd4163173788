"""The schema, by numbered migrations, each in a transaction: a kill leaves the old one or the new.

Two daemons that migrate at once take turns by a lock of the database; the second finds it done.
"""

import re
from collections.abc import Sequence
from importlib import resources

from hermes.errors import Conflict, Refused
from hermes.store.postgres.connection import translated
from hermes.store.postgres.server import SCHEMA, Raw, Server, connect

_NAME = re.compile(r"(\d{4})_\w+\.sql")
_LOCK = 0x4D49_4752  # "MIGR"
_PASSES_OVER = "SELECT rolsuper OR rolbypassrls, rolname FROM pg_roles WHERE rolname = current_user"

Migration = tuple[int, str]


def list_migrations() -> list[Migration]:
    """(number, SQL) of each migration, in order."""
    folder = resources.files("hermes.store.postgres") / "migrations"
    found = [(match, file) for file in folder.iterdir() if (match := _NAME.fullmatch(file.name))]
    return sorted((int(match[1]), file.read_text("utf-8")) for match, file in found)


def schema_version(raw: Raw) -> int:
    """The schema the database is at, 0 for none."""
    ((found,),) = raw.execute(
        f"SELECT to_regclass('{SCHEMA}.schema_versions') IS NOT NULL"
    ).fetchall()
    if not found:
        return 0
    ((version,),) = raw.execute(
        f"SELECT coalesce(max(version), 0) FROM {SCHEMA}.schema_versions"
    ).fetchall()
    return int(version)


def look(server: Server) -> tuple[int, int, str]:
    """The schema a database is at, the newest one known, and which server it is."""
    with translated(server.location):
        raw = connect(server)
        try:
            ((about,),) = raw.execute("SELECT split_part(version(), ' on ', 1)").fetchall()
            protected = raw.pgconn.ssl_in_use
            note = "encrypted connection" if protected else "connection not encrypted"
            return schema_version(raw), list_migrations()[-1][0], f"{about}, {note}"
        finally:
            raw.close()


def migrate(server: Server, migrations: Sequence[Migration] | None = None) -> list[int]:
    """Bring a database to the newest schema; the versions it went through."""
    known = list_migrations() if migrations is None else list(migrations)
    with translated(server.location):
        raw = connect(server)
        try:
            done = [version for version, sql in known if _step(raw, version, sql)]
            check_version(raw, server, known)
        finally:
            raw.close()
    return done


def _step(raw: Raw, version: int, sql: str) -> bool:
    """Take one step unless it was taken; whether it was."""
    with raw.transaction():
        raw.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
        raw.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        raw.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        raw.execute(
            f"""CREATE TABLE IF NOT EXISTS {SCHEMA}.schema_versions
            (version int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())"""
        )
        if schema_version(raw) >= version:
            return False
        raw.execute(sql.encode())
        raw.execute("SELECT protect()")
        raw.execute(f"INSERT INTO {SCHEMA}.schema_versions (version) VALUES ({int(version)})")
    return True


def check_version(raw: Raw, server: Server, migrations: Sequence[Migration] | None = None) -> int:
    """The version of the database; Conflict if it is not the one this program knows."""
    newest = (list_migrations() if migrations is None else migrations)[-1][0]
    version = schema_version(raw)
    if version < newest:
        what = "has no tables yet" if not version else f"has schema {version}"
        raise Conflict(
            f"{server.location} {what}; this Hermes needs schema {newest}.",
            "Bring it up to date: `hermes db migrate`.",
        )
    if version > newest:
        raise Conflict(
            f"{server.location} has schema {version}; this Hermes knows up to {newest}.",
            "Upgrade Hermes: an older program must not write a newer database.",
        )
    return version


def check_role(raw: Raw, server: Server) -> None:
    """Refused if row-level security would not hold for who we are."""
    ((passes, name),) = raw.execute(_PASSES_OVER).fetchall()
    if passes:
        raise Refused(
            f"{server.location}: the role {name!r} passes over row-level security, which keeps "
            "profiles apart.",
            "Connect as an ordinary role: CREATE ROLE hermes LOGIN PASSWORD '…'; "
            "ALTER DATABASE … OWNER TO hermes.",
        )
