"""Rules made from the tables of `languages`: the readings of English in other words.

The languages share one set of rules. Their words for one field never clash in meaning (a test holds
that), and words that mean something else elsewhere are read only in company.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from hermes.memory.recall.when.frame import SEASON_STARTS, Frame
from hermes.memory.recall.when.languages import LANGUAGES
from hermes.memory.recall.when.numerals import DIGITS, any_of
from hermes.memory.recall.when.relative import (
    bare_weekday,
    get_distant,
    get_unit,
    step_month,
    step_season,
    step_weekday,
    toward,
)
from hermes.memory.recall.when.span import Period
from hermes.memory.recall.when.vocabulary import (
    DAY_PARTS,
    FRAGMENTS,
    Build,
    Need,
    Rule,
    compile_pattern,
)

# "Hier" is yesterday in French and here in German: it counts only in French company.
FRENCH = re.compile(
    r"\b(?:je|j'\w+|nous|vous|est|les|une|qu'\w+|que|ai|avons|avez|cette|le|la|il|elle|quoi)\b"
)
COMPANY_CHARS = 200
ACCENTED = {"dun"}  # without its accent a word or a name elsewhere
# A good morning, the morning: not tomorrow.
NOT_TOMORROW = r"(?<!guten\s)(?<!am\s)(?<!jeden\s)(?<!la\s)"
# A planet, a man and a piece of land as well: they need more than a preposition.
OTHERWISE_USED = {"mars", "marco", "estate"}


def _names(field: str) -> Iterator[tuple[int, str]]:
    """The names in a field of a table, each with the place of its group."""
    for place, group in enumerate(field.split()):
        for name in group.split("|"):
            yield place, name_key(name)


def name_key(text: str) -> str:
    """A name as the tables below hold it, whatever stands between its words."""
    return " ".join(re.split(r"[-_\s]+", text))


def _all(field: str) -> list[tuple[int, str]]:
    return [pair for language in LANGUAGES for pair in _names(getattr(language, field))]


UNITS = {
    name: unit
    for language in LANGUAGES
    for unit, words in language.units.items()
    for _, name in _names(words)
}
MONTHS = {name: place + 1 for place, name in _all("months")}
WEEKDAYS = {name: place for place, name in _all("weekdays")}
NUMBERS = {name: place + 1 for place, name in _all("numbers")}
SEASONS = {name: tuple(SEASON_STARTS)[place] for place, name in _all("seasons")}
STEPS = {
    name: step
    for step, field in ((-1, "last"), (0, "this"), (1, "next"))
    for _, name in _all(field)
}
DAYS = {name_key(name): days for language in LANGUAGES for name, days in language.days.items()}
PARTS = {name_key(name): part for language in LANGUAGES for name, part in language.parts.items()}
AGO, AGO_AFTER, AHEAD, IN_MONTH = (
    {name for _, name in _all(field)} for field in ("ago", "ago_after", "ahead", "in_month")
)
# The first name of each day; a second one may be short for it and mean more ("segunda").
FULL_WEEKDAYS = {
    name_key(group.split("|")[0]) for language in LANGUAGES for group in language.weekdays.split()
}


def name_pattern(names: Iterable[str]) -> str:
    return any_of(name.replace(" ", r"[-\s]{1,3}") for name in names)


FOREIGN = {
    **FRAGMENTS,
    "unit": name_pattern(UNITS),
    "month": name_pattern(MONTHS),
    "weekday": name_pattern(WEEKDAYS),
    "season": name_pattern(SEASONS),
    "count": r"(?:\d{1,4}|" + name_pattern(NUMBERS) + ")",
    "step": name_pattern(STEPS),
}
THING = "(?:<unit>|<weekday>|<season>|<month>)"
OF = "(?: (?:de|del|di|do))?"


def _rule(starts: Iterable[str], pattern: str, build: Build, needs: Need = "") -> Rule:
    words = frozenset(re.split(r"[^\w#]", name, maxsplit=1)[0] for name in starts)
    return Rule(words, compile_pattern(pattern, FOREIGN), build, needs)


def _day(match: re.Match[str], frame: Frame) -> Period:
    days = DAYS[name_key(match[0])]
    if match[0] == "hier" and not _is_french(match):
        raise ValueError("German for here")
    sign = (days > 0) - (days < 0)
    return toward(frame.day(frame.today + timedelta(days=days)), sign)


def _is_french(match: re.Match[str]) -> bool:
    start, end = max(0, match.start() - COMPANY_CHARS), match.end() + COMPANY_CHARS
    around = match.string[start:end]
    return around.strip(" .?!") == match[0] or FRENCH.search(around) is not None


def _part(match: re.Match[str], frame: Frame) -> Period:
    days, part = PARTS[name_key(match[0])]
    period = frame.hours(frame.today + timedelta(days=days), *DAY_PARTS[part])
    return toward(period, days)


def _stepped(match: re.Match[str], frame: Frame) -> Period:
    step = STEPS[name_key(match["step"])]
    if match["unit"]:
        return toward(get_unit(frame, UNITS[name_key(match["unit"])], step), step)
    if match["weekday"]:
        return step_weekday(frame, WEEKDAYS[name_key(match["weekday"])], step)
    if match["season"]:
        return step_season(frame, SEASONS[match["season"]], step)
    return step_month(frame, MONTHS[match["month"]], step)


def _counted(match: re.Match[str], frame: Frame, sign: int) -> Period:
    text = name_key(match["count"])
    count = sign * (NUMBERS.get(text) or int(text))
    return toward(get_distant(frame, UNITS[name_key(match["unit"])], count, count), sign)


def _ago(match: re.Match[str], frame: Frame) -> Period:
    return _counted(match, frame, -1)


def _ahead(match: re.Match[str], frame: Frame) -> Period:
    return _counted(match, frame, 1)


def _date(match: re.Match[str], frame: Frame) -> Period:
    month, day = MONTHS[match["month"]], int(match["d"])
    if match["year"]:
        return frame.day(date(int(match["year"]), month, day))
    return frame.nearest(lambda year: frame.day(date(year, month, day)))


def _month(match: re.Match[str], frame: Frame) -> Period:
    month = MONTHS[match["month"]]
    if match["year"]:
        return frame.month(int(match["year"]), month)
    return frame.nearest(lambda year: frame.month(year, month))


def _season(match: re.Match[str], frame: Frame) -> Period:
    name = SEASONS[match["season"]]
    if match["year"]:
        return frame.season(int(match["year"]), name)
    return frame.nearest(lambda year: frame.season(year, name))


def _weekday(match: re.Match[str], frame: Frame) -> Period:
    return bare_weekday(frame, WEEKDAYS[name_key(match["weekday"])])


_COUNTED = "<count> <unit>"
_YEAR = f"(?:{OF} <year>)?"
_PLAIN_MONTHS = name_pattern(set(MONTHS) - OTHERWISE_USED)
_PLAIN_SEASONS = name_pattern(set(SEASONS) - OTHERWISE_USED)
RULES: tuple[Rule, ...] = (
    _rule(DAYS, NOT_TOMORROW + name_pattern(set(DAYS) - ACCENTED), _day),
    _rule(ACCENTED, name_pattern(ACCENTED), _day, "accent"),
    _rule(PARTS, name_pattern(PARTS), _part),
    _rule(STEPS, rf"<step>(?: |(?<=')){THING}", _stepped),
    _rule({*UNITS, *WEEKDAYS, *SEASONS, *MONTHS}, rf"{THING} <step>", _stepped),
    _rule(AGO, f"{name_pattern(AGO)} {_COUNTED}", _ago),
    _rule({DIGITS, *NUMBERS}, f"{_COUNTED} {name_pattern(AGO_AFTER)}", _ago),
    _rule(AHEAD, f"{name_pattern(AHEAD)} {_COUNTED}", _ahead),
    _rule(DIGITS, rf"<d>(?:\.|er|o)?{OF} <month>{_YEAR}", _date),
    _rule(MONTHS, rf"<month>{OF} <year>", _month),
    _rule(IN_MONTH, rf"{name_pattern(IN_MONTH)} (?P<month>mars|{_PLAIN_MONTHS}){_YEAR}", _month),
    _rule(("em",), rf"em (?P<month>marco){_YEAR}", _month),
    _rule(MONTHS, rf"(?P<month>{_PLAIN_MONTHS})(?P<year>(?!))?", _month, "relation"),
    _rule(SEASONS, rf"<season>{OF} <year>", _season),
    _rule(IN_MONTH, rf"{name_pattern(IN_MONTH)} (?P<season>{_PLAIN_SEASONS}){_YEAR}", _season),
    _rule(FULL_WEEKDAYS, rf"(?P<weekday>{name_pattern(FULL_WEEKDAYS)})", _weekday),
)
DATED = tuple(each for each in RULES if each.build is _date)
