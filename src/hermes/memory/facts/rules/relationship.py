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
    short,
    words,
)
from hermes.memory.facts.rules.lexicon import (
    DIETS,
    MANY_RELATIONS,
    PETS,
    RELATION,
    RELATION_QUALIFIER,
    is_role,
    tool_purpose,
)
from hermes.memory.facts.rules.places import organisation, place
from hermes.types import FactKind

_NAME = r"(?:(?:Prof|Dr|Mr|Mrs|Ms)\.?\s)?(?-i:[A-Z])[\w'’-]*(?:\s(?-i:[A-Z])[\w'’-]+){0,2}"
_NAMES = re.compile(r"\s*(?:,\s*(?:and\s+)?|\s+and\s+|&)\s*")


def _related(relation: str, name: str) -> Candidate:
    relation = relation.lower().strip()
    kind = "pet" if relation in PETS else relation
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
        if name and not is_role(name):
            yield _related(relation, name)


def _apposed(found: Found, said: Said) -> Iterator[Candidate]:
    """ "my sister Ana …": the name stands right after the relation, in capitals."""
    name = person_name(found["value"])
    if name and not tool_purpose(name):
        yield _related(found["relation"], name)
        yield from _does(name, said.text[found.end() :])


def _reversed(found: Found, said: Said) -> Iterator[Candidate]:
    name = person_name(found["value"])
    if name:
        yield _related(found["relation"], name)


def _does(name: str, rest: str) -> Iterator[Candidate]:
    """What the clause goes on to say of the person."""
    rest = rest.lstrip(" ,")
    for pattern, build in _DOINGS:
        if found := pattern.match(rest):
            candidates = list(build(name, found["value"]))
            if candidates:
                yield from candidates
                return


def _about(name: str, kind: FactKind, attribute: str, value: str, verb: str) -> Candidate:
    return Candidate(
        f"{name} {verb} {value}", kind, name, attribute, value, single=attribute != "owns"
    )


def _lives(name: str, raw: str) -> Iterator[Candidate]:
    if town := place(raw):
        yield _about(name, FactKind.IDENTITY, "location", town, "lives in")


def _works(name: str, raw: str) -> Iterator[Candidate]:
    if company := organisation(raw):
        yield _about(name, FactKind.IDENTITY, "employer", company, "works at")


def _has_role(name: str, raw: str) -> Iterator[Candidate]:
    role = short(re.split(r"\s+(?:at|for|who|and|in|from|on|so|but|since)\b", raw)[0])
    if is_role(role):
        yield _about(name, FactKind.RELATIONSHIP, "role", role, "is")


def _leads(name: str, raw: str) -> Iterator[Candidate]:
    value = phrase(raw)
    if not points_elsewhere(value) and words(value) <= 7:
        yield _about(name, FactKind.RELATIONSHIP, "owns", value, "is in charge of")


def _is_diet(name: str, raw: str) -> Iterator[Candidate]:
    value = re.split(r"\s+(?:and|so|but|now|since|too)\b|[,.!]", raw.lower())[0].strip()
    if value in DIETS:
        yield _about(name, FactKind.PREFERENCE, "diet", value, "is")


def _is_allergic(name: str, raw: str) -> Iterator[Candidate]:
    value = short(raw)
    if value and words(value) <= 4:
        yield Candidate(f"{name} is allergic to {value}", FactKind.OTHER, name, "allergy", value)


def _is_stated(name: str, raw: str) -> Iterator[Candidate]:
    """Anything lasting that is said of a person: has, speaks, plays, turns…"""
    value = phrase(raw)
    if 2 <= words(value) <= 10 and not _PASSING.search(value):
        verb, _, rest = value.partition(" ")
        if not points_elsewhere(rest):
            yield Candidate(f"{name} {value}", FactKind.OTHER, name, verb.lower(), rest)


