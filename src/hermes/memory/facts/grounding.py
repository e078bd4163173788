"""Whether a statement a model wrote rests on what the user said, not only its quote.

A true quote can stand under an invented sentence. So the quote must be asserted, of whom the
sentence tells, and not the other way round; every number and name must have been said, most of the
value, and of each part of the sentence half the words that carry it. A day must follow from the
talk; one that does may be written in any way. What a thing is called without a name ("user's
orchestra", of "we're doing Dvorak") is the model's word.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from hermes.clock import DAY_MS, to_datetime
from hermes.errors import Refused
from hermes.memory.entities.names import fold
from hermes.memory.facts.assertion import clause_at, is_asked_for, is_asserted, units_at
from hermes.memory.facts.candidate import Candidate, stands_in
from hermes.memory.facts.change import read_change
from hermes.memory.facts.clauses.cues import read_opening
from hermes.memory.facts.clauses.prose import is_foreign
from hermes.memory.facts.clauses.split import Sentence, split_clauses, split_sentences
from hermes.memory.facts.clauses.units import Unit
from hermes.memory.facts.compare import stems, value_words
from hermes.memory.facts.polarity import is_inverted
from hermes.memory.facts.quotes import locate
from hermes.memory.facts.settled import Said, Span, is_borne_out, spans

VALUE_SHARE = 1 / 2  # of a value's words that the user must have said
TEXT_SHARE = 1 / 3  # of a sentence's: it says in the third person what was said in the first
CLAUSE_SHARE = 1 / 2  # of a clause's words, names among them
QUOTE_SHARE = 1 / 2  # of a quote's words that are told where none of the others was said
STEM = 5  # letters by which "allergic" is "allergy"
SHORTEST = 3  # letters of a word that may begin another: "add", "added"

_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d)")
_WORD = re.compile(r"[^\W_]+")
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_OF_USER = re.compile(r"(?i)(?:the )?user\b(?!['’]s)")
_WISH = re.compile(r"(?i)\b(?:want|wish|prefer|ask|like|expect|need)")
_FIRST_PERSON = frozenset("i me my mine we us our ours myself".split())
_OTHERS = frozenset({"person", "name"})
_BESIDE = frozenset("and but so then plus , ;".split())
_NEAR = (*range(-60, 0, 20), *range(7), *range(20, 80, 20))
_PRONOUNS = frozenset("he she they".split())
_RESTATING = stems(  # words with which anyone tells anything in the third person
    "has have had having been was were will want prefer work live use call name own keep choose "
    "chose decide plan start run join they them their her his she who which that now currently "
    "longer no not up out after when one some more going go get take year old age"
)


@dataclass(frozen=True, slots=True)
class Source:
    """The message a statement rests on, and what users said around it, each with its time."""

    text: str
    at: int
    speaker: str = ""
    talk: Sequence[Said] = ()


def verify_grounds(candidate: Candidate, source: Source) -> Candidate:
    """The candidate without what was never said to be gone, if the talk holds what it says."""
    problem = _problem(candidate, source)
    if problem:
        raise Refused(
            f"A fact was refused: {problem}: {candidate.text[:80]!r}",
            "Keep to the numbers, names and words of the message.",
        )
    said = _stems(_spoken(source))
    replaces = candidate.replaces if _is_said(candidate.replaces, _spoken(source), said) else ""
    corrects = candidate.correction and (bool(replaces) or _tells_change(candidate, source.text))
    return replace(candidate, replaces=replaces, correction=corrects)


def verify_named(candidate: Candidate, talk: str, at: int) -> Candidate:
    """The candidate, if every number and name of its text stands in what was said up to it."""
    years = " ".join(str(to_datetime(at).year + years) for years in (-1, 0, 1))
    day = _written([] if candidate.valid_from is None else [candidate.valid_from])
    day |= _stems(_near(at)) | _numbers(years)
    text = _DAY.sub("", candidate.text)
    names = [word for word in _WORD.findall(text)[1:] if word[0].isupper()]
    said = _stems(talk) | day | _stems("user hermes")
    if _numbers(text) <= _numbers(talk) | day and all(_share(name, said) == 1 for name in names):
        return candidate
    raise Refused(
        f"A fact was refused: it names what was not said: {candidate.text[:80]!r}",
        "Keep to the numbers and names of the message.",
    )


def _problem(candidate: Candidate, source: Source) -> str:
    """Why a statement is not borne out; empty if it is."""
    places = list(_places(candidate.quote, source.text)) or [(0, len(source.text))]
    problems = [_problem_at(place, candidate, source) for place in places]
    if all(problems):
        return problems[0]
    if candidate.valid_from is not None and not is_borne_out(candidate.valid_from, source.talk):
        return "nothing that was said bears its date out"
    return "" if _is_grounded(candidate, source) else "the user did not say it"


def _problem_at(place: Span, candidate: Candidate, source: Source) -> str:
    if not is_asserted(source.text, *place):
        if not (is_asked_for(source.text, *place) and _WISH.search(candidate.text)):
            return "it was asked, supposed, pasted or quoted"
    if is_inverted(clause_at(source.text, *place), candidate.text):
        return "the message says the contrary"
    return "it was said of somebody else" if _is_anothers(place, candidate, source) else ""


def _places(quote: str, text: str) -> Iterator[Span]:
    """Every place of a quote."""
    begin = 0
    while found := locate(quote, text[begin:]):
        yield begin + found[0], begin + found[1]
        begin += found[1]


def _is_anothers(place: Span, candidate: Candidate, source: Source) -> bool:
    """ "My sister lives in Oslo" told of the user: who is spoken of is not told of at all."""
    own = _OF_USER.match(candidate.text) or _opens_with(source.speaker, candidate.text)
    units = units_at(source.text, *place)
    told = _stems(candidate.text)
    if not own or not units or is_foreign(source.text):
        return False
    return all(_is_of_another(unit, told) for unit in units)


def _opens_with(speaker: str, text: str) -> bool:
    return bool(speaker) and bool(re.match(rf"(?i){re.escape(speaker)}\b(?!['’]s)", text))


def _is_of_another(unit: Unit, told: frozenset[str]) -> bool:
    subject = unit.frame.subject
    named = _stems(f"{subject.noun} {subject.name}") - _PRONOUNS
    rest = {token.low for token in unit.frame.words} - {token.low for token in subject.words}
    return (
        subject.kind in _OTHERS
        and subject.noun != "they"
        and not named & told
        and not rest & _FIRST_PERSON
    )


def _is_grounded(candidate: Candidate, source: Source) -> bool:
    talk = _spoken(source)
    days = _days(candidate, source)
    said = _stems(talk) | days
    return (
        _numbers(f"{candidate.text} {candidate.value}") <= _numbers(talk) | days
        and all(_share(name, said) == 1 for name in _names(candidate))
        and _is_said(candidate.value, talk, said)
        and _share(candidate.text, said) >= TEXT_SHARE
        and (is_foreign(source.text) or _rests_throughout(candidate, said))
    )


def _rests_throughout(candidate: Candidate, said: frozenset[str]) -> bool:
    clauses = _clauses(candidate.text)
    only = len(clauses) == 1
    return all(_rests_on(clause, candidate, said, only=only) for clause in clauses)


def _rests_on(clause: str, candidate: Candidate, said: frozenset[str], *, only: bool) -> bool:
    """Whether a part of a statement says something that was said, or most of what is quoted.

    Two who are named may have been said to be anything to each other: names alone bear nothing out.
    """
    told, names = _stems(clause), _stems(" ".join(_names(candidate)))
    carrying = told - names - _stems(candidate.subject) - _RESTATING
    words = {word for word in carrying if len(word) > 1 and not word.isdigit()}
    if not words or any(_is_one(word, other) for word in words for other in said):
        return True
    if _share(candidate.quote, told) >= QUOTE_SHARE:
        return True
    share = _share(clause, said)
    return share > CLAUSE_SHARE or (
        share == CLAUSE_SHARE and (not only or bool((told - names) & said))
    )


def _is_one(word: str, other: str) -> bool:
    """ "signe" of "signed" and "sign": the one begins the other."""
    short, long = sorted((word, other), key=len)
    return len(short) >= SHORTEST and long.startswith(short)


def _clauses(text: str) -> list[str]:
    """The parts of a statement that each say one thing of what it is about."""
    cuts = [part.start for part in split_clauses(Sentence(text, 0)) if part.joint in _BESIDE]
    return [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]


def _tells_change(candidate: Candidate, text: str) -> bool:
    """Whether the sentences of a quote open as a correction, or say what has changed."""
    return any(
        read_opening(each.text).correction or read_change(each.text)
        for each in split_sentences(text)
        if candidate.quote in each.text or each.text in candidate.quote
    )


def _spoken(source: Source) -> str:
    return "\n".join(text for text, _ in source.talk)


def _is_said(value: str, talk: str, said: frozenset[str]) -> bool:
    return _holds(talk, value) or _share(value, said) >= VALUE_SHARE


def _holds(text: str, value: str) -> bool:
    return bool(value) and stands_in(fold(value), fold(text))


def _share(text: str, said: frozenset[str]) -> float:
    """How much of a text was said; all of one that carries no words."""
    wanted = _stems(text)
    return len(wanted & said) / len(wanted) if wanted else 1.0


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:STEM] for word in value_words(_THOUSANDS.sub("", text)))


def _numbers(text: str) -> frozenset[str]:
    found = _NUMBER.findall(_THOUSANDS.sub("", text))
    return frozenset(number.lstrip("0") or "0" for number in found)


def _names(candidate: Candidate) -> list[str]:
    """Capitalised words, but for the one a sentence begins with, and what is named outright."""
    words = [*_WORD.findall(candidate.text)[1:], *_WORD.findall(candidate.value)]
    words += _WORD.findall(candidate.subject)
    return [*(word for word in words if word[0].isupper()), *candidate.entities]


def _days(candidate: Candidate, source: Source) -> frozenset[str]:
    """The ways to write the days that the talk may mean."""
    ends = [day for start, end in spans(source.talk) for day in (start, end - 1)]
    if candidate.valid_from is not None:
        ends.append(candidate.valid_from)
    if len(ends) > 2 * len(source.talk):  # times are spoken of: "in three weeks", "by Friday"
        return _written(ends) | _stems(_near(source.at))
    return _written(ends)


def _near(at: int) -> str:
    """The months and weekdays that "last month" or "by Friday" may be settled to."""
    return " ".join(f"{to_datetime(at + days * DAY_MS):%B %b %A %a}" for days in _NEAR)


def _written(days: Sequence[int]) -> frozenset[str]:
    """The ways to write some days."""
    written = " ".join(f"{to_datetime(day):%Y-%m-%d %Y %m %d %B %b %A %a}" for day in days)
    return _stems(written) | _numbers(written)
