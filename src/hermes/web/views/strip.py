"""The density of a memory over time: numbers for the chart, and bars for whoever has no script."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from hermes.memory.timeline import DayCount

MOST_BARS = 120


@dataclass(frozen=True, slots=True)
class Bar:
    """Some days as one bar; `height` of 100."""

    since: date
    until: date
    turns: int
    facts: int
    height: int


@dataclass(frozen=True, slots=True)
class Strip:
    """The whole of a memory: a number a day for the chart, and bars of some days each."""

    bars: Sequence[Bar]
    series: tuple[list[int], list[int], list[int]]

    @property
    def is_empty(self) -> bool:
        return not self.bars


def build_strip(counts: Sequence[DayCount]) -> Strip:
    if not counts:
        return Strip((), ([], [], []))
    by_day = {count.day: count for count in counts}
    first, last = counts[0].day, counts[-1].day
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    every = [by_day.get(day, DayCount(day)) for day in days]
    seconds = [_epoch_s(count.day) for count in every]
    series = (seconds, [count.turns for count in every], [count.facts for count in every])
    return Strip(_bars(every), series)


def _bars(days: Sequence[DayCount]) -> list[Bar]:
    width = -(-len(days) // MOST_BARS)
    groups = [days[place : place + width] for place in range(0, len(days), width)]
    sums = [sum(day.turns + day.facts for day in group) for group in groups]
    most = max(sums) or 1
    return [
        Bar(
            since=group[0].day,
            until=group[-1].day,
            turns=sum(day.turns for day in group),
            facts=sum(day.facts for day in group),
            height=max(4, round(100 * total / most)) if total else 0,
        )
        for group, total in zip(groups, sums, strict=True)
    ]


def _epoch_s(day: date) -> int:
    """The day as the chart counts: seconds to its midnight in UTC, drawn in UTC."""
    return (day - date(1970, 1, 1)).days * 86_400
