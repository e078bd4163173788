"""Which of the ranked items are given: no copies, nothing irrelevant, so many of a kind, in budget.

The newest are there whatever the task: room is set aside for them before the rest is spent.
Pure. What is dropped is counted by reason, so that a trace can say it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hermes.memory.recall.render import snippet_tokens
from hermes.memory.recall.result import NEWEST, Item
from hermes.memory.recall.tokens import most_tokens
from hermes.types import Kind

AMPLE = 10
NEWEST_SHARE = 0.5  # of the budget at most is set aside, but for the very newest
QUOTAS = {Kind.EPISODE: 20, Kind.FACT: 20, Kind.REFLECTION: 5, Kind.SKILL: 3}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be given; an item found as recent is exempt from the threshold."""

    budget_tokens: int = 20_000
    min_relevance: float = 0.65
    quotas: Mapping[Kind, int] = field(default_factory=lambda: dict(QUOTAS))


def select(items: Sequence[Item], limits: Limits) -> tuple[tuple[Item, ...], Counter[str]]:
    """The items given, in the order they came, and how many were dropped for what."""
    given: list[Item] = []
    seen: set[str] = set()
    dropped: Counter[str] = Counter()
    counts: Counter[Kind] = Counter()
    room = limits.budget_tokens
    kept_free = _set_aside(items, room)
    for item in items:
        free = room - sum(kept_free.values()) + kept_free.pop(item.ref, 0)
        folded = _folded(item)
        reason = _refusal(item, limits, counts) if folded not in seen else "duplicate"
        cost = 0 if reason else _cost(item, free)
        if not reason and cost > free:
            reason = "budget"
        if reason:
            dropped[reason] += 1
            continue
        room -= cost
        counts[item.kind] += not is_recent(item)
        seen.add(folded)
        given.append(item)
    return tuple(given), dropped


def _set_aside(items: Sequence[Item], budget_tokens: int) -> dict[str, int]:
    """What the newest take, by ref; the newer first, while they leave room for what bears."""
    newest = sorted((item for item in items if is_recent(item)), key=_newness)
    aside: dict[str, int] = {}
    room = budget_tokens
    for item in newest:
        cost = _cost(item, room)
        if cost <= room:
            aside[item.ref] = cost
            room = min(room, int(budget_tokens * NEWEST_SHARE)) - cost
    return aside


def _newness(item: Item) -> int:
    return min(found.rank for found in item.found if found.by == NEWEST)


def _cost(item: Item, room: int) -> int:
    """What an item takes: at a glance where there is ample room, else counted with care."""
    at_most = snippet_tokens(item, most_tokens)
    return at_most if at_most * AMPLE <= room else snippet_tokens(item)


def is_recent(item: Item) -> bool:
    """Whether an item is there because it is among the newest."""
    return any(found.by == NEWEST for found in item.found)


def _refusal(item: Item, limits: Limits, counts: Counter[Kind]) -> str:
    if is_recent(item):
        return ""
    if item.relevance < limits.min_relevance:
        return "relevance"
    return "quota" if counts[item.kind] >= limits.quotas.get(item.kind, 0) else ""


def _folded(item: Item) -> str:
    said = " ".join(item.text.split()).casefold()
    speaker = item.lines[item.hit].by if item.lines else ""
    return f"{item.kind}\n{speaker}\n{said}"
