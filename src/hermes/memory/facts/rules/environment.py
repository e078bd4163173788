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
from hermes.memory.facts.rules.lexicon import PURPOSE_WORDS, RELATION, find_tool
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


TROUBLE = re.compile(
    r"\b(?:to (?:debug|test|check|fix|try|see|reproduce|parse|get|make)|wrong|error|"
    r"bug|instead of the|here|in this|"
    r"this (?:function|file|class|method|script|snippet|line|component)|\w+\(\))\b|\(\)|=>|==",
    re.I,
)


LIST = re.compile(
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
    for part in LIST.split(value):
        written, purpose = find_tool(part)
        if written:
            found.append((written, re.sub(r"[ -]?v?\d[\d.]*$", "", written), purpose))
    return found


def tool_facts(subject: str, value: str) -> Iterator[Candidate]:
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
    if TROUBLE.search(raw) or TROUBLE.search(said.clause.sentence[-40:]):
        return
    value, scope = split_scope(raw)
    subject = _subject(found, scope)
    plain_value, purpose = split_purpose(value)
    facts = list(tool_facts(subject, value))
    if len(facts) == 1 and purpose and len(LIST.split(plain_value)) == 1:
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
        or re.match(r"an?\s[A-Z]", value)
        or (is_proper(value) and not re.match(r"(?:an?|the|my|our)\b|\d", value))
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
    if who.lower() in {"staging", "prod", "production"}:
        return who.lower()
    name = re.sub(r"^(?:project|the|our|my)\s+", "", who, flags=re.I)
    name = re.sub(
        r"\s+(?:project|app|repo|environment|env|cluster|instance)$", "", name, flags=re.I
    )
    return name if name[:1].isupper() else USER


_NO_THING = re.compile(
    rf"(?:he|she|it|this|that|which|who|what|there|someone|nobody)\b|(?:the|my)\s+(?:code|function|"
    rf"script|tests?|error|tutorial|docs|book|course|video|article|example|snippet|class|issue|"
    rf"problem)\b|(?:my|our|"
    rf"the)\s+(?:{RELATION})\b",
    re.I,
)
_USING = re.compile(r"\b(?:uses?|built|written|hosted|deploy\w*|runs?)\b", re.I)


def _is_thing(who: str) -> bool:
    """A project, an environment or a part of the stack, rather than a person or a snippet."""
    if _NO_THING.match(who):
        return False
    named = re.match(r"[A-Z]|(?:our|the|my|all|prod|staging)\b", who) or _GENERIC.match(who)
    return bool(named) or who.lower() in PURPOSE_WORDS


def thing_uses(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Atlas runs on Kubernetes", "prod is in eu-central-1"."""
    who, raw = found["who"].strip(), phrase(found["value"])
    if not _is_thing(who) or find_tool(who)[0] == who:
        return
    subject = _subject(found, USER)
    if region := _REGION.search(raw):
        yield Candidate(
            f"{whose(subject)} runs in {region.group()}",
            FactKind.ENVIRONMENT,
            subject,
            "region",
            region.group(),
            single=True,
        )
    elif not TROUBLE.search(raw):
        facts = list(tool_facts(subject, raw)) or list(_named_use(found, subject, raw))
        yield from (of_part(fact, who) for fact in facts)


def of_part(fact: Candidate, who: str) -> Candidate:
    """Said of the part that uses it, where the part has no name of its own."""
    part = re.sub(r"^(?:all\s+)?(?:our|the|my|all)\s+", "", who, flags=re.I)
    if fact.subject != USER or _GENERIC.match(who) or part.lower() in PURPOSE_WORDS:
        return fact
    return replace(
        fact,
        text=f"{part[:1].upper()}{part[1:]} uses {fact.value} (user's team)",
        attribute=f"{part.lower()}: {fact.attribute}",
    )


def _named_use(found: Found, subject: str, raw: str) -> Iterator[Candidate]:
    """A tool nobody told us of, written as a name."""
    link = found.string[found.end("who") : found.start("value")]
    value = _named_value(raw)
    if not value or is_state(value) or not _USING.search(link):
        return
    if not re.match(r"(?:the|my)\b", found["who"], re.I):
        text = f"{whose(subject)} uses {value}"
        yield Candidate(text, FactKind.ENVIRONMENT, subject, "uses", value)


def _purpose_is(found: Found, said: Said) -> Iterator[Candidate]:
    """ "our database is Postgres 16", "my editor is helix"."""
    label = re.sub(r"\s+", " ", found["label"].lower())
    value, subject = split_scope(phrase(found["value"]))
    attribute = PURPOSE_WORDS[label]
    tools = tools_in(value)
    if tools and bare(value).startswith(tools[0][0]):
        value = ", ".join(written for written, _, _ in tools) if len(tools) > 1 else tools[0][0]
    else:
        value = bare(short(value))
        if points_elsewhere(value) or words(value) > 6 or not is_proper(value) or is_state(value):
            return
        if re.fullmatch(r"(?:UTC|GMT|[A-Z]{2,3}T)\b.*", value):
            return
        if re.match(r"\w+ing\b", value):
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


_WHO_I = r"(?P<who>i|we|(?:the|our)\s+team|(?:the|my|our)\s+company)"


_OFTEN = (
    r"(?:\s+(?:also|mostly|mainly|always|usually|currently|still|now|primarily|just|only|"
    r"generally|exclusively|all|actually|have\s+been|both|are|am|typically|daily))*"
)


ANY = r"(?P<who>[\w'’-]+(?:\s[\w'’.-]+){0,3}?)"


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
        rf"running|run\s+on|running\s+on|code\s+in|coding\s+in|write\s+(?:mostly|"
        rf"everything\s+in|in)|program\s+in|develop\s+(?:in|on))\s+(?P<value>.+)",
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
        rf"{ANY}\s+(?:mostly\s+|now\s+|currently\s+|all\s+|still\s+)*(?:uses|runs\s+(?:on|"
        rf"in|with)|runs|sits?\s+(?:on|behind)|is\s+built\s+(?:with|on|in|using)|is\s+written\s+in|"
        rf"is\s+hosted\s+(?:on|at|in)|is\s+deployed\s+(?:to|on|via|with)|deploys\s+(?:to|"
        rf"on|via|with)|is\s+(?:in|on|based\s+on)|are\s+(?:in|on)|are\s+written\s+in|"
        rf"run\s+(?:on|in)|lives\s+(?:in|on))\s+(?P<value>.+)",
        thing_uses,
    ),
)
