"""A time told inside another: "Tuesday two weeks ago", "March last year", "last year in March".

The narrower is read again in the wider one. Where that leaves several ("a Monday last year") the
wider is all that is known; what its own words settle otherwise stays apart from it.
"""

from dataclasses import replace

from hermes.clock import DAY_MS
from hermes.memory.recall.when.frame import Frame
from hermes.memory.recall.when.reading import ANY_LEAD, Found, Reading
from hermes.memory.recall.when.span import Grain, Period
from hermes.memory.recall.when.vocabulary import Need, compile_pattern

_GAP = compile_pattern(r"(?P<bare> )(?:(?:of|in|on|at|around|back in) )?(?:the )?", ending="")
SIZES: dict[Grain, int] = {"minute": 0, "hour": 1, "day": 2, "weekend": 3, "week": 4, "month": 5}
SIZES |= {"season": 6, "quarter": 6, "year": 7}
OUTER = ("week", "month", "year")
BEGUN_MS = 8 * DAY_MS  # every weekday was there once


def read_within(
    reading: Reading, at: int, first: Found, frame: Frame, leads: frozenset[Need]
) -> Found | None:
    """What a time that has been read means with the one right after it, if one holds the other."""
    gap = _GAP.match(reading.folded, first.end)
    for start in dict.fromkeys((gap.end("bare"), gap.end())) if gap else ():
        second = reading.bare_phrase(start, frame, ANY_LEAD)
        if second is None:
            continue
        if _size(first) < _size(second) and second.period.grain in OUTER:
            return _settle(reading, (at, first, leads), second, frame)
        if _size(second) < _size(first) and first.period.grain in OUTER:
            return _settle(reading, (start, second, ANY_LEAD), first, frame)
    return None


def _size(found: Found) -> int:
    return SIZES[found.period.grain]


def _settle(
    reading: Reading, told: tuple[int, Found, frozenset[Need]], outer: Found, frame: Frame
) -> Found | None:
    at, inner, leads = told
    end, whole = max(inner.end, outer.end), outer.period
    again = (reading.bare_phrase(at, inside, leads) for inside in _frames(whole, frame))
    periods = [found.period for found in again if found and found.end == inner.end]
    inside = {(p.start_at, p.end_at): p for p in periods if _holds(whole, p)}
    if len(inside) == 1:
        (period,) = inside.values()
        period = replace(period, direction=whole.direction, floating=False)
        return Found(end, replace(period, certainty=whole.certainty))
    return Found(end, whole) if inside or inner.period.floating else None


def _frames(whole: Period, frame: Frame) -> list[Frame]:
    """The frames in which the words of a narrower time fall into a wider one."""
    if whole.grain == "year":
        return [frame.but(year=frame.date_of(whole.start_at).year)]
    moments = (whole.end_at, whole.end_at - 1, whole.start_at + BEGUN_MS)
    return [frame.moved(at).but(prefer="past") for at in moments]


def _holds(whole: Period, part: Period) -> bool:
    """Whether one begins in the other: the winter of a year ends in the next."""
    return whole.start_at <= part.start_at < whole.end_at
