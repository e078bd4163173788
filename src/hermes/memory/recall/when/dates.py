"""Dates of the calendar: from an ISO time to a bare year.

05/07/2023 is read month first, unless the first number is above 12; with dots (07.05.2023) day
first, as where dots are used. A date without a year is the nearest on the preferred side; with its
weekday, the nearest that falls on it.
"""

import re
from calendar import monthrange
from dataclasses import replace
from datetime import date, datetime, timedelta

from hermes.clock import MINUTE_MS, from_datetime
from hermes.memory.recall.when.frame import Frame, first_of
from hermes.memory.recall.when.numerals import DIGITS, NTH, NTH_STARTS, parse_nth
from hermes.memory.recall.when.span import Period
from hermes.memory.recall.when.vocabulary import (
    MONTHS,
    NO_YEAR,
    ORDINALS,
    PLAIN_MONTHS,
    SEASONS,
    Rule,
    parse_month,
    parse_year,
    rule,
)

ORD = r"(?:st|nd|rd|th)"
ANY_DAY = rf"(?:\d\d?{ORD}?|{NTH})"
DAY_STARTS = (DIGITS, *NTH_STARTS)
MONTHS_TRIED = 28  # "Friday the 13th" is fourteen months away at most, the 31st on a weekday more
# What is counted, not dated: "2048 tokens", "in 2000 steps".
COUNTED = (
    r"(?!\s{0,2}(?:tokens?|words?|chars|characters|lines?|rows?|items?|users?|people|persons|points?"
    r"|bytes|bits|[kmg]i?b|px|pixels?|dollars|euros|pounds|usd|eur|km|miles|meters|metres|m|ft|kg"
    r"|calories|kcal|steps|times|hours|hrs|minutes|mins|seconds|secs|days|weeks|months|years|mhz"
    r"|rpm|files|pages|copies|examples|samples|images|documents|vectors|dimensions|dims|params"
    r"|parameters|requests|calls|ms|units|pieces|records|messages|episodes|sessions|percent)\b"
    r"|[.,:/]\d|\s?[%$€£°]|-\w)"
)
NUMBERED = re.compile(
    r"(?:\b(?:room|rm|suite|flight|route|port|page|pages|pp|line|error|code|version|bus|apartment|apt"
    r"|number|no|nr|unit|chapter|issue|pr|ticket|order|gate|bug|model|office|windows|server|build"
    r"|building|highway|street|level|size|weighs|costs?|paid|total|score|scored|zip|pin|ext|id)"
    r"\.?\s{0,2}#?|[#$€£№=_+/:.,-])$"
)


def is_numbered(before: str) -> bool:
    """Whether a number after this text is a label or a part of a longer number, not a date."""
    return NUMBERED.search(before[-16:]) is not None


def _iso(match: re.Match[str], frame: Frame) -> Period:
    day = date(int(match["y"]), int(match["m"]), int(match["d"]))
    if match["h"] is None:
        return frame.day(day)
    if match["zone"] is None:
        return frame.clock(day, int(match["h"]), int(match["min"]))
    stamp = f"{day}T{match['h']}:{match['min']}" + match["zone"].upper()
    start = from_datetime(datetime.fromisoformat(stamp))
    return Period(start, start + MINUTE_MS, "minute")


def _iso_month(match: re.Match[str], frame: Frame) -> Period:
    return frame.month(int(match["y"]), int(match["m"]))


def _iso_week(match: re.Match[str], frame: Frame) -> Period:
    return frame.week(date.fromisocalendar(int(match["year"]), int(match["w"]), 1))


def _week_number(match: re.Match[str], frame: Frame) -> Period:
    number = int(match["d"])
    if match["year"]:
        return frame.week(date.fromisocalendar(int(match["year"]), number, 1))
    return frame.nearest(lambda year: frame.week(date.fromisocalendar(year, number, 1)))


def _numeric(match: re.Match[str], frame: Frame) -> Period:
    first, second = int(match["a"]), int(match["b"])
    day_first = first > 12 or (match["sep"] == "." and second <= 12)
    day, month = (first, second) if day_first else (second, first)
    sure = match["sep"] == "." or max(first, second) > 12 or first == second
    year = match["y"]
    if year is None:
        return frame.nearest(lambda y: frame.day(date(y, month, day)))
    period = frame.day(date(parse_year(year, frame), month, day))
    return period if sure else replace(period, certainty=0.8)


def _month_day(match: re.Match[str], frame: Frame) -> Period:
    month, day, year = parse_month(match["month"]), parse_nth(match["d"]), match["someyear"]
    if year is None:
        return frame.nearest(lambda y: frame.day(date(y, month, day)))
    return frame.day(date(parse_year(year, frame), month, day))


