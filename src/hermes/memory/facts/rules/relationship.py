"""The people and animals around the user, and what they do."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.grammar import (
    Found,
    Rule,
    Said,
    person_name,
    phrase,
    points_elsewhere,
    rule,
)
from hermes.memory.facts.rules.lexicon import (
    MANY_RELATIONS,
    NATIONALITIES,
    PETS,
    RELATION,
    RELATION_QUALIFIER,
    RELATIONS,
    is_role,
    tool_purpose,
)
from hermes.memory.facts.rules.people import NAME, deeds
from hermes.types import FactKind

_NAMES = re.compile(r"\s*(?:,\s*(?:and\s+)?|\s+and\s+|&)\s*")


def _related(relation: str, name: str) -> Candidate:
    relation = relation.lower().strip()
    kind = "pet" if relation in PETS else "manager" if relation == "boss" else relation
    return Candidate(
        f"User's {relation} is {name}" if kind != "pet" else f"User has a {relation} named {name}",
        FactKind.RELATIONSHIP,
        USER,
        kind,
        name,
        single=relation.split()[-1] not in MANY_RELATIONS,
    )


def _is_named(found: Found, said: Said) -> Iterator[Candidate]:
    names = found["value"]
    plural = (
        found["relation"].lower().endswith("s") and found["relation"].lower()[:-1] in MANY_RELATIONS
    )
    relation = found["relation"][:-1] if plural else found["relation"]
    parts = (
        _NAMES.split(phrase(names))
        if plural or "named" in said.text or "called" in said.text
        else [names]
    )
    for part in parts:
        name = person_name(part)
        if name and not is_role(name) and name.lower() not in NATIONALITIES:
            yield _related(relation, name)


def _apposed(found: Found, said: Said) -> Iterator[Candidate]:
    """ "my sister Ana is a nurse": what she does; `find_relatives` says who she is."""
    name = person_name(found["value"])
    if name and not tool_purpose(name):
        yield from deeds(name, said.text[found.end() :])


def _reversed(found: Found, said: Said) -> Iterator[Candidate]:
    name = person_name(found["value"])
    if name:
        yield _related(found["relation"], name)


def _reports(found: Found, said: Said) -> Iterator[Candidate]:
    if name := person_name(found["value"]):
        yield _related("manager", name)


def _has(found: Found, said: Said) -> Iterator[Candidate]:
    """ "two cats, Milo and Otis", "a brother, Emil, and a sister, Katja"."""
    for each in _HAS_NAMED.finditer(said.text, found.start("what")):
        relation = _one_of(each["relation"].lower())
        for part in _NAMES.split(each["names"]):
            if name := person_name(part):
                yield _related(relation, name)


def _one_of(relation: str) -> str:
    if relation in {"children", "kids"}:
        return "kid"
    plural = relation.endswith("s") and relation[:-1] in MANY_RELATIONS
    return relation[:-1] if plural else relation


def _spouse(found: Found, said: Said) -> Iterator[Candidate]:
    if name := person_name(found["value"]):
        yield _related("spouse" if "married" in said.text.lower() else "partner", name)


def _called(found: Found, said: Said) -> Iterator[Candidate]:
    """ "our app is called Lumen", "client is called Zephyr Textiles"."""
    name, thing = person_name(found["value"]), found["thing"].lower()
    if not name or not found["value"][:1].isupper() or points_elsewhere(thing):
        return
    if thing in _UNNAMED or tool_purpose(name):
        return
    if thing in RELATIONS:
        yield _related(thing, name)
        return
    kind = FactKind.RELATIONSHIP if thing.split()[-1] in _NAMED_PARTIES else FactKind.ENVIRONMENT
    yield Candidate(f"User's {thing} is called {name}", kind, USER, thing, name, single=False)


_UNNAMED = frozenset(
    "function variable method class file column table branch error field param command".split()
)
_NAMED_PARTIES = frozenset(
    "client customer boss manager landlord doctor dentist team girl guy kid".split()
)


def find_relatives(said: Said) -> Iterator[Candidate]:
    """ "a gift for my sister Ana": the relation is taken for granted, wherever it stands."""
    for found in _ANYWHERE.finditer(said.text):
        name = person_name(found["value"])
        if name and not tool_purpose(name) and not _is_time(name):
            yield _related(found["relation"], name)


def _is_time(name: str) -> bool:
    return bool(
        re.match(
            r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|january|february|march|april|"
            r"june",
            name,
            re.I,
        )
    )


_KIN = rf"{RELATION_QUALIFIER}(?P<relation>(?:{RELATION})s?)"
_HAS_NAMED = re.compile(
    rf"(?:an?|one|two|three|four|my|our|the|\d)\s+(?:[\w-]+\s+){{0,3}}?"
    rf"(?P<relation>(?:{RELATION})s?|children|kids)\s*"
    rf"(?:,|:|(?:who\s+(?:is|are)\s+)?(?:named|called)|whose\s+names?\s+(?:is|are))\s*"
    rf"(?P<names>{NAME}(?:(?:,\s*|\s*,?\s+and\s+|\s*&\s*){NAME})*)",
    re.I,
)
_ANYWHERE = re.compile(
    rf"\b(?:my|"
    rf"our)\s+{RELATION_QUALIFIER.replace(chr(92) + ' ', chr(92) + 's')}"
    rf"(?P<relation>{RELATION})\s+"
    rf"(?P<value>{NAME})(?=$|[,.!?:;)]|'s|\s+(?!(?-i:[A-Z])))",
    re.I,
)

RULES: tuple[Rule, ...] = (
    rule(
        r"(?:i|we)\s+(?:just\s+|recently\s+|also\s+)*(?:have|got|adopted|own|had|"
        r"have\s+got)\s+(?P<what>.+)",
        _has,
    ),
    rule(
        rf"(?:my|our)\s+{_KIN}(?:\s+is|\s+are|'s)?\s*(?:name\s+is|names\s+are|named|called|"
        rf"is\s+called|is\s+named)\s+(?P<value>.+)",
        _is_named,
    ),
    rule(rf"(?:my|our|the)\s+{_KIN}'s\s+names?\s+(?:is|are)\s+(?P<value>.+)", _is_named),
    rule(
        rf"(?:my|our)\s+{_KIN}\s+(?P<value>{NAME})(?=$|[,.!:;)]|'s|"
        rf"\s+(?!(?-i:[A-Z])))",
        _apposed,
    ),
    rule(
        rf"(?:my|our)\s+{_KIN}\s+(?:is|are)\s+(?:now\s+)?(?P<value>{NAME}(?:(?:,|"
        rf"\s+and)\s+{NAME})*)(?=$|[,.!:;)]|\s+(?:now|and|but|so|who|btw|from|by|since))",
        _is_named,
    ),
    rule(
        rf"(?P<value>{NAME})\s+is\s+(?:my|our)\s+{_KIN}(?=$|[,.!;]|\s+(?:and|but|so|who|"
        rf"from|at|since|btw))",
        _reversed,
    ),
    rule(
        rf"(?:(?:my|our|the|this)\s+)?(?P<thing>(?:[a-z]+\s)?[a-z]+)\s+is\s+(?:called|"
        rf"named)\s+(?P<value>{NAME})",
        _called,
    ),
    rule(rf"i\s+(?:now\s+|currently\s+)?report\s+to\s+(?P<value>{NAME})", _reports),
    rule(rf"i\s+am\s+(?:married\s+to|dating|engaged\s+to)\s+(?P<value>{NAME})", _spouse),
)
