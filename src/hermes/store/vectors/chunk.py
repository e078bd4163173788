"""Coded rows in memory that never move, many to a chunk, and whose they are.

Rows are added behind what readers look at, so that a search needs no lock.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from hermes.store.base.vectors import VectorKind
from hermes.store.vectors.coding import Codes, Coding, Places
from hermes.store.vectors.loops import BLOCK, Rows

# Large enough that its signs get large pages: those of a million rows are read a tenth faster.
CHUNK = 131_072
GONE = -1
KIND_BITS = 3
_KIND_MASK = (1 << KIND_BITS) - 1

Tags = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Scope:
    """Which rows count: those of a bank (none: of all) and of some kinds (none: of all), or, where
    they are given one by one, these `numbers` of theirs, rising."""

    bank: int | None = None
    kinds: tuple[int, ...] = ()
    numbers: Places | None = field(default=None, compare=False)


def tag_of(bank: int, kind: int) -> int:
    """Bank and kind in one number, compared in one go."""
    return (bank << KIND_BITS) | kind


def kinds_of(tags: Places) -> Places:
    return tags & _KIND_MASK


def is_message(tag: int) -> bool:
    """Whether a row that is there is a message's."""
    return tag != GONE and tag & _KIND_MASK == int(VectorKind.MESSAGE)


class Chunk:
    """Room for 131,072 rows; memory is taken as it is filled."""

    def __init__(self, coding: Coding) -> None:
        self.rows = Rows(
            signs=np.zeros((CHUNK // BLOCK, coding.sign_words, BLOCK), dtype=np.uint64),
            levels=np.zeros((CHUNK, coding.coded // 2), dtype=np.uint8),
            scales=np.zeros(CHUNK, dtype=np.float32),
            bases=np.zeros(CHUNK, dtype=np.float32),
        )
        self.items = np.zeros(CHUNK, dtype=np.int64)
        self.tags = np.full(CHUNK, GONE, dtype=np.int32)
        self.count = 0
        self._typical_scale = (0, 0.0)  # of how many rows, and what
        self._banks: set[int] = set()  # of all rows there are or were; -1 where some are gone

    def put(self, offset: int, codes: Codes, items: Places, tags: Tags) -> None:
        """Fill rows from `offset` on; they are seen once `count` has passed them."""
        end = offset + len(items)
        self._banks.update(np.unique(tags >> KIND_BITS).tolist())
        if offset > self.count:
            self._banks.add(GONE)
        self.rows.levels[offset:end] = codes.levels
        self.rows.scales[offset:end] = codes.scales
        self.rows.bases[offset:end] = codes.bases
        self.items[offset:end] = items
        self.tags[offset:end] = tags
        for start in range(offset - offset % BLOCK, end, BLOCK):
            low, high = max(start, offset), min(start + BLOCK, end)
            block = self.rows.signs[start // BLOCK]
            block[:, low - start : high - start] = codes.signs[low - offset : high - offset].T
        self.count = max(self.count, end)

    @property
    def typical_scale(self) -> float:
        """How far its rows lie from the mean: some of them tell."""
        of_rows, scale = self._typical_scale
        if of_rows != self.count:
            of_rows = self.count
            scale = float(self.rows.scales[:of_rows:64].mean())
            self._typical_scale = (of_rows, scale)
        return scale

    def fill_up(self) -> None:
        """Let rows that were never put count as gone."""
        if self.count < CHUNK:
            self._banks.add(GONE)
            self.count = CHUNK

    def remove(self, row: int) -> None:
        self._banks.add(GONE)
        self.tags[row] = GONE

    def allowed(self, scope: Scope) -> Places | None:
        """The rows of a scope, or none where it is every row."""
        if not scope.kinds and self._banks == {scope.bank}:
            return None
        tags = self.tags[: self.count]
        if scope.bank is not None and scope.kinds:
            wanted = [tags == tag_of(scope.bank, kind) for kind in scope.kinds]
            mask = np.logical_or.reduce(wanted)
        else:
            mask = tags >= 0 if scope.bank is None else (tags >> KIND_BITS) == scope.bank
            if scope.kinds:
                mask &= np.isin(tags & _KIND_MASK, scope.kinds)
        return None if mask.all() else np.flatnonzero(mask)

    def among(self, numbers: Places, first: int) -> Places:
        """Those of some rising numbers that are rows of this chunk, which begins with `first`."""
        low, high = np.searchsorted(numbers, (first, first + self.count)).tolist()
        rows = numbers[low:high] - first
        there: Places = rows[self.tags[rows] != GONE]
        return there