_PASSING = re.compile(
    r"\b(?:today|tomorrow|now|just|right now|again|tonight|yesterday|question|problem|"
    r"issue|point|idea|meeting|"
    r"minute|cold|flu|fever|headache|time|no|any|been|to|said|says|asked|error|bug|"
    r"trouble|call|deadline)\b",
    re.I,
)

_DOINGS = (
    (re.compile(r"(?:who\s+)?is\s+(?:an?\s+|also\s+)?(?P<value>[a-z-]+.*)", re.I), _is_diet),
    (re.compile(r"(?:who\s+)?is\s+(?:\w+ly\s+)?allergic\s+to\s+(?P<value>.+)", re.I), _is_allergic),
    (
        re.compile(r"(?:is\s+)?(?:who\s+)?(?:lives?|living|based)\s+in\s+(?P<value>.+)", re.I),
        _lives,
    ),
    (re.compile(r"(?:who\s+)?works?\s+(?:at|for)\s+(?P<value>.+)", re.I), _works),
    (re.compile(r"(?:who\s+)?is\s+(?:an?|our|the|my)\s+(?:new\s+)?(?P<value>.+)", re.I), _has_role),
    (
        re.compile(
            r"(?:who\s+)?(?P<value>(?:has|owns|speaks|plays|studies|teaches|loves|"
            r"hates|likes|prefers|drives|runs|"
            r"collects|goes\s+to)\s.+)",
            re.I,
        ),
        _is_stated,
    ),
)


