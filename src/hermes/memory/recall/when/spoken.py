"""Times as people say them, counted back in steps of their own: this time last year, the night
before last, a week last Tuesday, a week on Tuesday, two summers ago, the Christmas before last.

"This time last year" is the month around that day; "a week last Tuesday" and "a week ago on
Tuesday" are one day, the Tuesday of that week.
"""

import re
from datetime import date, timedelta

from hermes.memory.recall.when.dates import TIME_END
from hermes.memory.recall.when.frame import Frame, monday_of, shift_months
from hermes.memory.recall.when.holidays import FIRST_WORDS, NAMED, get_holiday
from hermes.memory.recall.when.numerals import COUNT_STARTS, parse_bounds
from hermes.memory.recall.when.relative import (
    DAY_WORDS,
    get_weekday,
    get_weekdays_away,
    step_season,
    toward,
)
from hermes.memory.recall.when.span import Period
from hermes.memory.recall.when.vocabulary import (
    DAY_PARTS,
    FULL_WEEKDAYS,
    SEASONS,
    UNITS,
    WEEKDAYS,
    Rule,
    rule,
)

# "I worked two weeks on Monday", "for a week on Tuesday".
SPENT = re.compile(
    r"\b(?:spen[dt]|spending|work(?:ed|ing)?|t(?:ake|akes|aken|ook)|last(?:ed|s)?|stay(?:ed)?|liv(?:e|ed)"
    r"|wait(?:ed)?|wasted?|lost|was|were|been(?:\s+\w+)?|for|after|another|next|last|first)\s+$"
)
AROUND_DAYS = {"year": 15, "month": 3, "week": 0}  # how far "this time" reaches to either side
MONTHS_BACK = {"year": 12, "month": 1}
WEEKS_BACK = {"week": 1, "fortnight": 2}


def _this_time(match: re.Match[str], frame: Frame) -> Period:
    unit = match["of"]
    around = timedelta(days=AROUND_DAYS[unit])
    day = _earlier(frame.today, unit, 1)
    return toward(frame.between(day - around, day + around + timedelta(days=1), "day"), -1, 0.9)


def _this_day(match: re.Match[str], frame: Frame) -> Period:
    return toward(frame.day(_earlier(frame.today, match["of"], 1)), -1)


def _ahead_of_day(match: re.Match[str], frame: Frame) -> Period:
    """A week on Tuesday, Tuesday week: a week after the one to come."""
    weeks = WEEKS_BACK[UNITS[match["unit"]]]
    if "count" in match.re.groupindex:
        low, high = parse_bounds(match["count"])
        if low != high:
            raise ValueError("no single day")
        weeks *= low
    if "word" in match.re.groupindex and match["word"]:
        day = frame.today + timedelta(days=DAY_WORDS[match["word"]])
    else:
        day = get_weekday(frame, WEEKDAYS[match["fullweekday"]], 1)
    return toward(frame.day(day + timedelta(days=7 * weeks)), 1, 0.9)


def _weeks_on_day(match: re.Match[str], frame: Frame) -> Period:
    """A week on Tuesday; but on Tuesday alone of what was, or where the weeks are how long."""
    if frame.over or SPENT.search(match.string, max(0, match.start() - 24), match.start()):
        raise ValueError("weeks spent, not ahead")
    return _ahead_of_day(match, frame)


def _night_before_last(match: re.Match[str], frame: Frame) -> Period:
    return toward(frame.hours(frame.today - timedelta(days=2), *DAY_PARTS["night"]), -1)


def _before_weekday(match: re.Match[str], frame: Frame) -> Period:
    """A week last Tuesday: a week before that one."""
    return _counted_before(match, frame, get_weekday(frame, WEEKDAYS[match["fullweekday"]], -1))


def _before_day_word(match: re.Match[str], frame: Frame) -> Period:
    """A week ago yesterday, a year ago today."""
    return _counted_before(match, frame, frame.today + timedelta(days=DAY_WORDS[match["word"]]))


