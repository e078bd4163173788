"""The particulars of the user's work: addresses, ports, numbers, names of things."""

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
from hermes.memory.facts.rules.lexicon import RELATIONS, tool_purpose
from hermes.types import Confidence, FactKind

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
        re.sub(r"(?:\s+(?:url|link|address|site))?$", " url", thing.lower(), count=1),
        address,
        single=True,
    )


def _port(found: Found, said: Said) -> Iterator[Candidate]:
    thing = re.sub(r"^(?:the|our|my)\s+", "", found["thing"].strip(), flags=re.I)
    if points_elsewhere(thing) or words(thing) > 4 or _EXAMPLE.search(said.text):
        return
    yield Candidate(
        f"{thing[:1].upper()}{thing[1:]} uses port {found['value']}",
        FactKind.ENVIRONMENT,
        USER,
        f"{thing.lower()} port",
        f"port {found['value']}",
        single=True,
    )


_EXAMPLE = re.compile(r"\b(?:tutorial|example|docs|documentation|sample|guide|default)\b", re.I)
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
    if not _MEASURED.match(value) or words(value) > 6 or label in _OF_THE_DAY:
        return
    if is_state(value) or _LIST_OF_DATES.search(value) or _EXAMPLE.search(value):
        return
    if said.text[:3].lower() == "the" and label not in _KNOWN_NUMBERS:
        return
    yield Candidate(
        f"User's {label} is {value}", FactKind.ENVIRONMENT, USER, label, value, single=True
    )


_OF_THE_DAY = frozenset(
    "kids children sons daughters cats dogs parents friends bill build test tests error "
    "deadline meeting flight birthday issue".split()
)


_LIST_OF_DATES = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b|\d(?:st|nd|rd|th)\b|"
    r"\d\s?(?:am|pm)\b",
    re.I,
)


_KNOWN_NUMBERS = frozenset("sla retention budget sprint runway headcount rent salary".split())


_LABELLED = frozenset(
    (
        "default branch",
        "main branch",
        "license",
        "naming convention",
        "branching model",
        "style guide",
    )
)
_NOT_LABELS = re.compile(
    r"\b(?:question|problem|issue|concern|point|guess|idea|goal|plan|hope|fear|error|"
    r"bug|code|understanding|"
    r"thought|first|next|dream|answer|favou?rite|best|worst|reason|mistake|fault|turn|favorite|way|"
    r"experience|life|day|week|weekend|mood|head|opinion|view|bad|take|result|output|"
    r"query|prompt)\b",
    re.I,
)


_TITLE = re.compile(r"(?:Prof|Dr|Mr|Mrs|Ms)\.?\s")
_IN_CODE = frozenset(
    "variable column function method class field param parameter table input output data format "
    "string file key header endpoint route branch flag argument script command package module test "
    "type schema response request component hook prop".split()
)


def _labelled(found: Found, said: Said) -> Iterator[Candidate]:
    """ "our ticket prefix is ORC", "our biggest client is Zephyr": any label, a proper value."""
    label = re.sub(r"\s+", " ", found["label"].lower())
    value = person_name(found["value"]) if _TITLE.match(found["value"]) else short(found["value"])
    if (
        re.match(r"(?:an?|the|my|our)\b", value, re.I)
        or label.split()[-1] in _IN_CODE
        or label in RELATIONS
    ):
        return
    if _NOT_LABELS.search(label) or points_elsewhere(value) or is_state(value) or words(value) > 4:
        return
    if label not in _LABELLED and not (
        re.match(r"[A-Z]", value) or re.search(r"\w[_/.-]\w|^#\w", value)
    ):
        return
    yield Candidate(
        f"User's {label} is {value}",
        FactKind.ENVIRONMENT,
        USER,
        label,
        value,
        confidence=Confidence.MEDIUM,
        single=True,
    )


def _mailbox(found: Found, said: Said) -> Iterator[Candidate]:
    label, value = found["label"].lower(), found["value"].rstrip(".")
    text = f"User's {label} is {value}"
    yield Candidate(text, FactKind.ENVIRONMENT, USER, label, value, single=True)


def _has_number(found: Found, said: Said) -> Iterator[Candidate]:
    """ "the Hornbill server has 64 GB of RAM"."""
    thing = re.sub(r"^(?:the|our|my)\s+", "", found["thing"], flags=re.I)
    thing = re.sub(r"\s+(?:server|box|machine|host|cluster)$", "", thing) or thing
    value = phrase(found["value"])
    if points_elsewhere(thing) or words(value) > 5 or words(thing) > 3:
        return
    unit = re.sub(r"^[~\d.,\s]+", "", value).lower()
    yield Candidate(
        f"{thing[:1].upper()}{thing[1:]} has {value}",
        FactKind.ENVIRONMENT,
        thing if thing[:1].isupper() else USER,
        f"{unit}" if thing[:1].isupper() else f"{thing.lower()} {unit}",
        value,
        single=True,
    )


_THING = r"(?P<thing>(?:(?:the|our|my)\s+)?[\w'’/-]+(?:\s[\w'’/-]+){0,3}?)"


RULES: tuple[Rule, ...] = (
    rule(
        r"(?:(?:the|our|"
        r"my)\s+)?(?P<thing>[\w/ -]{2,30}?)\s*:\s+(?P<value>(?:https?://\S+|"
        r"[\w-]+\.[\w.-]+/\S+))$",
        _address,
    ),
    rule(
        r"(?:the|our)\s+(?P<label>(?:[\w-]+\s)?(?:e-?mail|mail|contact|inbox|"
        r"support)(?:\s+address)?)\s+is\s+"
        r"(?P<value>[\w.+-]+@[\w.-]+)",
        _mailbox,
    ),
    rule(
        r"(?:the|our)\s+(?P<label>main\s+branch|default\s+branch|"
        r"license)\s+is\s+(?:called\s+|named\s+)?(?P<value>.+)",
        _labelled,
    ),
    rule(
        r"(?P<thing>(?:the|our|my)\s+[\w-]+(?:\s[\w-]+)?|(?-i:[A-Z])\w+)\s+(?:now\s+|"
        r"only\s+|still\s+)?has\s+"
        r"(?:about\s+|around\s+|roughly\s+|only\s+)?(?P<value>~?\d[\d.,]*\s?(?:gb|tb|"
        r"mb|k|m)?\s*(?:of\s+)?"
        r"(?:ram|memory|disk|storage|ssd|nodes?|cores?|cpus?|gpus?|replicas?|seats|"
        r"rooms|employees|people|users|"
        r"customers|tables|rows|services|endpoints|shards|partitions|workers|vcpus?|"
        r"members|stores)\b.*)",
        _has_number,
    ),
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
        r"(?:my|our|the)\s+(?:current\s+)?(?P<label>[a-z][\w -]{1,30}?)\s+(?:is|"
        r"are)\s+(?:now\s+|currently\s+|at\s+)?(?P<value>[~$€£\d].*)",
        _our_number,
    ),
    rule(
        r"(?:my|our)\s+(?P<label>[a-z][\w -]{1,30}?)\s+(?:is|are)\s+(?:now\s+|"
        r"called\s+|still\s+)?(?P<value>.+)",
        _labelled,
    ),
    rule(
        r"(?:the|our|"
        r"my)\s+(?P<label>[\w -]{2,30}?)\s+is\s+called\s+"
        r"(?P<value>[\w-]+[_/.-][\w./-]+)$",
        _labelled,
    ),
)
