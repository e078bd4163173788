"""What is ahead: days to come that were told before, as asked about in "what is on next week".

What is planned was said before its day, so it counts by the day it tells, not by when it was said.
"""

import re
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from hermes.clock import DAY_MS, EARLIEST_AT, LATEST_AT, parse_time
from hermes.memory.recall.belief import told_at
from hermes.memory.recall.outline import Floats
from hermes.memory.recall.task import Task
from hermes.memory.recall.when import TimeSpan, find_times
from hermes.types import Fact, FactKind

FITTING = 0.5  # of what was told must lie in the time asked about, to be of that time
LONGEST_MS = 31 * DAY_MS  # "in March" tells when something will be; "in 2027" hardly does
READ_CHARS = 4_000  # of a text
_DAY = re.compile(r"\((?:due )?(\d{4}-\d\d-\d\d)\)$")

Days = tuple[int, int]


def fit_texts(task: Task, texts: Sequence[str], said_at: Sequence[int]) -> Floats:
    """From 0 to 1, how well the days that each text tells fit the times ahead of a task."""
    told = (_days_told(text, at, task.zone) for text, at in zip(texts, said_at, strict=True))
    return np.array([_fit(task.ahead, days) for days in told], np.float32)


def fit_facts(task: Task, facts: Sequence[Fact]) -> Floats:
    """The same of facts, of which some have the day they are due on."""
    if not task.ahead:
        return np.zeros(len(facts), np.float32)
    found = fit_texts(task, [fact.text for fact in facts], [told_at(fact) for fact in facts])
    due = [_fit(task.ahead, _due(fact)) for fact in facts]
    return np.maximum(found, np.array(due, np.float32))


def find_due(fact: Fact) -> int | None:
    """The day of a deadline or an event, if the fact has one: as its value, or behind its text."""
    if fact.kind in (FactKind.DEADLINE, FactKind.EVENT):
        told = _DAY.search(fact.text)
        with suppress(ValueError):
            return parse_time(told[1] if told else fact.value)
    return None


def _due(fact: Fact) -> list[Days]:
    at = find_due(fact)
    return [] if at is None else [(at, at + DAY_MS)]


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
    shares = (
        span.certainty * (min(end, span.end_at) - max(start, span.start_at)) / (end - start)
        for span in asked
        for start, end in told
    )
    return max((share for share in shares if share > 0), default=0.0)