def _weekday_of_then(match: re.Match[str], frame: Frame) -> Period:
    """Three weeks ago on Thursday: the Thursday of that week."""
    day = monday_of(frame.today) + timedelta(days=WEEKDAYS[match["fullweekday"]])
    return _counted_before(match, frame, day)


def _counted_before(match: re.Match[str], frame: Frame, day: date) -> Period:
    low, high = parse_bounds(match["count"])
    if low != high:
        raise ValueError("no single day")
    return toward(frame.day(_earlier(day, UNITS[match["unit"]], low)), -1, 0.9)


def _earlier(day: date, unit: str, count: int) -> date:
    if unit in MONTHS_BACK:
        return shift_months(day, -count * MONTHS_BACK[unit])
    return day - timedelta(days=7 * WEEKS_BACK[unit] * count)


def _last_weekdays(match: re.Match[str], frame: Frame) -> Period:
    """The last three Mondays, from the first of them on."""
    most = parse_bounds(match["count"])[1]
    return get_weekdays_away(frame, WEEKDAYS[match["fullweekday"]], -most, -1)


def _seasons_ago(match: re.Match[str], frame: Frame) -> Period:
    """Two summers ago, the summer before last: the last one to be over, and so on back."""
    back = _times_back(match)
    last = step_season(frame, SEASONS[match["season"]], -1)
    year = frame.date_of(last.start_at).year - back + 1
    return toward(frame.season(year, SEASONS[match["season"]]), -1, 0.8)


def _holidays_ago(match: re.Match[str], frame: Frame) -> Period:
    holiday, year, back = get_holiday(match), frame.today.year, _times_back(match)
    year -= holiday(year) >= frame.today
    return toward(frame.day(holiday(year - back + 1)), -1, 0.9)


def _times_back(match: re.Match[str]) -> int:
    if bool(match["count"]) != bool(match["ago"]):
        raise ValueError("neither counted nor the one before last")
    return parse_bounds(match["count"])[0] if match["count"] else 2


def _turn_of_year(match: re.Match[str], frame: Frame) -> Period:
    return frame.nearest(lambda year: frame.days(date(year - 1, 12, 27), 10, "day"))


COUNTED = r"<count> (?P<unit>weeks?|fortnights?|months?|years?)"
BACK = "(?:ago|back)"
AGAIN = r"(?:e?s)? (?:(?P<ago>ago|back)|before last)"
RULES: tuple[Rule, ...] = (
    rule(
        ("this", "the", "around", "about"),
        r"(?:(?:around |about )?(?:this|the same) time) last (?P<of>year|month|week)",
        _this_time,
    ),
    rule(
        ("this", "the", "today"),
        r"(?:(?:this|the same) (?:very )?(?:day|date)|today) last (?P<of>year|month|week)",
        _this_day,
    ),
    rule(
        COUNT_STARTS,
        rf"<count> (?P<unit>weeks?|fortnights?) on <fullweekday>(?!'){TIME_END}",
        _weeks_on_day,
    ),
    rule(
        (*FULL_WEEKDAYS, "today", "tomorrow"),
        r"(?:<fullweekday>|(?P<word>today|tomorrow)) (?P<unit>week|fortnight)"
        rf"(?! (?:in|before|after|\d)){TIME_END}",
        _ahead_of_day,
    ),
    rule(("night",), r"night before last", _night_before_last),
    rule(COUNT_STARTS, rf"{COUNTED} (?:{BACK} )?last <fullweekday>", _before_weekday),
    rule(COUNT_STARTS, rf"{COUNTED} {BACK} (?P<word>yesterday|today)", _before_day_word),
    rule(COUNT_STARTS, rf"{COUNTED} {BACK},? (?:on )?<fullweekday>", _weekday_of_then),
    rule(("the", "these"), r"(?:the|these) (?:last|past) <count> <fullweekday>s", _last_weekdays),
    rule((*COUNT_STARTS, *SEASONS), rf"(?:<count> )?<season>{AGAIN}", _seasons_ago),
    rule((*COUNT_STARTS, *FIRST_WORDS), rf"(?:<count> )?{NAMED}{AGAIN}", _holidays_ago),
    rule(("turn",), r"turn of the year", _turn_of_year),
)