def _day_of_month(match: re.Match[str], frame: Frame) -> Period:
    """ "The 15th": of this month, or of the nearest one on the preferred side that has it."""
    number = parse_nth(match["d"])
    for distance in range(MONTHS_TRIED):
        months = distance if frame.prefer == "future" else -distance
        first = first_of(frame.today.year, frame.today.month + months)
        if number > monthrange(first.year, first.month)[1]:
            continue
        day = first.replace(day=number)
        is_there = day == frame.today or (day > frame.today) == (frame.prefer == "future")
        if is_there and frame.has_weekday(day):
            return replace(frame.day(day), certainty=0.7)
    raise ValueError("no such day")


def _month_days(match: re.Match[str], frame: Frame) -> Period:
    month, (first, last) = parse_month(match["month"]), map(parse_nth, match.group("d1", "d2"))

    def make(year: int) -> Period:
        end = date(year, month, last) + timedelta(days=1)
        return frame.between(date(year, month, first), end, "day")

    if match["someyear"] is None:
        return frame.nearest(make)
    return make(parse_year(match["someyear"], frame))


def _months(match: re.Match[str], frame: Frame) -> Period:
    """March-April, Dec/Jan: from the one to the next of the other."""
    first, last = parse_month(match["month1"]), parse_month(match["month2"])
    count = (last - first) % 12 + 1

    def make(year: int) -> Period:
        return frame.months(year, first, count, "month")

    return frame.nearest(make) if match["year"] is None else make(int(match["year"]))


def _day_in_month(match: re.Match[str], frame: Frame) -> Period:
    """The 5th of last month, the 1st of the month."""
    month = first_of(frame.today.year, frame.today.month + MONTHS_AWAY[match["which"]])
    return frame.day(month.replace(day=parse_nth(match["d"])))


def _month_year(match: re.Match[str], frame: Frame) -> Period:
    return frame.month(parse_year(match["someyear"], frame), parse_month(match["month"]))


def _month(match: re.Match[str], frame: Frame) -> Period:
    month = parse_month(match[0])
    return frame.nearest(lambda year: frame.month(year, month))


def _season_year(match: re.Match[str], frame: Frame) -> Period:
    return frame.season(parse_year(match["someyear"], frame), SEASONS[match["season"]])


def _season(match: re.Match[str], frame: Frame) -> Period:
    name = SEASONS[match["season"]]
    return frame.nearest(lambda year: frame.season(year, name))


def _quarter(match: re.Match[str], frame: Frame) -> Period:
    number = int(match["q"]) if "q" in match.re.groupindex else ORDINALS[match["ordinal"]]
    number = 4 if number < 0 else number
    if match["someyear"] is None:
        return frame.nearest(lambda year: frame.quarter(year, number))
    return frame.quarter(parse_year(match["someyear"], frame), number)


def _half_year(match: re.Match[str], frame: Frame) -> Period:
    half = int(match["h"])
    if match["someyear"] is None:
        return frame.nearest(lambda year: frame.months(year, half * 6 - 5, 6, "year"))
    return frame.months(parse_year(match["someyear"], frame), half * 6 - 5, 6, "year")


def _year(match: re.Match[str], frame: Frame) -> Period:
    return frame.years(int(match["year"]))


def _short_year(match: re.Match[str], frame: Frame) -> Period:
    return frame.years(parse_year(match["someyear"], frame))


def _bare_year(match: re.Match[str], frame: Frame) -> Period:
    year = int(match["year"])
    if year > frame.today.year + 10 or year % 100 == 0:
        raise ValueError("a number rather than a year")
    return replace(frame.years(year), certainty=0.6)


def _years(match: re.Match[str], frame: Frame) -> Period:
    first, last = int(match["year1"]), int(match["year2"])
    return frame.years(first, last - first + 1)


DECADES = {
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
    "nineties": 90,
}


def _decade(match: re.Match[str], frame: Frame) -> Period:
    return get_decade(match["decade"], frame)


def get_decade(text: str, frame: Frame) -> Period:
    """The ten years that "90", "1990" or "nineties" begins or names."""
    if len(text) == 4 and text.isdecimal():
        return frame.years(int(text), 10)
    tens = DECADES.get(text) or int(text)
    century = 1900 if 2000 + tens > frame.today.year else 2000
    return frame.years(century + tens, 10)


