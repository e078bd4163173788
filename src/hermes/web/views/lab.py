"""A recall taken apart: what was read, which passes found what, what it cost, what a model gets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from hermes.memory.recall.answer import Recall
from hermes.memory.recall.result import Found, Item, told
from hermes.memory.recall.tokens import count_tokens

_NO_PAGE = ""


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item of an answer, and where to look at it."""

    place: int
    item: Item
    href: str
    percent: int
    parts: Sequence[tuple[str, float]]
    found: Sequence[Found]


@dataclass(frozen=True, slots=True)
class Lab:
    recall: Recall
    rows: Sequence[ItemRow]
    context: str
    tokens: int
    budget: int
    laps: Sequence[tuple[str, float]]
    total_ms: float
    passes: Sequence[tuple[str, int]]
    dropped: Mapping[str, int]


def view_recall(recall: Recall) -> Lab:
    context = recall.context()
    trace = recall.trace
    return Lab(
        recall=recall,
        rows=[_row(place, item) for place, item in enumerate(recall.items, 1)],
        context=context,
        tokens=count_tokens(context),
        budget=recall.budget_tokens,
        laps=[(name, took) for name, took in trace.ms.items() if name != "total"],
        total_ms=trace.ms.get("total", sum(trace.ms.values())),
        passes=sorted(trace.passes.items(), key=lambda each: -each[1]),
        dropped=trace.dropped,
    )


def _row(place: int, item: Item) -> ItemRow:
    parts = sorted(item.parts.items(), key=lambda each: -abs(each[1]))
    return ItemRow(
        place=place,
        item=item,
        href=href_of(item.ref),
        percent=round(100 * told(item.relevance)),
        parts=parts[:8],
        found=item.found,
    )


def href_of(ref: str) -> str:
    """The page of what a reference names; empty where there is none."""
    kind, _, name = ref.partition(":")
    if kind == "session" and name:
        return f"/sessions/{quote(name, safe='')}"
    number = name.lstrip("0")
    if not number.isascii() or not number.isdigit():
        return _NO_PAGE
    if kind == "fact":
        return f"/facts/{number}"
    if kind == "reflection":
        return f"/lessons#lesson-{number}"
    if kind == "message":
        return f"/messages/{number}"
    return "/pending" if kind == "held" else _NO_PAGE
