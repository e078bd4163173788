"""English words of time as tables, the patterns made of them, and how a rule is written.

A rule's pattern is a regular expression over folded text (lower case, plain quotes and dashes, no
accents) in which a space stands for a little white space and `<name>` for a fragment below.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from hermes.memory.recall.when.frame import Frame
from hermes.memory.recall.when.numerals import COUNT, any_of
from hermes.memory.recall.when.span import Period


def index_names(*groups: str, first: int = 1) -> dict[str, int]:
    """Every name of each group with the number of its group."""
    return {name: n for n, names in enumerate(groups, start=first) for name in names.split()}


MONTHS = index_names(
    "january jan",
    "february feb",
    "march mar",
    "april apr",
    "may",
    "june jun",
    "july jul",
    "august aug",
    "september sept sep",
    "october oct",
    "november nov",
    "december dec",
)
# The months whose names are nothing else; the rest are verbs, people or half words.
PLAIN_MONTHS = ("january", "february", "july", "september", "october", "november", "december")
WEEKDAYS = index_names(
    "monday mon",
    "tuesday tues tue",
    "wednesday weds wed",
    "thursday thurs thur thu",
    "friday fri",
    "saturday sat",
    "sunday sun",
    first=0,
)
FULL_WEEKDAYS = tuple(name for name in WEEKDAYS if name.endswith("day"))
SEASONS = {"fall": "autumn"} | {name: name for name in ("spring", "summer", "autumn", "winter")}
UNITS = {
    name: unit
    for unit, names in {
        "second": "seconds second secs sec",
        "minute": "minutes minute mins min",
        "hour": "hours hour hrs hr",
        "day": "days day",
        "night": "nights night",
        "week": "weeks week wks wk",
        "fortnight": "fortnights fortnight",
        "weekend": "weekends weekend",
        "month": "months month",
        "quarter": "quarters quarter",
        "year": "years year yrs yr",
        "decade": "decades decade",
    }.items()
    for name in names.split()
}
DAY_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 30)}
ORDINALS = index_names("first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th")
ORDINALS |= {"last": -1, "final": -1}

FRAGMENTS: Mapping[str, str] = {
    "month": any_of(MONTHS) + r"\.?",
    "plainmonth": any_of(PLAIN_MONTHS),
    "weekday": any_of(set(WEEKDAYS) - {"wed", "sat", "sun"}),  # words of their own
    "fullweekday": any_of(FULL_WEEKDAYS),
    "season": any_of(SEASONS),
    "unit": any_of(UNITS),
    "part": any_of(DAY_PARTS),
    "ordinal": any_of(ORDINALS),
    "count": COUNT,
    "year": r"(?:19|20)\d\d",
    "someyear": r"(?:(?:19|20)\d\d|'\d\d)",
    "d": r"\d{1,2}",
}
NO_YEAR = r"(?P<someyear>(?!))?"  # a group that is never filled, for builders that look for one
# What must be true of the words around: a preposition before ("lead"), one that dates take
# ("date"), one that only days take ("day": on the first), one that years take ("year"), one that
# relates ("relation": since, bis), or either a preposition or a capital letter ("capital"), or that
# they are written with an accent ("accent").
Need = Literal["", "lead", "date", "day", "year", "relation", "capital", "accent"]
Build = Callable[[re.Match[str], Frame], Period]


Match = Callable[[str, int], re.Match[str] | None]


class Pattern:
    """A regular expression that is compiled when first tried; most never are in a short run."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.match: Match = self._match_first

    def _match_first(self, text: str, at: int) -> re.Match[str] | None:
        self.match = cast(Match, re.compile(self._source).match)
        return self.match(text, at)


@dataclass(frozen=True, slots=True)
class Rule:
    """One way of writing a time.

    `starts` are the words it may begin with. `needs` guards words that mean other things too.
    """

    starts: frozenset[str]
    pattern: Pattern
    build: Build
    needs: Need = ""


def rule(starts: Iterable[str], pattern: str, build: Build, needs: Need = "") -> Rule:
    return Rule(frozenset(starts), compile_pattern(pattern), build, needs)


def first_words(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.split()[0] for name in names)


def compile_pattern(
    pattern: str, fragments: Mapping[str, str] = FRAGMENTS, *, ending: str = r"(?!\w)"
) -> Pattern:
    """The regular expression for a pattern in the notation of this module."""

    def expand(match: re.Match[str]) -> str:
        return f"(?P<{match[1]}>{fragments[match[1].rstrip('12')]})"

    expanded = re.sub(r"(?<!\?P)<(\w+)>", expand, pattern)
    return Pattern(expanded.replace(" ", r"\s{1,4}") + ending)


def parse_month(text: str) -> int:
    return MONTHS[text.rstrip(".")]


def parse_year(text: str, frame: Frame) -> int:
    """A year of four digits, or of two: then at most twenty years ahead."""
    digits = text.lstrip("'")
    if len(digits) == 4:
        return int(digits)
    year = frame.today.year // 100 * 100 + int(digits)
    return year - 100 if year > frame.today.year + 20 else year
