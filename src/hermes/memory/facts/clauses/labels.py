"""A label and what stands after it: "Tech lead: Yusuf", "repo: github.com/osprey/core"."""

import re
from collections.abc import Iterator, Sequence

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.lexicon import (
    KIN_PLURAL,
    PASSING_NOUNS,
    RELATIONS,
)
from hermes.memory.facts.clauses.people import person
from hermes.memory.facts.clauses.slots import list_items, spell, split_slots
from hermes.memory.facts.clauses.tokens import Token
from hermes.memory.facts.clauses.tools import SAME_PURPOSE, find_purpose, is_versioned
from hermes.types import FactKind

Words = Sequence[Token]


_STACK = frozenset("setup stack rig gear tools tooling infra kit desk environment".split())


_BESIDE_ADDRESS = 2  # words that may stand beside an address for it to be what a label names

_CUES = frozenset("decision outcome decided final agreed verdict result conclusion recap".split())


def slots_of(slots: Sequence, *preps: str) -> Words:  # type: ignore[type-arg]
    return next((slot.words for slot in slots if slot.prep in preps), ())


def employer_fact(name: str) -> Candidate:
    return Candidate(
        f"User works at {name}", FactKind.IDENTITY, USER, "employer", name, single=True
    )


def role_facts(words: Words, *, introduced: bool) -> Iterator[Candidate]:
    """A line of work as a fragment: sure with an employer, or where the speaker is introduced."""
    slots, _ = split_slots(words)
    org = slots_of(slots, "at", "for")
    named = bool(org) and values.is_org(org)
    lows = {t.low for t in words}
    if (
        not named
        and not introduced
        and not lows & {"here", "btw", "now"}
        and not {"as", "today"} <= lows
    ):
        return
    role = [t for t in values.role_words(words) if t.low not in {"here", "btw"}]
    yield Candidate(
        f"User's role is {spell(role)}", FactKind.IDENTITY, USER, "role", spell(role), single=True
    )
    if named:
        yield employer_fact(spell(values.core(org)))
    place = slots_of(slots, "from")
    if place and values.is_place(place):
        text = spell(values.core(place))
        yield Candidate(
            f"User is from {text}", FactKind.IDENTITY, USER, "location", text, single=True
        )


def read_label(label: Words, body: Words) -> list[Candidate]:
    """ "Tech lead: Yusuf", "repo: github.com/osprey/core", "kids: Aarav and Meera"."""
    words = [t for t in label if t.tag not in {"INTJ", "PUNCT", "CONJ"}]
    if not words or len(words) > 6 or not body or any(t.low == "you" for t in words):
        return []
    lows = [t.low for t in words]
    for read in (_listed, _decided, _own):
        if found := read(lows, body):
            return found
    if lows[-1] in PASSING_NOUNS:
        return []
    return _noted(words, lows, body)


def _listed(lows: list[str], body: Words) -> list[Candidate]:
    """Several of a kind: children, tools, projects."""
    last = lows[-1]
    parts = list(list_items(body))
    if last in KIN_PLURAL or (last in RELATIONS and lows[0] in {"my", "our"}):
        people = [part for part in parts if values.is_person(part[:1])]
        relation = KIN_PLURAL.get(last, last)
        return [person(relation, spell([t for t in part if t.tag == "NAME"])) for part in people]
    if last in _STACK:
        tools = [part for part in parts if not values.is_amount(part)]
        return [tool_fact(spell(part)) for part in tools if values.is_value(part) or len(part) == 1]
    if set(lows) & {"projects", "project", "apps"}:
        named = [part[0].text for part in parts if part[0].tag == "NAME" and part[0].is_capital]
        return [
            _fact("User's project", "project", name, FactKind.ENVIRONMENT) for name in named[:1]
        ]
    return []


def _decided(lows: list[str], body: Words) -> list[Candidate]:
    """ "decided: Next", "password policy: 14 characters"."""
    value = spell(body)
    named = body[0].is_capital or bool(values.names_in(body))
    if (
        set(lows) <= _CUES | {"ok", "finally", "and", "call", "choice", "the", "our"}
        and len(body) <= 3
        and named
    ):
        purpose = find_purpose(value)
        text = f"User's team decided on {value}"
        attribute = purpose or f"decision:{value.lower()}"
        return [Candidate(text, FactKind.DECISION, USER, attribute, value, single=bool(purpose))]
    if set(lows) & {"policy", "rule", "rules", "process"} and lows[-1] != "added":
        return [_fact(" ".join(lows), f"policy:{noun_in(lows)}", value, FactKind.DECISION)]
    return []


def _own(lows: list[str], body: Words) -> list[Candidate]:
    """ "my pronouns: he/him", "my job: product manager at Halden"."""
    if lows[0] == "my" and lows[-1] in _OWN_LABELS:
        return [_fact(f"User's {lows[-1]}", lows[-1], spell(body), FactKind.IDENTITY)]
    if set(lows) & {"job", "role", "title", "occupation"} and values.is_role(body):
        return list(role_facts(body, introduced=True))
    return []


def _noted(words: list[Token], lows: list[str], body: Words) -> list[Candidate]:
    """ "repo: github.com/osprey/core", "Tech lead: Yusuf"."""
    if any(t.tag == "VERB" and t.form in {"VD", "VN"} for t in words) or "," in lows:
        return []  # "versioned in the path:" is no label
    if words[0].low.endswith("ed") and any(t.tag == "PREP" for t in words[1:]):
        return []  # nor is it with a verb that no list has
    plain = " ".join(word for word in lows if word not in {"the", "my", "our"})
    noun = SAME_PURPOSE.get(" ".join(lows), plain)
    if values.is_address(body):
        if sum(t.tag not in {"ADDR", "PUNCT"} for t in body) > _BESIDE_ADDRESS:
            return []  # "moving day in the repo: everything under /legacy gets deleted"
        address = spell([t for t in body if t.tag == "ADDR"][:1])
        mail = "@" in address and "/" not in address and set(lows) & {"email", "mail", "e-mail"}
        attribute = "email" if mail else f"{noun} url"
        return [_fact(f"User's {noun}", attribute, address, FactKind.ENVIRONMENT)]
    if values.is_role(words) and values.is_person(list(body)[:2]) and len(body) <= 3:
        return [_fact(f"The {noun}", noun, spell(body), FactKind.RELATIONSHIP)]
    return []


def _fact(label: str, attribute: str, value: str, kind: FactKind) -> Candidate:
    single = attribute != "project"
    return Candidate(f"{label}: {value}", kind, USER, attribute, value, single=single)


_OWN_LABELS = frozenset("pronouns name timezone email birthday handle surname".split())


def noun_in(lows: Sequence[str]) -> str:
    return " ".join(
        word for word in lows if word not in {"the", "our", "my", "new", "changed", "is"}
    )


def tool_fact(value: str) -> Candidate:
    """ "User uses zsh", filed under what it is for."""
    if is_versioned(value):
        attribute = re.sub(r"\s*v?\d+(?:\.\d+)*\+?$", "", value).lower() + " version"
        return Candidate(
            f"User uses {value}", FactKind.ENVIRONMENT, USER, attribute, value, single=True
        )
    return Candidate(
        f"User uses {value}", FactKind.ENVIRONMENT, USER, find_purpose(value) or "uses", value
    )
