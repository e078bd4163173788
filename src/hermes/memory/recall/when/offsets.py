"""Inner composites: a time counted from another, as in "two days after the launch".

"A week from Friday" is one day, counted from the Friday to come. "The week before X" is the seven
days up to it; "two weeks before X" the seven days around that day; months and years are calendar
ones; "the run-up to X" is the three weeks before it.
"""

from dataclasses import replace
from datetime import date, timedelta

from hermes.memory.recall.when.frame import Frame, shift_months
from hermes.memory.recall.when.numerals import COUNT_STARTS, parse_bounds
from hermes.memory.recall.when.reading import Composite, Found, Reading, is_sound
from hermes.memory.recall.when.relative import (
    DAYS_IN,
    MONTHS_IN,
    get_distant,
    get_unit,
    get_weekdays_away,
)
from hermes.memory.recall.when.span import Direction, Period
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


_FROM = compile_pattern(
    r"(?<!for\s)<count> (?P<unit>days?|weeks?|fortnights?|months?|years?) from "
    r"(?=(?:(?:next|this|last) )?(?:<fullweekday>|tomorrow|yesterday)\b)",
    ending="",
)
_ON_TO = compile_pattern(r"(?:\s?-\s?| (?:to|through|thru|until|till) )", ending="")


def read_from(reading: Reading, at: int, frame: Frame) -> Found | None:
    """Two weeks from Monday; neither "two weeks from Monday to Friday" nor "for two weeks from".

    "Six months from 3 August" is how long something lasts.
    """
    match = _FROM.match(reading.folded, at)
    found = reading.target(match.end(), frame.but(prefer="future")) if match else None
    if match is None or found is None or found.period.grain != "day":
        return None
    if _ON_TO.match(reading.folded, found.end):
        return None
    first = frame.date_of(found.period.start_at)
    low, high = (_later(first, UNITS[match["unit"]], n) for n in parse_bounds(match["count"]))
    certainty = round(found.period.certainty * (1.0 if low == high else 0.6), 2)
    period = frame.between(low, high + timedelta(days=1), "day")
    direction: Direction = "future" if period.start_at > frame.now else "any"
    return Found(found.end, replace(period, direction=direction, certainty=certainty))


def _later(day: date, unit: str, count: int) -> date:
    if unit in MONTHS_IN:
        return shift_months(day, count * MONTHS_IN[unit])
    return day + timedelta(days=count * DAYS_IN[unit])


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
    (COUNT_STARTS, read_from),
    (("run", "lead", "build"), read_run_up),
)
