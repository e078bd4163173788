"""Which rows may be among the nearest, judged before their four-bit codes are read.

Signs that differ from the question's give the angle between what a row and the question have beyond
the mean, and what a row has of the mean itself is known. So one pass over a few words a row tells
about how near each row is. The likely best are estimated from their codes, which tells how near the
nearest are, and kept is what may, by chance, be as near.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TypeVar

import numpy as np

from hermes.store.vectors.chunk import CHUNK, Chunk
from hermes.store.vectors.coding import DESK, Floats, Places
from hermes.store.vectors.loops import BLOCK, AskedLoops

KEEP_LEAST = 512
# A question that has nothing to do with what is stored has no nearest that stand out. What it may
# cost is bounded: among a million rows all of its ten nearest are among the likely best 1 in 32,
# among 100,000 in 16 (30 questions).
KEEP_MOST = 6_144
KEEP_ONE_IN = 24  # of more rows
# What may be near is mostly among the best of so many; only where it is not, more are looked at.
LEADING = 2_048
LEADING_ONE_IN = 96
TRUE_NEIGHBOURS = 10
ESTIMATED_FIRST = 256
MARGIN = 2.75  # standard deviations of the cosine that signs give
_SAMPLE = 4_096  # rows that tell where to cut

PART = 2 * BLOCK  # rows weighed in one go
PICKING_COSTS = 4  # times what weighing the next row costs
SHARED_FROM = 8  # parts; of fewer, handing over costs more than it saves
_BESIDE = ThreadPoolExecutor(1, "hermes-scan")

T = TypeVar("T")
Allowed = Sequence[Places | None]


def find_near(
    chunks: Sequence[Chunk],
    allowed: Allowed,
    loops: AskedLoops,
    *,
    limit: int,
    estimate: Callable[[Places], Floats],
) -> Places:
    """Places of the rows to estimate, rising; at least `limit` where there are as many."""
    least = max(KEEP_LEAST, limit)
    sizes = [
        chunk.count if rows is None else len(rows)
        for chunk, rows in zip(chunks, allowed, strict=True)
    ]
    if sum(sizes) <= least:
        everything = zip(sizes, allowed, strict=True)
        return _join(np.arange(size) if rows is None else rows for size, rows in everything)

    edges = list(accumulate(sizes, initial=0))
    likely = _weigh(chunks, allowed, edges, loops)
    best, cut = _leading(likely, max(2 * least, LEADING, len(likely) // LEADING_ONE_IN))
    kept = likely[best]
    leading = _best_of(kept, least)
    first = best[kept >= _best_at(leading, ESTIMATED_FIRST)]
    nearest = _best_at(estimate(_places(first, allowed, edges)), TRUE_NEIGHBOURS) - loops.probe.base
    # Rows of a space lie about as far from its mean as one another: those of one chunk will do.
    by_chance = MARGIN * loops.probe.scatter * chunks[0].typical_scale
    line = min(nearest - by_chance, _best_at(leading, least))
    if line < cut:
        best, _ = _leading(likely, max(2 * least, KEEP_MOST, len(likely) // KEEP_ONE_IN))
        kept = likely[best]
    return _places(best[kept >= line], allowed, edges)


def _share(work: Callable[[Iterator[T]], None], parts: Sequence[T]) -> None:
    """Do a work, if it has many parts with the thread beside: each takes the next that is left."""
    left = iter(parts)
    other = _BESIDE.submit(work, left) if len(parts) >= SHARED_FROM else None
    work(left)
    # Not begun where it is busy with another search, or was left behind by a fork.
    if other is not None and not other.cancel():
        other.result()


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows that are weighed at once: `size` of a chunk from its row `first` on, or `rows` of those.

    What is found of them stands from `at` on.
    """

    chunk: Chunk
    first: int
    size: int
    rows: Places | None
    at: int


def _parts(chunks: Sequence[Chunk], allowed: Allowed, edges: Sequence[int]) -> Iterator[_Part]:
    """Every row that counts, and none that was added since the edges were told."""
    for chunk, rows, at, end in zip(chunks, allowed, edges, edges[1:], strict=False):
        if rows is None:
            for first in range(0, end - at, PART):
                yield _Part(chunk, first, min(PART, end - at - first), None, at + first)
            continue
        cuts = np.searchsorted(rows, range(0, CHUNK + 1, PART)).tolist()
        for number, (low, high) in enumerate(pairwise(cuts)):
            if low < high:
                yield _Part(chunk, number * PART, high - low, rows[low:high], at + low)


def _weigh(
    chunks: Sequence[Chunk], allowed: Allowed, edges: Sequence[int], loops: AskedLoops
) -> Floats:
    """The cosine that the signs of each row give, less what the question has of the mean."""
    likely = DESK.room("likely", (edges[-1],), np.float32)

    def weigh(some: Iterable[_Part]) -> None:  # nothing else: two threads wait for each other
        for part in some:
            _weigh_part(part, loops, likely[part.at : part.at + part.size])

    _share(weigh, list(_parts(chunks, allowed, edges)))
    return likely


def _weigh_part(part: _Part, loops: AskedLoops, found: Floats) -> None:
    rows = part.chunk.rows
    if part.rows is None:
        loops.weigh(rows, part.first, found)
    elif len(part.rows) * PICKING_COSTS <= PART:
        loops.weigh_rows(rows, part.rows, found)
    else:
        whole = DESK.room("whole", (min(PART, CHUNK - part.first),), np.float32)
        loops.weigh(rows, part.first, whole)
        np.take(whole, part.rows - part.first, out=found)


def _places(best: Places, allowed: Allowed, edges: Sequence[int]) -> Places:
    """The places of rows by their number among the allowed of all chunks, rising."""
    if all(rows is None for rows in allowed):
        return best  # every chunk but the last is full
    cuts = np.searchsorted(best, edges).tolist()
    parts = []
    for number, rows in enumerate(allowed):
        here = best[cuts[number] : cuts[number + 1]] - edges[number]
        parts.append((here if rows is None else rows[here]) + number * CHUNK)
    return np.concatenate(parts)


def _leading(likely: Floats, most: int) -> tuple[Places, float]:
    """About so many of the likeliest rows, rising, and where they were cut."""
    step = max(1, len(likely) // _SAMPLE)
    cut = _best_at(likely[::step], most // step)
    return np.flatnonzero(likely >= cut), cut


def _best_at(scores: Floats, rank: int) -> float:
    if len(scores) <= rank:
        return -math.inf
    return float(np.partition(scores, len(scores) - rank)[len(scores) - rank])


def _best_of(scores: Floats, count: int) -> Floats:
    """The best so many of the scores and one more, in no order."""
    if len(scores) <= count + 1:
        return scores
    return np.partition(scores, len(scores) - count - 1)[-count - 1 :]


def _join(rows_by_chunk: Iterable[Places]) -> Places:
    """Rows of each chunk as places of the shelf."""
    parts = [rows + number * CHUNK for number, rows in enumerate(rows_by_chunk)]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
