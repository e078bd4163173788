"""Reading the task: its telling words, its times, whom it is about, what answer it wants.

Pure and without a model: the same text asked at the same time always reads the same.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from hermes.clock import DAY_MS
from hermes.memory.recall.answers import Cue, answer_cue, asks_about_assistant
from hermes.memory.recall.identifiers import find_identifiers, is_identifier
from hermes.memory.recall.tasktype import TaskType, infer_task_type
from hermes.memory.recall.when import (
    SOON_MS,
    TimeSpan,
    find_ahead,
    find_asked,
    find_past,
    read_tense,
)
from hermes.store.text import parse_query

STOP_WORDS = frozenset(
    """a about after again all also am an and any anyone anything are as at be because been before
    being but by can could d did do does doing done during each ever for from get got had has have
    having he her here hers him his how i if in into is it its itself just ll m may me might mine
    more most much must my no nor not of off on once one only or other our ours out over own re
    really s same shall she should since so some someone something such t than that the their theirs
    them then there these they this those through to too until up us ve very was we were what when
    where which while who whom whose why will with would you your yours tell please remind know
    remember""".split()
)
# What is asked of a time as a whole: "what happened …", "what was going on …".
OF_ANY_TIME = frozenset(
    """happen happened happening occurred go goes going went gone said say talk talked talking spoke
    discuss discussed event events thing things stuff new news work worked working day
    earlier later already far exactly precisely roughly approximately overall altogether""".split()
)
# That something was told says nothing of what, where nothing but a time is asked for…
TELLING = frozenset(
    """say said saying tell told telling talk talked talking speak spoke spoken speaking discuss
    discussed mention mentioned mentioning write wrote written writing""".split()
)
# …and it is asked what was told, not what to tell.
_TOLD = re.compile(
    r"\b(?:did|have|has|had|was|were|been)\b.{0,200}\b(?:say|tell|talk|speak|discuss|mention|write)\b"
    r"|(?:['’]ve|\b(?:have|has|had|was|were|been))\b.{0,200}\b(?:say|tell|talk|speak|mention|writ)ing\b"
    r"|\b(?:said|told|talked|spoken?|discussed|mentioned|wrote|written)\b",
    re.I | re.S,
)
# What asks for the weeks gone by, where nothing else is asked for: "what happened recently".
LATELY = re.compile(
    r"\b(?:recently|recent|lately|of late|not (?:(?:so|too|very|that) )?long ago)\b", re.I
)
OF_LATE = frozenset("recently recent lately late long ago".split())
LATELY_MS = 30 * DAY_MS
# What is asked of a time to come: "what is planned …", "what is due …".
OF_PLANS = frozenset(
    """plan plans planned planning due coming upcoming scheduled booked schedule agenda calendar
    appointment appointments deadline deadlines expect expected""".split()
)
# What asks for the time to come, where nothing else is asked for: "what is coming up".
TO_COME = frozenset(
    """due coming upcoming next soon ahead plans planned scheduled schedule agenda calendar
    appointment appointments deadline deadlines steht fällig termine fristen""".split()
)
# What a task begins with says what to do, not what it is about, where it says more.
ORDERS = frozenset(
    """write draft compose make create generate tell give show explain describe list find help fix
    summarize summarise translate suggest recommend plan prepare check""".split()
)
GREETINGS = frozenset(
    """hi hello hey hiya howdy yo thanks thank thx ok okay bye goodbye cheers lol haha hallo hola
    bonjour salut ciao servus moin hej cześć danke merci gracias 你好 谢谢 こんにちは""".split()
)
GREETED = frozenset("there you all everyone again so very much a lot then".split())
LOOKUP_WORDS = 3
ASKED_CHARS = 4_000  # of a task: with a log pasted into it, what is asked stands before or after
_WORD = re.compile(r"\w+")
_GOOD_DAY = re.compile(r"\W*good (?:morning|afternoon|evening|night|day)(?: \w+)?\W*", re.I)
_ABOUT_SELF = re.compile(
    r"\b(?:i|my|me|mine|myself|ich|mein\w*|mir|mich|je|j|mon|ma|mes|moi|yo|mi|mis|io|mio"
    r"|meu|minha)\b|我|私|僕",
    re.I,
)


class Subject(Enum):
    """Whose words are likely to hold the answer, where the question names nobody."""

    ANYONE = "anyone"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True)
class Task:
    """A task as recall sees it."""

    text: str
    asked_at: int
    terms: tuple[str, ...] = ()
    spans: tuple[TimeSpan, ...] = ()
    subject: Subject = Subject.ANYONE
    cue: Cue = "other"
    words: frozenset[str] = field(default=frozenset())
    zone: str = "UTC"

    @property
    def type(self) -> TaskType:
        return infer_task_type(self.text)

    @cached_property
    def time_words(self) -> frozenset[str]:
        """The words that name a time; they are looked up, but say nothing of what is wanted."""
        said = " ".join(span.text for span in self.spans)
        return frozenset(_WORD.findall(said.casefold()))

    @cached_property
    def identifiers(self) -> tuple[str, ...]:
        """What of it names one thing and no other."""
        return tuple(term for term in self.terms if is_identifier(term))

    @cached_property
    def is_about_time(self) -> bool:
        """Whether nothing is asked for but what was, or will be, in the times named."""
        if not self.spans:
            return False
        aside = OF_ANY_TIME | self.plan_words | _told_words(self.text)
        rest = {term.casefold() for term in self.terms if _tells(term)} - aside
        return all(self.time_words.issuperset(_WORD.findall(term)) for term in rest)

    @cached_property
    def little_words(self) -> frozenset[str]:
        """The words that say nothing of what is wanted, where what a task asks for is a time."""
        if not self.is_about_time:
            return frozenset()
        terms = {term.casefold() for term in self.terms}
        return frozenset(term for term in terms if term in TELLING or not _tells(term))

    @property
    def plan_words(self) -> frozenset[str]:
        """The words that ask for what is planned, where a time ahead is named."""
        return OF_PLANS if self.ahead else frozenset()

    @cached_property
    def past(self) -> tuple[TimeSpan, ...]:
        """The times named that are over, as far as they are asked about."""
        return tuple(find_past(self.text, self.spans, self.asked_at))

    @cached_property
    def ahead(self) -> tuple[TimeSpan, ...]:
        """The times named that are not over, as far as they are asked about."""
        return tuple(find_ahead(self.text, self.spans, self.asked_at))

    @property
    def is_lookup(self) -> bool:
        """Whether it is a word or two to look up rather than a question or an order."""
        return len(self.words) <= LOOKUP_WORDS and not self.order

    @cached_property
    def order(self) -> frozenset[str]:
        """The word that says what to do with the rest of the task, if there is one."""
        first = self.text.casefold().split(maxsplit=1)[:1]
        return ORDERS.intersection(first) if len(self.terms) > 1 else frozenset()

    def names(self, person: str) -> bool:
        """Whether the task names a person, by full name or by any part of it that is a name."""
        return not self.words.isdisjoint(name_parts(person))


def asked_part(text: str) -> str:
    """What of a task is read: all of it, or its beginning and its end."""
    if len(text) <= ASKED_CHARS:
        return text
    half = ASKED_CHARS // 2
    return f"{text[:half].rpartition(' ')[0] or text[:half]}\n{text[-half:].partition(' ')[2]}"


def asks_nothing(text: str, found: Sequence[str] = ()) -> bool:
    """Whether there is nothing in a task to look up: a greeting, or no word at all, unless what it
    has instead, an emoji, was `found`."""
    words = set(_WORD.findall(text.casefold()))
    if not words:
        return not found
    if _GOOD_DAY.fullmatch(text):
        return True
    return words <= GREETINGS | GREETED and not words.isdisjoint(GREETINGS)


def name_parts(person: str) -> list[str]:
    """The parts of a name that tell it from other words."""
    parts = _WORD.findall(person.casefold())
    return [part for part in parts if len(part) > 1 and part not in STOP_WORDS]


def read_task(
    text: str,
    asked_at: int,
    *,
    zone: str = "UTC",
    known: Mapping[str, tuple[int, int]] | None = None,
) -> Task:
    """What a task asks for; any string is a task. `known` are the times of events, by name."""
    words, terms = frozenset(_WORD.findall(text.casefold())), tuple(telling_words(text))
    spans = find_asked(text, asked_at, zone=zone, known=known)
    if not spans:
        spans = _find_to_come(text, asked_at, terms)
    if not spans and not OF_LATE.isdisjoint(words):
        spans = _find_lately(text, asked_at, terms)
    return Task(
        text=text,
        asked_at=asked_at,
        terms=terms,
        spans=spans,
        subject=_subject_of(text),
        cue=answer_cue(text),
        words=words,
        zone=zone,
    )


def telling_words(text: str) -> list[str]:
    """The words to look up, each once: quoted phrases whole and by word, little words left out.

    Identifiers are looked up whole and by their pieces.
    """
    found: dict[str, None] = {}
    for piece in parse_query(text):
        if piece.endswith("*"):
            found.setdefault(piece)
            continue
        parts = [part for part in _WORD.findall(piece) if _tells(part)]
        if " " in piece and len(parts) > 1:
            found.setdefault(piece)
        found.update(dict.fromkeys(find_identifiers(piece)))
        found.update(dict.fromkeys(parts))
    return list(found) or list(_spare_words(text))


def _tells(word: str) -> bool:
    if len(word) == 1 and word.isascii():
        return word.isdigit()
    return word.casefold() not in STOP_WORDS


def _told_words(text: str) -> frozenset[str]:
    """The verbs of telling, where a task asks what was told."""
    return TELLING if _TOLD.search(text) else frozenset()


def _spare_words(text: str) -> Iterable[str]:
    """A question of nothing but little words is still looked up by them."""
    return dict.fromkeys(part for piece in parse_query(text) for part in _WORD.findall(piece))


def _find_to_come(text: str, asked_at: int, terms: Sequence[str]) -> tuple[TimeSpan, ...]:
    """The weeks to come, where a task names no time and asks for nothing but what is to come."""
    if not terms or not all(term.casefold() in TO_COME for term in terms):
        return ()
    if read_tense(text) != "future":
        return ()
    said, end_at = " ".join(terms), asked_at + SOON_MS
    return (TimeSpan(asked_at, end_at, said, 0, len(text), "month", "future", 1.0),)


def _find_lately(text: str, asked_at: int, terms: Sequence[str]) -> tuple[TimeSpan, ...]:
    """The weeks gone by, where a task names no time and asks for nothing but what was of late."""
    rest = {term.casefold() for term in terms} - OF_ANY_TIME - _told_words(text)
    if rest - OF_LATE or not (lately := LATELY.search(text)):
        return ()
    start_at, (start, end) = asked_at - LATELY_MS, lately.span()
    return (TimeSpan(start_at, asked_at, lately[0], start, end, "month", "past", 0.6),)


def _subject_of(text: str) -> Subject:
    if asks_about_assistant(text):
        return Subject.ASSISTANT
    return Subject.USER if _ABOUT_SELF.search(text) else Subject.ANYONE
