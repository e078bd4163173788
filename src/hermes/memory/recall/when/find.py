"""The times a text names, resolved against the time it was said at."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate

from hermes.clock import EARLIEST_AT, LATEST_AT
from hermes.errors import UserError
from hermes.memory.recall.when import (
    clocks,
    dates,
    foreign,
    holidays,
    offsets,
    parts,
    relations,
    relative,
    spoken,
    vocabulary,
)
from hermes.memory.recall.when.cjk import find_han
from hermes.memory.recall.when.folding import fold
from hermes.memory.recall.when.frame import Frame, open_frame
from hermes.memory.recall.when.numerals import NTH_STARTS
from hermes.memory.recall.when.reading import (
    WORD,
    Found,
    Grammar,
    Reading,
    build_index,
    is_sound,
    longest,
)
from hermes.memory.recall.when.relative import get_counted
from hermes.memory.recall.when.span import Period, Prefer, TimeSpan
from hermes.memory.recall.when.vocabulary import Need, Rule
from hermes.memory.recall.when.within import read_within

Known = Mapping[str, TimeSpan | tuple[int, int]]
Placed = tuple[int, Found]  # the offset a time starts at, and the time

RULES = (
    *dates.RULES,
    *relative.RULES,
    *holidays.RULES,
    *spoken.RULES,
    *clocks.RULES,
    *foreign.RULES,
)
GRAMMAR = Grammar(
    rules=build_index((each.starts, each) for each in RULES),
    inner=build_index((*parts.COMPOSITES, *offsets.COMPOSITES)),
    outer=build_index(relations.COMPOSITES),
    extend=relations.read_to,
    within=read_within,
)
DATED = build_index((each.starts, each) for each in (*dates.DATED, *foreign.DATED))
STARTS = frozenset((*GRAMMAR.rules, *GRAMMAR.inner, *GRAMMAR.outer))
# Every time holds a digit or one of these; a text with neither needs no reading.
CORE = frozenset(
    word
    for table in (
        vocabulary.MONTHS,
        vocabulary.WEEKDAYS,
        (name + "s" for name in (*vocabulary.FULL_WEEKDAYS, *vocabulary.SEASONS)),
        vocabulary.SEASONS,
        vocabulary.UNITS,
        vocabulary.DAY_PARTS,
        relative.DAY_WORDS,
        relative.TO_DATE,
        ("half", "tonight", "noon", "christmases", "midday", "midnight", "valentine"),
        NTH_STARTS,
        ("q1", "q2", "q3", "q4", "h1", "h2", "dernier", "prochain"),
        dates.DECADES,
        (*parts.ENDS, "business"),
        (name.split()[-1] for name in holidays.HOLIDAYS),
        *(foreign.DAYS, foreign.PARTS, foreign.UNITS, foreign.MONTHS),
        *(foreign.WEEKDAYS, foreign.SEASONS),
    )
    for name in table
    for word in WORD.findall(name)[:1]
) - {"an"}
REACH_WORDS = 10  # "no later than the end of the first quarter of 2025"
RECURRING = re.compile(r"\b(?:every|each|any|most)\s{1,3}$")
LEAD_CHARS = 24
# "In May and June": what leads the first leads the second.
JOINT: frozenset[Need] = frozenset(("lead", "capital"))
JOINED = re.compile(r"(?:,|,? (?:and|or)| ?[&/]) ?(?:the )?")
# "Between my birthday and Christmas", where nothing tells of the birthday: Christmas alone is none.
HALF = re.compile(r"\bbetween (?:[\w'-]+ ){1,3}and (?:the )?$")
HALF_CHARS = 80
LEADING = re.compile(r"\b(?:in|of|on|at|from|since|before|after|until|till|by|around)\s(?:the\s)?$")
SHORTHAND = re.compile(r"(\d{1,4})\s?(min|mo|[mhdwy])(?:\s+ago)?")
SHORT_UNITS = {"min": "minute", "m": "minute", "h": "hour", "d": "day", "w": "week"}
SHORT_UNITS |= {"mo": "month", "y": "year"}
EXAMPLES = "2026-03-01, yesterday, last tuesday, 3 weeks ago, 2h"


def find_times(
    text: str,
    now: int,
    *,
    zone: str = "UTC",
    known: Known | None = None,
    prefer: Prefer = "past",
    over: bool = False,
) -> tuple[TimeSpan, ...]:
    """The times in a text, in its order and apart from each other.

    `prefer` settles a date without a year, and a bare weekday. `known` names dated events, so that
    "before the launch" is a time. Of what is `over`, "by Friday" is told of the last one.
    """
    frame = open_frame(now, zone, prefer)
    if over:
        frame = frame.but(over=True)
    return tuple(_to_span(text, placed) for placed in _find(text, frame, known))


def resolve_date(
    text: str, now: int, zone: str = "UTC", prefer: Prefer = "future", *, known: Known | None = None
) -> TimeSpan | None:
    """The date a text sets: "by Friday" gives Friday, "before June" the last day of May.

    A deadline is its `end_at`. A time after "by" or "due" goes before others; else the first one.
    """
    frame = open_frame(now, zone, prefer).but(deadline=True)
    placed = list(_find(text, frame, known))
    deadlines = [each for each in placed if each[1].deadline]
    chosen = (deadlines or placed)[:1]
    return _to_span(text, chosen[0]) if chosen else None


def parse_when(
    text: str, now: int, zone: str = "UTC", prefer: Prefer = "past", *, known: Known | None = None
) -> TimeSpan:
    """The time that a whole text says, as for an option of a command; UserError if it says none."""
    frame = open_frame(now, zone, prefer)
    bare = text.strip()
    try:
        found = _parse_whole(bare, frame, known)
    except (ValueError, OverflowError):
        found = None  # beyond the calendar
    if found is None or not is_sound(found.period):
        raise UserError(f"{text!r} is not a time Hermes can read.", f"Try one such as {EXAMPLES}.")
    return _to_span(bare, (0, found))


def _parse_whole(text: str, frame: Frame, known: Known | None) -> Found | None:
    folded = fold(text)
    if folded in ("now", "right now"):
        return Found(len(text), relative.get_distant(frame, "minute", 0, 0))
    if short := SHORTHAND.fullmatch(folded):
        unit = SHORT_UNITS[short[2]]
        return Found(len(text), get_counted(frame, short[1], unit, -1))
    words = {match.start(): match[0] for match in WORD.finditer(folded)}
    reading = Reading(text, folded, words, GRAMMAR, _index_events(known))
    found = [reading.read(0, frame), reading.related(0, frame)]
    found += [each for start, each in _find(text, frame, known) if start == 0]
    best = longest(found)
    return best if best and best.end == len(text) else None


def _find(text: str, frame: Frame, known: Known | None) -> Iterator[Placed]:
    folded, events = fold(text), _index_events(known)
    words = {match.start(): match[0] for match in WORD.finditer(folded)}
    starts = _list_starts(words, {name.split(" ", 1)[0] for name in events})
    placed: list[Placed] = []
    if starts:
        reading = Reading(text, folded, words, GRAMMAR, events)
        starts = _outside(starts, _find_void(reading, starts, frame))
        placed += _find_words(reading, starts, frame)
    if not folded.isascii():
        han = find_han(folded, frame)
        placed += [(start, Found(end, period)) for start, end, period in han if is_sound(period)]
    return _apart(sorted(placed, key=lambda each: each[0]))


def _list_starts(words: dict[int, str], named: set[str]) -> list[int]:
    """The offsets where a time may start: one of its first words, with a core word soon after."""
    starts, since_core, following = [], REACH_WORDS, ""
    for at, word in reversed(words.items()):
        is_core = word in CORE or word in named or word[0].isdecimal()
        since_core = 0 if is_core else since_core + 1
        if following == "an" and word in ("un", "l"):  # a French year, not the English article
            since_core = 0
        following = word
        if since_core < REACH_WORDS and (word in STARTS or word[0].isdecimal()):
            starts.append(at)
    return starts[::-1]


def _find_void(reading: Reading, starts: list[int], frame: Frame) -> list[tuple[int, int]]:
    """Where days stand that no calendar has, such as 29 February 2025, with what leads there."""
    void: list[tuple[int, int]] = []
    for start in starts:
        rules = DATED.get(reading.word(start), ())
        matches = [(each, each.pattern.match(reading.folded, start)) for each in rules]
        read = [(match.end(), each, match) for each, match in matches if match]
        if not read:
            continue
        end, each, match = max(read, key=lambda one: one[0])
        if not _is_day(each, match, frame):
            lead = LEADING.search(reading.folded, max(0, start - LEAD_CHARS), start)
            void.append((lead.start() if lead else start, end))
    return void


def _is_day(each: Rule, match: re.Match[str], frame: Frame) -> bool:
    try:
        each.build(match, frame)
    except (ValueError, OverflowError):
        return False
    return True


def _outside(starts: list[int], void: list[tuple[int, int]]) -> list[int]:
    """The offsets that lie in none of some stretches, which rise."""
    if not void:
        return starts
    edges = [first for first, _ in void]
    ends = list(accumulate((end for _, end in void), max))
    before = [bisect_right(edges, start) - 1 for start in starts]
    return [s for s, n in zip(starts, before, strict=True) if n < 0 or s >= ends[n]]


def _find_words(reading: Reading, starts: list[int], frame: Frame) -> Iterator[Placed]:
    end = 0
    last: Period | None = None
    for start in starts:
        if start < end:
            continue
        own = _frame_of(reading.words[start], last, frame)
        found = reading.read(start, own)
        if not found and last and JOINED.fullmatch(reading.folded, end, start):
            found = reading.read(start, own, JOINT)
            found = found if found and found.period.grain == last.grain else None
        if not found or not is_sound(found.period):
            continue
        if HALF.search(reading.folded, max(0, start - HALF_CHARS), start):
            continue
        if not RECURRING.search(reading.folded, max(0, start - 9), start):
            yield start, found
            end, last = found.end, found.period


def _frame_of(word: str, last: Period | None, frame: Frame) -> Frame:
    """ "The following Monday" is the first after the time named before it."""
    return frame.but(after=last.end_at) if last and word == "following" else frame


def _apart(placed: list[Placed]) -> Iterator[Placed]:
    end = 0
    for start, found in placed:
        if start >= end:
            yield start, found
            end = found.end


def _index_events(known: Known | None) -> dict[str, tuple[int, int]]:
    """Known events by the words of their names, without a leading "the"."""
    events: dict[str, tuple[int, int]] = {}
    for name, span in (known or {}).items():
        words = WORD.findall(fold(name))
        if words[:1] == ["the"]:
            words = words[1:]
        start, end = (span.start_at, span.end_at) if isinstance(span, TimeSpan) else span
        if words and EARLIEST_AT <= start < end <= LATEST_AT:
            events[" ".join(words)] = (start, end)
    return events


def _to_span(text: str, placed: Placed) -> TimeSpan:
    start, (end, period, _) = placed
    return TimeSpan(
        period.start_at,
        period.end_at,
        text[start:end],
        start,
        end,
        period.grain,
        period.direction,
        period.certainty,
    )
