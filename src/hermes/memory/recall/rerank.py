"""An optional second opinion on the best few, within what is left of the deadline."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from dataclasses import replace
from typing import Protocol

from hermes.errors import HermesError
from hermes.memory.recall.result import Item

RERANKED = 20
_pool = ThreadPoolExecutor(1, "hermes-rerank")


class Reranker(Protocol):
    def score(self, task: str, texts: Sequence[str]) -> Sequence[float]:
        """How well each text answers the task, from 0 to 1; may raise `Unavailable`."""


def rerank(
    reranker: Reranker, task: str, items: Sequence[Item], left_ms: float
) -> tuple[list[Item], str]:
    """The items in their new order, or as they were and why."""
    best, rest = list(items[:RERANKED]), list(items[RERANKED:])
    if not best:
        return rest, ""
    texts = [item.text for item in best]
    try:
        scores = _pool.submit(reranker.score, task, texts).result(left_ms / 1000)
    except TooLate:
        return [*best, *rest], "the reranker took too long"
    except HermesError as error:
        return [*best, *rest], f"the reranker failed: {error.message}"
    if len(scores) != len(best):
        return [*best, *rest], "the reranker gave another number of scores than it was asked for"
    scored = [replace(item, relevance=float(s)) for item, s in zip(best, scores, strict=True)]
    return [*sorted(scored, key=lambda item: -item.relevance), *rest], ""
