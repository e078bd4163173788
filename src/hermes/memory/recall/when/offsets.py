"""Inner composites: a time counted from another, as in "two days after the launch".

"The week before X" is the seven days up to it; "two weeks before X" the seven days around that day;
months and years are calendar ones; "the run-up to X" is the three weeks before it.
"""

from dataclasses import replace
from datetime import timedelta

from hermes.memory.recall.when.frame import Frame
from hermes.memory.recall.when.numerals import COUNT_STARTS, parse_bounds
from hermes.memory.recall.when.reading import Composite, Found, Reading, is_sound
from hermes.memory.recall.when.relative import get_distant, get_unit, get_weekdays_away
from hermes.memory.recall.when.span import Period
from hermes.memory.recall.when.vocabulary import (
    FULL_WEEKDAYS,
    UNITS,
    WEEKDAYS,
    compile_pattern,
)

AROUND = 5  # units that "the days before" reaches over
_OFFSET = compile_pattern(
    r"(?:<count> )?(?:<fullweekday>s?|<unit>) (?P<side>before|prior to|after|following) ",
    ending="",
)


_RUN_UP = compile_pattern(r"(?:run|lead|build)[-\s]?up to ", ending="")
RUN_UP_DAYS = 21


def read_run_up(reading: Reading, at: int, frame: Frame) -> Found | None:
    match = _RUN_UP.match(reading.folded, at)
    found = reading.target(match.end(), frame) if match else None
    if found is None:
        return None
    last = frame.date_of(found.period.start_at)
    period = frame.between(last - timedelta(days=RUN_UP_DAYS), last, "day")
    return Found(found.end, replace(period, certainty=found.period.certainty))


def read_offset(reading: Reading, at: int, frame: Frame) -> Found | None:
    match = _OFFSET.match(reading.folded, at)
    found = reading.target(match.end(), frame) if match else None
    if match is None or found is None:
        return None
    side = -1 if match["side"] in ("before", "prior to") else 1
    low, high = _bounds(match["count"], match["unit"])
    edge = found.period.start_at if side < 0 else found.period.end_at - 1
    moved = frame.moved(edge)
    if match["fullweekday"]:
        weekday = WEEKDAYS[match["fullweekday"]]
        period = get_weekdays_away(moved, weekday, *sorted((side * low, side * high)))
    else:
        period = _away(moved, UNITS[match["unit"]], side, (low, high))
    certainty = round(found.period.certainty * (1.0 if low == high else 0.6), 2)
    same = found.period.direction == ("past" if side < 0 else "future")
    direction = found.period.direction if same else "any"
    period = replace(period, direction=direction, certainty=certainty)
    return Found(found.end, period) if is_sound(period) else None


def _bounds(count: str | None, unit: str | None) -> tuple[int, int]:
    if count:
        return parse_bounds(count)
    return (1, AROUND) if unit and unit.endswith("s") else (1, 1)


def _away(moved: Frame, unit: str, side: int, bounds: tuple[int, int]) -> Period:
    low, high = bounds
    if unit == "week" and high == 1:
        first = moved.today + timedelta(days=-7 if side < 0 else 1)
        return moved.days(first, 7, "week")
    if unit == "weekend":
        ahead = side > 0 and moved.today.weekday() < 5
        return get_unit(moved, "weekend", side * high - (1 if ahead else 0))
    near, far = sorted((side * low, side * high))
    return get_distant(moved, unit, near, far)


COMPOSITES: tuple[tuple[tuple[str, ...], Composite], ...] = (
    ((*COUNT_STARTS, *UNITS, *FULL_WEEKDAYS), read_offset),
    (("run", "lead", "build"), read_run_up),
)
