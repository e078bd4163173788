"""Inner composites: a part of a time, or the unit that holds it.

"Early 2022", "the end of the month", "the first week of August", "the week of May 8". Early, mid
and late are thirds: of a month 1–10, 11–20 and 21 to its end, of a year four months each, of a week
Monday–Tuesday, Wednesday–Thursday and Friday–Sunday, of a day eight hours.
"""

import re
from dataclasses import replace
from datetime import date, timedelta

from hermes.clock import DAY_MS, HOUR_MS
from hermes.memory.recall.when import foreign
from hermes.memory.recall.when.dates import COUNTED, DECADES, get_decade
from hermes.memory.recall.when.foreign import name_key, name_pattern
from hermes.memory.recall.when.frame import Frame, shift_months
from hermes.memory.recall.when.numerals import DIGITS, NTH_STARTS, any_of
from hermes.memory.recall.when.reading import (
    ANY_LEAD,
    DAY_LEAD,
    Composite,
    Found,
    Reading,
    is_sound,
)
from hermes.memory.recall.when.relative import get_unit
from hermes.memory.recall.when.span import Period
from hermes.memory.recall.when.vocabulary import (
    DAY_PARTS,
    MONTHS,
    ORDINALS,
    UNITS,
    WEEKDAYS,
    compile_pattern,
)

# Each word with the share of a period it stands for: from, to, of how many equal ones.
Share = tuple[int, int, int]
FIRST, MIDDLE, LAST = (0, 1, 3), (1, 2, 3), (2, 3, 3)
SHARES: dict[str, Share] = {
    "early": FIRST,
    "beginning of": FIRST,
    "start of": FIRST,
    "mid": MIDDLE,
    "middle of": MIDDLE,
    "late": LAST,
    "end of": LAST,
    "close of": LAST,
    "first half of": (0, 1, 2),
    "second half of": (1, 2, 2),
}
# The end of which unit, and whether words may say of which one ("EOD Friday").
ENDS = {"eod": "day", "cob": "day", "eob": "day", "eow": "week", "eom": "month"}
ENDS |= {"close of business": "day", "end of business": "day"}
ENDS |= {"eoq": "quarter", "eoy": "year"}

_SHARE = compile_pattern(
    rf"(?P<share>{any_of(SHARES)})(?:-|(?: in)? )(?:the )?(?:this )?", ending=r"(?=[\w'])"
)
_UNIT = compile_pattern(r"(?P<unit>day|week|month|quarter|year)")
_DECADE = compile_pattern(r"'?(?P<decade>[2-9]0|(?:19|20)\d0)'?s")
_YEAR = compile_pattern("<year>" + COUNTED)
_NAMED_DECADE = compile_pattern(rf"(?P<decade>{any_of(DECADES)})")
_THE = re.compile(r"\bthe\s{1,4}$")
_END = compile_pattern(rf"(?P<name>{any_of(ENDS)})")
_NTH = compile_pattern(
    r"<ordinal> (?P<unit>day|week|weekend|month|quarter|<fullweekday>) (?:of|in) (?:the )?",
    ending="",
)
_HOLDING = compile_pattern(
    rf"(?P<unit>day|week|weekend|month|year|{any_of(DAY_PARTS)}) "
    r"(?:of|(?:starting|beginning|commencing)(?: on)?) ",
    ending="",
)
ALL_WEEKDAYS = WEEKDAYS | foreign.WEEKDAYS
_WEEKDAY = compile_pattern(
    rf"(?P<name>{name_pattern(ALL_WEEKDAYS)})\.?,? (?:(?:the|de[nrm]|le|el|il|dia) )?", ending=""
)
DATE_STARTS = frozenset((DIGITS, *MONTHS, *NTH_STARTS))
_GAP = compile_pattern(r",?(?: on)? ", ending="")


def read_share(reading: Reading, at: int, frame: Frame) -> Found | None:
    """Mid-June, the end of the month, early in the 90s."""
    match = _SHARE.match(reading.folded, at)
    if match is None:
        return None
    found = _find_decade(reading, (at, match.end()), frame)
    found = found or _find_whole(reading, match.end(), frame)
    if found is None:
        return None
    period = take_share(found.period, SHARES[" ".join(match["share"].split())], frame)
    return Found(found.end, period) if is_sound(period) else None


def _find_whole(reading: Reading, at: int, frame: Frame) -> Found | None:
    if unit := _UNIT.match(reading.folded, at):
        return Found(unit.end(), get_unit(frame, unit["unit"], 0))
    if year := _YEAR.match(reading.folded, at):
        return Found(year.end(), frame.years(int(year["year"])))
    if decade := _DECADE.match(reading.folded, at):
        return Found(decade.end(), get_decade(decade["decade"], frame))
    return reading.target(at, frame)


def _find_decade(reading: Reading, at: tuple[int, int], frame: Frame) -> Found | None:
    """The early nineties; "in my early twenties" is an age."""
    decade = _NAMED_DECADE.match(reading.folded, at[1])
    if decade is None or not _THE.search(reading.folded, max(0, at[0] - 8), at[0]):
        return None
    return Found(decade.end(), get_decade(decade["decade"], frame))


