"""What the user does again and again, practises or is learning."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.grammar import (
    Found,
    Rule,
    Said,
    phrase,
    points_elsewhere,
    rule,
    words,
)
from hermes.memory.facts.rules.person import their, third_person
from hermes.memory.facts.rules.preference import NEARBY, TRANSIENT, preference_fact
from hermes.types import FactKind

_OFTEN = (
    r"(?:every\s+(?:single\s+)?(?:day|morning|evening|night|afternoon|week|weekend|"
    r"month|year|summer|winter|"
    r"\w+day|other\s+\w+|second\s+\w+)|on\s+(?:mon|tues|wednes|thurs|fri|satur|sun|"
    r"week)days|on\s+weekends|"
    r"(?:once|twice|three\s+times|four\s+times)\s+an?\s+(?:day|week|month|year)|daily$|in\s+the\s+"
    r"(?:mornings|evenings|afternoons))"
)
_PASSING = re.compile(
    r"\b(?:it|this|that|them|these|those|him|you|error|bug|message|meeting)\b", re.I
)
_NOT_HABITS = re.compile(
    r"(?:was|were|had|got|saw|went|did|am|will|would|could|should|can|may|might|need|"
    r"want|get|see|have|think|"
    r"thought|forgot|hear|heard|know|guess|hope|said|asked|told|found|love|hate|like|prefer|use)$",
    re.I,
)
_PRACTISED = (
    r"(?:play|collect|sing|paint|knit|crochet|volunteer|surf|climb|dance|box|fence|"
    r"row|sail|ski|bake|brew|"
    r"compose|coach|breed|restore|juggle|draw|sculpt|garden|skate|train|compete|referee|photograph)"
)


def _recurring(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I go running every morning at 6", "I sing in a choir on Tuesdays"."""
    verb, value = (
        found["verb"].lower(),
        phrase(f"{found['rest']} {found['when']}{found['tail']}").strip(),
    )
    if (
        _NOT_HABITS.match(verb)
        or verb.endswith("ed")
        or _PASSING.search(value)
        or words(value) > 12
    ):
        return
    yield _habit(verb, value)


def _practises(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I play the cello", "I collect fountain pens"."""
    verb, value = found["verb"].lower(), phrase(found["value"])
    if (
        _PASSING.search(value)
        or words(value) > 8
        or re.match(r"(?:with|around|along|down|up)\b", value)
    ):
        return
    if value:
        yield _habit(verb, value)


def _habit(verb: str, value: str) -> Candidate:
    text = their(f"User {third_person(verb)} {value}")
    return Candidate(text, FactKind.PREFERENCE, USER, f"habit:{verb}", f"{verb} {value}")


def _learns(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I'm learning Japanese", "I'm training to be a pilot"."""
    value, verb = phrase(found["value"]), re.sub(r"\s+", " ", found["verb"].lower())
    if points_elsewhere(value) or words(value) > 6 or _PASSING.search(value):
        return
    text = f"User is {verb} {value}"
    yield Candidate(text, FactKind.OTHER, USER, f"habit:{verb}", f"{verb} {value}")


def _abstains(found: Found, said: Said) -> Iterator[Candidate]:
    verb = found["verb"].lower()
    yield preference_fact(f"avoids {verb}", f"does not {verb}", f"User does not {verb}")


def _off(found: Found, said: Said) -> Iterator[Candidate]:
    yield preference_fact("diet", f"off {found['value']}", f"User is off {found['value']}")


def _unavailable(found: Found, said: Said) -> Iterator[Candidate]:
    """ "can't do Thursdays", "nothing on Wednesdays please"."""
    value = phrase(said.text[: found.end()])
    own = re.sub(r"^i\s+", "", value, flags=re.I)
    yield preference_fact("availability", own, f"User's availability: {own}")


def _unsaid(found: Found, said: Said) -> Iterator[Candidate]:
    """ "please don't say fascinating": a word the user is tired of."""
    value = phrase(found["value"])
    if words(value) <= 5 and not NEARBY.search(value) and not TRANSIENT.search(said.text):
        yield preference_fact("dislikes", value, f"User does not want Hermes to {value}")


RULES: tuple[Rule, ...] = (
    rule(
        rf"i\s+(?:usually\s+|always\s+|also\s+|"
        rf"still\s+)?(?P<verb>[a-z]+)\s+(?P<rest>(?:[\w'’-]+\s+){{0,6}}?)"
        rf"(?P<when>{_OFTEN})(?P<tail>.*)",
        _recurring,
    ),
    rule(rf"i\s+(?:also\s+|still\s+)?(?P<verb>{_PRACTISED})\s+(?P<value>.+)", _practises),
    rule(
        r"i\s+am\s+(?:currently\s+|now\s+|slowly\s+|also\s+)*(?P<verb>learning|"
        r"training\s+(?:for|to\s+be)|"
        r"studying\s+for|practi[sc]ing|preparing\s+for)\s+(?P<value>(?!how|to\s+use|"
        r"about|from|so\s+much|a\s+(?:lot|ton|bunch)|the\s+ropes).+)",
        _learns,
    ),
    rule(
        r"i\s+(?:do\s+not|never|no\s+longer)\s+(?P<verb>drink|smoke|drive)(?P<value>)"
        r"(?=$|[,.!]|\s+(?:and|so|but|either|anymore|at\s+all))",
        _abstains,
    ),
    rule(
        r"i\s+am\s+(?:completely\s+|now\s+)?off\s+(?P<value>meat|dairy|sugar|alcohol|gluten|"
        r"caffeine|"
        r"coffee|carbs|wheat|social\s+media)\b",
        _off,
    ),
    rule(
        r"i\s+can\s+not\s+(?:do|make)\s+(?P<value>(?:mon|tues|wednes|thurs|fri|satur|sun)days|"
        r"mornings|"
        r"evenings|weekends)\b(?!.*\b(?:this|next)\b)",
        _unavailable,
    ),
    rule(
        r"(?:so\s+)?(?:please\s+)?(?:nothing|no\s+(?:meetings?|calls?))\s+(?:on|before|after)\s+"
        r"(?P<value>(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|"
        r"\d{1,2}(?::\d\d)?\s?(?:am|pm)?)\b",
        _unavailable,
    ),
    rule(r"(?:please\s+|pls\s+)*do\s+not\s+(?P<value>(?:say|call\s+it|write)\s+.+)", _unsaid),
)
