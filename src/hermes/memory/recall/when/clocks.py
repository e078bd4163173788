"""Times of day, alone ("at 3pm") or beside a day ("tomorrow at 10:30", "Tuesday evening")."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from hermes.memory.recall.when.dates import COUNTED, TIME_END
from hermes.memory.recall.when.frame import Frame
from hermes.memory.recall.when.numerals import DIGITS, NUMBERS, any_of
from hermes.memory.recall.when.span import Period
from hermes.memory.recall.when.vocabulary import DAY_PARTS, Rule, compile_pattern, rule

MERIDIEM = r"(?P<half>[ap])(?:\.m\.|m)"
TWELVE = rf"(?P<h>\d\d?)(?::(?P<m>\d\d))?\s?{MERIDIEM}"
FULL = r"(?P<h>\d\d?):(?P<m>\d\d)(?::\d\d)?(?P<half>(?!))?(?![:.]\d)"
NAMED = r"(?P<named>noon|midday|midnight)"
NAMED_HOURS = {"noon": 12, "midday": 12, "midnight": 24}
PAST = {"half past": 30, "quarter past": 15, "quarter after": 15, "quarter to": -15}
HOUR_NAMES = {name: hour for name, hour in NUMBERS.items() if len(name) > 2 and hour <= 12}
_HOUR = rf"(?:\d\d?|{any_of(HOUR_NAMES)})"
# "Half past seven" alone may be of the morning or of the evening.
SPOKEN = (
    rf"(?P<past>{any_of(PAST)}) (?=(?:[1-6]|12|one|two|three|four|five|six|twelve)\b"
    rf"|{_HOUR}(?: o'clock)?\s?[ap]\.?m\b)"
    rf"(?P<spoken>{_HOUR})(?: o'clock)?(?:\s?(?P<half>[ap])(?:\.m\.|m))?"
)
HOURS = (
    r"(?P<h1>\d\d?)(?::(?P<m1>\d\d))?\s?(?:(?P<half1>[ap])(?:\.m\.|m))?\s?(?:-|to|and|until)\s?"
    r"(?P<h2>\d\d?)(?::(?P<m2>\d\d))?\s?(?P<half2>[ap])(?:\.m\.|m)"
)
_AFTER_DAY = tuple(
    compile_pattern(r",?\s{1,3}(?:at |around |by |about |@\s?)?(?:the |a )?" + clock)
    for clock in (TWELVE, FULL, NAMED, SPOKEN)
)
_HOURS_AFTER_DAY = compile_pattern(r",?\s{1,3}(?:(?:from|between) )?" + HOURS)
_PART_AFTER_DAY = compile_pattern(r" (?:in the )?<part>")


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """An hour and, where it was said, a minute."""

    hour: int
    minute: int | None = None

    def on(self, day: date, frame: Frame) -> Period:
        return frame.clock(day, self.hour, self.minute)


def parse_clock(match: re.Match[str]) -> TimeOfDay:
    """The time that a match of one of the patterns above says; ValueError if there is none."""
    if "named" in match.re.groupindex:
        return TimeOfDay(NAMED_HOURS[match["named"]], 0)
    if "spoken" in match.re.groupindex:
        return _parse_spoken(match)
    hour, minute = int(match["h"]), match["m"]
    if match["half"]:
        hour = to_24_hours(hour, match["half"])
    elif len(match["h"]) == 1 and 1 <= hour <= 6:
        hour += 12  # "at 3:30" is rarely said of the night; "at 03:30" is
    if hour > 24 or (minute and int(minute) > 59):
        raise ValueError("no such time of day")
    return TimeOfDay(hour, None if minute is None else int(minute))


def _parse_spoken(match: re.Match[str]) -> TimeOfDay:
    """Half past three, a quarter to nine."""
    said = match["spoken"]
    hour = int(said) if said.isdecimal() else HOUR_NAMES[said]
    half = match["half"] or ("p" if hour < 7 or hour == 12 else "a")
    minutes = to_24_hours(hour, half) * 60 + PAST[" ".join(match["past"].split())]
    return TimeOfDay(*divmod(minutes % 1440, 60))


def to_24_hours(hour: int, half: str) -> int:
    if not 1 <= hour <= 12:
        raise ValueError("no such hour")
    return hour % 12 + (12 if half == "p" else 0)


def refine(folded: str, end: int, period: Period, frame: Frame) -> tuple[int, Period]:
    """A day made narrower by the time of day that follows it in the text."""
    if period.end_at - period.start_at > 30 * 3_600_000:
        return end, period
    day = frame.date_of(period.start_at)
    part = _PART_AFTER_DAY.match(folded, end)
    if part:
        end, narrow = part.end(), frame.hours(day, *DAY_PARTS[part["part"]])
        period = replace(period, start_at=narrow.start_at, end_at=narrow.end_at, grain="hour")
    if hours := _HOURS_AFTER_DAY.match(folded, end):
        told = join_day(_hours(hours, frame), period, frame)
        return hours.end(), told
    for pattern in _AFTER_DAY:
        match = pattern.match(folded, end)
        if match:
            exact = parse_clock(match).on(day, frame)
            return match.end(), replace(
                period, start_at=exact.start_at, end_at=exact.end_at, grain=exact.grain
            )
    return end, period


def join_day(clock: Period, day: Period, frame: Frame) -> Period:
    """The time of day of `clock`, or the hours, on the day it is said with."""
    local = datetime.fromtimestamp(clock.start_at / 1000, frame.zone)
    start = frame.instant(frame.date_of(day.start_at), local.hour * 60 + local.minute)
    end = start + clock.end_at - clock.start_at
    return replace(day, start_at=start, end_at=end, grain=clock.grain)


def _alone(match: re.Match[str], frame: Frame) -> Period:
    return replace(_place(parse_clock(match), frame), certainty=0.6, floating=True)


def _place(clock: TimeOfDay, frame: Frame) -> Period:
    """Today, or tomorrow where only the future will do and the time has passed."""
    period = clock.on(frame.today, frame)
    if frame.prefer == "future" and period.end_at <= frame.now:
        return clock.on(frame.today + timedelta(days=1), frame)
    return period


def _hours(match: re.Match[str], frame: Frame) -> Period:
    """From 2 to 4pm: the first hour takes the half of the day that comes before the second."""
    last = to_24_hours(int(match["h2"]), match["half2"])
    half = match["half1"] or match["half2"]
    first = to_24_hours(int(match["h1"]), half)
    if first > last and not match["half1"]:
        first -= 12
    period = frame.hours(frame.today, first, last)
    start = period.start_at + 60_000 * int(match["m1"] or 0)
    end = period.end_at + 60_000 * int(match["m2"] or 0)
    return Period(start, end, "hour", certainty=0.6, floating=True)


def _o_clock(match: re.Match[str], frame: Frame) -> Period:
    hour = to_24_hours(int(match["h"]), "p" if int(match["h"]) < 7 else "a")
    return replace(_place(TimeOfDay(hour), frame), certainty=0.5, floating=True)


RULES: tuple[Rule, ...] = (
    rule(DIGITS, TWELVE, _alone),
    rule(DIGITS, FULL, _alone, "lead"),
    rule(("noon", "midday", "midnight"), NAMED, _alone, "lead"),
    rule(DIGITS, r"(?P<h>\d\d?) o'clock", _o_clock),
    rule(("half", "quarter"), SPOKEN + COUNTED, _alone, "lead"),
    rule(("half", "quarter"), rf"{SPOKEN}(?:(?<=[km.])|{TIME_END})", _alone),
    rule(DIGITS, HOURS, _hours),
)
