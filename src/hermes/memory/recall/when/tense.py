"""The times a question asks about, on the side of now that its tense points to.

"What will I do in January" asks for the next one, "what did I do in January" for the last. Where
the words of a sentence point to neither side, or to both, the past is meant, and the time ahead as
well if that is soon and the nearer: "on the 30th", twelve days before it. Instead of a time more
than a year ago, as a weekday with its date may be, the one ahead is meant if that is nearer. "By
Friday" is the one ahead, too, but of what was, as in "what did I finish by Friday", the last.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from hermes.clock import DAY_MS, EARLIEST_AT, LATEST_AT
from hermes.memory.recall.when.find import Known, find_times
from hermes.memory.recall.when.folding import fold
from hermes.memory.recall.when.languages import LANGUAGES
from hermes.memory.recall.when.numerals import any_of
from hermes.memory.recall.when.span import TimeSpan

Tense = Literal["past", "future", "open"]
SOON_MS = 62 * DAY_MS  # within which a time ahead may be meant by words that do not say so
LONG_MS = 366 * DAY_MS
VAGUE_MS = 200 * DAY_MS  # of a longer time that has begun, too much is known to list it
FUTURE = """
    'll won't shall going_to gonna plan plans planned planning coming_up comes_up upcoming next due
    scheduled booked expected deadline deadlines agenda calendar schedule appointments tomorrow
    have_to has_to need_to needs_to to_do must should looking_forward coming ahead soon appointment
    is_happening are_happening is_going_on are_we_doing am_i_doing
""".split()
PAST = """
    did didn't were weren't wasn't had hadn't said say happened went told gone took made gave got
    met came saw wrote bought did asked discussed talked spoke mentioned decided agreed chose
    finished learnt learned used_to last previous previously yesterday ago earlier been
