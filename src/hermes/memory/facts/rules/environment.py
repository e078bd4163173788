"""What the user and the projects work with: tools, hosts, versions, practices."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.figures import is_state
from hermes.memory.facts.rules.grammar import (
    Found,
    Rule,
    Said,
    bare,
    is_proper,
    phrase,
    points_elsewhere,
    rule,
    short,
    words,
)
from hermes.memory.facts.rules.lexicon import PURPOSE_WORDS, find_tool
from hermes.memory.facts.rules.scope import split_purpose, split_scope, whose
from hermes.types import FactKind

_PRACTICE = re.compile(
    r"(?:trunk[- ]based|conventional commits|semver|semantic versioning|feature flags|"
    r"pair programming|scrum|kanban|"
    r"a monorepo|monorepo|microservices|tdd|squash[- ]merg\w+|git ?flow|"
    r"mob programming|blue[- ]green|canary|"
    r"rebase|event sourcing|cqrs|hexagonal|domain[- ]driven|serverless|"
    r"two[- ]week sprints|code owners|"
    r"\d+[- ](?:week|day) sprints|calver|infrastructure as code|continuous deployment)",
    re.I,
)


_TROUBLE = re.compile(
    r"\b(?:to (?:debug|test|check|fix|try|see|reproduce|parse|get|make)|wrong|error|"
    r"bug|instead of the|here|in this|"
    r"this (?:function|file|class|method|script|snippet|line|component)|\w+\(\))\b|\(\)|=>|==",
    re.I,
)


_LIST = re.compile(
    r"\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s*\+\s+|\s*&\s*|\s+with\s+|\s+plus\s+|"
    r"\s+on top of\s+|\s+on an?\s+|\s+on\s+|\s+in\s+|/(?=[A-Z]))\s*",
    re.I,
)


_REGION = re.compile(
    r"\b(?:(?:us|eu|ap|ca|sa|me|af)-(?:north|south|east|west|central)+\w*-\d|"
    r"[a-z]+-(?:east|west|central|north|south)\w*\d(?:-[a-z])?)\b",
    re.I,
)


def tools_in(value: str) -> list[tuple[str, str, str]]:
    """Every known tool a list names: as written, its plain name, and what it is for."""
    found = []
    for part in _LIST.split(value):
        written, purpose = find_tool(part)
        if written:
            found.append((written, re.sub(r"[ -]?v?\d[\d.]*$", "", written), purpose))
    return found


def _tool_facts(subject: str, value: str) -> Iterator[Candidate]:
    seen = set()
    for written, name, purpose in tools_in(value):
        if name.lower() in seen:
            continue
        seen.add(name.lower())
        versioned = name != written
        yield Candidate(
            f"{whose(subject)} uses {written}",
            FactKind.ENVIRONMENT,
            subject,
            f"{name.lower()} version" if versioned else purpose,
            written,
            single=versioned,
        )


def _uses(found: Found, said: Said) -> Iterator[Candidate]:
    raw = phrase(found["value"])
    if _TROUBLE.search(raw) or _TROUBLE.search(said.clause.sentence[-40:]):
        return
    value, scope = split_scope(raw)
    subject = _subject(found, scope)
    plain_value, purpose = split_purpose(value)
    facts = list(_tool_facts(subject, value))
    if len(facts) == 1 and purpose and len(_LIST.split(plain_value)) == 1:
        tool = facts[0]
        yield _one(
            found,
            subject,
            tool.value,
            f"for {purpose.replace('_', ' ')}",
            PURPOSE_WORDS.get(purpose, purpose),
        )
    elif facts:
        yield from (_voiced(fact, found) for fact in facts)
    elif named := _named_value(plain_value):
        yield _one(
            found,
            subject,
            named,
            f"for {purpose.replace('_', ' ')}" if purpose else "",
            purpose or "uses",
        )


def _named_value(value: str) -> str:
    value = short(value)
    if points_elsewhere(value) or words(value) > 5 or "`" in value:
        return ""
    return (
        value
        if _PRACTICE.match(value)
        or (is_proper(value) and not re.match(r"(?:an?|the|my|our)\b", value))
        else ""
    )


def _one(found: Found, subject: str, value: str, purpose: str, attribute: str) -> Candidate:
    who = whose(subject) if subject != USER or _is_we(found) else "User"
    return Candidate(
        " ".join(filter(None, (who, "uses", value, purpose))),
        FactKind.ENVIRONMENT,
        subject,
        attribute,
        value,
    )


def _voiced(fact: Candidate, found: Found) -> Candidate:
    """The user alone, where the user says "I"."""
    if fact.subject != USER or _is_we(found):
        return fact
    text = fact.text.replace("User's team", "User", 1)
    return Candidate(text, fact.kind, fact.subject, fact.attribute, fact.value, single=fact.single)


def _is_we(found: Found) -> bool:
    who = found.groupdict().get("who") or ""
    return not re.match(r"(?:i|my)\b", who, re.I)


_GENERIC = re.compile(
    r"(?:we|i|everything|it all|the (?:whole )?(?:project|app|application|repo|"
    r"codebase|site|product|system|team|company|thing)|"
    r"this (?:project|repo|app|codebase)|our (?:project|app|team|company|product|"
    r"stack|codebase|site|infra\w*|entire stack|whole stack)|"
    r"most of (?:it|our stack)|all of it|they)$",
    re.I,
)


def _subject(found: Found, scope: str) -> str:
    if scope != USER:
        return scope
    who = (found.groupdict().get("who") or "we").strip()
    if _GENERIC.match(who):
        return USER
    if re.match(
        r"(?:our|the|my)\s+(?:\w+\s+)?(?:staging|prod|production|dev|test|qa)\b", who, re.I
    ):
        place = re.search(r"staging|prod(?:uction)?|dev|test|qa", who, re.I)
        return place.group().lower() if place else USER
    name = re.sub(r"^(?:project|the|our|my)\s+", "", who, flags=re.I)
    return re.sub(
        r"\s+(?:project|app|repo|environment|env|cluster|instance)$", "", name, flags=re.I
    )


def _thing_uses(found: Found, said: Said) -> Iterator[Candidate]:
    who = found["who"].strip()
    named = (
        re.match(r"[A-Z]", who)
        or _GENERIC.match(who)
        or re.match(r"(?:our|the|my|prod|staging)\b", who, re.I)
    )
    if not named or re.match(
        r"(?:the|my)\s+(?:code|function|script|test|tests|error|example|snippet|class|"
        r"issue|problem)\b",
        who,
        re.I,
    ):
        return
    if re.match(r"(?:he|she|it|this|that|which|who|what|there|someone|nobody)\b", who, re.I):
        return
    raw = phrase(found["value"])
    if region := _REGION.search(raw):
        subject = _subject(found, USER)
        yield Candidate(
            f"{whose(subject)} runs in {region.group()}",
            FactKind.ENVIRONMENT,
            subject,
            "region",
            region.group(),
            single=True,
        )
        return
    if _TROUBLE.search(raw):
        return
    facts = list(_tool_facts(_subject(found, USER), raw))
    if facts:
        yield from facts
    elif (
        not re.match(r"(?:the|my)\b", who, re.I)
        and (value := _named_value(raw))
        and not is_state(value)
    ):
        subject = _subject(found, USER)
        yield Candidate(
            f"{whose(subject)} uses {value}", FactKind.ENVIRONMENT, subject, "uses", value
        )


def _purpose_is(found: Found, said: Said) -> Iterator[Candidate]:
    """ "our database is Postgres 16", "my editor is helix"."""
    label = re.sub(r"\s+", " ", found["label"].lower())
    value, subject = split_scope(phrase(found["value"]))
    attribute = PURPOSE_WORDS[label]
    tools = tools_in(value)
    if tools:
        value = ", ".join(written for written, _, _ in tools) if len(tools) > 1 else tools[0][0]
    else:
        value = bare(short(value))
        if points_elsewhere(value) or words(value) > 6 or not is_proper(value) or is_state(value):
            return
    owner = "User's" if subject == USER else f"{subject}'s"
    yield Candidate(
        f"{owner} {label} is {value}",
        FactKind.ENVIRONMENT,
        subject,
        attribute,
        value,
        single=attribute not in {"server", "stack", "monitor"},
    )


def _stored(found: Found, said: Said) -> Iterator[Candidate]:
    """ "events are stored in Kafka", "deploys go through ArgoCD only"."""
    thing = re.sub(r"^(?:the|our|my|all)\s+", "", found["thing"], flags=re.I)
    tools = tools_in(phrase(found["value"]))
    if not tools or points_elsewhere(thing) or words(thing) > 4 or _TROUBLE.search(said.text):
        return
    if find_tool(found["value"])[0] not in " ".join(found["value"].split()[:4]):
        return
    written = tools[0][0]
    link = re.sub(r"\s+", " ", found["link"].lower())
    yield Candidate(
        f"{thing[:1].upper()}{thing[1:]} {link} {written}",
        FactKind.ENVIRONMENT,
        USER,
        PURPOSE_WORDS.get(thing.lower(), thing.lower()),
        written,
    )


def _all_tools(found: Found, said: Said) -> Iterator[Candidate]:
    """ "it's all Java 21 and Spring Boot": a list of tools and nothing else."""
    value = phrase(found["value"])
    parts = [part for part in _LIST.split(value) if part]
    tools = tools_in(value)
    if tools and len(tools) == len(parts) and words(value) <= 2 * len(tools) + 3:
        yield from _tool_facts(USER, value)


def _will_use(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Beacon will be written in Kotlin"."""
    for fact in _thing_uses(found, said):
        yield replace(fact, kind=FactKind.DECISION)


