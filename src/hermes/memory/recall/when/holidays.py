"""Holidays that fall by a rule of the solar calendar, and Easter.

Those set by the moon or by decree (Ramadan, Diwali, Lunar New Year) are not known here.
Thanksgiving, Mother's Day and the like are the United States' ones.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta

from hermes.memory.recall.when.frame import Frame
from hermes.memory.recall.when.numerals import any_of
from hermes.memory.recall.when.relative import STEP, STEP_STARTS, STEPS, toward
from hermes.memory.recall.when.span import Period
from hermes.memory.recall.when.vocabulary import Rule, parse_year, rule

Holiday = Callable[[int], date]


def easter(year: int) -> date:
    """Western Easter Sunday, by the anonymous Gregorian computus."""
    golden, century, rest = year % 19, year // 100, year % 100
    leap, skipped = divmod(century, 4)
    moon = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap - moon + 15) % 30
    quarters, left = divmod(rest, 4)
    weekday = (32 + 2 * skipped + 2 * quarters - epact - left) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The nth such weekday of a month, from its end where nth is negative."""
    if nth > 0:
        first = date(year, month, 1)
        ahead = (weekday - first.weekday()) % 7 + 7 * (nth - 1)
        return date(year, month, 1 + ahead)
    last = date(year, month, monthrange(year, month)[1])
    return last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-nth - 1))


def fixed(month: int, day: int) -> Holiday:
    return lambda year: date(year, month, day)


def floating(month: int, weekday: int, nth: int, plus: int = 0) -> Holiday:
    return lambda year: nth_weekday(year, month, weekday, nth) + timedelta(days=plus)


def from_easter(days: int) -> Holiday:
    return lambda year: easter(year) + timedelta(days=days)


CHRISTMAS, CHRISTMAS_EVE = fixed(12, 25), fixed(12, 24)
NEW_YEAR, NEW_YEARS_EVE = fixed(1, 1), fixed(12, 31)
EASTER = from_easter(0)
# Names without apostrophes or accents; those of other languages only where they mean nothing else.
HOLIDAYS: dict[str, Holiday] = {
    "christmas": CHRISTMAS,
    "christmas day": CHRISTMAS,
    "xmas": CHRISTMAS,
    "weihnachten": CHRISTMAS,
    "a noel": CHRISTMAS,
    "navidad": CHRISTMAS,
    "no natal": CHRISTMAS,
    "natale": CHRISTMAS,
    "christmas eve": CHRISTMAS_EVE,
    "xmas eve": CHRISTMAS_EVE,
    "heiligabend": CHRISTMAS_EVE,
    "nochebuena": CHRISTMAS_EVE,
    "boxing day": fixed(12, 26),
    "new years eve": NEW_YEARS_EVE,
    "silvester": NEW_YEARS_EVE,
    "nochevieja": NEW_YEARS_EVE,
    "new years": NEW_YEAR,
    "new years day": NEW_YEAR,
    "neujahr": NEW_YEAR,
    "capodanno": NEW_YEAR,
    "valentines": fixed(2, 14),
    "valentines day": fixed(2, 14),
    "st patricks day": fixed(3, 17),
    "saint patricks day": fixed(3, 17),
    "april fools": fixed(4, 1),
    "april fools day": fixed(4, 1),
    "good friday": from_easter(-2),
    "karfreitag": from_easter(-2),
    "easter": EASTER,
    "easter sunday": EASTER,
    "ostern": EASTER,
    "paques": EASTER,
    "pascua": EASTER,
    "pascoa": EASTER,
    "pasqua": EASTER,
    "easter monday": from_easter(1),
    "mothers day": floating(5, 6, 2),
    "memorial day": floating(5, 0, -1),
    "juneteenth": fixed(6, 19),
    "fathers day": floating(6, 6, 3),
    "independence day": fixed(7, 4),
    "fourth of july": fixed(7, 4),
    "labor day": floating(9, 0, 1),
    "labour day": floating(9, 0, 1),
    "halloween": fixed(10, 31),
    "veterans day": fixed(11, 11),
    "thanksgiving": floating(11, 3, 4),
    "thanksgiving day": floating(11, 3, 4),
    "black friday": floating(11, 3, 4, plus=1),
    "cyber monday": floating(11, 3, 4, plus=4),
    "mlk day": floating(1, 0, 3),
    "martin luther king day": floating(1, 0, 3),
    "presidents day": floating(2, 0, 3),
}


def _spelling(name: str) -> str:
    """A name with its apostrophes optional: "new years eve" also matches "new year's eve"."""
    return " ".join(re.sub(r"s$", "'?s'?", word) for word in name.split())


def get_holiday(match: re.Match[str]) -> Holiday:
    """The holiday that a pattern with `NAMED` has matched."""
    return HOLIDAYS[" ".join(match["holiday"].replace("'", "").split())]


def _named(match: re.Match[str], frame: Frame) -> Period:
    holiday = get_holiday(match)
    if match["someyear"]:
        return frame.day(holiday(parse_year(match["someyear"], frame)))
    return frame.nearest(lambda year: frame.day(holiday(year)))


def _new_year(match: re.Match[str], frame: Frame) -> Period:
    return frame.nearest(lambda year: frame.day(NEW_YEAR(year)))


def _stepped(match: re.Match[str], frame: Frame) -> Period:
    holiday, step, year = get_holiday(match), STEPS[match["step"]], frame.today.year
    if step < 0:
        year -= holiday(year) >= frame.today
    elif step > 0:
        year += holiday(year) <= frame.today
    return toward(frame.day(holiday(year)), step, 0.9)


def _over(match: re.Match[str], frame: Frame) -> Period:
    """Over Easter, at the Christmas weekend, in the Easter week, in the Christmas holidays."""
    holiday, kind = get_holiday(match), match["kind"] or "over"

    def make(year: int) -> Period:
        day = holiday(year)
        if kind == "week":
            return frame.week(day)
        before, after = AROUND[kind]
        return frame.between(day - timedelta(days=before), day + timedelta(days=after), "day")

    return frame.nearest(make)


# How many days before the day itself, and after its beginning, are meant.
AROUND = {"over": (1, 3), "weekend": (2, 2), "break": (3, 9), "holidays": (3, 9)}
KINDS = ("week", "weekend", "break", "holidays")
NAMED = f"(?P<holiday>{any_of(_spelling(name) for name in HOLIDAYS)})"
NAME = f"{NAMED}(?! eggs?)"
FIRST_WORDS = {name.split()[0] for name in HOLIDAYS} | {"new", "mother", "father", "valentine"}
RULES: tuple[Rule, ...] = (
    rule(FIRST_WORDS, NAME + r"(?:,? (?:of |de )?<someyear>)?", _named),
    rule(("new",), r"new year(?!')", _new_year, "lead"),  # "a happy new year" is no date
    rule(STEP_STARTS, f"{STEP} {NAME}", _stepped),
    rule(("over",), rf"over (?:the )?{NAME}(?P<kind>(?!))?", _over),
    rule(("over",), rf"over (?:the )?{NAME} (?P<kind>{any_of(KINDS)})", _over),
    rule(FIRST_WORDS, rf"{NAME} (?P<kind>{any_of(KINDS)})", _over),
)