def _person_role(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Tom is our new CTO"."""
    name = person_name(found["value"])
    role = short(re.split(r"\s+(?:at|who|and|so|but|since|now|from)\b", found["role"])[0])
    if name and is_role(role) and not tool_purpose(name):
        yield Candidate(
            f"{name} is the {role} of the user's team"
            if found["whose"] != "my"
            else f"{name} is the user's {role}",
            FactKind.RELATIONSHIP,
            name,
            "role",
            role,
            single=True,
        )


def _our_role(found: Found, said: Said) -> Iterator[Candidate]:
    """ "our CTO is Tom", "our tech lead Tom …"."""
    name, role = person_name(found["value"]), found["role"].lower().strip()
    if name and is_role(role) and not tool_purpose(name):
        yield Candidate(
            f"{name} is the {found['role'].strip()} of the user's team",
            FactKind.RELATIONSHIP,
            USER,
            found["role"].strip(),
            name,
            single=words(role) > 1 or role in {"cto", "ceo", "cfo", "coo", "pm", "founder"},
        )


def _person_leads(found: Found, said: Said) -> Iterator[Candidate]:
    name = person_name(found["name"])
    if (
        name
        and not tool_purpose(name)
        and name.lower() not in {"it", "this", "that", "he", "she", "they"}
    ):
        yield from _leads(name, found["value"])


def _reports(found: Found, said: Said) -> Iterator[Candidate]:
    if name := person_name(found["value"]):
        yield _related("manager", name)


def _pet(found: Found, said: Said) -> Iterator[Candidate]:
    relation = found["relation"].lower()
    relation = (
        relation[:-1] if relation.endswith("s") and relation[:-1] in MANY_RELATIONS else relation
    )
    relation = "kid" if relation in {"children", "kids"} else relation
    for part in _NAMES.split(phrase(found["value"])):
        if name := person_name(part):
            yield _related(relation, name)


def _works_with(found: Found, said: Said) -> Iterator[Candidate]:
    name = person_name(found["name"])
    if name and not tool_purpose(name):
        yield from _works(name, found["value"])


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
_ROLE = r"(?P<role>(?:(?:new|current|former|interim|acting)\s+)?(?:[\w-]+\s+){0,3}?[\w-]+)"
_ANYWHERE = re.compile(
    rf"\b(?:my|"
    rf"our)\s+{RELATION_QUALIFIER.replace(chr(92) + ' ', chr(92) + 's')}"
    rf"(?P<relation>{RELATION})\s+"
    rf"(?P<value>{_NAME})(?=$|[,.!?:;)]|'s|\s+(?!(?-i:[A-Z])))",
    re.I,
)

RULES: tuple[Rule, ...] = (
    rule(
        rf"(?:i|we)\s+(?:just\s+|recently\s+)?(?:have|has|got|adopted|own|had)\s+(?:an?|"
        rf"two|three|four|my|our|the|"
        rf"\d)\s+(?:[\w-]+\s+){{0,3}}?(?P<relation>(?:{RELATION})s?|children|kids)\s*(?:,|"
        rf":)?\s*(?:(?:who\s+(?:is|are)\s+)?(?:named|called)|whose\s+names?\s+(?:is|are)|,|"
        rf":)\s*(?P<value>.+)",
        _pet,
    ),
    rule(
        rf"(?:my|our)\s+{_KIN}(?:\s+is|\s+are|'s)?\s*(?:name\s+is|names\s+are|named|called|"
        rf"is\s+called|is\s+named)\s+(?P<value>.+)",
        _is_named,
    ),
    rule(rf"(?:my|our)\s+{_KIN}'s\s+names?\s+(?:is|are)\s+(?P<value>.+)", _is_named),
    rule(
        rf"(?:my|our)\s+{_KIN}\s+(?P<value>{_NAME})(?=$|[,.!:;)]|'s|"
        rf"\s+(?!(?-i:[A-Z])))",
        _apposed,
    ),
    rule(
        rf"(?:my|our)\s+{_KIN}\s+(?:is|are)\s+(?:now\s+)?(?P<value>{_NAME}(?:(?:,|"
        rf"\s+and)\s+{_NAME})*)(?=$|[,.!:;)]|\s+(?:now|and|but|so|who|btw|from|by|since))",
        _is_named,
    ),
    rule(
        rf"(?P<value>{_NAME})\s+is\s+(?:my|our)\s+{_KIN}(?=$|[,.!;]|\s+(?:and|but|so|who|"
        rf"from|at|since|btw))",
        _reversed,
    ),
    rule(
        rf"(?:(?:my|our|the|this)\s+)?(?P<thing>(?:[a-z]+\s)?[a-z]+)\s+is\s+(?:called|"
        rf"named)\s+(?P<value>{_NAME})",
        _called,
    ),
    rule(rf"i\s+(?:now\s+|currently\s+)?report\s+to\s+(?P<value>{_NAME})", _reports),
    rule(
        rf"(?P<value>{_NAME})\s+is\s+(?P<whose>our|the|my)\s+(?:new\s+|"
        rf"current\s+)?(?P<role>.+)",
        _person_role,
    ),
    rule(
        rf"(?:our|the)\s+(?:new\s+|current\s+)?{_ROLE}\s+(?:is|"
        rf"will\s+be)\s+(?:now\s+)?(?P<value>{_NAME})(?=$|[,.!;]|\s+(?:now|and|but|so|who))",
        _our_role,
    ),
    rule(
        rf"our\s+(?:new\s+|current\s+)?{_ROLE}\s*,?\s+(?P<value>{_NAME})(?=$|[,.!:;)]|"
        rf"\s+(?!(?-i:[A-Z])))",
        _our_role,
    ),
    rule(
        rf"(?P<name>{_NAME})\s+(?:now\s+)?(?:leads|runs|owns|heads|manages|"
        rf"is\s+in\s+charge\s+of|is\s+responsible\s+for|maintains|looks\s+after|"
        rf"took\s+over|oversees)\s+(?P<value>.+)",
        _person_leads,
    ),
    rule(rf"(?P<name>{_NAME})\s+(?:now\s+)?works\s+(?:at|for)\s+(?P<value>.+)", _works_with),
    rule(rf"i\s+am\s+(?:married\s+to|dating|engaged\s+to)\s+(?P<value>{_NAME})", _spouse),
)
