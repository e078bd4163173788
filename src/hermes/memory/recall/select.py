"""Which of the ranked items are given: no copies, nothing irrelevant, so many of a kind, in budget.

What bears on the task best has the first claim on the budget. The newest are there whatever the
task: of what is left, room is set aside for them. What waits for approval is not given: a model may
read it only when a person has said so.
Pure. What is dropped is counted by reason, so that a trace can say it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hermes.memory.recall.copies import fold
from hermes.memory.recall.render import notice_tokens, render_alone, snippet_bytes, snippet_tokens
from hermes.memory.recall.result import NEWEST, Item
from hermes.types import Kind

NEWEST_SHARE = 0.5  # of that room at most is set aside, but for the very newest
QUOTAS = {Kind.EPISODE: 20, Kind.FACT: 20, Kind.REFLECTION: 5}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be given; an item found as recent is exempt from the threshold."""

    budget_tokens: int = 20_000
    min_relevance: float = 0.65
    quotas: Mapping[Kind, int] = field(default_factory=lambda: dict(QUOTAS))
    is_silent: bool = False  # whether the block tells that nothing was said in the time asked about


def select(items: Sequence[Item], limits: Limits) -> tuple[tuple[Item, ...], Counter[str]]:
    """The items given, in the order they came, and how many were dropped for what."""
    given: list[Item] = []
    seen: set[str] = set()
    dropped: Counter[str] = Counter()
    counts: Counter[Kind] = Counter()
    wanted = [item for item in items if is_recent(item) or _bears(item, limits)]
    notice = notice_tokens(is_silent=limits.is_silent)
    room = limits.budget_tokens - notice
    cost_of = _prices(wanted, room)
    best = next((item for item in items if _bears(item, limits)), None)
    kept_free = {best.ref: min(room, cost_of(best))} if best else {}
    kept_free |= _set_aside(items, room - sum(kept_free.values()), cost_of) | kept_free
    for item in items:
        free = room - sum(kept_free.values()) + kept_free.pop(item.ref, 0)
        folded = _folded(item)
        reason = _refusal(item, limits, counts) if folded not in seen else "duplicate"
        cost = 0 if reason else cost_of(item)
        if item is best and cost > free:
            if render_alone(item, free + notice, is_silent=limits.is_silent):
                cost = free  # it is shown without neighbours, and cut where it must be
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


def _set_aside(items: Sequence[Item], room: int, cost_of: Callable[[Item], int]) -> dict[str, int]:
    """What the newest take, by ref, of the room beside the best; the newer first."""
    newest = sorted((item for item in items if is_recent(item) and not item.held), key=_newness)
    aside: dict[str, int] = {}
    left = room
    for item in newest:
        cost = cost_of(item)
        if cost <= left:
            aside[item.ref] = cost
            left = min(left, int(room * NEWEST_SHARE)) - cost
    return aside


def _newness(item: Item) -> int:
    return min(found.rank for found in item.found if found.by == NEWEST)


def _prices(items: Sequence[Item], room: int) -> Callable[[Item], int]:
    """What an item takes: at a glance where all have ample room, else counted with care."""
    at_most = {item.ref: snippet_bytes(item) for item in items}
    if sum(at_most.values()) <= room:
        return lambda item: at_most[item.ref]
    counted: dict[str, int] = {}

    def count(item: Item) -> int:
        if item.ref not in counted:
            counted[item.ref] = snippet_tokens(item)
        return counted[item.ref]

    return count


def is_recent(item: Item) -> bool:
    """Whether an item is there because it is among the newest."""
    for found in item.found:  # a plain loop: a generator takes thrice as long
        if found.by == NEWEST:
            return True
    return False


def only_newest(items: Sequence[Item]) -> list[Item]:
    """Those there because they are new, the newest first: nothing was asked that they bear on."""
    recent = sorted((item for item in items if is_recent(item)), key=_newness)
    return [replace(item, relevance=0.0) for item in recent]


def is_only_new(item: Item, min_relevance: float) -> bool:
    """Whether an item is there for nothing else than that."""
    return is_recent(item) and item.relevance < max(min_relevance, 0.01)


def _bears(item: Item, limits: Limits) -> bool:
    return item.relevance >= limits.min_relevance and not item.held


def _refusal(item: Item, limits: Limits, counts: Counter[Kind]) -> str:
    if is_recent(item):
        return "held" if item.held else ""
    if item.relevance < limits.min_relevance:
        return "relevance"
    if item.held:
        return "held"
    return "quota" if counts[item.kind] >= limits.quotas.get(item.kind, 0) else ""


def _folded(item: Item) -> str:
    """What is alike in copies: who says it, and its words."""
    speaker = item.lines[item.hit].by if item.lines else ""
    return f"{item.kind.value}\n{speaker}\n{fold(item.text)}"
