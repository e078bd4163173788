"""Times told from the asking time: yesterday, last Tuesday, two weekends ago, the past ten days.

"Last week" is the calendar week before this one, "the past week" the seven days up to now. Two
weeks ago is the seven days around that day; n months or years ago is the calendar month or year.
"Two or three weeks ago" holds both, "a week or so" ends at two. "Last Tuesday" and "next Friday"
are the nearest ones before and after today; "the following Monday" follows the time named before.
"""

import re
from dataclasses import replace
from datetime import date, timedelta

from hermes.clock import DAY_MS, EARLIEST_AT, HOUR_MS, MINUTE_MS, SECOND_MS
from hermes.memory.recall.when.frame import Frame, first_of, season_of, shift_months
from hermes.memory.recall.when.numerals import COUNT_STARTS, any_of, parse_bounds
from hermes.memory.recall.when.span import Direction, Grain, Period
from hermes.memory.recall.when.vocabulary import (
    DAY_PARTS,
    FULL_WEEKDAYS,
    MONTHS,
    SEASONS,
    UNITS,
    WEEKDAYS,
    Rule,
    first_words,
    parse_month,
    rule,
)

FIXED_MS = {"second": SECOND_MS, "minute": MINUTE_MS, "hour": HOUR_MS}
HALVED_MS = {"minute": MINUTE_MS, "hour": HOUR_MS, "day": DAY_MS, "week": 7 * DAY_MS}
HALVED_MS |= {"month": 30 * DAY_MS, "decade": 3653 * DAY_MS}
DAYS_IN = {"day": 1, "night": 1, "week": 7, "weekend": 7, "fortnight": 14}
MONTHS_IN = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
DAY_WORDS = {"yesterday": -1, "today": 0, "tomorrow": 1}
STEPS = {
    "last": -1,
    "previous": -1,
    "past": -1,
    "this past": -1,
    "this last": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "this coming": 1,
    "upcoming": 1,
}
STEP = "(?P<step>" + "|".join(sorted(STEPS, key=len, reverse=True)) + ")"
STEP_STARTS = {words.split()[0] for words in STEPS}
WHITHER: dict[int, Direction] = {-1: "past", 0: "any", 1: "future"}
GRAINS: dict[str, Grain] = {
    "second": "minute",
    "night": "day",
    "fortnight": "week",
    "decade": "year",
}


def grain_of(unit: str) -> Grain:
    """The grain of a unit of counting."""
    return GRAINS.get(unit) or unit  # type: ignore[return-value]  # the rest are grains themselves


def toward(period: Period, sign: int, certainty: float = 1.0) -> Period:
    return replace(period, direction=WHITHER[sign], certainty=certainty)


def get_weekday(frame: Frame, weekday: int, sign: int) -> date:
    """The nearest such weekday before (-1) or after (1) today; for 0 the one of this week."""
    ahead = (weekday - frame.today.weekday()) % 7
    if sign > 0:
        return frame.today + timedelta(days=ahead or 7)
    if sign < 0:
        return frame.today - timedelta(days=7 - ahead)
    this_week = frame.today + timedelta(days=weekday - frame.today.weekday())
    late = frame.prefer == "future" and this_week < frame.today
    return this_week + timedelta(days=7) if late else this_week


def get_unit(frame: Frame, unit: str, step: int) -> Period:
    """The calendar unit `step` units from the one that holds today."""
    today = frame.today
    if unit in DAYS_IN:
        day = today + timedelta(days=DAYS_IN[unit] * step)
        makers = {"day": frame.day, "night": frame.day, "weekend": frame.weekend}
        return makers.get(unit, frame.week)(day)
    if unit in MONTHS_IN:
        return _calendar(frame, unit, step)
    raise ValueError(f"no calendar has a {unit}")


