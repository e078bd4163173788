"""The days that a talk's words for times may be settled to: "by Friday", "last month", "the 27th".

A model settles them by itself. Whether it could is judged here, with what the words bear out in
either direction of time; nothing is settled here.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from hermes.clock import DAY_MS, to_datetime
from hermes.memory.facts.clauses.days import find_day
from hermes.memory.recall.when import Prefer, find_times

WEEK_MS = 7 * DAY_MS
_WAYS: tuple[Prefer, ...] = ("past", "future")
_BESIDE = re.compile(r"(?i)\b(?:next|before|after|earlier|later|prior|following|ahead)\b")
_ORDINAL = re.compile(r"(?i)\b(\d{1,2})(?:st|nd|rd|th)\b|\b(\d{1,2})\.(?=\s|$)")
_FIGURES = re.compile(r"\b\d{1,2}[./-]\d{1,2}\b")
_FIGURE = re.compile(r"\d+")

Said = tuple[str, int]  # what was said, and when
Span = tuple[int, int]  # from, and to


def is_borne_out(day: int, talk: Sequence[Said]) -> bool:
    """Whether a day is one on which somebody spoke, or one that words of the talk can mean."""
    return any(_is_told(day, text) or _is_near(day, text, at) for text, at in talk)


def spans(talk: Sequence[Said]) -> Iterator[Span]:
    """The times in which something was said, and those that were spoken of."""
    for text, at in talk:
        yield at, at + 1
        yield from _spans(text, at)


@lru_cache(64)
def _spans(text: str, at: int) -> tuple[Span, ...]:
    past, future = (find_times(text, at, prefer=way) for way in _WAYS)
    times = [(each.start_at, each.end_at) for each in (*past, *future)]
    days = (find_day(text, at, past=True), find_day(text, at))
    return (*times, *((day.start_at, day.start_at + 1) for day in days if day is not None))


def _is_near(day: int, text: str, at: int) -> bool:
    """Within a time that was named, with a day to spare for zones and nights.

    "The Monday after", "next Friday": people settle them a week apart.
    """
    spare = WEEK_MS if _BESIDE.search(text) else DAY_MS
    return any(start - spare <= day < end + spare for start, end in spans([(text, at)]))


def _is_told(day: int, text: str) -> bool:
    """ "moved to the 27th", "am 5.3.": by the day of the month, the rest being understood."""
    date = to_datetime(day)
    ordinals = {int(one or other) for one, other in _ORDINAL.findall(text)}
    figures = [{int(n) for n in _FIGURE.findall(each)} for each in _FIGURES.findall(text)]
    return date.day in ordinals or {date.day, date.month} in figures
