"""The nearest vectors, found by the server: for spaces whose codes no daemon should hold.

Two stages, as in memory, and no extension needed: sign bits are compared over a key that covers
them, and the best by bits are scored exactly. Where `hermes db migrate --ann` has built its index,
and the bank is so large that counting bits takes longer, the index gives the nearest instead; the
halves beside it then save carrying rows to whoever asks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from hermes.store.base.vectors import NearVector, VectorKind, VectorSpace
from hermes.store.postgres import halves
from hermes.store.postgres.codes import find_whole, sign_bits, sweep
from hermes.store.postgres.connection import Connection, Row, scalar
from hermes.store.vectors.coding import Floats, unpack_rows

SCANNED_MOST = 150_000  # messages of a bank whose bits are counted though there is an index
SHARE_LEAST = 20  # a bank with less than one row in so many of the index is not found through it
RESCORED_LEAST = 1_024
RESCORED_TIMES = 4
_NUMBERS = npt.NDArray[np.int64]


class Way(StrEnum):
    """How the nearest are found."""

    BITS = "bits"
    INDEX = "index"


@dataclass(frozen=True, slots=True)
class _Scope:
    """Of which banks and kinds (none: all), and up to which number."""

    banks: Sequence[int]
    kinds: Sequence[int]
    up_to: int | None


class PostgresVectorSearch:
    """`most_scanned` is up to how many messages a bank's bits are counted."""

    def __init__(self, connection: Connection, most_scanned: int = SCANNED_MOST) -> None:
        self._connection = connection
        self._most_scanned = most_scanned

    def nearest(
        self,
        space: VectorSpace,
        query: Floats,
        *,
        bank: int | None,
        kinds: Sequence[int] = (),
        limit: int,
        up_to: int | None = None,
    ) -> list[NearVector]:
        if self.choose(space, bank, kinds, up_to) is Way.INDEX and bank is not None:
            return halves.nearest(self._connection, space, query, bank=bank, limit=limit)
        wanted = max(RESCORED_LEAST, RESCORED_TIMES * limit)
        scope = _Scope([] if bank is None else [bank], kinds, up_to)
        found = self._by_bits(space, query, scope, wanted)
        return _best(found, query, space.dimensions)[:limit]

    def is_whole(self, space: int) -> bool:
        return find_whole(self._connection, space) is not None

    def is_swept(self, space: VectorSpace) -> bool:
        return find_whole(self._connection, space.id) == space.coding

    def sweep(self, space: VectorSpace, first: int) -> int | None:
        return sweep(self._connection, space, first)

    def choose(
        self,
        space: VectorSpace,
        bank: int | None,
        kinds: Sequence[int] = (),
        up_to: int | None = None,
    ) -> Way:
        """The index for very large banks, if it holds the space; counting bits for others, and
        where only a part of a bank is asked for, as of a time: the index finds what is newer, too.
        """
        if bank is None or kinds or up_to is not None:
            return Way.BITS
        messages = scalar(self._connection, "SELECT messages FROM banks WHERE id = ?", (bank,))
        if messages <= self._most_scanned or messages * SHARE_LEAST < space.next:
            return Way.BITS
        return Way.INDEX if halves.is_ready(self._connection, space) else Way.BITS

    def cosines(
        self, space: VectorSpace, query: Floats, numbers: Sequence[int]
    ) -> dict[int, float]:
        if not numbers:
            return {}
        if halves.is_ready(self._connection, space):
            return halves.cosines(self._connection, space, query, numbers)
        sql = "SELECT number, row FROM vectors WHERE space = ? AND number = ANY(?)"
        found = self._connection.execute(sql, (space.id, list(numbers)))
        return dict(zip((n for n, _ in found), _cosines(found, query, space), strict=True))

    def list_items(
        self, space: int, bank: int, kind: VectorKind, *, first: int, end: int
    ) -> tuple[_NUMBERS, _NUMBERS]:
        sql = """SELECT string_agg(int8send(number), ''::bytea ORDER BY number),
          string_agg(int8send(item), ''::bytea ORDER BY number) FROM vectors
          WHERE bank = ? AND space = ? AND kind = ? AND number >= ? AND number < ?"""
        ((numbers, items),) = self._connection.execute(sql, (bank, space, int(kind), first, end))
        return _parse(numbers), _parse(items)

    def _by_bits(
        self,
        space: VectorSpace,
        query: Floats,
        scope: "_Scope",
        wanted: int,
    ) -> list[Row]:
        where = "c.space = ?2 AND c.coding = ?3"
        values: list[object] = [sign_bits(space, query), space.id, space.coding, wanted]
        for column, given in (("bank", scope.banks), ("kind", scope.kinds)):
            if given:
                values.append(list(given))
                where += f" AND c.{column} = ANY(?{len(values)})"
        if scope.up_to is not None:
            values.append(scope.up_to)
            where += f" AND c.number <= ?{len(values)}"
        sql = f"""WITH near AS MATERIALIZED (SELECT c.bank, c.number FROM vector_codes c
            WHERE {where} ORDER BY bit_count(c.signs # (?1::varbit[])[1]) LIMIT ?4)
          SELECT v.number, v.row, v.kind, v.item FROM near JOIN vectors v
            ON v.bank = near.bank AND v.space = ?2 AND v.number = near.number"""
        return self._connection.execute(sql, values)


def _best(found: Sequence[Row], query: Floats, dimensions: int) -> list[NearVector]:
    if not found:
        return []
    cosines = (unpack_rows([row[1] for row in found], dimensions) @ query).tolist()
    near = [
        NearVector(number, VectorKind(kind), item, cosine)
        for (number, _, kind, item), cosine in zip(found, cosines, strict=True)
    ]
    return sorted(near, key=lambda each: (-each.cosine, -each.number))


def _cosines(found: Sequence[Row], query: Floats, space: VectorSpace) -> list[float]:
    if not found:
        return []
    rows = unpack_rows([row for _, row in found], space.dimensions)
    cosines: list[float] = (rows @ query).tolist()
    return cosines


def _parse(listed: bytes | None) -> _NUMBERS:
    return np.frombuffer(listed or b"", dtype=">i8").astype(np.int64)
