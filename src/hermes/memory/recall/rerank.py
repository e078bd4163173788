"""An optional second opinion on the best few, within what is left of the deadline.

It settles the order only: what is relevant enough to be given at all is still decided by the
calibrated score, for no two rerankers mean the same by theirs.
"""

import math
from collections.abc import Sequence
from concurrent.futures import TimeoutError as TooLate
from functools import partial
from typing import Protocol

from hermes.errors import HermesError
from hermes.memory.recall.result import Found, Item
from hermes.memory.recall.threads import Threads

RERANKED = 20
NAME = "reranker"
_pool = Threads(4, "hermes-rerank")  # a late answer must not hold up the next question


class Reranker(Protocol):
    def score(self, task: str, texts: Sequence[str]) -> Sequence[float]:
        """How well each text answers the task, from 0 to 1; may raise any `HermesError`."""


def rerank(
    reranker: Reranker, task: str, items: Sequence[Item], left_ms: float
) -> tuple[list[Item], str]:
    """The items in their new order, or as they were and why."""
    best, rest = list(items[:RERANKED]), list(items[RERANKED:])
    if not best:
        return rest, ""
    asked = _pool.submit(partial(reranker.score, task, [_told(item) for item in best]))
    try:
        error = asked.exception(left_ms / 1000)
    except TooLate:
        asked.cancel()
        return [*best, *rest], "the reranker took too long"
    if error is not None:  # whatever a model's library raises, the fused order is still there
        told = error.message if isinstance(error, HermesError) else f"{type(error).__name__}"
        return [*best, *rest], f"the reranker failed: {told}"
    scores = asked.result()
    if len(scores) != len(best) or not all(map(math.isfinite, scores)):
        return [*best, *rest], "the reranker gave no score for some of what it was asked about"
    order = sorted(range(len(best)), key=lambda place: -scores[place])
    ranked = [best[place].also(Found(NAME, rank)) for rank, place in enumerate(order, start=1)]
    return [*ranked, *rest], ""


def _told(item: Item) -> str:
    """The item as a reranker reads it: who said it, and what."""
    return f"{item.lines[item.hit].by}: {item.text}" if item.lines else item.text
