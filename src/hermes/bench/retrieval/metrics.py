"""How good a ranking is: recall, NDCG and reciprocal rank, and LongMemEval's own variants."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2

CUTOFFS = (1, 3, 5, 10, 20, 50)
NDCG_AT = 10


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of one question, or means of many."""

    recall: Mapping[int, float]
    ndcg: float
    mrr: float


def score(ranked: Sequence[str], wanted: frozenset[str]) -> Score:
    """Recall@k is the share of what is wanted among the first k; NDCG has binary gains.

    What is ranked again further down counts for nothing there.
    """
    hits = [key in wanted for key in dict.fromkeys(ranked)]
    recall = {k: sum(hits[:k]) / len(wanted) for k in CUTOFFS}
    first = next((place for place, hit in enumerate(hits, start=1) if hit), 0)
    return Score(recall, ndcg(hits, len(wanted), NDCG_AT), 1 / first if first else 0.0)


def ndcg(hits: Sequence[bool], wanted: int, k: int) -> float:
    gained = sum(1 / log2(place + 1) for place, hit in enumerate(hits[:k], start=1) if hit)
    ideal = sum(1 / log2(place + 1) for place in range(1, min(k, wanted) + 1))
    return gained / ideal if ideal else 0.0


def mean(scores: Iterable[Score]) -> Score:
    listed = list(scores)
    count = max(1, len(listed))
    return Score(
        {k: sum(each.recall[k] for each in listed) / count for k in CUTOFFS},
        sum(each.ndcg for each in listed) / count,
        sum(each.mrr for each in listed) / count,
    )


def macro_ndcg(by_category: Mapping[str, Score]) -> float:
    """The mean of the categories' NDCG, each counting alike."""
    return sum(each.ndcg for each in by_category.values()) / max(1, len(by_category))


@dataclass(frozen=True, slots=True)
class HaystackScore:
    """LongMemEval's figures at one k: any of what is wanted, all of it, and its NDCG."""

    any: float
    all: float
    ndcg: float


def haystack_score(ranked: Sequence[str], wanted: frozenset[str], k: int) -> HaystackScore:
    """As LongMemEval computes them; its DCG does not discount the second place."""
    first = list(dict.fromkeys(ranked))[:k]
    found = wanted.intersection(first)
    gained = _its_dcg([key in wanted for key in first])
    ideal = _its_dcg([True] * min(k, len(wanted)))
    return HaystackScore(
        float(bool(found)), float(len(found) == len(wanted)), gained / ideal if ideal else 0.0
    )


def _its_dcg(hits: Sequence[bool]) -> float:
    return sum(hit / log2(max(2, place)) for place, hit in enumerate(hits, start=1))


def mean_haystack(scores: Iterable[HaystackScore]) -> HaystackScore:
    listed = list(scores)
    count = max(1, len(listed))
    return HaystackScore(
        sum(each.any for each in listed) / count,
        sum(each.all for each in listed) / count,
        sum(each.ndcg for each in listed) / count,
    )