def _calendar(frame: Frame, unit: str, step: int) -> Period:
    year, month = frame.today.year, frame.today.month
    if unit == "month":
        return frame.month(year, month + step)
    if unit == "quarter":
        return frame.months(year, (month - 1) // 3 * 3 + 1 + 3 * step, 3, "quarter")
    if unit == "decade":
        return frame.years(year // 10 * 10 + 10 * step, 10)
    return frame.years(year + step)


def get_distant(frame: Frame, unit: str, low: int, high: int) -> Period:
    """The unit from `low` to `high` units away, negative for the past; `low` is the earlier."""
    if unit in FIXED_MS:
        half = max(FIXED_MS[unit], MINUTE_MS) // 2
        start, end = frame.now + low * FIXED_MS[unit], frame.now + high * FIXED_MS[unit]
        return Period(start - half, end + half, grain_of(unit))
    if unit in DAYS_IN:
        return _distant_days(frame, unit, low, high)
    first, last = get_unit(frame, unit, low), get_unit(frame, unit, high)
    return replace(first, end_at=last.end_at)


def _distant_days(frame: Frame, unit: str, low: int, high: int) -> Period:
    size = DAYS_IN[unit]
    first = frame.today + timedelta(days=low * size)
    last = frame.today + timedelta(days=high * size)
    if unit == "weekend":
        return replace(frame.weekend(first), end_at=frame.weekend(last).end_at)
    spread = timedelta(days=3 if size > 1 and high - low <= 1 else 0)
    return frame.between(first - spread, last + spread + timedelta(days=1), grain_of(unit))


def get_rolling(frame: Frame, unit: str, count: int) -> Period:
    """The stretch of `count` units up to now, or from now on when it is negative."""
    grain, ahead = grain_of(unit), timedelta(days=1 if count < 0 else 0)
    if unit in FIXED_MS:
        edge = frame.now - count * FIXED_MS[unit]
    elif unit in DAYS_IN:
        edge = frame.instant(frame.today - timedelta(days=count * DAYS_IN[unit]) + ahead)
    else:
        edge = frame.instant(shift_months(frame.today, -count * MONTHS_IN[unit]) + ahead)
    if count > 0:
        return Period(edge, frame.now, grain, "past", 0.9)
    return Period(frame.now, edge, grain, "future", 0.9)


def get_counted(frame: Frame, count: str, unit: str, sign: int) -> Period:
    """ "Three days ago", "in a couple of weeks": `count` as written, `sign` the side."""
    low, high = parse_bounds(count)
    near, far = sign * low, sign * high
    period = get_distant(frame, unit, min(near, far), max(near, far))
    return toward(period, sign, 1.0 if low == high else 0.6)


def get_weekdays_away(frame: Frame, weekday: int, low: int, high: int) -> Period:
    """Three Tuesdays ago: the third one before today."""
    sign = 1 if low > 0 else -1
    nearest = get_weekday(frame, weekday, sign)
    first = nearest + timedelta(days=7 * (low - sign))
    last = nearest + timedelta(days=7 * (high - sign))
    return toward(frame.between(first, last + timedelta(days=1), "day"), sign, 0.9)


def _day_word(match: re.Match[str], frame: Frame) -> Period:
    step = DAY_WORDS[match["word"]]
    return toward(frame.day(frame.today + timedelta(days=step)), step)


def _tonight(match: re.Match[str], frame: Frame) -> Period:
    return frame.hours(frame.today, *DAY_PARTS["night"])


def _this_part(match: re.Match[str], frame: Frame) -> Period:
    return frame.hours(frame.today, *DAY_PARTS[match["part"]])


def _last_night(match: re.Match[str], frame: Frame) -> Period:
    return toward(frame.hours(frame.today - timedelta(days=1), *DAY_PARTS["night"]), -1)


def _step_unit(match: re.Match[str], frame: Frame) -> Period:
    step, unit = STEPS[match["step"]], UNITS[match["unit"]]
    if match["step"] == "past" and unit != "weekend":
        return get_rolling(frame, unit, 1)
    return toward(get_unit(frame, unit, step), step)


def _step_weekday(match: re.Match[str], frame: Frame) -> Period:
    return step_weekday(frame, WEEKDAYS[match["weekday"]], STEPS[match["step"]])


def _step_month(match: re.Match[str], frame: Frame) -> Period:
    return step_month(frame, parse_month(match["month"]), STEPS[match["step"]])


def _step_season(match: re.Match[str], frame: Frame) -> Period:
    return step_season(frame, SEASONS[match["season"]], STEPS[match["step"]])


def step_weekday(frame: Frame, weekday: int, step: int) -> Period:
    """The last, this or the next such weekday."""
    return toward(frame.day(get_weekday(frame, weekday, step)), step, 0.8)


def step_month(frame: Frame, month: int, step: int) -> Period:
    """The last, this year's or the next such month."""
    year, this = frame.today.year, frame.today.month
    if step < 0:
        year -= month >= this
    elif step > 0:
        year += month <= this
    return toward(frame.month(year, month), step, 0.9 if step else 1.0)


def step_season(frame: Frame, name: str, step: int) -> Period:
    """The last season of that name to be over, this year's, or the next to begin."""
    named, current = season_of(frame.today)
    year = named if name == current else frame.today.year
    period = frame.season(year, name)
    if step < 0 and period.end_at > frame.now:
        period = frame.season(year - 1, name)
    elif step > 0 and period.start_at <= frame.now:
        period = frame.season(year + 1, name)
    return toward(period, step, 0.9 if step else 1.0)


def _beyond(match: re.Match[str], frame: Frame) -> Period:
    """The week before last, the Tuesday after next."""
    sign = -1 if match["side"] == "before last" else 1
    if match["weekday"]:
        return get_weekdays_away(frame, WEEKDAYS[match["weekday"]], 2 * sign, 2 * sign)
    return toward(get_unit(frame, UNITS[match["unit"]], 2 * sign), sign)


def _month_beyond(match: re.Match[str], frame: Frame) -> Period:
    """March before last: the one before last March."""
    sign = -1 if match["side"] == "before last" else 1
    month = parse_month(match["month"])
    year = frame.date_of(step_month(frame, month, sign).start_at).year + sign
    return toward(frame.month(year, month), sign, 0.9)


def _following(match: re.Match[str], frame: Frame) -> Period:
    return replace(bare_weekday(frame, WEEKDAYS[match["weekday"]]), floating=False)


def _weekday(match: re.Match[str], frame: Frame) -> Period:
    return bare_weekday(frame, WEEKDAYS[match["weekday"]])


def bare_weekday(frame: Frame, weekday: int) -> Period:
    """A weekday said alone: the nearest one on the preferred side."""
    if frame.after is None:
        day = get_weekday(frame, weekday, 1 if frame.prefer == "future" else -1)
    else:
        first = frame.date_of(frame.after)
        day = first + timedelta(days=(weekday - first.weekday()) % 7)
    return replace(frame.day(day), certainty=0.7, floating=True)


def _weekend(match: re.Match[str], frame: Frame) -> Period:
    """ "Over the weekend": on a weekday the one gone by, or the one to come."""
    back = 7 if frame.prefer == "past" and frame.today.weekday() < 5 else 0
    return replace(frame.weekend(frame.today - timedelta(days=back)), certainty=0.7)


def _weekday_of_week(match: re.Match[str], frame: Frame) -> Period:
    step = STEPS[match["step"]]
    week = frame.today + timedelta(days=7 * step - frame.today.weekday())
    return toward(frame.day(week + timedelta(days=WEEKDAYS[match["weekday"]])), step)


def _ago(match: re.Match[str], frame: Frame) -> Period:
    return get_counted(frame, match["count"], UNITS[match["unit"]], -1)


def _ahead(match: re.Match[str], frame: Frame) -> Period:
    return get_counted(frame, match["count"], UNITS[match["unit"]], 1)


def _about_one_ago(match: re.Match[str], frame: Frame) -> Period:
    """A week or two ago, a month or so ago."""
    return get_counted(frame, "1 or 2", UNITS[match["unit"]], -1)


def _less_ago(match: re.Match[str], frame: Frame) -> Period:
    return get_rolling(frame, UNITS[match["unit"]], parse_bounds(match["count"])[1])


def _more_ago(match: re.Match[str], frame: Frame) -> Period:
    within = get_rolling(frame, UNITS[match["unit"]], parse_bounds(match["count"])[0])
    return replace(within, start_at=EARLIEST_AT, end_at=within.start_at)


def _to_date(match: re.Match[str], frame: Frame) -> Period:
    """Year to date, MTD: what is gone of the one that runs."""
    unit = TO_DATE.get(match[0]) or match["unit"]
    return replace(get_unit(frame, unit, 0), end_at=frame.now, direction="past")


def _weekdays_ago(match: re.Match[str], frame: Frame) -> Period:
    low, high = parse_bounds(match["count"])
    return get_weekdays_away(frame, WEEKDAYS[match["fullweekday"]], -high, -low)


def _half(match: re.Match[str], frame: Frame) -> Period:
    """A year and a half ago, in two and a half hours, half a year ago."""
    counted = "count" in match.re.groupindex
    halves = 2 * parse_bounds(match["count"])[0] + 1 if counted else 1
    unit, sign = UNITS[match["unit"]], 1 if match["in"] else -1
    if unit == "year":
        middle = first_of(frame.today.year, frame.today.month + sign * 6 * halves)
        return toward(frame.months(middle.year, middle.month - 1, 3, "quarter"), sign, 0.8)
    size = HALVED_MS[unit]
    at = frame.now + sign * halves * size // 2
    return Period(at - size // 4, at + size // 4, grain_of(unit), WHITHER[sign], 0.8)


def _rolling(match: re.Match[str], frame: Frame) -> Period:
    counted = "count" in match.re.groupindex
    count = parse_bounds(match["count"])[1] if counted else 1
    return get_rolling(frame, UNITS[match["unit"]], count)


def _rolling_ahead(match: re.Match[str], frame: Frame) -> Period:
    return get_rolling(frame, UNITS[match["unit"]], -parse_bounds(match["count"])[1])


def _other_day(match: re.Match[str], frame: Frame) -> Period:
    return toward(get_distant(frame, "day", -10, -1), -1, 0.4)


OVER = ("in", "over", "during", "within", "throughout", "for", "across")
BACK = r"(?:last|past|previous)"
ON = r"(?:next|coming)"
LESS = ("less than", "fewer than", "not more than", "no more than", "under")
MORE = ("more than", "longer than", "over")
UNITS_TO_DATE = ("week", "month", "quarter", "year")
TO_DATE = {"wtd": "week", "mtd": "month", "qtd": "quarter", "ytd": "year"}
ABOUT = r"(?:about |almost |nearly |around |over |more than )?"
RULES: tuple[Rule, ...] = (
    rule(DAY_WORDS, r"(?P<word>yesterday|today|tomorrow)", _day_word),
    rule(("tonight",), r"tonight", _tonight),
    rule(("this",), r"this (?P<part>morning|afternoon|evening)", _this_part),
    rule(("last",), r"last night", _last_night),
    rule(("the", "other"), r"(?:the )?other (?:day|night)", _other_day),
    rule(STEP_STARTS, rf"{STEP} (?P<unit>week|weekend|month|quarter|year|decade)", _step_unit),
    rule(STEP_STARTS, rf"{STEP} <weekday>", _step_weekday),
    rule(("last", "next"), r"(?P<step>last|next) (?P<weekday>sat|sun|wed)", _step_weekday),
    rule(STEP_STARTS, rf"{STEP} <month>(?! \d)", _step_month),
    rule(STEP_STARTS, rf"{STEP} <season>", _step_season),
    rule(
        (*UNITS, *FULL_WEEKDAYS),
        r"(?:(?P<unit>week|weekend|month|year|quarter)|(?P<weekday>\w+day)) "
        r"(?P<side>before last|after next)",
        _beyond,
    ),
    rule(MONTHS, r"<month> (?P<side>before last|after next)", _month_beyond),
    rule(("following",), r"following <weekday>(?!')", _following),
    rule(FULL_WEEKDAYS, r"(?P<weekday>\w+day)", _weekday),
    rule(WEEKDAYS, r"<weekday>", _weekday, "lead"),
    rule(("wed",), r"(?P<weekday>wed)", _weekday, "date"),
    rule(WEEKDAYS, rf"<weekday>,? (?:of |in )?(?:the )?{STEP} week", _weekday_of_week),
    rule(STEP_STARTS, rf"{STEP} week (?:on )?<weekday>", _weekday_of_week),
    rule(("weekend",), r"weekend(?! of)", _weekend, "lead"),
    rule(COUNT_STARTS, r"<count> (?:short |long |whole |full )?<unit> (?:ago|back)", _ago),
    rule(("a", "an", "one"), r"(?:an?|one) <unit> or (?:two|so) (?:ago|back)", _about_one_ago),
    rule(first_words(LESS), rf"{any_of(LESS)} <count> <unit> (?:ago|back)", _less_ago),
    rule(
        first_words(MORE),
        rf"(?<!little\s)(?<!just\s)(?<!bit\s){any_of(MORE)} <count> <unit> (?:ago|back)",
        _more_ago,
    ),
    rule(COUNT_STARTS, r"<count> <fullweekday>s? (?:ago|back)", _weekdays_ago),
    rule(("in",), r"in <count> (?:short |more )?<unit>(?:'? time)?", _ahead),
    rule(COUNT_STARTS, r"<count> <unit> (?:from (?:now|today)|hence)", _ahead),
    rule((*COUNT_STARTS, "in"), r"(?P<in>in )?<count> <unit> and a half(?(in)| ago)", _half),
    rule((*COUNT_STARTS, "in"), r"(?P<in>in )?<count> and a half <unit>(?(in)| ago)", _half),
    rule(("half", "in"), r"(?P<in>in )?half an? <unit>(?(in)| ago)", _half),
    rule(OVER, rf"{any_of(OVER)} (?:the |these )?{BACK} <count> <unit>", _rolling),
    rule(OVER, rf"{any_of(OVER)} (?:the|this) {BACK} (?!quarter)<unit>(?! of)", _rolling),
    rule(("for",), rf"for {ABOUT}<count> <unit> now", _rolling),
    rule(("the", "these"), rf"(?:the|these) {BACK} <count> <unit>", _rolling),
    rule(UNITS_TO_DATE, r"(?P<unit>week|month|quarter|year) to date", _to_date),
    rule(TO_DATE, rf"(?P<unit>{any_of(TO_DATE)})", _to_date),
    rule(("past", "last", "previous"), rf"{BACK} <count> <unit>", _rolling),
    rule(("the",), r"the past <unit>", _rolling),
    rule(OVER, rf"{any_of(OVER)} (?:the )?{ON} <count> <unit>", _rolling_ahead),
    rule(("the", "next", "coming"), rf"(?:the )?{ON} <count> <unit>", _rolling_ahead),
    rule(("within",), r"within <count> <unit>(?! of)", _rolling_ahead),
)
