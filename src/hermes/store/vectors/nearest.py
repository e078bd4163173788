"""Which rows may be among the nearest, judged before their four-bit codes are read.

Signs that differ from the question's give the angle between what a row and the question have beyond
the mean, and what a row has of the mean itself is known. So one pass over a few words a row tells
about how near each row is. The likely best are estimated from their codes, which tells how near the
nearest are, and kept is what may, by chance, be as near.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from hermes.store.vectors.chunk import CHUNK, Chunk, Counts, Places
from hermes.store.vectors.coding import Floats, Probe

KEEP_LEAST = 1_024
# A question that has nothing to do with what is stored has no nearest that stand out. What it may
# cost is bounded: among a million rows all of its ten nearest are among the likely best 1 in 32,
# among 100,000 in 16 (30 questions).
KEEP_MOST = 6_144
KEEP_ONE_IN = 24  # of more rows
TRUE_NEIGHBOURS = 10
ESTIMATED_FIRST = 256
MARGIN = 2.75  # standard deviations of the cosine that signs give
_SAMPLE = 8_192  # rows that tell where to cut

Allowed = Sequence[Places | None]


@dataclass(frozen=True, slots=True)
class Weighed:
    """Rows of a chunk, what `_weigh` gave them, and the scale of each."""

    rows: Places
    likely: Floats
    scales: Floats


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

    likely = [_weigh(chunk, probe, rows) for chunk, rows in zip(chunks, allowed, strict=True)]
    most = max(2 * least, KEEP_MOST, sum(sizes) // KEEP_ONE_IN)
    step = max(1, sum(sizes) // _SAMPLE)
    reach = _best_at(np.concatenate([some[::step] for some in likely]), most // step)

    picked = []
    for chunk, of, some in zip(chunks, allowed, likely, strict=True):
        best = np.flatnonzero(some >= reach)
        rows = best if of is None else of[best]
        picked.append(Weighed(rows, some[best], chunk.scales[rows]))
    return _cut(picked, probe, estimate, least=least)


def _weigh(chunk: Chunk, probe: Probe, rows: Places | None) -> Floats:
    """The cosine that the signs of each row give, less what the question has of the mean."""
    telling = probe.telling
    counts = _distances(chunk, probe, rows)
    of = slice(chunk.count) if rows is None else rows
    found: Floats = counts * np.float32(-telling.step * probe.length)
    found += np.float32(telling.start * probe.length)
    found *= chunk.scales[of]
    found += chunk.bases[of]
    return found


def _cut(
    picked: Sequence[Weighed], probe: Probe, estimate: Callable[[Places], Floats], *, least: int
) -> Places:
    """What may be as near as the nearest, and the likely best to make up the least number."""
    places = _join(each.rows for each in picked)
    likely = np.concatenate([each.likely for each in picked])
    scales = np.concatenate([each.scales for each in picked])
    first = places[likely >= _best_at(likely, ESTIMATED_FIRST)]
    nearest = _best_at(estimate(first), TRUE_NEIGHBOURS) - probe.base
    by_chance = MARGIN * probe.telling.scatter * probe.length
    kept = likely + np.float32(by_chance) * scales >= nearest
    kept |= likely >= _best_at(likely, least)
    return places[kept]


def _best_at(scores: Floats, rank: int) -> float:
    if len(scores) <= rank:
        return -math.inf
    return float(np.partition(scores, len(scores) - rank)[len(scores) - rank])


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
