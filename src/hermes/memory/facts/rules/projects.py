"""The user's projects, company and belongings."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
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
from hermes.memory.facts.rules.lexicon import tool_purpose
from hermes.memory.facts.rules.places import place
from hermes.types import FactKind

_URL = re.compile(r"(?:https?://)?(?:[\w-]+\.)+(?:[a-z]{2,})(?::\d+)?(?:/[\w./?=&#%-]*)?", re.I)


def _works_on(found: Found, said: Said) -> Iterator[Candidate]:
    """ "my main project is Atlas", "I'm working on a project called Atlas"."""
    name = short(found["value"])
    if (
        not name
        or points_elsewhere(name)
        or words(name) > 4
        or not is_proper(name)
        or tool_purpose(name)
    ):
        return
    yield Candidate(
        f"User works on {name}", FactKind.ENVIRONMENT, USER, "project", name, single=False
    )


def _named_project(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I'm building a budgeting app, Pennywise"; "two projects: Lantern, … and Driftwood"."""
    for name in re.findall(
        r"(?:^|,\s*(?:and\s+)?|\band\s+|:\s*)([A-Z]\w+(?:\s[A-Z]\w+)?)", found["value"]
    ):
        if not tool_purpose(name):
            yield Candidate(
                f"User works on {name}", FactKind.ENVIRONMENT, USER, "project", name, single=False
            )


