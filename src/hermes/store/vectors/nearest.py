"""Which rows may be among the nearest, judged before their four-bit codes are read.

Signs that differ from the question's give the angle between what a row and the question have beyond
the mean, and what a row has of the mean itself is known. So one pass over a few words a row tells
about how near each row is. The likely best are estimated from their codes, which tells how near the
nearest are, and kept is what may, by chance, be as near.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate

import numpy as np

from hermes.store.vectors.chunk import CHUNK, Chunk, Counts, Places
from hermes.store.vectors.coding import DESK, Floats, Probe

KEEP_LEAST = 512
# A question that has nothing to do with what is stored has no nearest that stand out. What it may
# cost is bounded: among a million rows all of its ten nearest are among the likely best 1 in 32,
# among 100,000 in 16 (30 questions).
KEEP_MOST = 6_144
KEEP_ONE_IN = 24  # of more rows
TRUE_NEIGHBOURS = 10
ESTIMATED_FIRST = 256
MARGIN = 2.75  # standard deviations of the cosine that signs give
_SAMPLE = 8_192  # rows that tell where to cut

SHARED_FROM = 4  # chunks; of fewer, handing over costs more than it saves
_BESIDE = ThreadPoolExecutor(1, "hermes-scan")

Allowed = Sequence[Places | None]


def find_near(
    chunks: Sequence[Chunk],
    allowed: Allowed,
    probe: Probe,
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

    likely = DESK.room("likely", (sum(sizes),), np.float32)
    edges = list(accumulate(sizes, initial=0))

    def weigh(some: range) -> None:
        for number in some:
            found = likely[edges[number] : edges[number + 1]]
            _weigh(chunks[number], probe, allowed[number], found)

    _share(weigh, len(chunks))
    most = max(2 * least, KEEP_MOST, len(likely) // KEEP_ONE_IN)
    step = max(1, len(likely) // _SAMPLE)
    best = np.flatnonzero(likely >= _best_at(likely[::step], most // step))
    places, likely = _places(best, allowed, edges), likely[best]
    # Rows of a space lie about as far from its mean as one another: those of one chunk will do.
    by_chance = MARGIN * probe.telling.scatter * probe.length * chunks[0].typical_scale
    leading = _best_of(likely, least)
    first = places[likely >= _best_at(leading, ESTIMATED_FIRST)]
    nearest = _best_at(estimate(first), TRUE_NEIGHBOURS) - probe.base
    return places[likely >= min(nearest - by_chance, _best_at(leading, least))]


def _share(work: Callable[[range], None], count: int) -> None:
    """Do a work of so many parts, half of them on the thread beside, if they are many."""
    middle = count // 2 if count >= SHARED_FROM else 0
    other = _BESIDE.submit(work, range(middle)) if middle else None
    work(range(middle, count))
    if other is None:
        return
    if other.cancel():  # it is busy with another search, or was left behind by a fork
        work(range(middle))
    else:
        other.result()


def _weigh(chunk: Chunk, probe: Probe, rows: Places | None, found: Floats) -> None:
    """The cosine that the signs of each row give, less what the question has of the mean.

    Rows that were added since `found` was made to measure are left out.
    """
    telling = probe.telling
    of = slice(len(found)) if rows is None else rows
    counts = _distances(chunk, probe, rows)[: len(found)]
    np.multiply(counts, np.float32(-telling.step * probe.length), out=found)
    found += np.float32(telling.start * probe.length)
    found *= chunk.scales[of]
    found += chunk.bases[of]


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


def _best_at(scores: Floats, rank: int) -> float:
    if len(scores) <= rank:
        return -math.inf
    return float(np.partition(scores, len(scores) - rank)[len(scores) - rank])


def _best_of(scores: Floats, count: int) -> Floats:
    """The best so many of the scores and one more, in no order."""
    if len(scores) <= count + 1:
        return scores
    return np.partition(scores, len(scores) - count - 1)[-count - 1 :]


def _distances(chunk: Chunk, probe: Probe, rows: Places | None) -> Counts:
    mask = probe.telling.mask
    if rows is None:
        return chunk.scan(probe.signs, mask)
    if len(rows) * 4 > chunk.count:  # picking rows one by one costs about four times a scan
        return chunk.scan(probe.signs, mask)[rows]
    return chunk.scan_rows(probe.signs, mask, rows)


def _join(rows_by_chunk: Iterable[Places]) -> Places:
    """Rows of each chunk as places of the shelf."""
    parts = [rows + number * CHUNK for number, rows in enumerate(rows_by_chunk)]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
