"""Whether the newest or the oldest of what matches is asked for: "when did I last mention Balou",
"the latest on the roof", "the first time we met".

Then what matches well goes by its time: what holds every telling word of the task, or, where
nothing does, is nearly as good as the best. What is much worse than the best stays behind it. Pure;
a task without such words is left as it is.
"""

import re
from functools import lru_cache
from typing import Literal

import numpy as np

from hermes.memory.recall import windows
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.hits import Hits
from hermes.memory.recall.outline import Flags, Floats, Positions
from hermes.memory.recall.task import OF_ANY_TIME, Subject
from hermes.types import Role

NAME = "ends"
End = Literal["first", "last"]
HINTS = frozenset("first last latest recent recently earliest".split())
FOUND = 8  # of what holds every telling word, from that end
LOOKED_AT = 256  # messages at one end of a bank
WORSE = np.float32(6.0)  # in score than the best: what holds every telling word may be so much…
NEARLY = np.float32(1.5)  # …and what does not, so much
_WHO = r"(?:i|we|you|he|she|they|it|(?:my|our|his|her|their|the) [\w-]+|(?-i:[A-Z])[\w-]+)"
_DID = rf"\b(?:did|have|has|had|was|were|is|are|am|do|does) {_WHO}"
_OF_TIME = (
    r"(?:weeks?|weekends?|months?|quarter|years?|nights?|evening|morning|days?|semester|decade"
    r"|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january"
    r"|february|march|april|may|june|july|august|september|october|november|december"
    r"|christmas|easter|half|hours?|minutes?|time of)"
)
_NO_END = rf"(?!{_OF_TIME}\b|names?\b|floors?\b|aid\b|class\b|in\b|to\b|at\b|of\b|on\b|and\b)"
_LAST = re.compile(
    rf"{_DID} (?:ever )?(?:last|most recently) {_NO_END}\w|\blast time\b(?! of\b)"
    rf"|\bmost recent(?:ly)?\b|(?<!\bat )(?<!\bat the )\blatest\b"
    rf"|\bwhen (?:was|is|were) (?:the|my|our|his|her|their|[\w-]+['’]s) last {_NO_END}\w"
    rf"|\bthe (?:very )?last thing {_WHO}\b"
    rf"|{_DID}\b[^.?!]{{0,200}}(?<!\bat)(?<!\blong)(?<!\bto)(?<!\bthe)(?<!\bbefore)(?<!\bcome)"
    r" last\W*$",
    re.I,
)
_FIRST = re.compile(
    rf"{_DID} (?:ever )?first {_NO_END}\w|\b(?:the|my|our|for the) (?:very )?first time\b"
    rf"|(?<!\bat the )\bearliest\b|\bthe (?:very )?first thing {_WHO}\b"
    rf"|\bwhen (?:was|is|were) (?:the|my|our|his|her|their|[\w-]+['’]s) first {_NO_END}\w",
    re.I,
)
# What says that it is asked for, and how: not what of.
_ASKING = (
    HINTS
    | OF_ANY_TIME
    | frozenset(
        """mention mentions mentioned mentioning tell told speak spoken speaking bring brought
    ask asked hear heard time times most update updates status""".split()
    )
)

_WORD = re.compile(r"\w+")


@lru_cache(64)
def asked_end(text: str) -> End | None:
    """Which end of what matches a task asks for, if it does."""
    if _LAST.search(text):
        return "last"
    return "first" if _FIRST.search(text) else None


def _end_of(evidence: Evidence) -> End | None:
    task = evidence.task
    return None if task.words.isdisjoint(HINTS) else asked_end(task.text)


def search(evidence: Evidence) -> Hits | None:
    """The messages at that end that hold every telling word; none where no end is asked for."""
    end = _end_of(evidence)
    if end is None:
        return None
    holding = _list_outermost(evidence, end) if _is_open(evidence) else _list_holding(evidence)
    if holding is None:
        return None
    holding = holding[_fits(evidence, holding)]
    order = _by_time(evidence, holding, end)[:FOUND]
    return Hits(NAME, holding[order], np.zeros(len(order), np.float32))


