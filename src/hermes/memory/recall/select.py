"""Which of the ranked items are given: no copies, nothing irrelevant, so many of a kind, in budget.

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
    for item in items:
        folded = _folded(item)
        reason = _refusal(item, limits, counts) if folded not in seen else "duplicate"
        cost = 0 if reason else _cost(item, room)
        if not reason and cost > room:
            reason = "budget"
        if reason:
            dropped[reason] += 1
            continue
        room -= cost
        counts[item.kind] += not is_recent(item)
        seen.add(folded)
        given.append(item)
    return tuple(given), dropped


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
