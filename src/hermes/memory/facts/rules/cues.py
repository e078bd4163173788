"""What a clause takes for granted, wherever it stands: "here in Oslo", "my flat in Leipzig".

Such words hold even in a question or an errand, so they are searched for rather than matched at
the start. Each cue points at the user's own life; a place, name or role must fill its slot.
"""

import re
from collections.abc import Callable, Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.grammar import Said, person_name
from hermes.memory.facts.rules.lexicon import (
    MANY_RELATIONS,
    RELATION,
    RELATION_QUALIFIER,
    is_role,
    tool_purpose,
)
from hermes.memory.facts.rules.person import identity_fact
from hermes.memory.facts.rules.places import organisation, place
from hermes.types import FactKind

_NAME = r"(?-i:[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)?)"
_PLACE = r"(?P<value>(?-i:[A-Z]).{1,40})"


def _lives(found: re.Match[str]) -> Iterator[Candidate]:
    town = place(found["value"])
    if town and not tool_purpose(town):
        yield identity_fact("location", town, f"User lives in {town}")


def _works_at(found: re.Match[str]) -> Iterator[Candidate]:
    company = organisation(found["value"])
    if company and not tool_purpose(company) and not re.match(r"(?:I|We|The)\b", company):
        yield identity_fact("employer", company, f"User works at {company}")


def _is_role(found: re.Match[str]) -> Iterator[Candidate]:
    role = found["value"].strip()
    if is_role(role) or re.search(r"\b(?:type [12] )?(?:diabetic|asthmatic|parent|veteran)$", role):
        aside = f" ({found['aside']})" if found["aside"] else ""
        yield identity_fact("role", f"{role}{aside}", f"User is a {role}{aside}", single=False)


def _is_aged(found: re.Match[str]) -> Iterator[Candidate]:
    yield identity_fact("age", found["value"], f"User is {found['value']} years old")


def _related(found: re.Match[str]) -> Iterator[Candidate]:
    name, relation = person_name(found["value"]), found["relation"].lower().replace(" ", "-")
    if relation in {"youngest", "oldest", "eldest", "firstborn"}:
        relation = "child"
    if not name or tool_purpose(name) or is_role(name):
        return
    single = relation.split("-")[-1] not in MANY_RELATIONS and relation != "child"
    text = f"User's {relation} is {name}"
    yield Candidate(text, FactKind.RELATIONSHIP, USER, relation, name, single=single)


_QUALIFIER = RELATION_QUALIFIER.replace("\\ ", r"\s")
_CUES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Iterator[Candidate]]], ...] = tuple(
    (re.compile(pattern, re.I), build)
    for pattern, build in (
        (rf"\b(?:over\s+|up\s+|down\s+)?here\s+in\s+{_PLACE}", _lives),
        (
            rf"\b(?:my|our)\s+(?:new\s+|little\s+|tiny\s+|old\s+|own\s+)?(?:flat|apartment|house|"
            rf"home|"
            rf"neighbou?rhood|place|garden|home\s+office)\s+in\s+{_PLACE}",
            _lives,
        ),
        (
            r"\b(?:here\s+at|we\s+at|my\s+(?:job|work|employer|company)\s*(?:at|,|is\s+at)|"
            r"my\s+day\s+job\s+at|i\s+am\s+over\s+at)\s+(?P<value>(?-i:[A-Z]).{1,40})",
            _works_at,
        ),
        (
            r"(?:^|\b(?:speaking|"
            r"and)\s+)as\s+an?\s+(?P<value>[\w -]{3,35}?)(?:\s*\((?P<aside>[^)]+)\))?,?"
            r"\s+(?:i\b(?!\s+(?:want|can|should\s+be))|my\b|(?:what|how)\s+(?:should|do|can|"
            r"would)\s+i\b|can\s+i\b|"
            r"with\s+\w+\s+kids)",
            _is_role,
        ),
        (r"\bas\s+an?\s+(?P<value>[1-9]\d)[- ]year[- ]old,?\s+(?:i|my|who)\b", _is_aged),
        (r"^(?P<value>[1-9]\d)\s?[mf]\s+here\b", _is_aged),
        (
            rf"\b(?:my|our)\s+{_QUALIFIER}(?P<relation>{RELATION}|youngest|oldest|eldest|firstborn)"
            rf"\s*,\s+(?P<value>{_NAME})(?=\s*(?:,|$|[.!?)]|\s(?:who|is|has|and)\b))",
            _related,
        ),
        (
            rf"(?:^|,\s|\s)(?P<value>{_NAME}),\s+(?:my|"
            rf"our)\s+{_QUALIFIER}(?P<relation>{RELATION})\b",
            _related,
        ),
        (
            rf"\b(?:my|our)\s+(?P<relation>(?:brother|sister|mother|father|son|"
            rf"daughter)\s+in\s+law)"
            rf"\s+(?P<value>{_NAME})",
            _related,
        ),
    )
)


def find_cues(said: Said) -> Iterator[Candidate]:
    """Everything the clause presupposes about the user."""
    text = said.text
    if said.clause.aside:
        text = re.sub(r"^(as an? [\w -]{3,35})", rf"\1 ({said.clause.aside})", text, flags=re.I)
    for pattern, build in _CUES:
        for found in pattern.finditer(text):
            yield from build(found)
