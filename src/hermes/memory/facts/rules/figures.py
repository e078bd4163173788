"""The particulars of the user's work: addresses, ports, numbers, projects, belongings."""

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
from hermes.types import FactKind

_URL = re.compile(r"(?:https?://)?(?:[\w-]+\.)+(?:[a-z]{2,})(?::\d+)?(?:/[\w./?=&#%-]*)?", re.I)


_PORT = re.compile(r"\bport\s+(?P<port>\d{2,5})\b", re.I)


_STATE = re.compile(
    r"(?:down|up|broken|red|green|slow(?:er)?|fast(?:er)?|late|behind|ahead|failing|"
    r"stuck|full|flaky|back|ok|fine|"
    r"ready|done|dead|on fire|better|worse|over|under|about|around|almost|now|still|"
    r"just|getting|being|"
    r"at \d|on (?:mon|tue|wed|thu|fri|sat|sun)|today|tomorrow|\d+x\b|"
    r"\d+(?:\.\d+)?(?:%| percent)? (?:slower|faster|"
    r"more|less|over|behind|done|complete|full|off|late|down|up)|not|due|next|this|"
    r"in \d|scheduled)\b",
    re.I,
)


def is_state(value: str) -> bool:
    return bool(_STATE.match(value))


def _address(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Grafana is at https://…", "the docs live at docs.example.com"."""
    url = _URL.match(found["value"])
    thing = re.sub(r"^(?:the|our|my)\s+", "", found["thing"].strip(), flags=re.I)
    if not url or ("/" not in url.group() and url.group().count(".") < 1) or words(thing) > 4:
        return
    if points_elsewhere(thing) or tool_purpose(url.group()):
        return
    address = url.group().rstrip(".,)")
    yield Candidate(
        f"{thing[:1].upper()}{thing[1:]} is at {address}",
        FactKind.ENVIRONMENT,
        USER,
        f"{thing.lower()} url",
        address,
        single=True,
    )


def _port(found: Found, said: Said) -> Iterator[Candidate]:
    thing = re.sub(r"^(?:the|our|my)\s+", "", found["thing"].strip(), flags=re.I)
    if points_elsewhere(thing) or words(thing) > 4:
        return
    yield Candidate(
        f"{thing[:1].upper()}{thing[1:]} uses port {found['value']}",
        FactKind.ENVIRONMENT,
        USER,
        f"{thing.lower()} port",
        f"port {found['value']}",
        single=True,
    )


_MEASURED = re.compile(
    r"(?:about |around |roughly |~|approximately |over |"
    r"under )?[$€£]?\d[\d.,]*\s?(?:%|k|m|ms|s|gb|tb|mb|hours?|hrs?|days?|weeks?|"
    r"months?|"
    r"years?|minutes?|mins?|people|engineers|developers|devs|customers|users|clients|"
    r"employees|requests?|rps|euros?|"
    r"dollars|members|stores|countries|percent)?\b",
    re.I,
)


def _our_number(found: Found, said: Said) -> Iterator[Candidate]:
    """ "our SLA is 99.9%": a number the team lives by."""
    label, value = found["label"].lower(), phrase(found["value"])
    if (
        not _MEASURED.match(value)
        or words(value) > 6
        or is_state(value)
        or _LIST_OF_DATES.search(value)
    ):
        return
    if label in {
        "bill",
        "build",
        "test",
        "tests",
        "error",
        "deadline",
        "meeting",
        "flight",
        "birthday",
        "issue",
    }:
        return
    yield Candidate(
        f"User's {label} is {value}", FactKind.ENVIRONMENT, USER, label, value, single=True
    )


_LIST_OF_DATES = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b|\d(?:st|nd|rd|th)\b|"
    r"\d\s?(?:am|pm)\b",
    re.I,
)


_KNOWN_NUMBERS = frozenset(
    "sla retention budget rate limit quota sprint runway headcount rent salary timeout".split()
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


def _customers(found: Found, said: Said) -> Iterator[Candidate]:
    for part in re.split(r",\s*(?:and\s+)?(?:in\s+)?|\s+and\s+(?:in\s+)?", phrase(found["value"])):
        place = short(part)
        if is_proper(place) and words(place) <= 3:
            thing = found["thing"].lower()
            yield Candidate(
                f"User's team has {thing} in {place}", FactKind.ENVIRONMENT, USER, thing, place
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


_THING = r"(?P<thing>(?:(?:the|our|my)\s+)?[\w'’/-]+(?:\s[\w'’/-]+){0,3}?)"


RULES: tuple[Rule, ...] = (
    rule(
        rf"{_THING}\s+(?:is|are|lives?|live|runs?|sits?|moved|(?:has|have)\s+moved|"
        rf"is\s+hosted|can\s+be\s+found|is\s+available|is\s+located)\s*(?:now\s+)?(?:at|on|"
        rf"under|to|here:?|:)?\s+(?P<value>(?:https?://|[\w-]+\.[\w.-]+/|[\w-]+\.(?:com|io|"
        rf"dev|org|net|app|internal|local|co|ai|cloud|sh|xyz|eu|de|uk|example|test|lan|"
        rf"corp|home|intra|nl|fr|pl)\b|(?:[\w-]+\.){{2,}}[a-z]{{2,}}\b).*)",
        _address,
    ),
    rule(
        rf"{_THING}\s+(?:is|are|runs?|listens?|lives?|sits?|is\s+exposed|is\s+running|"
        rf"uses)\s+(?:on\s+)?port\s+(?P<value>\d{{2,5}})",
        _port,
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
        r"i\s+(?:have\s+got|have|own|bought|got|just\s+bought|"
        r"just\s+got)\s+(?P<value>an?\s+(?-i:[A-Z]).+)",
        _owns,
    ),
    rule(
        r"(?:my|our|the)\s+(?:current\s+)?(?P<label>[a-z][\w -]{1,30}?)\s+(?:is|"
        r"are)\s+(?:now\s+|currently\s+|at\s+)?(?P<value>[~$€£\d].*)",
        _our_number,
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
