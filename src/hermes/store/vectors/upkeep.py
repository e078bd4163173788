"""Keeping the blocks of a space whole, and their centre where its vectors are.

Codes are made around the mean of the first vectors. Should later ones lie elsewhere, blocks around
the new mean are made beside the old ones, and taken into use in one step.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from hermes.store.base import Store, Tx
from hermes.store.base.vectors import BLOCK_ROWS, VectorSpace
from hermes.store.vectors.blocks import coding_of, list_missing, seal_block
from hermes.store.vectors.coding import Floats, unpack_rows

SAMPLE = 512
WORTH_MOVING_FROM = 16 * BLOCK_ROWS
WORTH_MOVING_BY = 0.2  # of a unit vector; the mean of a sample is uncertain by a tenth of it


def keep_up(store: Store, space: int) -> None:
    """Make what blocks are missing, and move the centre if the vectors have moved."""
    recentre(store, space)
    repair_blocks(store, space)
    sweep_search(store, space)


def sweep_search(store: Store, space: int) -> None:
    """Bring a store's own search up to date, a step a transaction: nobody is held up for long."""
    first = None if store.read(partial(_is_swept, space=space)) else 0
    while first is not None:
        first = store.write(partial(_sweep, space=space, first=first))


def repair_blocks(store: Store, space: int) -> int:
    """Make the blocks that are missing, each in a transaction of its own; how many they were."""
    missing = store.read(lambda tx: list_missing(tx, space))
    for number in missing:
        store.write(partial(_seal_missing, space=space, number=number))
    return len(missing)


def recentre(store: Store, space: int) -> bool:
    """Code everything anew around the present mean, if that has moved far; true if it had."""
    found = store.read(lambda tx: tx.vectors.get_space(space))
    if found.mean is None or found.next < WORTH_MOVING_FROM:
        return False
    mean = store.read(partial(_sample_mean, space=found))
    if mean is None or np.linalg.norm(mean - coding_of(found).mean) < WORTH_MOVING_BY:
        return False
    moved = replace(found, mean=mean.astype("<f4").tobytes(), coding=found.coding + 1)
    for number in range(found.next // BLOCK_ROWS):
        store.write(partial(seal_block, space=moved, number=number))
    store.write(partial(_take_into_use, moved=moved))
    return True


def _sample_mean(tx: Tx, *, space: VectorSpace) -> Floats | None:
    numbers = np.unique(np.linspace(0, space.next - 1, SAMPLE).astype(int)).tolist()
    rows = list(tx.vectors.get_rows(space.id, numbers).values())
    if not rows:
        return None
    mean: Floats = unpack_rows(rows, space.dimensions).mean(axis=0)
    return mean


def _take_into_use(tx: Tx, *, moved: VectorSpace) -> None:
    """Unless another process was faster."""
    if tx.vectors.get_space(moved.id).coding == moved.coding - 1 and moved.mean is not None:
        tx.vectors.set_mean(moved.id, moved.mean)
        tx.vectors.drop_stale_blocks(moved.id, moved.coding)


def _is_swept(tx: Tx, *, space: int) -> bool:
    search = tx.vectors.find_search()
    return search is None or search.is_swept(tx.vectors.get_space(space))


def _sweep(tx: Tx, *, space: int, first: int) -> int | None:
    search = tx.vectors.find_search()
    return None if search is None else search.sweep(tx.vectors.get_space(space), first)


def _seal_missing(tx: Tx, *, space: int, number: int) -> None:
    seal_block(tx, tx.vectors.get_space(space), number)
