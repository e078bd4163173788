"""Readings with what the message says to have changed, and changes that no reading tells.

A reading that is not sure enough by itself may still be one of a change of what is known: it is
kept as a leaning one, for whoever knows the facts. Nothing here knows them.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.change import Change, read_change
from hermes.memory.facts.clauses.days import find_beginning, find_day
from hermes.memory.facts.clauses.frame import parse
from hermes.memory.facts.clauses.lexicon import RELATIONS
from hermes.memory.facts.clauses.split import Sentence
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.sorts import same_thing
from hermes.types import Confidence, FactKind

_SINCE = re.compile(
    r"\b(?:from|as of|starting|effective|beginning)(?: on)?\s+(?P<ahead>(?:the\s+)?[\w ]{3,20}?)"
    r"(?:\s+on(?:wards?)?\b|[,.;!]|\s+(?:i|im|we|my|our|the)\b|$)|\bsince\s+(?P<past>[\w ]{3,20})",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"\b(?:start|join|mov|transferr?)(?:e?s|ing|e)?\b[^,;.]{0,40}?\b(?:on\s+(?P<ahead>(?:the\s+)?"
    r"[\w ]{3,20})|in\s+(?P<month>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\b|"
    r"(?P<next>next\s+(?:week|month|year)))",
    re.IGNORECASE,
)
_MY = re.compile(r"User's (?:team's )?(?P<noun>[a-z]+(?: [a-z]+)?) is (?P<value>.+)$")
_BREAKS_OFF = re.compile(
    r"(?i)\b(?:to|with|for|of|at|on|in)(?: \(said [\d-]+\))?$"
)  # "that I'm allergic to"
_TAKES_BACK = re.compile(
    r"User (?:asks(?: to|:) (?:forget|ignore|disregard|scratch|strike|never ?mind|take back)\b|"
    r"(?:never )?said (?:about|they)\b)",
    re.IGNORECASE,
)
_ASKED_ONCE = re.compile(r"User asks(?: to|:) (?:drop|ditch|cancel|leave|abandon)\b", re.IGNORECASE)
_STARTS = re.compile(r"(?i),?\s+(?:starting|effective|as of|beginning)\s[\w ]{3,25}[.!]?$")
_TOLD_BESIDE = re.compile(
    r"(?i)^(?:called|named|known as)\s+|,?\s+(?:starting|effective|beginning)(?:\s.*)?$"
)  # of what came: that it is a name, and when it begins
PEOPLE = "by:people"
_OF_A_DAY = frozenset({FactKind.DEADLINE, FactKind.EVENT})


def with_changes(
    told: Sequence[Candidate], sentences: Sequence[Sentence], at: int
) -> list[Candidate]:
    """Each reading with the change its sentence tells, and a bare one for each other change."""
    changes = [_change_in(f"{each.text}{each.mark}") for each in sentences]
    found: list[Candidate] = []
    for candidate in told:
        place = _place(candidate.quote, sentences)
        change = Change() if place is None else _of_clause(candidate.quote, changes, place)
        change = candidate.change or change
        whole = "" if place is None else sentences[place].text
        named = _named(replace(candidate, change=change))
        found.append(dated(named, at, _with_start(candidate.quote, whole)))
    places = [_place(each.quote, sentences) for each in told]
    for place, sentence in enumerate(sentences):
        change = _around(changes, place)
        quotes = [each.quote for each, n in zip(told, places, strict=True) if n == place]
        if _is_untold(change, quotes):
            found.append(_bare(sentence, change))
    return sorted(found, key=_only_says_what_is_gone)


def with_told(rest: Sequence[Candidate], sentences: Sequence[Sentence]) -> list[Candidate]:
    """What no reader stands for, with the change that its own words tell."""
    changes = [_change_in(f"{each.text}{each.mark}") for each in sentences]
    found: list[Candidate] = []
    for each in rest:
        place = _place(each.quote, sentences)
        whole = Change() if place is None else changes[place]
        own = _change_in(each.quote)
        found.append(replace(each, change=whole if _is_in(whole, each.quote) else own))
    return found


def _change_in(text: str) -> Change:
    change = read_change(text)
    return replace(change, new=_TOLD_BESIDE.sub("", change.new)) if change.new else change


def _is_in(change: Change, quote: str) -> bool:
    """Whether a quote holds what a change is about."""
    named = [part.casefold() for part in (change.gone, change.new) if part]
    return bool(named) and all(part in quote.casefold() for part in named)


def _is_untold(change: Change, quotes: Sequence[str]) -> bool:
    """Whether no reading of a sentence rests on the words that tell what changed."""
    if change.gone and change.own:
        return not any(change.gone.casefold() in quote.casefold() for quote in quotes)
    return bool(change.new) and not any(_change_in(quote).new == change.new for quote in quotes)


def leaning(candidate: Candidate) -> Candidate | None:
    """A reading that was not sure enough, if it tells a change."""
    if not candidate.change or _BREAKS_OFF.search(candidate.text):
        return None
    if _ASKED_ONCE.match(candidate.text) and not candidate.change.new:
        return None  # "drop the flights, we take the train"
    if _TAKES_BACK.match(candidate.text):  # it tells what is over, and nothing that is so
        bare = Candidate("", FactKind.OTHER, value=candidate.change.new, quote=candidate.quote)
        candidate = replace(bare, change=candidate.change, confidence=candidate.confidence)
    sure = Confidence.MEDIUM if candidate.confidence is Confidence.HIGH else candidate.confidence
    return replace(candidate, leaning=True, confidence=sure)


def untold(found: Sequence[Candidate]) -> list[Candidate]:
    """Without the leaning readings of words that a sure one rests on, or of a change it tells."""
    sure = [each for each in found if not each.leaning]
    return [each for each in found if not (each.leaning and _is_covered(each, sure))]


def _is_covered(leaning: Candidate, sure: Sequence[Candidate]) -> bool:
    if leaning.text:
        return any(leaning.quote in each.quote for each in sure)
    told = (leaning.change.gone, leaning.change.new)
    return any(told == (each.change.gone, each.change.new) for each in sure)


def _place(quote: str, sentences: Sequence[Sentence]) -> int | None:
    """Which sentence a quote stands in, or begins with."""
    for place, sentence in enumerate(sentences):
        if quote in sentence.text or sentence.text in quote:
            return place
    return None


def _of_clause(quote: str, changes: Sequence[Change], place: int) -> Change:
    """What a clause changes, with what the rest of its sentence and those beside say is gone."""
    own, whole = _change_in(quote), changes[place]
    before = changes[place - 1] if place else whole
    if whole.announced or (before.announced and not before.gone and not before.new):
        own = replace(own, announced=True)
    if not whole or own.gone:
        return own
    if whole.gone:
        return replace(own, gone=whole.gone, own=False)
    return _around([*changes[:place], own, *changes[place + 1 :]], place)


def _around(changes: Sequence[Change], place: int) -> Change:
    """What a sentence changes; what is gone may be named in the one before it or after it."""
    change = changes[place]
    if change.gone:
        return change
    beside = [changes[n] for n in (place - 1, place + 1) if 0 <= n < len(changes)]
    gone = next((each.gone for each in beside if each.gone and not each.new), "")
    return replace(change, gone=gone, own=False) if gone else change


def _bare(sentence: Sentence, change: Change) -> Candidate:
    return Candidate(
        "", FactKind.OTHER, value=change.new, quote=sentence.text.strip(), change=change
    )


def _only_says_what_is_gone(candidate: Candidate) -> bool:
    """What takes a place comes before what only tells that it is free."""
    change = candidate.change
    gone = change.gone and change.gone.casefold() in candidate.quote.casefold()
    return bool(gone) and (not change.new or candidate.kind is FactKind.EVENT)


def _named(candidate: Candidate) -> Candidate:
    """ "my manager is Willem", taken as it was said: it is of the manager all the same."""
    found = _MY.match(candidate.text) if candidate.attribute == "said:be" else None
    if found is None or found["value"] != candidate.value:
        return candidate
    noun = same_thing(found["noun"])
    kind = FactKind.RELATIONSHIP if found["noun"] in RELATIONS else candidate.kind
    return replace(candidate, attribute=noun, single=not noun.endswith("s"), kind=kind)


def _with_start(quote: str, sentence: str) -> str:
    """ "My new boss is Anders, starting in June": the words of a reading and when it begins."""
    rest = sentence.partition(quote)[2]
    return quote + rest if _STARTS.match(rest) else quote


def dated(candidate: Candidate, at: int, told: str) -> Candidate:
    """ "from April on I report to Dana": it holds from the day that is told."""
    if _lasts_from(candidate, at):
        return replace(candidate, kind=FactKind.OTHER)
    if candidate.kind in _OF_A_DAY or candidate.valid_from not in (None, at):
        return candidate
    if PEOPLE in candidate.signs and parse(tuple(tokenize(told))).verb not in {"be", ""}:
        return candidate  # "my wife Ana and I move on 1 May": she was it before
    day = None
    if found := _SINCE.search(told):
        words, past = found["ahead"] or found["past"], found["past"] is not None
        day = find_day(words, at, past=past, first=True)
    if day is None and candidate.single and (begins := _BEGINS.search(told)):
        ahead = begins["ahead"] or begins["month"] or begins["next"]
        day = find_day(ahead, at, first=True)  # "I start at Initech on Monday"
    return candidate if day is None else replace(candidate, valid_from=day.start_at)


def _lasts_from(candidate: Candidate, at: int) -> bool:
    """ "from August on we buy flour from Ceres": nothing that happens, but what will be so."""
    said = candidate.kind is FactKind.EVENT and candidate.attribute.startswith("said:")
    begins = find_beginning(candidate.quote, at) if said else None
    return begins is not None and candidate.valid_from == begins.start_at
