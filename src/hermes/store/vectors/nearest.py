"""Which rows may be among the nearest, judged before their four-bit codes are read.

A row that belongs to the nearest ten differs from the question in a few bits more than they do only
by chance, so rows within some standard deviations are kept. Those are weighed: bits that differ
give the angle between what a row and the question have beyond the mean, and what a row has of the
mean itself is known. The likely best are estimated from their codes, which tells how near the
nearest are, and kept is what may, again by chance, be as near.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, TypeVar

import numpy as np

from hermes.store.vectors.chunk import CHUNK, Chunk, Counts, Places
from hermes.store.vectors.coding import WORD_BITS, Floats, Probe, Words

T = TypeVar("T")

KEEP_LEAST = 1_024
# A question that has nothing to do with what is stored has no nearest that stand out. What it may
# cost is bounded; of a million rows all of its ten nearest are still kept, in twice the time of
# others (half as many rows and narrower margins: 0.98).
KEEP_MOST = 98_304
WEIGH_MOST = 65_536  # or one row in four
TRUE_NEIGHBOURS = 10
ESTIMATED_FIRST = 256
# In standard deviations: of the number of bits, and of the cosine they give. Among many rows more
# come near by chance, so that the margins are wider there.
MARGINS = (4.0, 2.0)
WIDE_MARGINS = (5.0, 2.5)
MANY = 262_144
_SAMPLE_STEP = 16

Allowed = Sequence[Places | None]


class Each(Protocol):
    """Does something for every chunk, by number, perhaps in several threads."""

    def __call__(self, look: Callable[[int], T], chunks: int) -> list[T]: ...


@dataclass(frozen=True, slots=True)
class Weighed:
    """Rows of a chunk, the cosine their bits give, and the highest they may have by chance."""

    rows: Places
    likely: Floats
    highest: Floats


def find_near(
    chunks: Sequence[Chunk],
    allowed: Allowed,
    probe: Probe,
    *,
    limit: int,
    each: Each,
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

    def look(number: int) -> tuple[Counts, Counts]:
        counts = _distances(chunks[number], probe.signs, allowed[number])
        return counts, _smallest(counts, TRUE_NEIGHBOURS)

    looked = each(look, len(chunks))
    bits_margin, weight_margin = WIDE_MARGINS if sum(sizes) > MANY else MARGINS
    within = _reach(looked, len(probe.signs) * WORD_BITS, least, bits_margin)
    curves = _curves(len(probe.signs) * WORD_BITS, weight_margin)

    def weigh(number: int) -> Weighed:
        counts = looked[number][0]
        rows = np.flatnonzero(counts <= within)
        of = allowed[number]
        return curves.weigh(chunks[number], probe, rows if of is None else of[rows], counts[rows])

    return _cut(each(weigh, len(chunks)), estimate, least=least)


class _Curves:
    """The cosine of an angle by how many bits differ, and what chance may add to it."""

    def __init__(self, bits: int, margin: float) -> None:
        share = np.arange(bits + 1) / bits
        scatter = np.pi * np.sin(np.pi * share) * np.sqrt(share * (1 - share) / bits)
        self._likely = np.cos(np.pi * share).astype(np.float32)
        self._highest = (self._likely + margin * scatter).astype(np.float32)

    def weigh(self, chunk: Chunk, probe: Probe, rows: Places, counts: Counts) -> Weighed:
        lengths = chunk.scales[rows] * np.float32(probe.length)
        bases = chunk.bases[rows] + np.float32(probe.base)
        likely = lengths * self._likely[counts] + bases
        return Weighed(rows, likely, lengths * self._highest[counts] + bases)


@lru_cache
def _curves(bits: int, margin: float) -> _Curves:
    return _Curves(bits, margin)


def _reach(looked: Sequence[tuple[Counts, Counts]], bits: int, least: int, margin: float) -> int:
    """The number of differing bits up to which rows are weighed."""
    nearest = _smallest(np.concatenate([heads for _, heads in looked]), TRUE_NEIGHBOURS)
    share = int(nearest.max()) / bits
    within = bits * share + margin * math.sqrt(bits * share * (1 - share))
    sample = np.concatenate([counts[::_SAMPLE_STEP] for counts, _ in looked])
    total = sum(len(counts) for counts, _ in looked)
    low = _at_rank(sample, 2 * least // _SAMPLE_STEP)
    high = _at_rank(sample, max(2 * least, WEIGH_MOST, total // 4) // _SAMPLE_STEP)
    return int(min(max(within, low), high))


def _cut(weighed: Sequence[Weighed], estimate: Callable[[Places], Floats], *, least: int) -> Places:
    """What may be as near as the nearest, and the likely best to make up the least number."""
    likely = np.concatenate([each.likely for each in weighed])
    first = _best_at(likely, ESTIMATED_FIRST)
    nearest = _best_at(
        estimate(_join(each.rows[each.likely >= first] for each in weighed)), TRUE_NEIGHBOURS
    )
    highest = np.concatenate([each.highest for each in weighed])
    floor = max(nearest, _best_at(highest, max(KEEP_MOST, least)))
    usual = _best_at(likely, least)
    return _join(each.rows[(each.highest >= floor) | (each.likely >= usual)] for each in weighed)


def _best_at(scores: Floats, rank: int) -> float:
    if len(scores) <= rank:
        return -math.inf
    return float(np.partition(scores, len(scores) - rank)[len(scores) - rank])


def _at_rank(counts: Counts, rank: int) -> int:
    at = min(rank, len(counts) - 1)
    return int(np.partition(counts, at)[at])


def _smallest(counts: Counts, many: int) -> Counts:
    return counts if len(counts) <= many else np.partition(counts, many)[:many]


def _distances(chunk: Chunk, probe: Words, rows: Places | None) -> Counts:
    if rows is None:
        return chunk.scan(probe)
    if len(rows) * 4 > chunk.count:  # picking rows one by one costs about four times a scan
        return chunk.scan(probe)[rows]
    return chunk.scan_rows(probe, rows)


def _join(rows_by_chunk: Iterable[Places]) -> Places:
    """Rows of each chunk as places of the shelf."""
    parts = [rows + number * CHUNK for number, rows in enumerate(rows_by_chunk)]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
