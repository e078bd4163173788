"""Vectors as pgvector's `halfvec`, beside an HNSW index of them: there once they were asked for.

`ann.py` makes the table and the index; from then on every vector that is kept or removed is kept
and removed here too, by whichever daemon. A space is searched here once all of it was put in, which
a mark tells.
"""

from collections.abc import Sequence

import numpy as np

from hermes.store.base.vectors import NearVector, StoredVector, VectorKind, VectorSpace
from hermes.store.postgres.connection import Connection, scalar
from hermes.store.postgres.server import SCHEMA
from hermes.store.vectors.coding import HALF, Floats

_MARK = "ann"
_EF_SEARCH = 400  # of at most 1,000: how many are held while the graph is walked
_SCANNED_MOST = 200_000  # rows of other banks that are passed over, at most


def table_of(dimensions: int) -> str:
    return f"vector_halves_{int(dimensions)}"


def is_there(connection: Connection, dimensions: int) -> bool:
    """Whether there is a table for vectors of so many dimensions."""
    sql = "SELECT count(*) FROM pg_class WHERE oid = to_regclass(?)"
    return bool(scalar(connection, sql, (f"{SCHEMA}.{table_of(dimensions)}",)))


def is_ready(connection: Connection, space: VectorSpace) -> bool:
    """Whether the whole of a space is in the index."""
    sql = "SELECT count(*) FROM meta WHERE name = ? AND value = ?"
    return bool(scalar(connection, sql, (_MARK, str(space.id))))


def set_ready(connection: Connection, space: int) -> None:
    connection.execute(
        """INSERT INTO meta (name, value) VALUES (?, ?)
          ON CONFLICT (profile, bank, name) DO UPDATE SET value = excluded.value""",
        (_MARK, str(space)),
    )


def add(connection: Connection, space: VectorSpace, rows: Sequence[StoredVector]) -> None:
    """Keep vectors here too; those that are here already stay as they are."""
    told = [_render(np.frombuffer(row.row, dtype=HALF).astype(np.float32)) for row in rows]
    sql = f"""INSERT INTO {table_of(space.dimensions)} (bank, space, number, half)
      SELECT x.bank, ?1, x.number, x.half::halfvec
      FROM unnest(?2::int8[], ?3::int8[], ?4::text[]) AS x (bank, number, half)
      ON CONFLICT DO NOTHING"""
    numbers = [row.number for row in rows]
    connection.execute(sql, (space.id, [row.bank for row in rows], numbers, told))


def remove(
    connection: Connection, space: int, dimensions: int, gone: tuple[list[int], list[int]]
) -> None:
    """Remove vectors, given by their banks and numbers."""
    banks, numbers = gone
    sql = f"""DELETE FROM {table_of(dimensions)}
      WHERE bank = ANY(?) AND space = ? AND number = ANY(?)"""
    connection.defer(sql, (banks, space, numbers))


def nearest(
    connection: Connection, space: VectorSpace, query: Floats, *, bank: int, limit: int
) -> list[NearVector]:
    """The nearest vectors of a bank, best first, as far into the index as its rows lie."""
    walk_index(connection)
    values = (_render(query), bank, space.id, limit)
    found = connection.execute(near_sql(space.dimensions), values)
    connection.execute("SET LOCAL enable_sort = on")
    near = [
        NearVector(number, VectorKind(kind), item, 1 - float(far))
        for number, kind, item, far in found
    ]
    return sorted(near, key=lambda each: (-each.cosine, -each.number))


def near_sql(dimensions: int) -> str:
    """The query for the nearest: of what (1), in which bank (2) and space (3), how many (4)."""
    far = f"half <=> ?1::text::halfvec({dimensions})"
    return f"""WITH near AS MATERIALIZED (SELECT number, {far} AS far FROM {table_of(dimensions)}
        WHERE bank = ?2 AND space = ?3 ORDER BY {far} LIMIT ?4)
      SELECT v.number, v.kind, v.item, near.far FROM near JOIN vectors v
        ON v.bank = ?2 AND v.space = ?3 AND v.number = near.number"""


def walk_index(connection: Connection) -> None:
    """For this transaction: go by the index, which who asks has chosen, until enough is found."""
    connection.execute("SET LOCAL enable_sort = off")
    connection.execute("SET LOCAL hnsw.iterative_scan = strict_order")
    connection.execute(f"SET LOCAL hnsw.ef_search = {_EF_SEARCH}")
    connection.execute(f"SET LOCAL hnsw.max_scan_tuples = {_SCANNED_MOST}")


def cosines(
    connection: Connection, space: VectorSpace, query: Floats, numbers: Sequence[int]
) -> dict[int, float]:
    """The cosine of each vector that is there, without carrying the vectors here."""
    sql = f"""SELECT v.number, 1 - (h.half <=> ?1::text::halfvec({space.dimensions}))
      FROM vectors v JOIN {table_of(space.dimensions)} h
        ON h.bank = v.bank AND h.space = v.space AND h.number = v.number
      WHERE v.space = ?2 AND v.number = ANY(?3)"""
    found = connection.execute(sql, (_render(query), space.id, list(numbers)))
    return {number: float(cosine) for number, cosine in found}


def _render(row: Floats) -> str:
    return "[" + ",".join(f"{value:.6g}" for value in row.tolist()) + "]"