def put_in_order(evidence: Evidence, places: Positions, scores: Floats) -> Floats:
    """The scores; of what matches well, changed among themselves, so that it goes by its time."""
    end = _end_of(evidence)
    if end is None or not len(places):
        return scores
    fits = _fits(evidence, places)
    if not fits.any():
        return scores
    if _is_open(evidence):  # whatever is at that end is what is asked for
        rows = np.flatnonzero(fits & np.isin(places, _list_outermost(evidence, end)))
    else:
        rows = _list_well_matching(evidence, places, scores, fits)
    order = rows[_by_time(evidence, places[rows], end)]
    changed = scores.copy()
    changed[order] = -np.sort(-scores[rows])
    if _is_open(evidence) and len(rows):
        changed[order] += scores.max() - changed[order[0]]
    return changed


def asking_words(evidence: Evidence) -> frozenset[str]:
    """The words of a task that only say which end is asked for."""
    return frozenset() if _end_of(evidence) is None else _ASKING


def find_asked(evidence: Evidence, places: Positions) -> Flags:
    """Which message is the one at an end, where nothing else is asked for."""
    end = _end_of(evidence)
    if end is None or not _is_open(evidence):
        return np.zeros(len(places), np.bool_)
    return np.isin(places, _list_outermost(evidence, end)[:1])


def _is_open(evidence: Evidence) -> bool:
    """Whether nothing but an end is asked for: "what was the first thing I told you"."""
    aside = _ASKING | evidence.task.time_words | evidence.outline.name_parts.keys()
    return all(aside.issuperset(_WORD.findall(term.casefold())) for term in evidence.task.terms)


def _list_outermost(evidence: Evidence, end: End) -> Positions:
    """The messages at one end of the bank."""
    places = np.arange(evidence.outline.count)
    places = places[:LOOKED_AT] if end == "first" else places[-LOOKED_AT:]
    places = places[_fits(evidence, places)]
    return places[_by_time(evidence, places, end)][:FOUND]


def _list_well_matching(
    evidence: Evidence, places: Positions, scores: Floats, fits: Flags
) -> Positions:
    """The rows of what holds every telling word; where nothing does, of what is nearly the best."""
    behind = scores[fits].max() - scores
    holding = _list_holding(evidence)
    if holding is not None:
        holds = fits & np.isin(places, holding) & (behind <= WORSE)
        if holds.any():
            return np.flatnonzero(holds)
    return np.flatnonzero(fits & (behind <= NEARLY))


def _list_holding(evidence: Evidence) -> Positions | None:
    """The messages that hold every telling word of the task but those that ask for an end; none
    where one of them stands nowhere, or there is none."""
    words, aside = evidence.words, _ASKING | evidence.task.time_words
    if any(word.casefold() not in aside for word in words.missing):
        return None
    found: Positions | None = None
    for term in words.terms:
        if term.word.casefold() not in aside:
            found = term.places if found is None else np.intersect1d(found, term.places)
    return found


def _fits(evidence: Evidence, places: Positions) -> Flags:
    """Which are shown, said in a time that is named, and by whom the task asks about."""
    outline, task = evidence.outline, evidence.task
    fits = evidence.may_show(places)
    if task.spans:
        at = outline.take("at", places).astype(np.int64)
        fits &= windows.inside(
            task.spans, at, evidence.oldest_at, task.asked_at, years=True, least=0.0
        )
    if len(evidence.named):
        said = np.isin(outline.take("speakers", places), evidence.named)
    else:
        wanted = Role.ASSISTANT if task.subject is Subject.ASSISTANT else Role.USER
        said = outline.take("roles", places) == tuple(Role).index(wanted)
    return fits & said if (fits & said).any() else fits


def _by_time(evidence: Evidence, places: Positions, end: End) -> Positions:
    """The order of messages from that end."""
    at = evidence.outline.take("at", places).astype(np.int64)
    order = np.lexsort((places, at))
    return order[::-1] if end == "last" else order
