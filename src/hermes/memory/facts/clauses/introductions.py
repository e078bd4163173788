"""The user by name: "I am Nadia, backend dev at Parcelo", "my preferred name, Ren"."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.labels import Words, employer_fact, role_facts, slots_of
from hermes.memory.facts.clauses.lexicon import (
    DIETS,
    NATIONALITIES,
    RELATIONS,
)
from hermes.memory.facts.clauses.slots import spell, split_slots
from hermes.memory.facts.clauses.tokens import Token
from hermes.types import Confidence, FactKind

_PRONOUNS = re.compile(
    r"(?i)(?<![\w/])(?:she|he|they|xe|ze) ?/ ?(?:her|him|them|xem|zir|they|she|he)\b(?: ?/ ?\w+)?"
)
_BESIDE_PRONOUNS = frozenset(
    "i use go by my pronouns are is also and btw ok hi please pls pronoun im m it s now".split()
)

_RANKS = frozenset(
    """staff senior junior principal lead team tech head chief product project program programme
    engineering account sales marketing data software backend frontend platform site security
    general managing executive vice associate assistant deputy interim acting regional store office
    night shift research operations finance customer support hr design""".split()
)


_SURNAME = frozenset({"last", "family", "second"})
_BESIDE_NAME = frozenset({"middle", "maiden", "birth", "pen", "stage", "user", "artist"})


def name_fact(name: str, which: str = "") -> Candidate:
    """What the user is called, or one of their other names: "my last name is Berg"."""
    named = f"{which} name" if which else "name"
    attribute = "surname" if which in _SURNAME else named
    text = f"User's {named} is {name}"
    return Candidate(text, FactKind.IDENTITY, USER, attribute, name, single=True)


def find_introduction(frame: Frame, *, greeted: bool) -> list[Candidate]:
    """ "I'm Nadia, backend dev at Parcelo", "it's Priyanka from the Leeds depot"."""
    words = list(frame.rest)
    if frame.verb != "be" or frame.tense != "present" or frame.negated or not words:
        return []
    own = frame.subject.kind == "user"
    if not own and frame.subject.kind != "it":
        return []
    spoken = frame.subject.kind == "it" and frame.subject.noun in {"it", "this"}
    if not own and not spoken:
        return []  # "the treasurer signs, that's Birgitta Moe"
    end = 0
    while end < len(words) and words[end].tag == "NAME" and end < 3:
        end += 1
    name = words[:end]
    if not name or not values.is_person(name) or any(t.low in NATIONALITIES for t in name):
        return _small_name(words) if own and greeted else []
    if name[0].low in _RANKS and values.is_role(name):
        return []  # "I'm now Staff Engineer at Lumen Grid"; but Anna Baker is called that
    after = words[end] if end < len(words) else None
    closes = (
        after is None
        or after.tag in {"PUNCT", "CONJ", "INTJ", "ADV"}
        or after.low in {"from", "with", "at"}
    )
    if not closes or (spoken and not _is_spoken(after, greeted=greeted)):
        return []
    slots, _ = split_slots(words[end:])
    found = whereabouts(
        _upto_comma(slots_of(slots, "from")), slots_of(slots, "at", "with"), role=own
    )
    for part in _parts(words[end:]):
        found += _intro_part(part)
    named = name_fact(spell(name))
    return [named if greeted or found or after is not None else _unannounced(named), *found]


def _is_spoken(after: Token | None, *, greeted: bool) -> bool:
    """ "it's Priya from Leeds"; "hi, this is Dagny, new here" after a greeting only."""
    if after is not None and after.low in {"from", "again", "at", "with"}:
        return True
    return greeted and (after is None or after.text == "," or after.low == "here")


def _unannounced(named: Candidate) -> Candidate:
    """ "I am Groot" may be a name or a line from a film: it takes the place of no other name."""
    return replace(named, single=False, confidence=Confidence.MEDIUM)


def find_own_name(words: Words) -> list[Candidate]:
    """ "my preferred name, Ren"; "also they/them"."""
    if pronouns := _own_pronouns(words):
        told = f"User's pronouns are {pronouns}"
        return [Candidate(told, FactKind.IDENTITY, USER, "pronouns", pronouns, single=True)]
    for index, token in enumerate(words[:-1]):
        after = [t for t in words[index + 1 : index + 3] if t.text != ","]
        mine = any(t.low == "my" for t in words[max(0, index - 2) : index])
        if (
            token.low == "name"
            and mine
            and after
            and after[0].tag == "NAME"
            and values.is_person(after[:1])
        ):
            return [name_fact(after[0].text)]
    return []


_PRONOUN_IS = re.compile(
    r"(?i)(?:(?:ok|hi|btw|also|oh|and|my|the|use)[, ]+)*pronouns? (?:is|are|=) "
    r"(?P<which>she|he|they|xe|ze|it|any)(?:[,. ]+(?:please|pls|btw|thanks))?[. ]*"
)
_WHOLE = {"she": "she/her", "he": "he/him", "they": "they/them"}
_BESIDE_DAY = frozenset({"on", "the", "is"})


def _own_pronouns(words: Words) -> str:
    """The pronouns that a clause names and says nothing else."""
    text = " ".join(token.text for token in words)
    if alone := _PRONOUN_IS.fullmatch(text):
        return _WHOLE.get(alone["which"].lower(), alone["which"].lower())
    found = _PRONOUNS.search(text)
    if found is None:
        return ""
    others = re.findall(r"[^\W\d_]+", _PRONOUNS.sub(" ", text).lower())
    return found.group().lower().replace(" ", "") if set(others) <= _BESIDE_PRONOUNS else ""


def _day_of_year(frame: Frame) -> Candidate | None:
    """ "my sister's birthday is 4 May", "Robert's birthday is 4 May"."""
    noun, value = frame.subject.noun, spell([t for t in frame.rest if t.low not in _BESIDE_DAY])
    named = _owner_named(frame.subject.words)
    if frame.subject.kind == "own":
        owner = next((t.low for t in frame.subject.words if t.low in RELATIONS), "")
        subject, who = (f"user's {owner}", f"User's {owner}") if owner else (USER, "User")
    elif named and any(map(str.isdigit, value)):
        subject = who = named
    else:
        return None
    told = f"{who}'s {noun} is {value}"
    return Candidate(told, FactKind.IDENTITY, subject, noun, value, single=True)


def _owner_named(words: Words) -> str:
    """ "Robert" of "Robert's birthday"."""
    owner = next((n for n, t in enumerate(words) if t.tag == "GEN"), 0)
    return spell(words[:owner]) if values.is_person(words[:owner]) else ""


def find_marked(frame: Frame) -> list[Candidate]:
    """Birthdays and the like: a day of the year, not a date ahead; and one's name, however put."""
    noun = frame.subject.noun
    if frame.verb not in {"be", "spell", "call"} or frame.negated or frame.tense != "present":
        return []
    if noun in {"birthday", "anniversary"} and (day := _day_of_year(frame)):
        return [day]
    if (
        frame.subject.owner == "user"
        and noun == "name"
        and not any(t.tag == "GEN" for t in frame.subject.words)
    ):
        small = {"de", "del", "van", "von", "la", "bin", "da", "der", "di", "al"}
        end = next(
            (n for n, t in enumerate(frame.rest) if t.tag != "NAME" and t.low not in small),
            len(frame.rest),
        )
        words = list(frame.rest[: end or 1])
        bad = not words or words[0].tag in {"PRON", "DET", "ADV", "PREP", "WH", "POSS"}
        which = {t.low for t in frame.words[:3]} & (_SURNAME | _BESIDE_NAME)
        name = spell(words)[:1].upper() + spell(words)[1:]
        return [] if bad or len(words) > 5 else [name_fact(name, next(iter(which), ""))]
    return []


