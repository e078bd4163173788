"""A candidate made whole: its quote, its names, its time; and each one only once."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes.memory.entities import name_mentions, without_title
from hermes.memory.entities.plain import is_plain
from hermes.memory.facts.candidate import SHORTEST_QUOTE, USER, Candidate
from hermes.memory.facts.clauses.cues import (
    Opening,
)
from hermes.memory.facts.clauses.lexicon import NAMES
from hermes.memory.facts.clauses.slots import spell
from hermes.memory.facts.clauses.split import Clause, Sentence
from hermes.memory.facts.clauses.talk import Talk
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.clauses.verbs import of_many
from hermes.types import Confidence, FactKind

_NOW = re.compile(
    r"(?<!from)(?<!until)(?<!by)(?<!starting)(?<!as of),? "
    r"(?:right now|now|nowadays|these days|at the moment)$",
    re.IGNORECASE,
)
_TAG = re.compile(
    r",? (?:yes|yeah|yep|so no|lol|haha|btw|by the way|though|tho|please|pls|thanks|thx|right|"
    r"full stop|either|(?:that's |it's )?(?:decided|settled|final)|(?:so )?remember)$",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"(?i),? (?:full stop(?: u[mh]+)?|u[mh]+|yay|ugh|lol|haha|btw|by the way|tho|though|pls|please)"
    r"(?= \()"
)
_CONTRAST = re.compile(r"(?i),? (?:and |but )?(?P<word>never|not) (?P<other>(?:[\w'’-]+ ?){1,4})$")
_AND_I = re.compile(r"(?i)(?:^|(?<=[,;:] ))my (?P<who>\w+(?: \w+)?) and $")
_NO_CONTRAST = frozenset(
    "yet sure even that so too very really if for because since to a an the my on in at when again "
    "with any anymore only just always".split()
)
GAP = "   "  # where words of others were blanked out; what stands around them was not said so
FEWEST_DIGITS = 4  # of a number by which someone can be called
_AGE = re.compile(r"(\d+) (?:years?|yrs?|yo)(?: old| of age)?\b(?: years old)?", re.IGNORECASE)
_BESIDE_AGE = re.compile(r"(?<= \d\d)(?:,| and| in) (?!a half).+ years old$")
_AGE_AND = re.compile(r"(?i)^i(?:'m| am|m) (?P<what>\d\d and [^,;]+)$")
_POINTS = re.compile(r"(?i)\b(?:i|me|my|we|our|this|that|it|here|there|you|your)\b")
_ASIDE = re.compile(r", which (?:they|the user) (?:only )?(?:mention|say|note|add|tell)\b.*$")
_STILL = re.compile(r",? (?:any ?more|any longer|still)$", re.IGNORECASE)


_RETAKEN = (
    r"\s*[,;–—-]*\s+(?:no,? wait|wait,? no|no,? sorry|sorry,? no|(?:no,? )?i mean|scratch that)"
    r"[,:]?\s+(?:it's\s+)?(?P<new>[\w'-]+(?:\s[A-Z\d][\w'-]*){0,2})[.!\s]*$"
)


def settled(found: list[Candidate]) -> list[Candidate]:
    """Without the endings that a new value in the same message already tells."""
    replaced = {each.replaces.casefold() for each in found if each.replaces and not each.ended}
    gone = [each for each in found if each.ended]
    kept = [each for each in found if not each.ended]
    for index, each in enumerate(kept):
        old = next((g for g in gone if g.attribute == each.attribute and not each.replaces), None)
        if old is not None and each.value.casefold() != old.value.casefold():
            kept[index] = replace(each, replaces=old.value, single=True)
            replaced.add(old.value.casefold())
    return kept + [each for each in gone if each.value.casefold() not in replaced]


def finished(
    candidate: Candidate, clause: Clause, sentence: Sentence, opening: Opening, talk: Talk | None
) -> Candidate:
    candidate = _retaken(candidate, sentence)
    if not opening.correction:  # what is put right is not told beside what is right
        candidate = _contrasted(candidate, clause, sentence)
    candidate = _with_both(candidate, clause, sentence)
    names = (
        [without_title(candidate.subject)]
        if candidate.subject != USER
        and not candidate.subject.startswith("user's")
        and not is_plain(candidate.subject)
        else []
    )
    names += (name for name in name_mentions(candidate.text) if name not in {"User", "Hermes"})
    quote = sentence.text[clause.start : clause.end] if clause.tokens else sentence.text
    asides = [spell(each) for each in clause.asides]
    aside = " ".join(asides)
    if len(asides) > 1 and (placed := _with_asides(candidate.text, asides, sentence.text)):
        candidate, aside = replace(candidate, text=placed), ""
    known = aside in candidate.text or (candidate.value and candidate.value in aside)
    named = candidate.kind is FactKind.RELATIONSHIP or candidate.attribute in NAMES
    if aside and not named and not known:
        candidate = replace(candidate, text=f"{candidate.text} ({aside})")
        if 0 <= sentence.text.find(aside) < clause.end + len(aside) + 3:
            end = max(clause.end, sentence.text.find(aside) + len(aside))
            quote = sentence.text[clause.start : end + sentence.text.startswith(")", end)]
    if candidate.attribute == "age":
        told = _with_age(_AGE.sub(r"\1 years old", candidate.text), quote)
        candidate = replace(candidate, text=told, value=_AGE.sub(r"\1", candidate.value))
    if candidate.attribute == "phone" and sum(map(str.isdigit, candidate.value)) < FEWEST_DIGITS:
        kind = FactKind.ENVIRONMENT  # "my phone is a Pixel 8": nobody can be called by that
        candidate = replace(candidate, attribute="phone model", kind=kind)
    at = talk.at if talk else None
    return replace(
        candidate,
        text=_NOW.sub("", _TAG.sub("", _NOISE.sub("", _ASIDE.sub("", candidate.text)))),
        value=_STILL.sub("", _NOW.sub("", _TAG.sub("", candidate.value))),
        quote=candidate.quote or _long_enough(quote, sentence.text),
        correction=candidate.correction or opening.correction,
        confidence=Confidence.LOW if opening.hearsay else candidate.confidence,
        entities=tuple(dict.fromkeys(names)),
        valid_from=candidate.valid_from if candidate.valid_from is not None else at,
    )


def _with_both(candidate: Candidate, clause: Clause, sentence: Sentence) -> Candidate:
    """ "my wife Sara and I are expecting a baby": it is told of both."""
    found = _AND_I.search(sentence.text[: clause.start]) if clause.tokens else None
    told = candidate.text.removeprefix("User ")
    if found is None or clause.tokens[0].low != "i" or candidate.quote or told == candidate.text:
        return candidate
    quote = sentence.text[found.start() : clause.end]
    text = f"User and their {found['who']} {of_many(told)}"
    return replace(candidate, text=text, quote=quote)


def _contrasted(candidate: Candidate, clause: Clause, sentence: Sentence) -> Candidate:
    """ "I always use pnpm, never npm", "I prefer coffee, not tea": what it is told against."""
    found = (
        _CONTRAST.fullmatch(sentence.text[clause.end :].rstrip(" .!")) if clause.tokens else None
    )
    if found is None or not _is_thing(found["other"]) or candidate.quote:
        return candidate
    if not candidate.value or not candidate.text.endswith(candidate.value):
        return candidate
    quote = sentence.text[clause.start :].rstrip(" .!")
    if candidate.attribute == "prefers":
        told = f" to {found['other']}"
        value = candidate.value + told
    elif found["word"].lower() == "never":
        told, value = f", never {found['other']}", candidate.value
    else:
        return candidate
    return replace(candidate, text=candidate.text + told, value=value, quote=quote)


def _is_thing(other: str) -> bool:
    """Whether it is a thing that something is told against: "npm", and no deed ("give me npm")."""
    first, *more = tokenize(other)
    if first.low in _NO_CONTRAST:
        return False
    return first.tag not in {"AUX", "BE", "HAVE"} and not (first.form == "VB" and more)


def _with_age(text: str, quote: str) -> str:
    """ "I'm 34 and allergic to nuts": what stands beside the age is no part of it."""
    if _BESIDE_AGE.search(text) is None:
        return text
    whole = _AGE_AND.match(quote.strip())
    if whole and not _POINTS.search(whole["what"]):
        return f"User is {whole['what']}"
    return _BESIDE_AGE.sub(" years old", text)


def _with_asides(text: str, asides: Sequence[str], sentence: str) -> str:
    """ "two kids, Zosia (7) and Kuba (4)": each where it was said; empty where that is not seen."""
    for aside in asides:
        found = re.search(rf"([\w'-]+) ?\({re.escape(aside)}\)", sentence)
        word = re.compile(rf"\b{re.escape(found[1])}\b(?! \()") if found else None
        if word is None or len(word.findall(text)) != 1:
            return ""
        text = word.sub(lambda said, aside=aside: f"{said.group()} ({aside})", text)  # type: ignore[misc]
    return text


def _retaken(candidate: Candidate, sentence: Sentence) -> Candidate:
    """ "my boss is Ingrid, no wait, Solveig": the value that was said last."""
    value = candidate.value
    said = f"(?i:{re.escape(value)}){_RETAKEN}"
    found = re.search(said, sentence.text) if value and value in candidate.text else None
    if found is None:
        return candidate
    text = candidate.text.replace(value, found["new"])
    return replace(candidate, text=text, value=found["new"], quote=sentence.text)


def _long_enough(quote: str, sentence: str) -> str:
    return quote if sum(map(str.isalnum, quote)) >= 3 else sentence


def is_quotable(quote: str) -> bool:
    """Whether it says enough, and nothing of others stood within it."""
    return GAP not in quote and sum(map(str.isalnum, quote)) >= SHORTEST_QUOTE


def new_ones(fresh: Sequence[Candidate], known: Sequence[Candidate]) -> Iterator[Candidate]:
    """Each statement once: the same words about the same thing add nothing."""
    seen = {_key(each) for each in known}
    for candidate in fresh:
        if _key(candidate) not in seen:
            seen.add(_key(candidate))
            yield candidate


def _key(candidate: Candidate) -> tuple[str, str, str, bool]:
    value = " ".join(candidate.value.casefold().replace("’", "'").split())
    return candidate.subject.casefold(), candidate.attribute, value, candidate.ended
