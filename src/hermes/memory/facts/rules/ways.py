"""How a team works, in any words: what things are made with, what was settled or forbidden."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.environment import TROUBLE, tools_in
from hermes.memory.facts.rules.grammar import (
    Found,
    Rule,
    Said,
    is_proper,
    phrase,
    points_elsewhere,
    rule,
    words,
)
from hermes.memory.facts.rules.lexicon import PURPOSE_WORDS, find_tool, tool_purpose
from hermes.types import FactKind

_WORK = (
    r"(?:code|ids?|services?|endpoints?|releases?|apis?|tests?|docs|documentation|builds?|"
    r"deploys?|deployments?|"
    r"migrations?|tickets?|reviews?|commits?|branches|prs?|merges?|dashboards?|logs?|errors?|"
    r"metrics|alerts?|"
    r"secrets?|passwords?|designs?|mockups?|linting|formatting|infra|infrastructure|dependencies|"
    r"packages?|"
    r"images?|backups?|frontend|backend|app|apps|site|website|platform|pipeline|pipelines|jobs?|"
    r"queues?|"
    r"sessions?|invoices?|payments?|billing|emails?|search|auth|authentication|translations?|"
    r"assets|uploads|"
    r"files|notes|servers?|database|databases|repos?|monolith|importer|parser|scraper|worker|"
    r"workers|bot|"
    r"gateway|scheduler|cli|sdk|client|library|admin|shop|store|blog|hotfixes|meetings|standups?)"
)
_NO_SUBJECT = re.compile(
    r"(?:it|this|that|he|she|they|you|there|what|which|who|i|my\s+\w+\s+and)\b", re.I
)
_STATES = re.compile(
    r"\b(?:down|broken|slow|failing|failed|failing|red|green|stuck|late|wrong|fine|ok|good|bad|"
    r"weird|flaky|"
    r"gone|missing|empty|full|ready|done|hard|easy|up|back|on fire|not working|acting|supposed|"
    r"trying|why|how)\b",
    re.I,
)


def _made_with(found: Found, said: Said) -> Iterator[Candidate]:
    """ "our servers run Debian 12", "dashboards are in Grafana"."""
    thing, value = found["thing"].strip(), phrase(found["value"])
    tools = tools_in(value)
    if not tools or TROUBLE.search(said.text) or _STATES.search(said.text) or words(value) > 6:
        return
    if (
        tool_purpose(thing)
        or re.fullmatch(r"(?:the\s+)?code", thing, re.I)
        or not value.lower().startswith(tools[0][0].lower())
    ):
        return
    part = re.sub(r"^(?:all\s+|every\s+|new\s+)*(?:our|the|my|all|new)?\s*", "", thing, flags=re.I)
    for written, _, purpose in tools:
        yield Candidate(
            f"{part[:1].upper()}{part[1:]} {found['link'].strip()} {written} (user's team)",
            FactKind.ENVIRONMENT,
            USER,
            PURPOSE_WORDS.get(part.lower()) or f"{part.lower()}: {purpose}",
            written,
        )


def _own_words(found: Found, said: Said) -> Iterator[Candidate]:
    """What was settled, as it was put."""
    value = phrase(found["value"])
    if (
        not 2 <= words(value) <= 12
        or _STATES.search(value)
        or (points_elsewhere(value) and value[:3].lower() != "no ")
    ):
        return
    if re.search(r"\b(?:this|that|it|today|tonight|please|you|me)\b", value, re.I):
        return
    topic = " ".join(re.findall(r"\w+", value.lower())[:3])
    text = f"User's team decided: {value}"
    yield Candidate(text, FactKind.DECISION, USER, f"decision:{topic}", value)


def _won(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Terraform won", "Mailgun is in", "we're leaving AWS for Hetzner"."""
    value = phrase(found["value"])
    tool, purpose = find_tool(value)
    if (tool or (is_proper(value) and found.groupdict().get("old"))) and words(value) <= 4:
        old = (found.groupdict().get("old") or "").strip()
        gone = f" instead of {old}" if old else ""
        yield Candidate(
            f"User's team decided on {value}{gone} ({phrase(said.text)})",
            FactKind.DECISION,
            USER,
            purpose or "decision",
            value,
            single=bool(old),
            replaces=old,
        )