MONTHS_AWAY = {"last": -1, "this": 0, "the": 0, "next": 1}
# "On the 3rd" but not "on the 3rd floor".
_CLAUSE_END = (
    r"\s*(?:$|[.,;:!?()]|(?:and|at|but|or|for|when|with|to|we|i|he|she|they|you|is|was|did|so"
    r"|because|if|then|that|in the|after|before|from|as|where|while|my|our)\b)"
)
CLAUSE_END = rf"(?={_CLAUSE_END})"
# What follows a time that nothing leads: "May third, 5pm", but not "May third parties see it?".
TIME_END = (
    rf"(?={_CLAUSE_END}| (?:- |\d|(?:around|about|by|on|in|through|until|till|this|last|next|today"
    r"|tonight|yesterday|tomorrow|morning|afternoon|evening|night|noon|now|sharp|please|instead|again"
    r"|maybe|perhaps|too|also|works|suits|will|would|can|could)\b))"
)
OF_YEAR = r"(?:(?: of)?,? (?P<year>20\d\d))?"
TAIL = r"(?:,? (?:of )?<someyear>)?"
NO_MORE = r"(?![:/%]|\.\d| ?(?:am|pm)\b)"
# "On the first" but not "the first, and the second": fewer words may follow one than follow "3rd".
DAY_END = (
    r"(?=\s*(?:$|[.;!?)]|,? ?(?:at|we|i|he|she|they|you|did|so|because|if|then|in the|after|before"
    r"|my|our)\b))"
)
# "On May first" but not "in May first semester students came", nor "march second-guessing".
NO_NOUN = (
    r"(?!-| ?(?:weeks?|weekends?|half|halves|quarters?|months?|days?|times?|years?|things?|terms?"
    r"|semesters?|parts?|editions?|places?|prizes?|class|graders?"
    r"|in (?:line|command|class|a row)|to none)\b)"
)
YEARLESS = r"(?!,? (?:19|20)\d\d\b)"  # a day that its year does not have is no other year's day
RULES: tuple[Rule, ...] = (
    rule(
        DIGITS,
        r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)"
        r"(?:[t\s](?P<h>\d\d):(?P<min>\d\d)(?::\d\d(?:\.\d{1,9})?)?(?P<zone>z|[+-]\d\d:?\d\d)?)?"
        r"(?!-?\d)",
        _iso,
    ),
    rule(DIGITS, r"(?P<y>\d{4})-(?P<m>\d\d)(?!-)", _iso_month),
    rule(DIGITS, r"<year>-?w(?P<w>\d\d)", _iso_week),
    rule(
        DIGITS,
        r"(?P<y>\d{4})([/.])(?P<m>\d\d?)\2(?P<d>\d\d?)(?P<h>(?!))?(?!\.\d)",
        _iso,
    ),
    rule(
        DIGITS,
        r"(?P<a>\d\d?)(?P<sep>[-/.])(?P<b>\d\d?)(?P=sep)(?P<y>(?:19|20)\d\d)(?![-/.]\d)",
        _numeric,
    ),
    rule(DIGITS, r"(?P<a>\d\d?)(?P<sep>/)(?P<b>\d\d?)/(?P<y>\d\d)(?![/.]\d)", _numeric),
    rule(  # a version as well
        DIGITS, r"(?P<a>\d\d?)(?P<sep>\.)(?P<b>\d\d?)\.(?P<y>\d\d)(?![/.]?\d)", _numeric, "date"
    ),
    rule(
        DIGITS,
        r"(?P<a>\d\d?)(?P<sep>/)(?P<b>\d\d?)(?P<y>(?!))?(?![/.:%]\d)" + COUNTED,
        _numeric,
        "date",
    ),
    rule(DIGITS, rf"<d>{ORD}?(?: of)?[-\s]<month>,?[-\s]<someyear>", _month_day),
    rule(DIGITS, rf"<d>{ORD}(?: of)? <month>{NO_YEAR}{YEARLESS}", _month_day),
    rule(DIGITS, rf"<d>(?: of)? <month>{NO_YEAR}{YEARLESS}", _month_day, "capital"),
    rule(NTH_STARTS, rf"(?P<d>{NTH}) of <month>{TAIL}", _month_day),
    rule(NTH_STARTS, rf"(?P<d>{NTH}) <month>{TAIL}", _month_day, "capital"),
    rule(
        DAY_STARTS,
        rf"(?P<d1>{ANY_DAY})(?:\s?-\s?| to | and | through | until | till )(?:the )?"
        rf"(?P<d2>{ANY_DAY})(?: of)? <month>{TAIL}",
        _month_days,
    ),
    rule(DIGITS, rf"<d>{ORD}{CLAUSE_END}", _day_of_month, "date"),
    rule(NTH_STARTS, rf"(?<=the\s)(?P<d>{NTH}){DAY_END}", _day_of_month, "day"),
    rule(
        DAY_STARTS,
        rf"(?P<d>\d\d?{ORD}|{NTH}) of (?P<which>last|this|the|next) month",
        _day_in_month,
    ),
    rule(MONTHS, rf"<month> <d>{ORD}?(?:,| of)? <someyear>{NO_MORE}", _month_day),
    rule(MONTHS, rf"<month> (?:the )?<d>{ORD}{NO_YEAR}{YEARLESS}", _month_day),
    rule(
        MONTHS,
        rf"<month>(?<!\.) (?:the )?(?P<d>{NTH})(?:,? <someyear>)?{NO_NOUN}",
        _month_day,
        "date",
    ),
    rule(
        MONTHS,
        rf"<month>(?<!\.) (?:the )?(?P<d>{NTH}){NO_NOUN}"
        rf"(?:,? <someyear>|(?! (?:and|or) {NTH}){TIME_END})",
        _month_day,
        "capital",
    ),
    rule(
        MONTHS,
        rf"<month> <d>{NO_YEAR}{NO_MORE}{YEARLESS}{COUNTED}",
        _month_day,
        "capital",
    ),
    rule(
        MONTHS,
        rf"<month> (?P<d1>{ANY_DAY})(?:\s?-\s?| to | and | through | until | till )(?:the )?"
        rf"(?P<d2>\d\d?{ORD}?|{NTH}(?=,? (?:19|20)\d\d|{TIME_END}))(?:,? <someyear>)?{NO_MORE}",
        _month_days,
        "capital",
    ),
    rule(MONTHS, r"<month>,? (?:of )?<someyear>" + COUNTED, _month_year),
    rule(MONTHS, r"<month1>\s?[-/]\s?<month2>(?:,? <year>)?", _months, "capital"),
    rule(PLAIN_MONTHS, r"<plainmonth>", _month),
    rule(MONTHS, r"<month>(?!-)", _month, "lead"),
    rule(SEASONS, r"<season>(?: of)?,? <someyear>" + COUNTED, _season_year),
    rule(
        SEASONS,
        r"<season>(?! (?:boot|back|framework|security|cloud|mvc|water|rolls?|of|for|into)\b)",
        _season,
        "lead",
    ),
    rule(("q1", "q2", "q3", "q4"), r"q(?P<q>[1-4])(?: of)?,? <someyear>", _quarter),
    rule(("q1", "q2", "q3", "q4"), rf"q(?P<q>[1-4]){NO_YEAR}", _quarter, "capital"),
    rule(DIGITS, r"(?P<someyear>(?:19|20)\d\d)[-\s]?q(?P<q>[1-4])", _quarter),
    rule(
        ORDINALS,
        r"(?P<ordinal>first|second|third|fourth|last|1st|2nd|3rd|4th) quarter of "
        r"(?P<someyear>(?:19|20)\d\d)",
        _quarter,
    ),
    rule(
        ORDINALS,
        rf"(?P<ordinal>first|second|third|fourth|1st|2nd|3rd|4th) quarter{NO_YEAR}(?! of| in)",
        _quarter,
        "lead",
    ),
    rule(("h1", "h2"), r"h(?P<h>[12])(?: of)? <someyear>", _half_year),
    rule(("h1", "h2"), rf"h(?P<h>[12]){NO_YEAR}", _half_year, "lead"),
    rule(("calendar", "kw", "cw"), r"(?:calendar week|kw|cw) ?<d>" + OF_YEAR, _week_number),
    rule(("week",), r"week <d>(?:(?: of| in)?,? (?P<year>20\d\d))", _week_number),
    rule(("week",), r"week <d>(?! (?:of|in)\b)(?P<year>(?!))?", _week_number, "lead"),
    rule(DIGITS, r"(?P<m>\d\d?)[-/](?P<y>(?:19|20)\d\d)(?![-/.]\d)", _iso_month, "year"),
    rule(DIGITS, r"(?P<someyear>'\d\d)(?!')" + COUNTED, _short_year, "year"),
    rule(DIGITS, r"<year1>\s?-\s?<year2>" + COUNTED, _years),
    rule(DIGITS, r"<year>" + COUNTED, _year, "year"),
    rule(DIGITS, r"<year>" + COUNTED, _bare_year),
    rule(DIGITS, r"(?P<decade>(?:19|20)\d0)'?s", _decade),
    rule(("the",), r"the '?(?P<decade>[2-9]0)'?s", _decade),
    rule(("the",), rf"the (?P<decade>{'|'.join(DECADES)})", _decade),
)

# What tells a day of the calendar: where there is no such day, nothing is told by its parts either.
DATED = tuple(
    each for each in RULES if each.build in (_iso, _numeric, _month_day) and each.needs != "date"
)
