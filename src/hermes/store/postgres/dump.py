"""All rows of a profile as one file, and back: what a backup of a shared database holds.

A zip of one binary COPY a table, read in one snapshot while others write. It is put back into a
profile that is empty, under any number of its own; to another kind of store goes `hermes db copy`.
"""

import json
import os
import zipfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from hermes.errors import Conflict, Corrupt
from hermes.store.base.backup import Copied
from hermes.store.postgres.connection import Connection, scalar
from hermes.store.postgres.plan import list_tables
from hermes.store.postgres.tx import PostgresTx

_MANIFEST = "manifest.json"
_NOT_KEPT = frozenset({"stages"})
_COLUMNS = """SELECT attname FROM pg_attribute WHERE attrelid = ?::text::regclass
  AND attnum > 0 AND NOT attisdropped AND attname <> 'profile' ORDER BY attnum"""
_PART_BYTES = 1 << 20


def dump_profile(tx: PostgresTx, target: Path, schema: int) -> Copied:
    """Write everything the transaction sees into a new file."""
    try:
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise Conflict(f"{target} is there already.", "Copies go into a new file.") from error
    counts: dict[str, int] = {}
    with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as into:
        for table in _tables():
            names = ", ".join(f'"{name}"' for name in _columns(tx.connection, table))
            with into.open(f"{table}.copy", "w", force_zip64=True) as rows:
                for part in tx.connection.copy_parts(f"SELECT {names} FROM {table}"):
                    rows.write(part)
            counts[table] = scalar(tx.connection, f"SELECT count(*) FROM {table}")
        copied = Copied(schema, tx.changes.latest(), counts)
        into.writestr(_MANIFEST, json.dumps(asdict(copied)))
    return copied


def check_dump(path: Path) -> Copied:
    """Read every byte of a dump; Corrupt if it is not whole."""
    try:
        with zipfile.ZipFile(path) as dump:
            broken = dump.testzip()
            if broken is not None:
                raise Corrupt(f"{path.name}: {broken} is damaged.", "Use another backup.")
            return Copied(**json.loads(dump.read(_MANIFEST)))
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise Corrupt(f"{path.name} is no whole dump: {error}.", "Use another backup.") from error


def load_dump(tx: PostgresTx, path: Path, schema: int) -> Copied:
    """Put a dump into the profile of the transaction, which must be empty."""
    copied = check_dump(path)
    if copied.schema != schema:
        what = f"{path.name} was made with schema {copied.schema}, the database has {schema}"
        raise Conflict(f"{what}.", "Restore it with the Hermes it was made with, then migrate.")
    if not tx.portable.is_empty():
        raise Conflict("The profile is not empty.", "Restore into a new profile.")
    with zipfile.ZipFile(path) as dump:
        for table in _tables():
            _load(tx.connection, table, dump)
    return copied


def _load(connection: Connection, table: str, dump: zipfile.ZipFile) -> None:
    """Rows cannot be copied into a guarded table: they go over one that is the session's own."""
    columns = _columns(connection, table)
    names = ", ".join(f'"{name}"' for name in columns)
    connection.execute(f"DELETE FROM {table}")
    connection.execute(f"CREATE TEMP TABLE arriving ON COMMIT DROP AS SELECT {names} FROM {table}")
    with dump.open(f"{table}.copy") as rows:
        connection.copy_in(f"pg_temp.arriving ({names})", iter(lambda: rows.read(_PART_BYTES), b""))
    connection.execute(f"INSERT INTO {table} ({names}) SELECT {names} FROM pg_temp.arriving")
    connection.execute("DROP TABLE pg_temp.arriving")


def _columns(connection: Connection, table: str) -> list[str]:
    return [str(name) for (name,) in connection.execute(_COLUMNS, (table,))]


def _tables() -> Sequence[str]:
    return [table.name for table in list_tables() if table.name not in _NOT_KEPT]
