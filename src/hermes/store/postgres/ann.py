"""An index of the nearest vectors inside the server (pgvector's HNSW), built when it is asked for.

Recall searches the codes in the daemon's memory and does not ask it. It is for banks whose codes no
daemon should hold: halves of the vectors lie in a table of their own, which `build` brings up to
date each time it is run, and `nearest` asks, as far into the index as a bank's rows lie.
"""

from collections.abc import Sequence

import numpy as np
from psycopg import errors

from hermes.errors import Refused, UserError
from hermes.store.postgres.connection import Connection, Row, scalar, translated
from hermes.store.postgres.server import Raw, Server, connect
from hermes.store.vectors.coding import HALF, Floats

MAX_DIMENSIONS = 4_000  # of halves that HNSW can index
ROWS_AT_ONCE = 2_000
_SPACE = "SELECT id, dimensions FROM vector_spaces WHERE current"


def build(server: Server) -> list[str]:
    """Make or bring up to date the index of a profile's vectors; what was done, in words."""
    with translated(server.location):
        raw = connect(server)
        try:
            _ensure_extension(raw)
            raw.execute("SET statement_timeout = 0")
            with raw.transaction():
                return _build(Connection(raw), server)
        finally:
            raw.close()


def nearest(
    connection: Connection, query: Floats, *, bank: int, limit: int
) -> list[tuple[int, float]]:
    """The numbers and cosines of the nearest vectors of a bank, best first."""
    ((space, dimensions),) = connection.execute(_SPACE)
    connection.execute("SET LOCAL hnsw.iterative_scan = strict_order")
    sql = f"""SELECT number, 1 - (half <=> ?1::text::halfvec({dimensions}))
      FROM {_table(dimensions)} WHERE bank = ?2 AND space = ?3
      ORDER BY half <=> ?1::text::halfvec({dimensions}) LIMIT ?4"""
    found = connection.execute(sql, (_render(query), bank, space, limit))
    return [(int(number), float(cosine)) for number, cosine in found]


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


def _build(connection: Connection, server: Server) -> list[str]:
    """All in one transaction; what is added meanwhile comes with the next run."""
    connection.execute("SELECT set_config('hermes.profile_name', ?, true)", (server.profile,))
    profile = scalar(connection, "SELECT id FROM profiles WHERE name = ?", (server.profile,))
    connection.execute("SELECT set_config('hermes.profile', ?, true)", (str(profile),))
    space = connection.execute(_SPACE)
    if not space:
        return ["no vectors yet: nothing to index"]
    ((number, dimensions),) = space
    if dimensions > MAX_DIMENSIONS:
        raise UserError(f"HNSW indexes up to {MAX_DIMENSIONS:,} dimensions.", "Use another model.")
    _make_table(connection, dimensions)
    added = _fill(connection, number, dimensions)
    total = scalar(connection, f"SELECT count(*) FROM {_table(dimensions)}")
    return [f"HNSW index of {total:,} vectors of {dimensions} dimensions ({added:,} new)"]


def _make_table(connection: Connection, dimensions: int) -> None:
    table = _table(dimensions)
    connection.execute(
        f"""CREATE TABLE IF NOT EXISTS {table} (
          profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
          bank int NOT NULL, space bigint NOT NULL, number bigint NOT NULL,
          half halfvec({dimensions}) NOT NULL, PRIMARY KEY (profile, bank, space, number))"""
    )
    connection.execute("SELECT protect()")
    connection.execute(
        f"""CREATE INDEX IF NOT EXISTS {table}_near ON {table}
          USING hnsw (half halfvec_cosine_ops)"""
    )


def _fill(connection: Connection, space: int, dimensions: int) -> int:
    """Take away what is gone, add what is new; how many that was."""
    table = _table(dimensions)
    connection.execute(
        f"""DELETE FROM {table} h WHERE NOT EXISTS (SELECT 1 FROM vectors v
          WHERE v.space = h.space AND v.number = h.number AND v.space = ?)""",
        (space,),
    )
    missing = f"""SELECT v.bank, v.number, v.row FROM vectors v WHERE v.space = ?1 AND v.number > ?2
      AND NOT EXISTS (SELECT 1 FROM {table} h WHERE h.bank = v.bank AND h.space = v.space
        AND h.number = v.number) ORDER BY v.number LIMIT {ROWS_AT_ONCE}"""
    added, after = 0, -1
    while rows := connection.execute(missing, (space, after)):
        _add(connection, table, space, rows)
        added, after = added + len(rows), rows[-1][1]
    return added


def _add(connection: Connection, table: str, space: int, rows: Sequence[Row]) -> None:
    banks, numbers, halves = zip(*rows, strict=True)
    told = [_render(np.frombuffer(half, dtype=HALF).astype(np.float32)) for half in halves]
    sql = f"""INSERT INTO {table} (bank, space, number, half)
      SELECT x.bank, ?1, x.number, x.half::halfvec
      FROM unnest(?2::int8[], ?3::int8[], ?4::text[]) AS x (bank, number, half)"""
    connection.execute(sql, (space, list(banks), list(numbers), told))


def _render(row: Floats) -> str:
    return "[" + ",".join(f"{value:.6g}" for value in row.tolist()) + "]"


def _table(dimensions: int) -> str:
    return f"vector_halves_{int(dimensions)}"