""".split()
# Capitalised in the midst of a sentence it is a man.
WILL = r"(?:\bwill|(?:^|[.?!]\s+)Will)\b"
# "What is on Friday", not "what is on the list"; "do I have", not "do I have from March"; and "was
# steht im Mai an".
PRESENT = (
    r"\b(?:what|who|anything|something|nothing)(?:'s| is) (?:on|up)\b(?! (?:the|my|our) (?!\d))",
    r"\b(?:do (?:i|we|they)|does \w+) have\b(?! (?:from|about)\b)",
    r"\bsteh(?:t|en)\b.*\ban\W*$",
    r"\bhave i got\b|\b(?:is|are) there (?:any|some)thing (?:on|at|in|for)\b",
)
# German asks "was": what.
WAS = (
    r"\bwas\b(?! (?:steht|stehen|ist|sind|hab\w*|hat|hatte|wird|werd\w+|mach\w+|muss|mussen"
    r"|passiert|kommt|kommen|gibt|planen?|ich|wir|fur|alles|sagte\w*)\b)"
)
# Written without spaces.
HAN_FUTURE = "计划|計劃|打算|安排|将|將|会|會|预定|予定|つもり"
HAN_PAST = "了|过|過|ました|でした|だった|した(?!い)"
# What was said about a day was not said on it.
TOPIC = re.compile(r"about\s", re.I)
# A day and a month, in either order.
EITHER_WAY = re.compile(
    r"(?<![\d/.-])(0?[1-9]|1[0-2])/(0?[1-9]|1[0-2])(?!\d)(?=/\d{2}|(?![/.-]\d|/))"
)
# Where a sentence ends, and where the one after it begins.
SENTENCE_STOP = re.compile(r"[.?!;](?=\s)|\n")
SENTENCE_START = re.compile(r"(?<=[.?!;])\s|\n")
# "What did I promise to send by Friday": told then, of a day that may be ahead. "To" is of a verb:
# not "said to Ann", "agreed to the plan"; and "'d" is no "had": "all they'd done".
_SOMEBODY = (
    r"(?:\s+(?:i|me|you|he|him|she|her|it|we|us|they|them|(?:the|my|our|your|his|their)\s+\w+"
    r"|(?-i:[A-Z])\w+))"
)
_TO_DO = r"\s+to\s+(?!(?:me|us|you|him|her|it|them|the|an?|my|our|your|his|their)\b)(?-i:[a-z])\w*"
STILL_TO_COME = re.compile(
    r"\b(?:would|could|might"
    r"|(?:want(?:s|ed)?|promise[ds]?|expect(?:s|ed)?|need(?:s|ed)?)"
    r"(?:\s+(?!(?:was|were|had|did|has|got|came)\b)\w+){0,5}\s+(?:to|by|no\s+later)"
    r"|(?:i|you|he|she|it|we|they|there|that)['’]d\b(?!\s+(?:already|always|just|been|done|got|had"
    r"|made|paid|sent|seen|gone|said|told|\w{2,}[^e\W]ed)\b)"
    r"|(?:(?:am|is|are)(?:\s+\w+)?|i['’]m|(?:he|she|it)['’]s|\w+['’]re)"
    r"\s+(?!being|\w*thing)\w+ing"
    rf"|(?:had|was|were|wasn['’]t|weren['’]t){_SOMEBODY}?(?:\s+not)?{_TO_DO}"
    r"|(?:mean|meant|suppose[ds]?|hope[ds]?|agree[ds]?|decide[ds]?|intend(?:s|ed)?|offer(?:s|ed)?"
    r"|swear|swore|sworn|plan(?:s|ned)?|ask(?:s|ed)?|tells?|told|sa(?:y|id)|remind(?:s|ed)?"
    r"|vow(?:s|ed)?|pledged?|arranged?|require[ds]?|oblige[ds]?|aim(?:s|ed)?|commit(?:s|ted)?"
    rf"|going|due|bound|set|yet){_SOMEBODY}?{_TO_DO})\b",
    re.I,
)
# What is read otherwise of what is over: "by Friday", and "two weeks on Monday" is no Monday ahead.
OVER = re.compile(r"(?:by|no\s+later\s+than|entro)\s|.*\b(?:week|fortnight)s?\s+on\s", re.I)


def _words(words: list[str]) -> str:
    said = any_of(word.replace("_", r"\s+") for word in words)
    return rf"(?<!\w){said}(?!\w)"


def _told(field: Literal["told_ahead", "told_past"]) -> list[str]:
    return [word for language in LANGUAGES for word in getattr(language, field).split()]


_FUTURE = re.compile("|".join((_words([*FUTURE, *_told("told_ahead")]), *PRESENT, HAN_FUTURE)))
_PAST = re.compile("|".join((_words([*PAST, *_told("told_past")]), WAS, HAN_PAST)))
_WILL = re.compile(WILL)


@dataclass(frozen=True)
class Sentences:
    """A text with the tenses of its sentences, each read once and only where it is asked for."""

    text: str
    known: dict[tuple[int, int], Tense] = field(default_factory=dict)
    still_to_come: dict[tuple[int, int], bool] = field(default_factory=dict)

    def tense_of(self, span: TimeSpan) -> Tense:
        """The tense of the sentence a time stands in."""
        at = self._around(span)
        if at not in self.known:
            self.known[at] = read_tense(self.text[slice(*at)])
        return "open" if self.known[at] == "past" and TOPIC.match(span.text) else self.known[at]

    def is_begun(self, span: TimeSpan, now: int) -> bool:
        """Whether a time has begun and the words around it are of what was."""
        return span.start_at < now and self.tense_of(span) == "past"

    def is_over(self, span: TimeSpan) -> bool:
        """Whether a time is told of what was, and not of what was still to come."""
        if not OVER.match(span.text) or self.tense_of(span) != "past":
            return False
        at = self._around(span)
        if at not in self.still_to_come:
            self.still_to_come[at] = STILL_TO_COME.search(self.text, *at) is not None
        return not self.still_to_come[at]

    def _around(self, span: TimeSpan) -> tuple[int, int]:
        before, after = bisect_right(self._starts, span.start), bisect_left(self._stops, span.end)
        start = self._starts[before - 1] if before else 0
        return start, self._stops[after] if after < len(self._stops) else len(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [match.end() for match in SENTENCE_START.finditer(self.text)]

    @cached_property
    def _stops(self) -> list[int]:
        return [match.start() for match in SENTENCE_STOP.finditer(self.text)]


def find_asked(
    text: str, now: int, *, zone: str = "UTC", known: Known | None = None
) -> tuple[TimeSpan, ...]:
    """The times in a question, in its order; one that may lie on either side of now, twice, and so
    is 10/4, which some read day first: the nearest that is over goes first."""
    found = _find_one_way(text, now, zone=zone, known=known)
    turned = EITHER_WAY.sub(r"\2/\1", text)
    if turned == text:
        return found
    others = {(each.start, each.end): each for each in found}
    for each in _find_one_way(turned, now, zone=zone, known=known):
        if (one := others.get((each.start, each.end))) and not _is_same(one, each):
            found += (replace(each, text=one.text),)
    return tuple(sorted(found, key=lambda each: (each.start, each.start_at > now, -each.end_at)))


def _find_one_way(text: str, now: int, *, zone: str, known: Known | None) -> tuple[TimeSpan, ...]:
    sentences = Sentences(text)
    past = find_times(text, now, zone=zone, known=known)
    if any(sentences.is_over(span) for span in past):
        over = find_times(text, now, zone=zone, known=known, over=True)
        then = {span.end: span for span in over}
        past = tuple(then.get(span.end, span) if sentences.is_over(span) else span for span in past)
    tenses = [sentences.tense_of(span) for span in past]
    if all(tense == "past" for tense in tenses):
        return past
    others = find_times(text, now, zone=zone, known=known, prefer="future")
    ahead = {(span.start, span.end): span for span in others}
    return tuple(
        chosen
        for tense, span in zip(tenses, past, strict=True)
        for chosen in _choose(tense, span, ahead.get((span.start, span.end), span), now)
    )


def find_past(text: str, spans: Sequence[TimeSpan], now: int) -> Iterator[TimeSpan]:
    """Those of the times in a question that are over, and what is gone of one that has begun where
    the question asks what was: "what did I do this week"."""
    sentences = Sentences(text)
    for span in spans:
        if span.end_at <= now:
            yield span
        elif sentences.is_begun(span, now):
            yield replace(span, end_at=now + 1)


def find_ahead(text: str, spans: Sequence[TimeSpan], now: int) -> Iterator[TimeSpan]:
    """Those of the times in a question that are not over, unless they are very long.

    Of one that has begun, what is gone of it where the question asks what was: that may have been
    planned, too. Of all the time after a day, what is nearest to that day.
    """
    sentences = Sentences(text)
    for span in spans:
        if span.end_at <= now:
            continue
        end_at = span.end_at
        if end_at >= LATEST_AT:
            end_at = max(now, span.start_at) + VAGUE_MS
        if sentences.is_begun(span, now):
            end_at = now + 1
        if end_at - span.start_at <= (LONG_MS if span.start_at > now else VAGUE_MS):
            yield replace(span, end_at=end_at)


def read_tense(sentence: str) -> Tense:
    """Which side of now the words of a sentence point to; open if to neither, or to both."""
    folded = fold(sentence)
    future = _FUTURE.search(folded) is not None or _WILL.search(sentence) is not None
    past = _PAST.search(folded) is not None
    if future == past:
        return "open"
    return "future" if future else "past"


def _choose(tense: Tense, past: TimeSpan, ahead: TimeSpan, now: int) -> Iterator[TimeSpan]:
    """Which of the two readings of a time are meant."""
    if tense == "future" and ahead.start_at <= EARLIEST_AT and ahead.end_at > now:
        yield replace(ahead, start_at=now)  # "what will I do before Friday"
        return
    if _is_same(past, ahead):
        yield past
        return
    ahead = replace(ahead, direction="future")
    if tense == "future":
        yield ahead
        return
    is_nearer = tense == "open" and _is_nearer(ahead, past, now)
    is_long_ago = now - past.end_at > LONG_MS
    if not (is_nearer and is_long_ago):
        yield past
    if is_nearer and (is_long_ago or ahead.start_at - now < SOON_MS):
        yield ahead


def _is_same(one: TimeSpan, other: TimeSpan) -> bool:
    return (one.start_at, one.end_at) == (other.start_at, other.end_at)


def _is_nearer(ahead: TimeSpan, past: TimeSpan, now: int) -> bool:
    """Whether a time ahead is nearer than the one gone by; both with both their ends."""
    if past.start_at <= EARLIEST_AT or ahead.end_at >= LATEST_AT or past.end_at > now:
        return False
    return ahead.start_at - now < now - past.end_at
