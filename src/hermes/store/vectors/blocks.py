"""Blocks of codes: made from rows, kept by a store, read back as arrays.

`add_vectors` is the one way vectors are written: rows, and every block they complete, in the
caller's transaction, so that a kill leaves both or neither. A block is dropped with any of its
rows and made anew from the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hermes.store.base import Tx
from hermes.store.base.vectors import BLOCK_ROWS, Block, NewVector, StoredVector, VectorSpace
from hermes.store.vectors.chunk import GONE, tag_of
from hermes.store.vectors.coding import Codes, Coding, unpack_rows

_LITTLE = {"signs": "<u8", "levels": "<u1", "scales": "<f4", "bases": "<f4"}


@dataclass(frozen=True, slots=True)
class Coded:
    """Codes of consecutive rows, the first numbered `first`; removed rows are tagged as gone."""

    first: int
    codes: Codes
    items: npt.NDArray[np.int64]
    tags: npt.NDArray[np.int32]


def coding_of(space: VectorSpace) -> Coding:
    """How the vectors of a space are coded; around nothing while there are too few to average."""
    if space.mean is None:
        return Coding(np.zeros(space.dimensions, dtype=np.float32), space.seed)
    return Coding(np.frombuffer(space.mean, dtype="<f4").astype(np.float32), space.seed)


def encode_rows(coding: Coding, first: int, count: int, rows: Sequence[StoredVector]) -> Coded:
    """Codes for the numbers `first` to `first + count`, of which `rows` are there."""
    vectors = np.zeros((count, coding.dimensions), dtype=np.float32)
    items = np.zeros(count, dtype=np.int64)
    tags = np.full(count, GONE, dtype=np.int32)
    if rows:
        places = [row.number - first for row in rows]
        vectors[places] = unpack_rows([row.row for row in rows], coding.dimensions)
        items[places] = [row.item for row in rows]
        tags[places] = [tag_of(row.bank, row.kind) for row in rows]
    return Coded(first, coding.encode(vectors), items, tags)


def render_block(number: int, coded: Coded) -> Block:
    parts = {
        name: getattr(coded.codes, name).astype(kind, copy=False).tobytes()
        for name, kind in _LITTLE.items()
    }
    items = coded.items.astype("<i8", copy=False).tobytes()
    tags = coded.tags.astype("<i4", copy=False).tobytes()
    return Block(number, items=items, tags=tags, **parts)


def parse_block(coding: Coding, block: Block) -> Coded | None:
    """The arrays of a block, or none where its size is not what this coding gives."""
    shapes = {
        "signs": (BLOCK_ROWS, coding.sign_words),
        "levels": (BLOCK_ROWS, coding.coded // 2),
        "scales": (BLOCK_ROWS,),
        "bases": (BLOCK_ROWS,),
    }
    arrays = {name: np.frombuffer(getattr(block, name), dtype=_LITTLE[name]) for name in shapes}
    items = np.frombuffer(block.items, dtype="<i8")
    tags = np.frombuffer(block.tags, dtype="<i4")
    if any(arrays[name].size != np.prod(shape) for name, shape in shapes.items()):
        return None
    if len(items) != BLOCK_ROWS or len(tags) != BLOCK_ROWS:
        return None
    codes = Codes(**{name: arrays[name].reshape(shape) for name, shape in shapes.items()})
    return Coded(block.number * BLOCK_ROWS, codes, items, tags)


def add_vectors(tx: Tx, space: int, vectors: Sequence[NewVector]) -> VectorSpace:
    """Keep vectors, and the blocks they fill; items that are gone or done are left out."""
    before = tx.vectors.get_space(space)
    after = tx.vectors.add(space, vectors)
    for number in range(before.next // BLOCK_ROWS, after.next // BLOCK_ROWS):
        after = seal_block(tx, after, number)
    return after


def list_missing(tx: Tx, space: int) -> list[int]:
    """The full blocks that are not there."""
    found = tx.vectors.get_space(space)
    there = set(tx.vectors.list_blocks(space, found.coding))
    return [number for number in range(found.next // BLOCK_ROWS) if number not in there]


def seal_block(tx: Tx, space: VectorSpace, number: int) -> VectorSpace:
    """Make a block from its rows; the first gives the space its mean."""
    first = number * BLOCK_ROWS
    rows = tx.vectors.list_rows(space.id, first, first + BLOCK_ROWS - 1)
    if space.mean is None and rows:
        mean = unpack_rows([row.row for row in rows], space.dimensions).mean(axis=0)
        space = tx.vectors.set_mean(space.id, mean.astype("<f4").tobytes())
    coded = encode_rows(coding_of(space), first, BLOCK_ROWS, rows)
    tx.vectors.put_block(space.id, space.coding, render_block(number, coded))
    return space
