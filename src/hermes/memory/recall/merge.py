"""Facts among messages. Their scores lie on different lines; relevance is one for both."""

import heapq
from collections.abc import Sequence
from itertools import accumulate

from hermes.memory.recall.result import Item


def merge(messages: Sequence[Item], facts: Sequence[Item]) -> list[Item]:
    """Both by relevance; messages keep their order, which is finer than their relevance.

    A message stands where the most relevant of those from it on would stand: none of them is put
    behind a fact that is less relevant.
    """
    if not facts:
        return list(messages)
    reach = list(accumulate((item.relevance for item in reversed(messages)), max))[::-1]
    ordered = sorted(facts, key=lambda item: -item.relevance)
    placed = zip(reach, messages, strict=True)
    believed = ((item.relevance, item) for item in ordered)
    return [item for _, item in heapq.merge(placed, believed, key=lambda pair: -pair[0])]
