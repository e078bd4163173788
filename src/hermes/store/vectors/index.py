"""The search for the nearest vectors, in this process, over the space recall uses.

Codes are read from the store's blocks at the first search, and kept up with the store's change
sequence, whoever wrote: this process or another. A missing block is made from its rows. The best by
estimate are read from the store and scored exactly.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hermes.store.base import Tx
from hermes.store.base.vectors import BLOCK_ROWS, VectorChange, VectorKind, VectorSpace
from hermes.store.vectors.blocks import Coded, coding_of, encode_rows, parse_block
from hermes.store.vectors.chunk import Scope
from hermes.store.vectors.coding import Floats, unpack_rows
from hermes.store.vectors.instore import Searched, StoreShelf
from hermes.store.vectors.shelf import Shelf

RESCORED_LEAST = 64
# Rows, 520 MB of codes. Beyond, a store that can is left to search: PostgreSQL. SQLite cannot, so
# that there the codes of any number are held, and `hermes doctor` tells what they take.
MOST_IN_MEMORY = 2_000_000


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Something near a question: what it is, and its cosine."""

    kind: VectorKind
    item: int
    cosine: float


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What the index holds in memory now."""

    rows: int
    memory_bytes: int


@dataclass(slots=True)
class _Loaded:
    """The codes of a space as of change `seq`."""

    space: VectorSpace
    shelf: Shelf | StoreShelf
    seq: int


class VectorIndex:
    """Finds the nearest vectors of the current space; shared by all threads of a process."""

    def __init__(self, *, most_in_memory: int = MOST_IN_MEMORY) -> None:
        self._most_in_memory = most_in_memory
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    def search(
        self,
        tx: Tx,
        query: Floats,
        *,
        limit: int,
        bank: str = "",
        kinds: Sequence[VectorKind] = (),
    ) -> list[Neighbour]:
        """The `limit` nearest of a bank ("" for all), best first; newer first among equals."""
        loaded = self._refresh(tx)
        number = tx.vectors.find_bank(bank) if bank else None
        if loaded is None or (bank and number is None):
            return []
        shelf = loaded.shelf
        scope = Scope(number, tuple(int(kind) for kind in kinds))
        wanted = max(RESCORED_LEAST, limit + limit // 4)
        asked = shelf.ask(tx, query)
        places, _ = asked.search(scope, wanted)
        cosines = self._exact(tx, loaded.space, query, places.tolist())
        best = sorted(cosines, key=lambda place: (cosines[place], place), reverse=True)
        found = np.array(best, dtype=np.int64)
        near: dict[tuple[int, int], Neighbour] = {}  # of the parts of a long text the nearest
        kinds_found, items = asked.kinds(found).tolist(), asked.items(found).tolist()
        for kind, item, place in zip(kinds_found, items, best, strict=True):
            near.setdefault((kind, item), Neighbour(VectorKind(kind), item, cosines[place]))
        return list(near.values())[:limit]

    def estimate(
        self, tx: Tx, query: Floats, kind: VectorKind, items: Sequence[int]
    ) -> dict[int, float]:
        """The cosine of each item that has a vector, to within about 0.002, from memory alone."""
        loaded = self._refresh(tx)
        if loaded is None or not items:
            return {}
        numbers = tx.vectors.find_numbers(loaded.space.id, kind, items)
        inside = loaded.shelf.rows
        pairs = sorted((place, item) for item, place in numbers.items() if place < inside)
        places = np.array([place for place, _ in pairs], dtype=np.int64)
        scores = loaded.shelf.ask(tx, query).estimate(places)
        return {item: float(score) for (_, item), score in zip(pairs, scores, strict=True)}

    def open(self, tx: Tx) -> tuple[VectorSpace, Searched] | None:
        """The space recall uses and its codes, as of the transaction; none before the first."""
        loaded = self._refresh(tx)
        return None if loaded is None else (loaded.space, loaded.shelf)

    def status(self) -> IndexStatus:
        loaded = self._loaded
        if loaded is None:
            return IndexStatus(0, 0)
        return IndexStatus(loaded.shelf.rows, loaded.shelf.memory_bytes)

    def release(self) -> None:
        """Give back the memory; the next search reads the codes again."""
        with self._lock:
            self._loaded = None

    def _refresh(self, tx: Tx) -> _Loaded | None:
        """The codes, brought up to the transaction's view."""
        space = tx.vectors.find_current()
        if space is None:
            return None
        latest = tx.changes.latest()
        with self._lock:
            loaded = self._loaded
            if loaded is None or loaded.space.id != space.id or loaded.space.coding < space.coding:
                loaded = self._loaded = self._load(tx, space, latest)
            elif latest > loaded.seq and self._has_outgrown(tx, loaded, space):
                loaded = self._loaded = self._load(tx, space, latest)
            elif latest > loaded.seq:
                self._catch_up(tx, loaded, latest)
            return loaded

    def _has_outgrown(self, tx: Tx, loaded: _Loaded, space: VectorSpace) -> bool:
        return isinstance(loaded.shelf, Shelf) and self._is_left_to_store(tx, space)

    def _is_left_to_store(self, tx: Tx, space: VectorSpace) -> bool:
        """Whether there is too much for memory, and the store itself finds all of it."""
        if space.next <= self._most_in_memory:
            return False
        search = tx.vectors.find_search()
        return search is not None and search.is_whole(space.id)

    def _load(self, tx: Tx, space: VectorSpace, latest: int) -> _Loaded:
        if self._is_left_to_store(tx, space):
            return _Loaded(space, StoreShelf(space), latest)
        shelf = Shelf(coding_of(space))
        numbers = iter(range(space.next // BLOCK_ROWS))
        for block in tx.vectors.iter_blocks(space.id, space.coding):
            coded = parse_block(shelf.coding, block)
            for number in numbers:
                if number == block.number and coded is not None:
                    _put(shelf, coded)
                    break
                _put_rows(tx, shelf, space, number * BLOCK_ROWS, (number + 1) * BLOCK_ROWS)
                if number == block.number:
                    break
        for number in numbers:
            _put_rows(tx, shelf, space, number * BLOCK_ROWS, (number + 1) * BLOCK_ROWS)
        _put_rows(tx, shelf, space, space.next - space.next % BLOCK_ROWS, space.next)
        return _Loaded(space, shelf, latest)

    def _catch_up(self, tx: Tx, loaded: _Loaded, latest: int) -> None:
        if isinstance(loaded.shelf, Shelf):
            for change in tx.vectors.list_changes(loaded.seq):
                if change.space == loaded.space.id:
                    _follow(tx, loaded.shelf, loaded.space, change)
        loaded.seq = latest

    def _exact(
        self, tx: Tx, space: VectorSpace, query: Floats, places: Sequence[int]
    ) -> dict[int, float]:
        """True cosines of the rows that are still there."""
        rows = tx.vectors.get_rows(space.id, places)
        if not rows:
            return {}
        cosines = unpack_rows(list(rows.values()), space.dimensions) @ query
        return dict(zip(rows, cosines.tolist(), strict=True))


def _follow(tx: Tx, shelf: Shelf, space: VectorSpace, change: VectorChange) -> None:
    if change.removed:
        shelf.remove(change.first, change.last)
    else:
        _put_rows(tx, shelf, space, change.first, change.last + 1)


def _put_rows(tx: Tx, shelf: Shelf, space: VectorSpace, first: int, end: int) -> None:
    """Code the rows `first` to `end` from the store itself."""
    for start in range(first, end, BLOCK_ROWS):
        stop = min(start + BLOCK_ROWS, end)
        rows = tx.vectors.list_rows(space.id, start, stop - 1)
        _put(shelf, encode_rows(shelf.coding, start, stop - start, rows))


def _put(shelf: Shelf, coded: Coded) -> None:
    shelf.put(coded.first, coded.codes, coded.items, coded.tags)
