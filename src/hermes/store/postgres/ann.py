"""An index of the nearest vectors inside the server (pgvector's HNSW), built when it is asked for.

It may be built while daemons write: the table comes first, so that they keep new vectors in it,
then what was there before, then the index, made without holding anybody up. Only when all is in it
does recall use it (`nearest.py`).
"""

from psycopg import errors

from hermes.errors import Refused, UserError
from hermes.store.base.vectors import StoredVector, VectorSpace
from hermes.store.postgres import halves
from hermes.store.postgres.connection import Connection, scalar, translated
from hermes.store.postgres.server import Raw, Server, connect
from hermes.store.postgres.standing import LOCK_SPACE

MAX_DIMENSIONS = 4_000  # of halves that HNSW can index
ROWS_AT_ONCE = 2_000
ROWS_INDEXED = 200  # at once, where each is put into the graph while writers wait
_SPACE = """SELECT id, provider, model, dimensions, current, seed, coding, next, mean
  FROM vector_spaces WHERE current"""


def build(server: Server) -> list[str]:
    """Make or bring up to date the index of a profile's vectors; what was done, in words."""
    with translated(server.location):
        raw = connect(server)
        try:
            _ensure_extension(raw)
            raw.execute("SET statement_timeout = 0")
            return _build(raw, server.profile)
        finally:
            raw.close()


def _ensure_extension(raw: Raw) -> None:
    if raw.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchall():
        return
    sql = "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"
    if not raw.execute(sql).fetchall():
        raise UserError("The server has no pgvector.", "Install it there (postgresql-NN-pgvector).")
    try:
        raw.execute("CREATE EXTENSION vector SCHEMA public")
    except errors.InsufficientPrivilege as error:
        raise Refused(
            "This role may not create the extension pgvector.",
            "Once, as a superuser of this database: CREATE EXTENSION vector SCHEMA public;",
        ) from error


def _build(raw: Raw, name: str) -> list[str]:
    connection = Connection(raw)
    connection.execute("SELECT set_config('hermes.profile_name', ?, false)", (name,))
    profile = scalar(connection, "SELECT id FROM profiles WHERE name = ?", (name,))
    connection.execute("SELECT set_config('hermes.profile', ?, false)", (str(profile),))
    found = connection.execute(_SPACE)
    if not found:
        return ["no vectors yet: nothing to index"]
    space = VectorSpace(*found[0])
    if space.dimensions > MAX_DIMENSIONS:
        raise UserError(f"HNSW indexes up to {MAX_DIMENSIONS:,} dimensions.", "Use another model.")
    _make_table(connection, raw, space.dimensions)
    added = _fill(connection, raw, space, profile)
    _make_index(connection, space.dimensions)
    connection.execute(f"ANALYZE {halves.table_of(space.dimensions)}")
    halves.set_ready(connection, space.id)
    sql = f"SELECT count(*) FROM {halves.table_of(space.dimensions)}"
    total = scalar(connection, sql)
    return [f"HNSW index of {total:,} vectors of {space.dimensions} dimensions ({added:,} new)"]


def _make_table(connection: Connection, raw: Raw, dimensions: int) -> None:
    with raw.transaction():
        connection.execute(
            f"""CREATE TABLE IF NOT EXISTS {halves.table_of(dimensions)} (
              profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
              bank int NOT NULL, space bigint NOT NULL, number bigint NOT NULL,
              half halfvec({dimensions}) NOT NULL, PRIMARY KEY (profile, bank, space, number))"""
        )
        connection.execute("SELECT protect()")


def _make_index(connection: Connection, dimensions: int) -> None:
    """An index that was left half made, by a build cut short, is made anew."""
    table = halves.table_of(dimensions)
    sql = "SELECT count(*) FROM pg_index WHERE indexrelid = to_regclass(?) AND NOT indisvalid"
    if scalar(connection, sql, (f"{table}_near",)):
        connection.execute(f"DROP INDEX {table}_near")
    connection.execute(
        f"""CREATE INDEX CONCURRENTLY IF NOT EXISTS {table}_near ON {table}
          USING hnsw (half halfvec_cosine_ops)"""
    )


def _rows_at_once(connection: Connection, table: str) -> int:
    sql = "SELECT count(*) FROM pg_class WHERE oid = to_regclass(?)"
    return ROWS_INDEXED if scalar(connection, sql, (f"{table}_near",)) else ROWS_AT_ONCE


def _fill(connection: Connection, raw: Raw, space: VectorSpace, profile: int) -> int:
    """Take away what is gone, add what is new, a few at a time; how many that was."""
    table = halves.table_of(space.dimensions)
    connection.execute(
        f"""DELETE FROM {table} h WHERE NOT EXISTS (SELECT 1 FROM vectors v
          WHERE v.bank = h.bank AND v.space = h.space AND v.number = h.number)"""
    )
    missing = f"""SELECT v.number, v.kind, v.item, v.bank, v.row FROM vectors v
      WHERE v.space = ?1 AND v.number > ?2 AND NOT EXISTS (SELECT 1 FROM {table} h
        WHERE h.bank = v.bank AND h.space = v.space AND h.number = v.number)
      ORDER BY v.number LIMIT {_rows_at_once(connection, table)}"""
    added, after = 0, -1
    while True:
        with raw.transaction():  # no vector may go between being read and being put in
            connection.execute(
                "SELECT pg_advisory_xact_lock(?::int, ?::int)", (LOCK_SPACE, profile)
            )
            found = connection.execute(missing, (space.id, after))
            if not found:
                return added
            halves.add(connection, space, [StoredVector(*row) for row in found])
        added, after = added + len(found), found[-1][0]