def _small_name(words: Words) -> list[Candidate]:
    """ "hi, i'm tomasz": typed small, and no word that is anything else."""
    first = words[0]
    alone = len(words) == 1 or words[1].tag in {"PUNCT", "CONJ"}
    if not alone or first.tag != "NOUN" or not first.text.isalpha() or len(first.text) < 3:
        return []
    if (
        first.low in DIETS | RELATIONS | NATIONALITIES
        or values.is_role(words[:1])
        or values.is_condition(words[:1])
    ):
        return []
    return [name_fact(first.text.title())]


def _upto_comma(words: Words) -> Words:
    """ "from Cluj, 29": the age is no part of the place."""
    return words[: next((n for n, t in enumerate(words) if t.text == ","), len(words))]


def whereabouts(place: Words, org: Words, *, role: bool) -> list[Candidate]:
    found = []
    if (place and values.is_org(place) and not values.is_place(place)) or (
        place
        and any(t.low in {"&", "sons", "depot", "office", "team", "ltd", "gmbh"} for t in place)
    ):
        found.append(employer_fact(spell(values.core(place))))
    elif place and values.is_place(place):
        text = spell(values.core(place))
        found.append(
            Candidate(
                f"User is from {text}", FactKind.IDENTITY, USER, "location", text, single=True
            )
        )
    if org and values.is_org(org):
        found.append(employer_fact(spell(values.core(org))))
    return found if role or found else []


def _parts(words: Words) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in words:
        if token.text == ",":
            if part:
                yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part


def _intro_part(part: list[Token]) -> list[Candidate]:
    if any(t.low in _FORMER for t in part):
        return []  # "a surveyor in my working days"
    if values.is_role(part):
        return list(role_facts(part, introduced=True))
    if values.is_age(part):
        return [
            Candidate(
                f"User is {part[0].text} years old",
                FactKind.IDENTITY,
                USER,
                "age",
                part[0].text,
                single=True,
            )
        ]
    return []


_FORMER = frozenset("retired former formerly ex once days youth".split())
