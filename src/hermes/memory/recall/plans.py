"""What is ahead: days to come that were told before, as asked about in "what is on next week".

What is planned was said before its day, so it counts by the day it tells, not by when it was said.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from hermes.clock import DAY_MS, EARLIEST_AT, HOUR_MS, LATEST_AT, parse_time, wall_time
from hermes.memory.recall.belief import told_at
from hermes.memory.recall.outline import Flags, Floats
from hermes.memory.recall.task import Task
from hermes.memory.recall.when import TimeSpan, find_times
from hermes.memory.recall.when.frame import get_zone
from hermes.types import Fact, FactKind

FITTING = 0.5  # of what was told must lie in the time asked about, to be of that time
LONGEST_MS = 31 * DAY_MS  # "in March" tells when something will be; "in 2027" hardly does
LONGEST_DAY_MS = 25 * HOUR_MS
READ_CHARS = 4_000  # of a text
OF_A_DAY = (FactKind.DEADLINE, FactKind.EVENT)
_DAYS = re.compile(r"\((?:due |on )?(\d{4}-\d\d-\d\d)(?: or (\d{4}-\d\d-\d\d))?\)$")

Days = tuple[int, int]


class Told(NamedTuple):
    """What some texts or facts tell of days to come."""

    fit: Floats  # from 0 to 1, how much of a day told lies in a time ahead that the task names
    is_dated: Flags  # whether any such day is told

    @classmethod
    def nothing(cls, count: int) -> "Told":
        return cls(np.zeros(count, np.float32), np.zeros(count, np.bool_))

    @classmethod
    def of(cls, task: Task, days: Sequence[Sequence[Days]]) -> "Told":
        fits = np.array([_fit(task.ahead, each) for each in days], np.float32)
        return cls(fits, np.array([bool(each) for each in days], np.bool_))

    @property
    def is_then(self) -> Flags:
        """Which tell a day in a time that is asked about."""
        return self.fit >= FITTING

    @property
    def is_other(self) -> Flags:
        """Which tell other days only."""
        return self.is_dated & (self.fit <= 0)


def read_texts(task: Task, texts: Sequence[str], said_at: Sequence[int]) -> Told:
    """What texts tell of days to come, as seen when they were said."""
    pairs = zip(texts, said_at, strict=True)
    return Told.of(task, [_days_told(text, at, task.zone) for text, at in pairs])


def read_facts(task: Task, facts: Sequence[Fact], as_given: Callable[[Fact], Fact]) -> Told:
    """What facts, as they are given, tell of days to come; nothing where none is asked about."""
    if not task.ahead:
        return Told.nothing(len(facts))
    return Told.of(task, [_days_of(as_given(fact), task.zone) for fact in facts])


def is_due(task: Task, fact: Fact) -> bool:
    """Whether a fact is due in a time ahead that the task names."""
    return _fit(task.ahead, find_due(fact, task.zone)) >= FITTING


def find_due(fact: Fact, zone: str = "UTC") -> list[Days]:
    """The day of a deadline or an event, if the fact has one: as its value, or behind its text.

    Days are kept as those of UTC; where it is due is another zone's. "Next Friday" may be two days.
    """
    if fact.kind not in OF_A_DAY:
        return []
    told = _DAYS.search(fact.text)
    with suppress(ValueError):
        days = [parse_time(day) for day in (told.groups() if told else (fact.value,)) if day]
        starts = [2 * day - wall_time(day, get_zone(zone)) for day in days]
        return [(start, start + DAY_MS) for start in starts]
    return []


def _days_of(fact: Fact, zone: str) -> list[Days]:
    return find_due(fact, zone) or _days_told(fact.text, told_at(fact), zone)


def _days_told(text: str, said_at: int, zone: str) -> list[Days]:
    """The days to come that a text tells, as seen when it was said."""
    found = find_times(text[:READ_CHARS], said_at, zone=zone, prefer="future")
    days = [_of_span(span, said_at) for span in found if span.end_at > said_at]
    return [(start, end) for start, end in days if end - start <= LONGEST_MS]


def _of_span(span: TimeSpan, said_at: int) -> Days:
    """When it will be: what is due by a day, or lasts until then, is told for that day."""
    if span.end_at >= LATEST_AT:
        return span.start_at, span.start_at + DAY_MS
    is_until = span.start_at in (EARLIEST_AT, said_at)
    return max(span.start_at, span.end_at - DAY_MS) if is_until else span.start_at, span.end_at


def _fit(asked: Sequence[TimeSpan], told: Sequence[Days]) -> float:
    """The greatest share of a time told that lies in a time asked about."""
    shares = (span.certainty * _share(span, days) for span in asked for days in told)
    return max((share for share in shares if share > 0), default=0.0)


def _share(asked: TimeSpan, told: Days) -> float:
    """Of a day, all of it where the time asked about lies in it: "tomorrow morning"."""
    start, end = told
    length = end - start
    if length <= LONGEST_DAY_MS:
        length = min(length, asked.end_at - asked.start_at)
    return (min(end, asked.end_at) - max(start, asked.start_at)) / length