def _versioned(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Node 18 still on our side"."""
    tool = find_tool(found["value"])[0]
    if tool and re.search(r"\d", found["value"]):
        name = re.sub(r"[ -]?v?\d[\d.]*$", "", tool)
        text = f"User's team uses {tool}"
        yield Candidate(
            text, FactKind.ENVIRONMENT, USER, f"{name.lower()} version", tool, single=True
        )


def _seated(found: Found, said: Said) -> Iterator[Candidate]:
    where = phrase(found["value"])
    if words(where) <= 4 and is_proper(where) and not tool_purpose(where):
        thing = found["thing"].lower()
        text = f"User's {thing} is {found['link'].strip()} {where}"
        yield Candidate(text, FactKind.ENVIRONMENT, USER, f"{thing} location", where, single=True)


def _measured(found: Found, said: Said) -> Iterator[Candidate]:
    thing = found["thing"].lower()
    text = f"User's {thing} is {found['value']}"
    yield Candidate(text, FactKind.ENVIRONMENT, USER, f"{thing} size", found["value"], single=True)


_SUBJECT = rf"(?P<thing>(?:(?:all|our|the|my|new|every)\s+){{0,2}}(?:[\w-]+\s+){{0,2}}?{_WORK})"

RULES: tuple[Rule, ...] = (
    rule(
        rf"{_SUBJECT}\s+(?P<link>(?:(?:is|are|run|runs|live|lives|sits?|go|goes|use|uses|get|"
        rf"gets|stay|stays|now|all|"
        rf"still|written|built|done|kept|hosted|managed|handled|generated|powered|based|backed|"
        rf"tracked|deployed|"
        rf"made|sent|happen|happens|mostly|in|on|with|by|via|through|to|using|at|"
        rf"behind)\s+){{1,4}})(?P<value>.+)",
        _made_with,
    ),
    rule(
        rf"(?:we|i)\s+(?P<link>(?:manage|keep|write|build|store|track|handle|host|deploy|lint|"
        rf"format|test|monitor|"
        rf"draw|design|document|generate|do|run|send|ship))\s+{_SUBJECT}\s+(?:in|on|with|via|"
        rf"through|using|to)\s+"
        rf"(?P<value>.+)",
        _made_with,
    ),
    rule(
        rf"(?P<value>(?:all\s+|every\s+|new\s+|our\s+|"
        rf"the\s+)*(?:[\w-]+\s+){{0,2}}?{_WORK}\s+(?:will\s+be|will|must|"
        rf"has\s+to|have\s+to|needs?\s+to|gets?|should\s+always|always|only|never|stays?|"
        rf"no\s+longer)\s+.+)",
        _own_words,
    ),
    rule(
        rf"(?P<value>no\s+(?:more\s+)?(?:[\w-]+\s+)?{_WORK}\s+(?:on|before|after|without|over|"
        rf"during|in)\s+.+)",
        _own_words,
    ),
    rule(rf"(?P<value>(?:[\w-]+\s+)?{_WORK}\s+(?:stays|stay|is\s+staying|remains))$", _own_words),
    rule(
        r"(?P<value>[\w.+#-]+(?:\s[\w.+#-]+)?)\s+(?:won|is\s+in|wins|stays|it\s+shall\s+be)(?=$|"
        r"[,.!])",
        _won,
    ),
    rule(
        r"we\s+(?:are\s+|have\s+|will\s+be\s+)?(?:leaving|left|ditching|dropping|swapping|"
        r"trading)\s+(?P<old>[\w.+# -]{2,25}?)\s+"
        r"(?:for|in\s+favou?r\s+of)\s+(?P<value>.+)",
        _won,
    ),
    rule(
        r"(?:we|the\s+(?:team|company|board)|management)\s+(?:have\s+|has\s+|are\s+|is\s+|"
        r"will\s+)?(?P<value>(?:gone|going|moving|"
        r"moved|switching|switched|go)\s+(?:to\s+an?\s+|fully\s+|all\s+|completely\s+|"
        r"over\s+to\s+|to\s+)?(?:trunk[- ]based|"
        r"remote|remote[- ]first|monorepo|microservices|serverless|hybrid|open[- ]source|kanban|"
        r"scrum|async|four-day\s+week|"
        r"self-hosted|on-prem|cloud|in-office|weekly\s+\w+|monthly\s+\w+)\b.*)",
        _own_words,
    ),
    rule(
        r"(?:we|management|the\s+(?:team|company|board|client))\s+(?:have\s+|has\s+|"
        r"will\s+)?(?:decided|agreed|opted|chose|voted)\s+"
        r"(?P<value>not\s+to\s+.+)",
        _own_words,
    ),
    rule(
        r"we\s+(?:will|are\s+going\s+to)\s+(?P<value>(?:release|ship|deploy|meet|publish|support|"
        r"charge|bill|test|keep|stop|"
        r"hire|outsource|open[- ]source|rewrite|split|merge|rename|archive|deprecate|freeze|"
        r"require)\s+.*(?:instead|from\s+now|"
        r"only|every|quarterly|monthly|weekly|anymore|as\s+of|for\s+all).*)",
        _own_words,
    ),
    rule(
        r"(?P<value>[\w.+#-]+\s+v?\d[\d.]*)\s+(?:still\s+)?(?:on\s+our\s+side|here|everywhere|"
        r"in\s+prod\w*|for\s+now)\b",
        _versioned,
    ),
    rule(
        r"(?:the|our|my)\s+(?P<thing>company|firm|office|headquarters|hq|team|warehouse|factory|"
        r"servers?|data\s?cent(?:er|re)|"
        r"studio|shop|school|lab)\s+(?:is|are)\s+(?P<link>(?:registered|headquartered|based|"
        r"incorporated|located|hosted)?\s*(?:in|near|at))\s+"
        r"(?P<value>.+)",
        _seated,
    ),
    rule(
        r"(?:the|our|my)\s+(?P<thing>[\w-]+(?:\s[\w-]+)?)\s+is\s+(?:about\s+|around\s+|"
        r"roughly\s+|~\s?)?(?P<value>\d[\d.,]*\s?(?:GB|TB|MB|"
        r"million\s+\w+|employees|people|rows|m2|sqm)\b)",
        _measured,
    ),
)
