"""Where things are kept and run, and what everything is made of."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.environment import (
    ANY,
    LIST,
    TROUBLE,
    of_part,
    thing_uses,
    tool_facts,
    tools_in,
)
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
from hermes.memory.facts.rules.lexicon import PURPOSE_WORDS, find_tool, tool_purpose
from hermes.memory.facts.rules.scope import whose
from hermes.types import FactKind


def _stored(found: Found, said: Said) -> Iterator[Candidate]:
    """ "events are stored in Kafka", "deploys go through ArgoCD only"."""
    thing = re.sub(r"^(?:the|our|my|all)\s+", "", found["thing"], flags=re.I)
    tools = tools_in(phrase(found["value"]))
    if (
        not tools
        or tool_purpose(thing)
        or points_elsewhere(thing)
        or words(thing) > 4
        or TROUBLE.search(said.text)
    ):
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
    parts = [part for part in LIST.split(value) if part]
    tools = tools_in(value)
    if tools and len(tools) == len(parts) and words(value) <= 2 * len(tools) + 3:
        part = found.groupdict().get("who") or found.groupdict().get("thing") or "everything"
        yield from (of_part(fact, part) for fact in tool_facts(USER, value))


def _will_use(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Beacon will be written in Kotlin"."""
    for fact in thing_uses(found, said):
        yield replace(fact, kind=FactKind.DECISION)


_KEEPABLE = re.compile(
    r"(?:secrets|logs|docs|tickets|backups|builds|images|metrics|designs|notes|"
    r"passwords|credentials|"
    r"artifacts|artefacts|env vars|dashboards|events|files|invoices|photos|models|datasets|assets|"
    r"mockups|specs|roadmaps?|contracts|recordings|feature flags|packages|releases|deploys)$",
    re.I,
)