def take_share(period: Period, share: Share, frame: Frame) -> Period:
    """One of the equal parts of a period, cut at whole months, days or hours."""
    low, high, of = share
    first, last = frame.date_of(period.start_at), frame.date_of(period.end_at - 1)
    if period.grain in ("hour", "minute"):
        return period
    if period.grain in ("quarter", "season", "year"):
        count = (last.year - first.year) * 12 + last.month - first.month + 1
        start = shift_months(first, count * low // of)
        end = shift_months(first, count * high // of)
    elif first + timedelta(days=1) == last:
        return period  # a weekend is short enough
    elif first < last:
        count = (last - first).days + 1
        start = first + timedelta(days=count * low // of)
        end = first + timedelta(days=count * high // of)
    else:
        hours = frame.hours(first, 24 * low // of, 24 * high // of)
        return replace(period, start_at=hours.start_at, end_at=hours.end_at, grain="hour")
    return replace(period, start_at=frame.instant(start), end_at=frame.instant(end))


def read_end(reading: Reading, at: int, frame: Frame) -> Found | None:
    """EOD, EOW and their like; "EOD Friday"."""
    match = _END.match(reading.folded, at)
    if match is None:
        return None
    unit = ENDS[" ".join(match["name"].split())]
    whole = Found(match.end(), get_unit(frame, unit, 0))
    gap = _GAP.match(reading.folded, match.end()) if unit == "day" else None
    day = reading.target(gap.end(), frame) if gap else None
    if day and day.period.grain == "day":
        whole = day
    return Found(whole.end, take_share(whole.period, LAST, frame))


def read_nth(reading: Reading, at: int, frame: Frame) -> Found | None:
    """The first week of August, the last Friday of next month, the second quarter of 2025."""
    match = _NTH.match(reading.folded, at)
    found = _find_whole(reading, match.end(), frame) if match else None
    if match is None or found is None:
        return None
    part = _nth(frame, ORDINALS[match["ordinal"]], match["unit"], found.period)
    inside = found.period.start_at <= part.start_at and part.end_at <= found.period.end_at
    return Found(found.end, part) if inside and is_sound(part) else None


def _nth(frame: Frame, nth: int, unit: str, whole: Period) -> Period:
    first, last = frame.date_of(whole.start_at), frame.date_of(whole.end_at - 1)
    back = nth < 0
    if unit in ("month", "quarter"):
        size = 3 if unit == "quarter" else 1
        start = shift_months(last.replace(day=1), 1 - size) if back else first
        start = start if back else shift_months(first, size * (nth - 1))
        part = frame.months(start.year, start.month, size, "month" if size == 1 else "quarter")
    elif unit == "day":
        part = frame.day(last if back else first + timedelta(days=nth - 1))
    elif unit == "week":
        start = last - timedelta(days=6) if back else first + timedelta(days=7 * (nth - 1))
        part = frame.days(start, 7, "week")
    else:
        part = _nth_weekday(frame, nth, unit, first, last)
    return replace(part, certainty=whole.certainty, direction=whole.direction)


def _nth_weekday(frame: Frame, nth: int, unit: str, first: date, last: date) -> Period:
    weekday = 5 if unit == "weekend" else WEEKDAYS[unit]
    if nth < 0:
        final = last - timedelta(days=1) if unit == "weekend" else last
        day = final - timedelta(days=(final.weekday() - weekday) % 7)
    else:
        day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    return frame.weekend(day) if unit == "weekend" else frame.day(day)


def read_holding(reading: Reading, at: int, frame: Frame) -> Found | None:
    """The week of May 8, the weekend of the launch, the morning of 7 May."""
    match = _HOLDING.match(reading.folded, at)
    found = reading.target(match.end(), frame) if match else None
    if match is None or found is None:
        return None
    day, unit = frame.date_of(found.period.start_at), match["unit"]
    if unit in DAY_PARTS:
        whole = frame.hours(day, *DAY_PARTS[unit])
    elif found.period.end_at - found.period.start_at > 8 * DAY_MS:
        return None  # "the month of May" is read by its own words
    else:
        whole = get_unit(frame.moved(frame.instant(day)), unit, 0)
    return Found(found.end, replace(whole, certainty=found.period.certainty))


def read_dated_weekday(reading: Reading, at: int, frame: Frame) -> Found | None:
    """Tuesday, May 7; Friday the 13th: the date, the next that falls on that weekday."""
    match = _WEEKDAY.match(reading.folded, at)
    if match is None or reading.word(match.end()) not in DATE_STARTS:
        return None
    start, weekday = match.end(), ALL_WEEKDAYS[name_key(match["name"])]
    found = _read_day(reading, start, frame.but(weekday=weekday))
    if found is None:
        return _read_day(reading, start, frame)
    return found._replace(period=replace(found.period, certainty=max(0.8, found.period.certainty)))


def _read_day(reading: Reading, at: int, frame: Frame) -> Found | None:
    """A date of one day, on the weekday of the frame if that has one."""
    found = reading.simple(at, frame, ANY_LEAD | DAY_LEAD)
    if found is None or found.period.end_at - found.period.start_at > 25 * HOUR_MS:
        return None
    return found if frame.has_weekday(frame.date_of(found.period.start_at)) else None


SHARE_STARTS = tuple({name.split()[0] for name in SHARES})
COMPOSITES: tuple[tuple[tuple[str, ...], Composite], ...] = (
    (SHARE_STARTS, read_share),
    (tuple({name.split()[0] for name in ENDS}), read_end),
    (("#", *ORDINALS), read_nth),
    ((*UNITS, *DAY_PARTS), read_holding),
    (tuple({name.split()[0] for name in ALL_WEEKDAYS}), read_dated_weekday),
)
