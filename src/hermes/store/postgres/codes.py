"""The sign bits of vectors in the server, kept in step with the rows they are made from.

A row has one code for each coding of its space: the one in use, and while the centre is being
moved the next one. What a code is stands in `store.vectors.coding`, as for the codes in memory.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from hermes.store.base.vectors import BLOCK_ROWS, Block, StoredVector, VectorSpace
from hermes.store.postgres.connection import PROFILE, Connection
from hermes.store.postgres.values import Bits
from hermes.store.vectors.blocks import coding_of
from hermes.store.vectors.chunk import GONE, KIND_BITS
from hermes.store.vectors.coding import Coding, Floats, Words, unpack_rows

ROWS_AT_ONCE = 8_192
_MARK = "codes."  # in `meta` with a space: all of it has codes, older than the coding told are gone
_ADD = f"""INSERT INTO vector_codes (profile, bank, space, kind, number, coding, signs)
  SELECT {PROFILE}, x.bank, ?1, x.kind, x.number, ?2, x.signs FROM (SELECT
    unnest(?3::int8[]) AS bank, unnest(?4::int8[]) AS kind, unnest(?5::int8[]) AS number,
    unnest(?6::varbit[]) AS signs) AS x ON CONFLICT DO NOTHING"""
_MISSING = """SELECT v.number, v.kind, v.item, v.bank, v.row FROM vectors v
  WHERE v.space = ?1 AND v.number BETWEEN ?3 AND ?4 AND NOT EXISTS (SELECT 1 FROM vector_codes c
    WHERE c.bank = v.bank AND c.space = v.space AND c.kind = v.kind AND c.number = v.number
      AND c.coding = ?2) ORDER BY v.number"""
# By way of the vectors: the key of codes begins with their bank.
_DROP_STALE = """DELETE FROM vector_codes c USING vectors v
  WHERE v.space = ?1 AND v.number BETWEEN ?3 AND ?4 AND c.bank = v.bank AND c.space = v.space
    AND c.kind = v.kind AND c.number = v.number AND c.coding <> ?2"""
_RENUMBERED = """INSERT INTO vector_codes (bank, space, kind, number, coding, signs)
  SELECT c.bank, ?1, c.kind, n.place, c.coding, c.signs
  FROM (SELECT bank, kind, number, row_number() OVER (ORDER BY number) - 1 AS place
    FROM vectors WHERE space = ?2) n
  JOIN vector_codes c ON c.bank = n.bank AND c.space = ?2 AND c.kind = n.kind
    AND c.number = n.number AND c.coding = ?3"""


@lru_cache(maxsize=4)
def _coding(dimensions: int, seed: int, mean: bytes | None) -> Coding:
    """A space's coding, kept: its rotation takes longer to make than many vectors to code."""
    space = VectorSpace(0, "", "", dimensions, True, seed, 0, 0, mean)
    return coding_of(space)


def sign_bits(space: VectorSpace, query: Floats) -> Bits:
    """A question's own code."""
    return Bits(_as_bytes(_coding_of(space).encode(query[None, :]).signs))


def add_codes(connection: Connection, space: VectorSpace, rows: Sequence[StoredVector]) -> None:
    """Keep the codes of vectors that are being kept."""
    if not rows:
        return
    vectors = unpack_rows([row.row for row in rows], space.dimensions)
    np.nan_to_num(vectors, copy=False, posinf=0.0, neginf=0.0)  # any bytes may be kept
    signs = _as_bytes(_coding_of(space).encode(vectors).signs)
    columns = np.array([(row.bank, int(row.kind), row.number) for row in rows], dtype=np.int64)
    connection.defer(_ADD, (space.id, space.coding, *columns.T, Bits(signs)))


def add_missing(connection: Connection, space: VectorSpace) -> None:
    """Make the codes of all vectors that have none in the coding of their space."""
    for first in range(0, space.next, ROWS_AT_ONCE):
        _add_missing(connection, space, first)


def sweep(connection: Connection, space: VectorSpace, first: int) -> int | None:
    """Add the codes some vectors lack, and drop those of earlier codings; where to go on."""
    if first >= space.next:
        set_whole(connection, space.id, space.coding)
        return None
    _add_missing(connection, space, first)
    connection.execute(_DROP_STALE, _span(space, first))
    return first + ROWS_AT_ONCE


def find_whole(connection: Connection, space: int) -> int | None:
    """The coding a space was last swept for; none if vectors of it may have no code."""
    found = connection.execute("SELECT value FROM meta WHERE name = ?", (f"{_MARK}{space}",))
    return int(found[0][0]) if found else None


def set_whole(connection: Connection, space: int, coding: int) -> None:
    connection.execute(
        """INSERT INTO meta (name, value) VALUES (?, ?)
          ON CONFLICT (profile, bank, name) DO UPDATE SET value = excluded.value""",
        (f"{_MARK}{space}", str(coding)),
    )


def unset_whole(connection: Connection, space: int) -> None:
    connection.execute("DELETE FROM meta WHERE name = ?", (f"{_MARK}{space}",))


def _add_missing(connection: Connection, space: VectorSpace, first: int) -> None:
    found = connection.execute(_MISSING, _span(space, first))
    add_codes(connection, space, [StoredVector(*row) for row in found])


def _span(space: VectorSpace, first: int) -> tuple[int, int, int, int]:
    return (space.id, space.coding, first, first + ROWS_AT_ONCE - 1)


def add_of_block(connection: Connection, space: int, coding: int, block: Block) -> None:
    """Keep the codes that a block holds, where they are not there yet."""
    tags = np.frombuffer(block.tags, dtype="<i4").astype(np.int64)
    if len(tags) != BLOCK_ROWS or len(block.signs) % BLOCK_ROWS:
        return  # whoever reads such a block makes it anew
    there = np.flatnonzero(tags != GONE)
    signs = np.frombuffer(block.signs, dtype=np.uint8).reshape(BLOCK_ROWS, -1)
    numbers = block.number * BLOCK_ROWS + there
    banks, kinds = tags[there] >> KIND_BITS, tags[there] & ((1 << KIND_BITS) - 1)
    if len(there):
        connection.defer(_ADD, (space, coding, banks, kinds, numbers, Bits(signs[there])))


def drop_stale_codes(connection: Connection, space: int, coding: int) -> None:
    sql = "DELETE FROM vector_codes WHERE space = ? AND coding <> ?"
    connection.execute(sql, (space, coding))


def renumber_codes(connection: Connection, old: VectorSpace, new: int) -> None:
    """Copy the codes of a space whose vectors are copied in their order, without gaps."""
    connection.execute(_RENUMBERED, (new, old.id, old.coding))
    if find_whole(connection, old.id) is not None:
        set_whole(connection, new, old.coding)


def _coding_of(space: VectorSpace) -> Coding:
    return _coding(space.dimensions, space.seed, space.mean)


def _as_bytes(signs: Words) -> "np.ndarray[tuple[int, int], np.dtype[np.uint8]]":
    return np.ascontiguousarray(signs.astype("<u8", copy=False)).view(np.uint8)
