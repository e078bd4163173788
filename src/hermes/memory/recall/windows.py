"""How well the time of a message fits the times a question names: ranks, never filters."""

import re
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from hermes.clock import DAY_MS, EARLIEST_AT, LATEST_AT, to_datetime
from hermes.memory.recall.outline import Floats, Positions
from hermes.memory.recall.when import TimeSpan

AFTER_DAYS = 10.0  # what happened is told in the days after it…
BEFORE_DAYS = 7.0  # …and what is planned, in the days before
VAGUE_MS = 200 * DAY_MS
VAGUE_FIT = 0.3  # a whole year tells little; so does all the time before a day, but near that day
# Of what the words mean, for a message of that time to count by that alone. Where they leave most
# open ("about the other day": 0.32) the time is wide instead.
SURE_ENOUGH = 0.3
_YEAR = re.compile(r"\d{4}|\b(?:this|last|next|ago|past|coming)\b", re.I)


def fit(spans: tuple[TimeSpan, ...], at: Positions, oldest_at: int) -> Floats:
    """From 0 to 1: whether a message was said in, soon after or shortly before such a time."""
    found = np.zeros(len(at), np.float32)
    for span in spans:
        for start_at, end_at, sure in readings(span, oldest_at):
            found = np.maximum(found, np.float32(sure) * _fit_one(start_at, end_at, at))
    return found


def inside(
    spans: Iterable[TimeSpan],
    at: Positions,
    oldest_at: int,
    asked_at: int,
    *,
    years: bool = False,
    least: float = SURE_ENOUGH,
) -> npt.NDArray[np.bool_]:
    """Which messages were said in one of the times, of those that say a day and, with `years`, of
    those that say a year; where the words are sure of it at `least` so far."""
    found = np.zeros(len(at), np.bool_)
    for span in spans:
        said = days_of(span, oldest_at) or (readings(span, oldest_at) if years else [])
        for start_at, end_at, sure in said:
            if start_at < asked_at and sure >= least:
                found |= (at >= start_at) & (at < end_at)
    return found


def days_of(span: TimeSpan, oldest_at: int) -> list[tuple[int, int, float]]:
    """The readings of a span that say days and not a year.

    Of all the time before a day ("before the launch") or after it, what is nearest to that day.
    """
    if span.start_at <= EARLIEST_AT < span.end_at < LATEST_AT:
        return [(span.end_at - VAGUE_MS, span.end_at, span.certainty)]
    if EARLIEST_AT < span.start_at < LATEST_AT <= span.end_at:
        return [(span.start_at, span.start_at + VAGUE_MS, span.certainty)]
    return [each for each in readings(span, oldest_at) if each[1] - each[0] <= VAGUE_MS]


def is_open(span: TimeSpan) -> bool:
    """Whether a span is all the time before a day, or after it."""
    return span.start_at <= EARLIEST_AT or span.end_at >= LATEST_AT


def readings(span: TimeSpan, oldest_at: int) -> list[tuple[int, int, float]]:
    """The span and, where it names no year ("in April"), the same days of earlier years."""
    found = [(span.start_at, span.end_at, span.certainty)]
    if _YEAR.search(span.text) or span.grain not in ("day", "month", "season"):
        return found
    if span.direction != "any":
        return found
    for years in range(1, 10):
        start_at, end_at = _earlier(span.start_at, years), _earlier(span.end_at, years)
        if end_at < oldest_at:
            break
        found.append((start_at, end_at, span.certainty * 0.9))
    return found


def _earlier(at: int, years: int) -> int:
    moment = to_datetime(at)
    leap = moment.month == 2 and moment.day == 29
    earlier = moment.replace(year=moment.year - years, day=28 if leap else moment.day)
    return round(earlier.timestamp() * 1000)


def _fit_one(start_at: int, end_at: int, at: Positions) -> Floats:
    if end_at - start_at > VAGUE_MS:
        return _fit_vague(start_at, end_at, at)
    late = np.maximum(0, at - end_at) / (AFTER_DAYS * DAY_MS)
    early = np.maximum(0, start_at - at) / (BEFORE_DAYS * DAY_MS)
    fitted: Floats = np.exp(-(late + early)).astype(np.float32)
    return fitted


def _fit_vague(start_at: int, end_at: int, at: Positions) -> Floats:
    """Little anywhere inside; more towards an edge that was named, as in "before 23 January"."""
    inside = ((at >= start_at) & (at < end_at)).astype(np.float32)
    fitted = VAGUE_FIT * inside
    edge_at = end_at if start_at <= EARLIEST_AT else start_at if end_at >= LATEST_AT else None
    if edge_at is not None:
        near = np.exp(-np.abs(at - edge_at) / (AFTER_DAYS * DAY_MS)).astype(np.float32)
        fitted = np.maximum(fitted, near)
    return fitted
