"""One text being read for times, position by position.

A rule reads a simple time. A composite reads words around a time and asks the reading for that one:
an inner composite ("the end of May", "the week after Easter") only for simple times and known
events, an outer one ("since", "between") for those and inner ones. So depth is bounded, every step
is tried only at words it may start with, and a text is read in time linear in its length.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from hermes.clock import EARLIEST_AT, LATEST_AT
from hermes.memory.recall.when.clocks import join_day, refine
from hermes.memory.recall.when.dates import is_numbered
from hermes.memory.recall.when.frame import Frame
from hermes.memory.recall.when.numerals import DIGITS
from hermes.memory.recall.when.span import Period
from hermes.memory.recall.when.vocabulary import Need, Rule

T = TypeVar("T")
WORD = re.compile(r"\w+")
DETERMINER = re.compile(
    r"(?:the|our|my|his|her|their|your|its|der|die|das|den|dem|el|la|le|il|lo)\s{1,4}|l'"
)
TO_DAY = re.compile(r",?\s{1,3}(?:on\s{1,3})?(?:the\s{1,3})?")
EVENT_WORDS = 6

ANY_LEAD: frozenset[Need] = frozenset(("lead", "capital", "date", "year", "relation"))
DAY_LEAD: frozenset[Need] = frozenset(("day",))
NO_LEAD: frozenset[Need] = frozenset()


class Found(NamedTuple):
    """A time that was read, where its words end, and whether they set a deadline."""

    end: int
    period: Period
    deadline: bool = False


@dataclass(frozen=True, slots=True)
class Grammar:
    """What may start with which word."""

    rules: Mapping[str, tuple[Rule, ...]]
    inner: Mapping[str, tuple["Composite", ...]]
    outer: Mapping[str, tuple["Composite", ...]]
    extend: Callable[["Reading", int, Found, Frame], Found | None]
    within: Callable[["Reading", int, Found, Frame, frozenset[Need]], Found | None]


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, its folded form of the same length, its words by offset, and what it is read by."""

    text: str
    folded: str
    words: Mapping[int, str]
    grammar: Grammar
    events: Mapping[str, tuple[int, int]]

    def word(self, at: int) -> str:
        """The word at an offset; all numbers are one word here."""
        word = self.words.get(at, "") or self._number(at)
        return DIGITS if word and word[0].isdecimal() else word

    def _number(self, at: int) -> str:
        """The number after an apostrophe: '25."""
        return self.words.get(at + 1, "")[:1] if self.folded[at : at + 1] == "'" else ""

    def read(self, at: int, frame: Frame, leads: frozenset[Need] = NO_LEAD) -> Found | None:
        """The longest time that starts at an offset, prepositions included."""
        outer = self._compose(self.grammar.outer, at, frame)
        plain = self.phrase(at, frame, leads)
        if plain:
            plain = self.grammar.extend(self, at, plain, frame) or plain
        return longest([plain, *outer])

    def related(self, at: int, frame: Frame, leads: frozenset[Need] = ANY_LEAD) -> Found | None:
        """What a relation such as "since" points to: a time, or a known event."""
        found = self.phrase(at, frame, leads) or self.event(at)
        skipped = DETERMINER.match(self.folded, at)
        if skipped is None:
            return found
        start = skipped.end()
        return longest([found, self.phrase(start, frame, leads), self.event(start)])

    def phrase(self, at: int, frame: Frame, leads: frozenset[Need] = NO_LEAD) -> Found | None:
        """A time with its parts and the one it lies in, but without what relates it to another."""
        found = self.bare_phrase(at, frame, leads)
        return found and (self.grammar.within(self, at, found, frame, leads) or found)

    def bare_phrase(self, at: int, frame: Frame, leads: frozenset[Need]) -> Found | None:
        """A time with its parts."""
        inner = self._compose(self.grammar.inner, at, frame)
        return longest([*inner, self.clocked(at, frame, leads)])

    def target(self, at: int, frame: Frame) -> Found | None:
        """What an inner composite points to: a simple time or a known event."""
        skipped = DETERMINER.match(self.folded, at)
        start = skipped.end() if skipped else at
        return (
            self.clocked(at, frame, ANY_LEAD)
            or self.clocked(start, frame, ANY_LEAD)
            or self.event(start)
        )

    def clocked(self, at: int, frame: Frame, leads: frozenset[Need]) -> Found | None:
        """A simple time, or a time of day with the day that follows it."""
        found = self.simple(at, frame, leads)
        if found is None or not found.period.floating or found.period.grain not in CLOCK_GRAINS:
            return found
        gap = TO_DAY.match(self.folded, found.end)
        day = self.simple(gap.end(), frame, ANY_LEAD) if gap else None
        if day is None or day.period.grain != "day":
            return found
        return Found(day.end, join_day(found.period, day.period, frame))

    def simple(self, at: int, frame: Frame, leads: frozenset[Need]) -> Found | None:
        """The longest match of a rule at an offset, with the time of day that follows it."""
        best: Found | None = None
        for each in self.grammar.rules.get(self.word(at), ()):
            match = each.pattern.match(self.folded, at)
            if match is None or (best and match.end() <= best.end):
                continue
            if each.needs and not self._meets(each.needs, match, leads):
                continue
            best = self._build(each, match, frame) or best
        return best

    def event(self, at: int) -> Found | None:
        """The longest known name at an offset."""
        if not self.events:
            return None
        best, words, end = None, "", at
        for match in WORD.finditer(self.folded, at, at + 120):
            if match.start() - end > 2 or words.count(" ") > EVENT_WORDS:
                break
            words, end = words + match[0] + " ", match.end()
            span = self.events.get(words[:-1])
            if span:
                best = Found(end, Period(span[0], span[1], "day", certainty=0.9))
        return best

    def _compose(
        self, table: Mapping[str, tuple["Composite", ...]], at: int, frame: Frame
    ) -> list[Found | None]:
        readers = table.get(self.word(at), ())
        try:
            return [read(self, at, frame) for read in readers]
        except (ValueError, OverflowError):
            return []  # a date that does not exist

    def _meets(self, needs: Need, match: re.Match[str], leads: frozenset[Need]) -> bool:
        if needs in leads:
            return True
        written = self.text[slice(*match.span())]
        if needs == "accent":
            return not written.isascii()
        return needs == "capital" and any(map(str.isupper, written))

    def _build(self, each: Rule, match: re.Match[str], frame: Frame) -> Found | None:
        start = match.start()
        if match[0][0].isdecimal() and is_numbered(self.folded[max(0, start - 16) : start]):
            return None
        try:
            end, period = refine(self.folded, match.end(), each.build(match, frame), frame)
        except (ValueError, OverflowError):
            return None  # 30 February, 25:00, a day beyond the calendar
        return Found(end, period) if is_sound(period) else None


Composite = Callable[[Reading, int, Frame], Found | None]
CLOCK_GRAINS = ("hour", "minute")


def build_index(items: Iterable[tuple[Iterable[str], T]]) -> dict[str, tuple[T, ...]]:
    """The items by each word they may start with, in their order."""
    table: dict[str, list[T]] = {}
    for starts, item in items:
        for word in starts:
            table.setdefault(word, []).append(item)
    return {word: tuple(listed) for word, listed in table.items()}


def longest(found: Iterable[Found | None]) -> Found | None:
    """The reading that takes the most text; the first of equals."""
    return max((each for each in found if each), key=lambda each: each.end, default=None)


def is_sound(period: Period) -> bool:
    return EARLIEST_AT <= period.start_at < period.end_at <= LATEST_AT


def weaken(period: Period, factor: float) -> Period:
    return replace(period, certainty=round(period.certainty * factor, 2))
