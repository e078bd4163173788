"""Statements without a verb: "dev on minikube", "django + htmx", "mum of three here"."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.environment import LIST, tool_facts, tools_in
from hermes.memory.facts.rules.grammar import Found, Rule, Said, phrase, rule, short, words
from hermes.memory.facts.rules.lexicon import PURPOSE_WORDS, find_tool
from hermes.memory.facts.rules.person import identity_fact
from hermes.types import FactKind

_GLUE = re.compile(
    r"(?:an?|the|our|my|some|plain|fat|big|small|old|good|mostly|mainly|hosted|deployed|running|"
    r"all|just|latest|managed|vanilla|for|backend|frontend|front|back|end|stuff|box|server|vm|vps|"
    r"version|v?\d[\d.]*|self-hosted|on|in|with|plus|and)$",
    re.I,
)


def _only_tools(found: Found, said: Said) -> Iterator[Candidate]:
    yield from find_listed(found["value"])


def find_listed(text: str) -> list[Candidate]:
    """ "django + htmx, hosted on hetzner": two tools or more, and nothing else."""
    value = phrase(text)
    tools = tools_in(value)
    left = value.lower()
    for written, _, _ in tools:
        left = left.replace(written.lower(), " ", 1)
    rest = [word for word in re.findall(r"[\w.+#-]+", left) if not _GLUE.match(word)]
    enough = len(tools) >= 2 and len(LIST.split(value)) >= 2
    is_choice = re.search(r"\b(?:or|vs)\b|/", left)
    return list(tool_facts(USER, value)) if enough and not rest and not is_choice else []


def _environment_on(found: Found, said: Said) -> Iterator[Candidate]:
    """ "dev on minikube, live on GKE": where each environment runs."""
    where, value = found["where"].lower(), short(found["value"])
    tool = find_tool(value)[0]
    if tool and words(value) <= 4:
        text = f"{where[:1].upper()}{where[1:]} runs on {value}"
        yield Candidate(text, FactKind.ENVIRONMENT, where, "runs on", value, single=True)
    rest = found["value"][len(value) :].lstrip(" ,")
    if tool and (more := _ENVIRONMENT.match(rest)):
        yield from _environment_on(more, said)


def _label_is(found: Found, said: Said) -> Iterator[Candidate]:
    """ "CI is CircleCI", "database: Postgres 16": a part of the stack by its bare name."""
    label, value = re.sub(r"\s+", " ", found["label"].lower()), phrase(found["value"])
    first = find_tool(value)[0]
    if not first or not re.match(rf"(?:an?\s+|the\s+)?{re.escape(first)}", value, re.I):
        return
    for part in _AND.split(value):
        written, purpose = find_tool(part)
        if written and words(part) <= 5:
            named = part[part.find(written) :].strip()
            text, attribute = f"User's {label} is {named}", PURPOSE_WORDS.get(label, purpose)
            yield Candidate(text, FactKind.ENVIRONMENT, USER, attribute, named)


def _parent(found: Found, said: Said) -> Iterator[Candidate]:
    value = f"{found['value']} {found['what'] or 'children'}"
    text = f"User is a {found['who'].lower()} of {value}"
    yield Candidate(text, FactKind.RELATIONSHIP, USER, "children", value, single=True)


def _zone(found: Found, said: Said) -> Iterator[Candidate]:
    yield identity_fact("timezone", found["value"], f"User's timezone is {found['value']}")


_AND = re.compile(r"\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s\+\s|\s&\s|\s+with\s+|\s+plus\s+)\s*", re.I)
_LABEL = "|".join(
    sorted(
        (re.escape(label).replace(r"\ ", r"\s+") for label in PURPOSE_WORDS), key=len, reverse=True
    )
)
_ENV = r"(?P<where>dev|development|staging|prod|production|live|test|qa|uat|ci|local)"
_ENVIRONMENT = re.compile(rf"{_ENV}\s+(?:is\s+|runs\s+|lives\s+)?(?:on|in)\s+(?P<value>.+)", re.I)
_COUNT = r"(?:one|two|three|four|five|six|twins|\d)"

RULES: tuple[Rule, ...] = (
    rule(_ENVIRONMENT.pattern, _environment_on),
    rule(
        rf"(?:my\s+|our\s+|the\s+)?(?P<label>{_LABEL})\s*(?:is|'s|are|=|:)\s+(?:still\s+|now\s+|"
        rf"all\s+|on\s+)*(?P<value>.+)",
        _label_is,
    ),
    rule(
        rf"(?:i\s+am\s+)?(?:an?\s+|the\s+)?(?:single\s+|proud\s+)?(?P<who>mum|mom|mother|dad|"
        rf"father|"
        rf"parent)\s+(?:of|to)\s+(?P<value>{_COUNT})(?:\s+(?P<what>\w+))?",
        _parent,
    ),
    rule(
        r"(?P<value>(?-i:AES?T|AEDT|AWST|ACST|CES?T|EES?T|WES?T|IST|JST|KST|SGT|HKT|NZS?T|NZDT|"
        r"[PMCE][SD]T|EAT|CAT|WAT|SAST|BRT|MSK|UTC[+-]\d{1,2}|GMT[+-]\d{1,2}))(?=$|[,.!]|\s+here)",
        _zone,
    ),
    rule(
        r"(?:(?:my|our|the|your)\s+)?(?:setup|set-up|stack|tools?|machine|rig)\s*(?:is|:|'s|"
        r"are)\s*(?P<value>.+)",
        _only_tools,
    ),
)