def _what_it_is(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Heron is our internal CRM"."""
    name, value = found["name"], phrase(found["value"])
    if tool_purpose(name) or words(value) > 6 or points_elsewhere(value) or not value:
        return
    yield Candidate(f"{name} is the user's {value}", FactKind.ENVIRONMENT, name, "what", value)


def _office(found: Found, said: Said) -> Iterator[Candidate]:
    thing, value = found["thing"].lower(), place(found["value"])
    if value:
        yield Candidate(
            f"User's {thing} is in {value}",
            FactKind.ENVIRONMENT,
            USER,
            f"{thing} location",
            value,
            single=True,
        )


def _owns(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I've got a Focusrite Scarlett plus a Launchpad": things with a maker's name."""
    for part in re.split(r",\s*(?:and\s+)?|\s+(?:and|plus|&)\s+", phrase(found["value"])):
        thing = bare(short(re.split(r"\s+(?:with|for|from|at|in|on|that|which|to)\s", part)[0]))
        if re.match(r"[A-Z]", thing) and words(thing) <= 5 and not _NOT_OWNED.search(thing):
            yield Candidate(f"User has a {thing}", FactKind.ENVIRONMENT, USER, "owns", thing)


_NOT_OWNED = re.compile(
    r"(?:Error|Exception|Warning|PR|MR|Issue|Bug|Question|Meeting|Zoom|Call|Interview|"
    r"PhD|MSc|BSc|MBA|Degree|"
    r"API|URL|JSON|CSV|PDF|SQL|Friday|Monday|Tuesday|Wednesday|Thursday|Saturday|"
    r"Sunday|Docker|Python|React|"
    r"Mr|Mrs|I|OK)\b"
)


def _customers(found: Found, said: Said) -> Iterator[Candidate]:
    for part in re.split(r",\s*(?:and\s+)?(?:in\s+)?|\s+and\s+(?:in\s+)?", phrase(found["value"])):
        place = short(part)
        if is_proper(place) and words(place) <= 3:
            thing = found["thing"].lower()
            yield Candidate(
                f"User's team has {thing} in {place}", FactKind.ENVIRONMENT, USER, thing, place
            )


def _about_topic(found: Found, said: Said) -> Iterator[Candidate]:
    thing, value = found["thing"].lower(), phrase(found["value"])
    if not points_elsewhere(value) and words(value) <= 10:
        yield Candidate(
            f"User's {thing} is about {value}",
            FactKind.OTHER,
            USER,
            f"{thing} topic",
            value,
            single=True,
        )


def _trades(found: Found, said: Said) -> Iterator[Candidate]:
    """ "we bill in CHF", "we serve 300 restaurants", "we sell handmade candles"."""
    value, verb = phrase(found["value"]), found["verb"].lower()
    if points_elsewhere(value) or words(value) > 6 or re.match(r"(?:an?|the)\s", value):
        return
    yield Candidate(
        f"User's team {verb}s {value}", FactKind.ENVIRONMENT, USER, f"business:{verb}", value
    )


def _team_size(found: Found, said: Said) -> Iterator[Candidate]:
    value = found["value"].lower()
    yield Candidate(
        f"User's team is {value} people",
        FactKind.ENVIRONMENT,
        USER,
        "team size",
        value,
        single=True,
    )


def _counted(found: Found, said: Said) -> Iterator[Candidate]:
    value = f"{found['value']} {found['thing'].lower()}"
    yield Candidate(
        f"User's team has {value}",
        FactKind.ENVIRONMENT,
        USER,
        found["thing"].lower(),
        value,
        single=True,
    )


RULES: tuple[Rule, ...] = (
    rule(
        r"(?:our|my)\s+(?P<thing>(?:head\s+|main\s+|new\s+)?(?:office|headquarters|hq|"
        r"studio|workshop|warehouse|"
        r"lab|data\s?cent(?:er|re)|servers?|shop|school|cabin|"
        r"summer\s+house))\s+(?:is|are)\s+(?:located\s+)?in\s+"
        r"(?P<value>.+)",
        _office,
    ),
    rule(
        r"(?:i|we)\s+(?:have|own)\s+an?\s+(?P<thing>(?:\w+\s)?(?:cabin|house|flat|"
        r"boat|garden|allotment|farm|studio|"
        r"shop|cottage|apartment|office|workshop))\s+in\s+(?P<value>(?-i:[A-Z]).+)",
        _office,
    ),
    rule(
        r"we\s+are\s+(?:now\s+|only\s+|"
        r"currently\s+)?(?:an?\s+(?:\w+\s)?team\s+of\s+)(?P<value>\w+)\b",
        _team_size,
    ),
    rule(
        r"my\s+(?P<thing>(?:phd\s+|master'?s?\s+|bachelor'?s?\s+)?(?:thesis|"
        r"dissertation|paper|book|novel|research|phd|"
        r"talk|podcast|blog|newsletter|channel))\s+is\s+(?:all\s+)?(?:about|on)\s+(?P<value>.+)",
        _about_topic,
    ),
    rule(
        r"we\s+(?:only\s+|mostly\s+|mainly\s+)?(?P<verb>bill|invoice|"
        r"charge)\s+(?P<value>in\s+(?-i:[A-Z]{3}|[a-z]+s)\b.*)",
        _trades,
    ),
    rule(r"we\s+(?P<verb>serve)\s+(?P<value>(?:about\s+|over\s+|around\s+)?\d.+)", _trades),
    rule(r"we\s+(?P<verb>sell|manufacture|produce)\s+(?P<value>.+)", _trades),
    rule(
        r"(?:i\s+am|we\s+are)\s+(?:currently\s+|now\s+)?(?:working\s+on|building|"
        r"developing|making|writing)\s+"
        r"(?:an?|two|three|"
        r"several)\s+[\w\s-]{2,40}?(?:\s+this\s+\w+)?\s*[,:]\s*"
        r"(?P<value>(?-i:[A-Z]).+)",
        _named_project,
    ),
    rule(
        r"my\s+(?:side\s+|main\s+|current\s+|"
        r"pet\s+)?project\s+is\s+an?\s+[\w\s-]{2,40}?(?:\s+called|\s+named|,)\s+"
        r"(?P<value>(?-i:[A-Z]).+)",
        _named_project,
    ),
    rule(
        r"(?:project\s+)?(?P<name>(?!It\b|This\b|That\b|He\b|"
        r"She\b)(?-i:[A-Z])\w+)\s+is\s+(?:our|my|"
        r"the)\s+(?P<value>(?:(?:internal|new|"
        r"main|old|own|flagship)\s+)?"
        r"(?:[\w-]+\s){0,3}?(?:crm|app|tool|service|system|platform|library|product|"
        r"project|dashboard|pipeline|"
        r"database|cluster|server|bot|website|wiki|cli|api|monolith|framework|client|"
        r"customer|supplier|vendor|"
        r"competitor|partner|bank|landlord)s?)\b",
        _what_it_is,
    ),
    rule(
        r"(?:my|our)\s+(?:main|primary|current|new|side)\s+(?:side\s+)?project\s+(?:is|"
        r"is\s+called|is\s+named)\s+(?:called\s+)?(?P<value>.+)",
        _works_on,
    ),
    rule(
        r"(?:i|we)(?:\s+am|\s+are)?\s+(?:currently\s+|now\s+|mostly\s+|"
        r"mainly\s+)*(?:work(?:ing)?\s+on|build(?:ing)?|maintain(?:ing)?|develop(?:ing)?|"
        r"run(?:ning)?)\s+(?:an?\s+[\w\s-]{2,40}?\s+(?:called|named)|(?:the\s+)?project|"
        r"a\s+project\s+called)\s+(?P<value>.+)",
        _works_on,
    ),
    rule(
        r"(?:we|our\s+company)\s+(?:now\s+|also\s+)?have\s+(?:\w+\s+)?(?P<thing>customers|"
        r"offices|users|clients|stores|teams|people|servers|data\s?centers|"
        r"warehouses)\s+in\s+(?P<value>.+)",
        _customers,
    ),
    rule(
        r"i\s+(?:have\s+got|have|own|drive|ride|bought|got|just\s+bought|"
        r"just\s+got)\s+(?P<value>an?\s+(?-i:[A-Z]).+)",
        _owns,
    ),
    rule(
        r"(?:we|our\s+team|the\s+team|our\s+company)\s+(?:have|has|are|is|serve|"
        r"employs?)\s+(?:got\s+|now\s+|currently\s+|about\s+|around\s+|roughly\s+|over\s+|"
        r"a\s+team\s+of\s+)*(?P<value>\d[\d.,k]*)\s+(?P<thing>people|engineers|developers|"
        r"devs|customers|users|clients|employees|stores|members|paying\s+customers|"
        r"microservices|services|repos)\b",
        _counted,
    ),
)