def _kept_in(found: Found, said: Said) -> Iterator[Candidate]:
    """ "secrets live in Vault": where a kind of thing is kept, by any proper name."""
    thing = re.sub(r"^(?:the|our|my|all)\s+", "", found["thing"], flags=re.I)
    value = short(found["value"])
    if not _KEEPABLE.match(thing) or not is_proper(value) or words(value) > 4:
        return
    if re.match(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day", value, re.I):
        return
    link = re.sub(r"\s+", " ", found["link"].lower())
    text = f"{thing[:1].upper()}{thing[1:]} {link} {value}"
    yield Candidate(text, FactKind.ENVIRONMENT, USER, thing.lower(), value)


def _is_tools(found: Found, said: Said) -> Iterator[Candidate]:
    """ "the mobile app is Flutter": nothing but tools on the right."""
    if not re.search(_TROUBLED, found["thing"], re.I):
        yield from _all_tools(found, said)


_TROUBLED = (
    r"\b(?:problem|issue|culprit|question|answer|cause|reason|bug|error|thing|goal|plan|"
    r"point|choice|alternative|option|one|idea)\b"
)

_PART = (
    r"(?:api\s+gateway|gateway|proxy|load\s+balancer|firewall|registry|cdn|dns\s+provider|provider|"
    r"(?:hosting|payment|email|cloud|sms|identity)\s+provider|vendor|supplier|client|"
    r"customer|publisher|password\s+manager|"
    r"vpn|(?:prod|production|staging|dev|test|main|primary)\s+(?:db|database|server|"
    r"cache|queue|cluster|host|"
    r"domain|bucket|environment|env)|template\s+engine|test\s+runner|job\s+runner|"
    r"scheduler|message\s+bus|"
    r"bundler|wiki|issue\s+tracker|error\s+tracker|font|style\s+guide|codename|"
    r"project\s+name|working\s+title)"
)


def _part_is(found: Found, said: Said) -> Iterator[Candidate]:
    """ "the api gateway is Kong", "prod db is Postgres 15 on RDS"."""
    label, value = re.sub(r"\s+", " ", found["label"].lower()), phrase(found["value"])
    value = bare(short(value))
    tool = find_tool(value)[0]
    if points_elsewhere(value) or words(value) > 6 or is_state(value):
        return
    if (tool and value.startswith(tool)) or re.match(r"[A-Z]", value):
        text = f"User's {label} is {value}"
        yield Candidate(text, FactKind.ENVIRONMENT, USER, label, value, single=True)


def _made_of(found: Found, said: Said) -> Iterator[Candidate]:
    """ "we're a Rails shop", "Atlas is a Django app"."""
    tool, purpose = find_tool(found["value"])
    who = found.groupdict().get("name") or ""
    if tool and not tool_purpose(who):
        subject = who or USER
        text = f"{whose(subject)} uses {tool}"
        yield Candidate(text, FactKind.ENVIRONMENT, subject, purpose, tool)


def _version(found: Found, said: Said) -> Iterator[Candidate]:
    """ "minimum node version is 20", "we target Python 3.10+"."""
    tool, value = found["tool"], found["value"]
    which = (found.groupdict().get("which") or "").lower()
    label = f"{which} {tool.lower()} version".strip()
    yield Candidate(
        f"User's {label} is {value}",
        FactKind.ENVIRONMENT,
        USER,
        label,
        f"{tool} {value}",
        single=True,
    )


def _certified(found: Found, said: Said) -> Iterator[Candidate]:
    value = f"{found['value']} {found['how'].lower()}"
    yield Candidate(f"User's team is {value}", FactKind.ENVIRONMENT, USER, "certification", value)


RULES: tuple[Rule, ...] = (
    rule(
        rf"(?:the\s+|our\s+|my\s+)?(?P<label>{_PART})\s+(?:is|runs)\s+(?:now\s+|on\s+|"
        rf"called\s+|still\s+)*(?P<value>.+)",
        _part_is,
    ),
    rule(
        r"we\s+are\s+(?:mostly\s+|still\s+|"
        r"basically\s+)?an?\s+(?P<value>[\w.#+ -]{2,30}?)\s+(?:shop|house|team|company)\b",
        _made_of,
    ),
    rule(
        r"(?P<name>(?-i:[A-Z])\w+)\s+is\s+an?\s+(?P<value>[\w.#+ /-]{2,40}?)\s+(?:app|"
        r"service|site|project|monolith|library|"
        r"plugin|bot|api|cli|backend|frontend|website|shop)\b",
        _made_of,
    ),
    rule(
        r"(?:the\s+|our\s+)?(?P<which>minimum|min|required|supported|current|"
        r"target)\s+(?P<tool>[\w.+#]+)\s+version\s+is\s+"
        r"(?P<value>v?\d[\w.+]*)",
        _version,
    ),
    rule(
        r"we\s+(?:only\s+|still\s+)?(?:target|support|"
        r"require)\s+(?P<tool>[A-Za-z][\w.+#]*)\s+(?P<value>v?\d[\w.+]*)",
        _version,
    ),
    rule(
        r"we\s+are\s+(?:now\s+)?(?P<value>(?-i:[A-Z])[\w -]{2,25}?)[\s-](?P<how>certified|"
        r"compliant|accredited)\b",
        _certified,
    ),
    rule(
        r"(?P<thing>(?:(?:the|our|my|"
        r"all)\s+)?[\w-]+(?:\s[\w-]+){0,2}?)\s+(?P<link>(?:all\s+)?(?:go(?:es)?|logs?|"
        r"reports?|writes?|publish(?:es)?|deploys?|syncs?|run|live|"
        r"happen|(?:is|are|get|gets)\s+(?:now\s+|all\s+)?(?:stored|hosted|kept|deployed|"
        r"built|managed|handled|served|done|tracked|sent|shipped|backed\s+up|generated|"
        r"monitored|tested|cached|queued|logged|written|published|processed|synced|"
        r"saved))\s+(?:through|in|on|via|with|by|to|into|using))\s+(?P<value>.+)",
        _stored,
    ),
    rule(
        r"(?P<thing>(?:(?:the|our|my|"
        r"all)\s+)?[\w-]+(?:\s[\w-]+){0,2}?)\s+(?P<link>(?:all\s+)?(?:go(?:es)?|logs?|"
        r"reports?|writes?|publish(?:es)?|deploys?|syncs?|run|live|"
        r"happen|(?:is|are|get|gets)\s+(?:now\s+|all\s+)?(?:stored|hosted|kept|deployed|"
        r"built|managed|handled|served|done|tracked|sent|shipped|backed\s+up|generated|"
        r"monitored|tested|cached|queued|logged|written|published|processed|synced|"
        r"saved))\s+(?:through|in|on|via|with|by|to|into|using))\s+(?P<value>.+)",
        _kept_in,
    ),
    rule(
        r"(?:(?:at|for)\s+work\s*,?\s+)?(?:it|everything|the\s+stack|our\s+stack|(?P<who>(?:our|"
        r"my|the)\s+(?:own\s+|other\s+)?(?:[\w-]+\s)?[\w-]+))\s+(?:is|are)\s+(?:now\s+|"
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
        rf"{ANY}\s+(?:will|is\s+going\s+to)\s+(?:be\s+(?:written|built|hosted|deployed|"
        rf"done|made|running)\s+(?:in|on|with|to)|use|run\s+on|be\s+on)\s+(?P<value>.+)",
        _will_use,
    ),
    rule(
        r"(?:(?:at|for)\s+work\s*,?\s+)?(?:we|i)\s+(?:are|am)\s+(?:all\s+|mostly\s+|"
        r"still\s+|now\s+)*(?:on|using)\s+"
        r"(?P<value>.+)",
        _all_tools,
    ),
    rule(
        r"(?:the|our|my)\s+(?P<thing>[\w-]+(?:\s[\w-]+){0,2}?)\s+(?:is|are)\s+(?:a\s+|"
        r"an\s+)?(?P<value>.+?)"
        r"(?:\s+(?:app|project|codebase|service|site|shop|monolith))?$",
        _is_tools,
    ),
)
