"""Times that a task names by an event: "before the launch", where the launch is a dated fact.

The words that follow "before", "since" and the like are looked up among the facts; a fact that
holds them and tells a day gives the event its time. A task without such words costs nothing. What
is done "at the gym" or "on the list" has no time: after those only words that are events are.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hermes.clock import DAY_MS
from hermes.memory.recall.belief import Belief, told_at
from hermes.memory.recall.task import STOP_WORDS
from hermes.memory.recall.when import TimeSpan, find_times, resolve_date
from hermes.store.base import Tx
from hermes.store.base.texts import TextScope
from hermes.store.ranking import plan
from hermes.types import Fact

LOOKED_AT = 32
LONGEST_NAME = 4  # words
MOST_NAMES = 16
LONGEST_MS = 31 * DAY_MS  # "in March" dates an event; "in 2024" hardly does
# What has a day of its own: looked up after "at" as well, and without "the".
HAPPENS = (
    r"(?:launch|release|kick-?off|off-?site|retreat|wedding|engagement|party|birthday|graduation"
    r"|ceremony|funeral|reunion|christening|conference|congress|summit|meetup|meeting|workshop"
    r"|hackathon|demo|retro|retrospective|interview|exam|festival|concert|opening|premiere|race"
    r"|marathon|tournament|election|audit|hearing|surgery)\b"
)
_HAPPENS = re.compile(HAPPENS, re.I)
_RELATION = (
    r"before|after|since|until|till|by|during|around|following|between|prior to|ahead of"
    r"|leading up to|up to|from|and|(?:day|week|weekend|month|morning|afternoon|evening|night) of"
)
_WHOSE = r"(?:the|my|our|his|her|their|its|(?P<owner>\w+['’]s))"
# A time by its own words: "from the beginning", "the first day of the month".
_NO_NAME = r"(?!(?:days?|weeks?|weekend|month|quarter|year|beginning|start|middle|end|same)\b|\d)"
# What an event is of, but for a time: "the opening of 2024".
_OF = r" of (?:(?:the|my|our|his|her|their|its|a|an) |\w+['’]s )?(?!\d)[\w-]+"
_OF_WHAT = re.compile(rf"(?P<of>(?i:{_OF}))(?P<more> [a-z][\w-]*)?")
# The name is looked at without being passed: "the offsite and the launch" holds two.
_NAMED = re.compile(
    rf"\b(?:(?P<related>{_RELATION})|(?P<on>on)|at)\s+(?P<whose>{_WHOSE}\s+)?"
    rf"(?(related)(?(whose)|(?={HAPPENS}))"
    rf"|(?(on)(?={HAPPENS}\s+day\b)|(?=(?(whose)(?:[\w-]+\s+)?){HAPPENS})))"
    rf"{_NO_NAME}(?=(?P<name>(?:[\w-]+[ ]?){{1,4}}))",
    re.I,
)

# Of verbs whose past looks otherwise, the present: facts tell of what is to come.
_PRESENT = dict(
    pair.split("/")
    for pair in """left/leave came/come went/go got/get met/meet began/begin broke/break bought/buy
    sold/sell gave/give took/take flew/fly drove/drive fell/fall found/find quit/quit won/win
    lost/lose paid/pay sent/send made/make had/have started/start saw/see wrote/write""".split()
)
_DONE = rf"(?:[a-z]+[^e\W]ed|{'|'.join(_PRESENT)})"
_PRONOUNS = frozenset("i we he she they it you".split())
_VERB = re.compile(rf" {_DONE}\b", re.I)
_CLAUSE = re.compile(
    rf"\b(?i:before|after|since|until|till) (?:(?i:my|our|his|her|their|the) )?"
    rf"(?P<who>(?i:i|we|he|she|they)\b|[A-Z][\w-]+(?:['’]s [a-z][\w-]*)?|[a-z][\w-]*)"
    rf" (?P<done>{_DONE}\b(?: (?:the|my|our|his|her|their) [a-z][\w-]*)?)"
)
CLAUSE_CHARS = 4_000


def names_event(text: str) -> bool:
    """Whether a task may name an event."""
    return _NAMED.search(text) is not None or _CLAUSE.search(text) is not None


def find_events(
    tx: Tx, text: str, *, bank: str, as_of: int | None, zone: str
) -> dict[str, tuple[int, int]]:
    """The events a task names that have a known time, by the words that name them."""
    found: dict[str, tuple[int, int]] = {}
    clauses = {
        (match["who"].casefold(), match["done"].casefold()): match
        for match in _CLAUSE.finditer(text[:CLAUSE_CHARS])
    }
    for match in list(clauses.values())[:MOST_NAMES]:
        known = Known(bank, as_of, zone)
        if (span := _find_done(tx, match["who"], match["done"], known)) is not None:
            found.setdefault(match[0].partition(" ")[2].strip(), (span.start_at, span.end_at))
    for match in _list_named(text):
        words = match["name"].split()
        told = text[match.start("name") :]
        named = _find_named(tx, words[:1] if match["on"] else words, told, Known(bank, as_of, zone))
        if named is not None and (match["related"] or _HAPPENS.search(named[0])):
            name, span = named
            whole = f"{match['owner']} {name}" if match["owner"] else name
            whole = f"{whole} day" if match["on"] else whole
            found.setdefault(whole, (span.start_at, span.end_at))
    return found


def _list_named(text: str) -> list[re.Match[str]]:
    """Where a task may name an event: each name once, and few of a text that was pasted."""
    named = {match["name"].casefold(): match for match in _NAMED.finditer(text)}
    return list(named.values())[:MOST_NAMES]


@dataclass(frozen=True, slots=True)
class Known:
    """Which facts tell of an event: those of a bank, as of a time, in a zone."""

    bank: str
    as_of: int | None
    zone: str


def _find_named(tx: Tx, words: list[str], told: str, known: Known) -> tuple[str, TimeSpan] | None:
    """The longest beginning of the words that is an event, and when it is; the newest told.

    What it is the event of ("the opening of the practice") is part of the name, though a fact may
    not tell that: one that does goes first, and one that tells of something else is of another.
    """
    facts = _facts_with(tx, words, known.bank, known.as_of)
    for length in range(min(LONGEST_NAME, len(words)), 0, -1):
        if words[length - 1].casefold() in STOP_WORDS:
            continue  # "the opening of"
        name = " ".join(words[:length])
        of = _what_of(told[len(name) :])
        if not _HAPPENS.search(name) and _VERB.match(told[len(name) :]):
            continue  # "after mum left" is no time that tells when she came
        wanted, more = (set(tx.facts.texts.tokens(each)) for each in (name, of))
        held = [(set(tx.facts.texts.tokens(fact.text)), fact) for fact in facts]
        fitting = [(more <= tokens, fact) for tokens, fact in held if wanted and wanted <= tokens]
        for is_told, fact in sorted(fitting, key=lambda each: not each[0]):
            is_other = bool(of) and not is_told and _tells_of(name, fact.text)
            if not is_other and (span := _day_of(fact, known.zone)) is not None:
                return name + of, span
    return None


def _find_done(tx: Tx, who: str, done: str, known: Known) -> TimeSpan | None:
    """When somebody did something, where one fact alone tells of it: "before we opened"."""
    verb, *what = done.split()
    forms = {verb, _PRESENT.get(verb.casefold(), verb)}
    name = "" if who.casefold() in _PRONOUNS else who
    whom = set(tx.facts.texts.tokens(" ".join([name, *what])))
    spans = [
        span
        for fact in _facts_with(tx, [*forms, *what, *name.split()], known.bank, known.as_of)
        if (span := _day_of(fact, known.zone)) is not None
        and whom <= (tokens := set(tx.facts.texts.tokens(fact.text)))
        and any(tokens >= set(tx.facts.texts.tokens(form)) for form in forms)
    ]
    return spans[0] if spans and all(_same(spans[0], each) for each in spans) else None


def _what_of(after: str) -> str:
    """What the words after a name say it is of, if they do: " of the practice"."""
    match = _OF_WHAT.match(after)
    if match is None:
        return ""
    more = match["more"]
    return match["of"] if more is None or more.strip() in STOP_WORDS else match[0]


def _tells_of(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}{_OF}", text, re.I) is not None


def _facts_with(tx: Tx, words: list[str], bank: str, as_of: int | None) -> list[Fact]:
    planned = plan(tx.facts.texts, words, TextScope(bank), LOOKED_AT)
    known = tx.facts.get_many(planned.candidates)
    believed = Belief(tx, as_of).among(known.values())
    return sorted(believed, key=lambda fact: -told_at(fact))


def _day_of(fact: Fact, zone: str) -> TimeSpan | None:
    """The one time a fact tells of, as it was told."""
    spans = list(_days(fact.text, told_at(fact), zone))
    first = next(iter(spans), None)
    return first if first is not None and all(_same(first, each) for each in spans) else None


def _days(text: str, said_at: int, zone: str) -> Iterator[TimeSpan]:
    """The times a text tells; of what is due by a day, that day."""
    for span in find_times(text, said_at, zone=zone, prefer="future"):
        if span.end_at - span.start_at <= LONGEST_MS:
            yield span
        elif (due := resolve_date(text, said_at, zone)) is not None:
            yield replace(due, start_at=due.end_at - DAY_MS)


def _same(one: TimeSpan, other: TimeSpan) -> bool:
    """Whether two tell the same time: a day, and the month it is in, do."""
    return one.start_at < other.end_at and other.start_at < one.end_at