_WHO_I = r"(?P<who>i|we|(?:the|our)\s+team|(?:the|my|our)\s+company)"


_OFTEN = (
    r"(?:\s+(?:also|mostly|mainly|always|usually|currently|still|now|primarily|just|only|"
    r"generally|exclusively|all|actually|have\s+been|both|are|am|do|typically|daily))*"
)


_ANY = r"(?P<who>[\w'’-]+(?:\s[\w'’.-]+){0,3}?)"


_LABEL = "|".join(
    sorted(
        (re.escape(label).replace(r"\ ", r"\s+") for label in PURPOSE_WORDS), key=len, reverse=True
    )
)


RULES: tuple[Rule, ...] = (
    rule(
        rf"(?:my|our|the)\s+(?:main\s+|primary\s+|current\s+|new\s+|"
        rf"work\s+)?(?P<label>{_LABEL})\s+(?:is|are|runs\s+on|runs)\s+(?:now\s+|"
        rf"currently\s+|on\s+|called\s+)*(?P<value>.+)",
        _purpose_is,
    ),
    rule(
        rf"{_WHO_I}{_OFTEN}\s+(?:use|using|work\s+with|working\s+with|rely\s+on|run|"
        rf"running|run\s+on|running\s+on|code\s+in|coding\s+in|write\s+(?:mostly\s+|"
        rf"everything\s+in\s+|in\s+)|program\s+in|develop\s+(?:in|on))\s+(?P<value>.+)",
        _uses,
    ),
    rule(rf"{_WHO_I}\s+(?:am|are){_OFTEN}\s+on\s+(?P<value>.+)", _uses),
    rule(
        rf"{_WHO_I}{_OFTEN}\s+(?:deploy|host|ship|deploying|hosting)\s+(?:everything\s+|"
        rf"it\s+|our\s+\w+\s+|the\s+\w+\s+)?(?:to|on|via|with|through|"
        rf"using)\s+(?P<value>.+)",
        _uses,
    ),
    rule(
        rf"{_WHO_I}{_OFTEN}\s+(?:have\s+)?(?:upgraded|"
        rf"bumped)\s+(?:everything\s+)?to\s+(?P<value>.+)",
        _uses,
    ),
    rule(
        rf"{_ANY}\s+(?:mostly\s+|now\s+|currently\s+|all\s+|still\s+)*(?:uses|runs\s+(?:on|"
        rf"in|with)|runs|is\s+built\s+(?:with|on|in|using)|is\s+written\s+in|"
        rf"is\s+hosted\s+(?:on|at|in)|is\s+deployed\s+(?:to|on|via|with)|deploys\s+(?:to|"
        rf"on|via|with)|is\s+(?:in|on|based\s+on)|are\s+(?:in|on)|are\s+written\s+in|"
        rf"run\s+(?:on|in)|lives\s+(?:in|on))\s+(?P<value>.+)",
        _thing_uses,
    ),
    rule(
        r"(?P<thing>(?:(?:the|our|my|"
        r"all)\s+)?[\w-]+(?:\s[\w-]+){0,2}?)\s+(?P<link>(?:all\s+)?(?:go(?:es)?|run|live|"
        r"happen|(?:is|are|get|gets)\s+(?:now\s+|all\s+)?(?:stored|hosted|kept|deployed|"
        r"built|managed|handled|served|done|tracked|sent|shipped|backed\s+up|generated|"
        r"monitored|tested|cached|queued|logged|written|published|processed|synced|"
        r"saved))\s+(?:through|in|on|via|with|by|to|into|using))\s+(?P<value>.+)",
        _stored,
    ),
    rule(
        r"(?:(?:at|for)\s+work\s*,?\s+)?(?:it|everything|the\s+stack|our\s+stack|(?:our|"
        r"my|the)\s+(?:own\s+|other\s+)?(?:[\w-]+\s)?[\w-]+)\s+(?:is|are)\s+(?:now\s+|"
        r"all\s+|mostly\s+|just\s+|on\s+|plain\s+|in\s+|pure\s+|mainly\s+|still\s+|"
        r"basically\s+|only\s+)+(?P<value>.+)",
        _all_tools,
    ),
    rule(
        r"(?:at|for)\s+work\s*,?\s+(?:it|we|i)\s+(?:is|use|am\s+on|"
        r"are\s+on)\s+(?P<value>.+)",
        _all_tools,
    ),
    rule(
        rf"{_ANY}\s+(?:will|is\s+going\s+to)\s+(?:be\s+(?:written|built|hosted|deployed|"
        rf"done|made|running)\s+(?:in|on|with|to)|use|run\s+on|be\s+on)\s+(?P<value>.+)",
        _will_use,
    ),
)
