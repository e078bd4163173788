"""What the people around the user are and do."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hermes.clock import DAY_MS
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.dates import find_day
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
from hermes.memory.facts.rules.lexicon import (
    DIETS,
    RELATION,
    RELATION_QUALIFIER,
    RELATIONS,
    is_role,
    tool_purpose,
)
from hermes.memory.facts.rules.places import organisation, place
from hermes.types import FactKind

NAME = r"(?:(?:Prof|Dr|Mr|Mrs|Ms)\.?\s)?(?-i:[A-Z])[\w'’-]*(?:\s(?-i:[A-Z])[\w'’-]+){0,2}"


_SOON_MS = 7 * DAY_MS


def deeds(name: str, rest: str) -> Iterator[Candidate]:
    """What the clause goes on to say of the person."""
    rest = rest.lstrip(" ,")
    for pattern, build in _DOINGS:
        if found := pattern.match(rest):
            candidates = list(build(name, found["value"]))
            if candidates:
                yield from candidates
                return


def _about(name: str, kind: FactKind, attribute: str, value: str, verb: str) -> Candidate:
    return Candidate(
        f"{name} {verb} {value}", kind, name, attribute, value, single=attribute != "owns"
    )


def _lives(name: str, raw: str) -> Iterator[Candidate]:
    if town := place(raw):
        yield _about(name, FactKind.IDENTITY, "location", town, "lives in")


def _works(name: str, raw: str) -> Iterator[Candidate]:
    if company := organisation(raw):
        yield _about(name, FactKind.IDENTITY, "employer", company, "works at")


def _has_role(name: str, raw: str) -> Iterator[Candidate]:
    role = short(re.split(r"\s+(?:at|for|who|and|in|from|on|so|but|since)\b", raw)[0])
    if is_role(role):
        yield _about(name, FactKind.RELATIONSHIP, "role", role, "is")


def _leads(name: str, raw: str) -> Iterator[Candidate]:
    value = phrase(raw)
    if not points_elsewhere(value) and words(value) <= 7:
        yield _about(name, FactKind.RELATIONSHIP, "owns", value, "is in charge of")


def _is_diet(name: str, raw: str) -> Iterator[Candidate]:
    value = re.split(r"\s+(?:and|so|but|now|since|too)\b|[,.!]", raw.lower())[0].strip()
    if value in DIETS:
        yield _about(name, FactKind.PREFERENCE, "diet", value, "is")


def _is_allergic(name: str, raw: str) -> Iterator[Candidate]:
    value = short(raw)
    if value and words(value) <= 4:
        yield Candidate(f"{name} is allergic to {value}", FactKind.OTHER, name, "allergy", value)


def _is_stated(name: str, raw: str) -> Iterator[Candidate]:
    """Anything lasting that is said of a person: has, speaks, plays, turns…"""
    value = phrase(raw)
    if 2 <= words(value) <= 10 and not _PASSING.search(value):
        verb, _, rest = value.partition(" ")
        if not points_elsewhere(rest):
            yield Candidate(f"{name} {value}", FactKind.OTHER, name, verb.lower(), rest)


def _is_aged(name: str, raw: str) -> Iterator[Candidate]:
    yield Candidate(f"{name} is {raw} years old", FactKind.OTHER, name, "age", raw, single=True)


_PASSING = re.compile(
    r"\b(?:today|tomorrow|now|just|right now|again|tonight|yesterday|question|problem|"
    r"issue|point|idea|meeting|"
    r"minute|cold|flu|fever|headache|time|no|any|been|to|said|says|asked|error|bug|"
    r"trouble|call|deadline)\b",
    re.I,
)


_DOINGS = (
    (re.compile(r"is\s+(?:now\s+)?(?P<value>\d{1,2})(?=$|[\s,.!])", re.I), _is_aged),
    (re.compile(r"(?:who\s+)?is\s+(?:an?\s+|also\s+)?(?P<value>[a-z-]+.*)", re.I), _is_diet),
    (re.compile(r"(?:who\s+)?is\s+(?:\w+ly\s+)?allergic\s+to\s+(?P<value>.+)", re.I), _is_allergic),
    (
        re.compile(r"(?:is\s+)?(?:who\s+)?(?:lives?|living|based)\s+in\s+(?P<value>.+)", re.I),
        _lives,
    ),
    (re.compile(r"(?:who\s+)?works?\s+(?:at|for)\s+(?P<value>.+)", re.I), _works),
    (re.compile(r"(?:who\s+)?is\s+(?:an?|our|the|my)\s+(?:new\s+)?(?P<value>.+)", re.I), _has_role),
    (
        re.compile(
            r"(?:who\s+)?(?P<value>(?:has|owns|speaks|plays|studies|teaches|loves|"
            r"hates|likes|prefers|drives|runs|"
            r"collects|goes\s+to)\s.+)",
            re.I,
        ),
        _is_stated,
    ),
)


def _person_role(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Tom is our new CTO"."""
    name = person_name(found["value"])
    role = short(re.split(r"\s+(?:at|who|and|so|but|since|now|from)\b", found["role"])[0])
    if name and is_role(role) and not tool_purpose(name):
        yield Candidate(
            (f"{name} is the {role}" + ("" if " of " in role else " of the user's team"))
            if found["whose"] != "my"
            else f"{name} is the user's {role}",
            FactKind.RELATIONSHIP,
            name,
            "role",
            role,
            single=True,
        )


def _our_role(found: Found, said: Said) -> Iterator[Candidate]:
    """ "our CTO is Tom", "our tech lead Tom …"."""
    name, role = person_name(found["value"]), found["role"].lower().strip()
    if name and is_role(role) and not tool_purpose(name):
        yield Candidate(
            f"{name} is the {found['role'].strip()} of the user's team",
            FactKind.RELATIONSHIP,
            USER,
            found["role"].strip(),
            name,
            single=words(role) > 1 or role in {"cto", "ceo", "cfo", "coo", "pm", "founder"},
        )


def _person_leads(found: Found, said: Said) -> Iterator[Candidate]:
    name = person_name(found["name"])
    if (
        name
        and not tool_purpose(name)
        and name.lower() not in {"it", "this", "that", "he", "she", "they"}
    ):
        if not found["value"].startswith("as "):
            yield from _leads(name, found["value"])


def _works_with(found: Found, said: Said) -> Iterator[Candidate]:
    name = person_name(found["name"])
    if name and not tool_purpose(name):
        yield from _works(name, found["value"])


def _relative(found: Found, said: Said) -> Iterator[Candidate]:
    """ "my wife is a surgeon": said of a relative without a name."""
    relation = found["relation"].lower()
    rest = said.text[found.end() :].strip()
    for fact in deeds(f"User's {relation}", rest):
        yield replace(fact, subject=f"user's {relation}")


def _birthday(found: Found, said: Said) -> Iterator[Candidate]:
    who = re.sub(r"^(?:my|our)\s+", "", found["who"], flags=re.I)
    day = re.match(r"(?:on\s+)?(?:the\s+)?(?P<day>[\w ]*\d[\w ,]*)", phrase(found["value"]))
    if day and not points_elsewhere(who):
        own = f"user's {who}" if who != found["who"] or who.lower() in RELATIONS else who
        yield Candidate(
            f"{own[:1].upper()}{own[1:]}'s birthday is {day['day'].strip()}",
            FactKind.IDENTITY,
            own,
            "birthday",
            day["day"].strip(),
            single=True,
        )


def _from_department(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Lotte from finance approves the budget"."""
    name = person_name(found["name"])
    if not name or tool_purpose(name):
        return
    where = f"{name} from {found['where'].lower()}"
    doing = phrase(found["value"])
    text = f"{where} {doing}" if doing and words(doing) <= 10 else f"User's colleague is {where}"
    yield Candidate(text, FactKind.RELATIONSHIP, name, "colleague", f"{where} {doing}".strip())


def _in_charge(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Tobias handles the billing integration"."""
    name, value = person_name(found["name"]), phrase(found["value"])
    if not name or tool_purpose(name) or points_elsewhere(value) or words(value) > 8:
        return
    verb = re.sub(r"\s+", " ", found["verb"].lower())
    text = f"{name} {verb} {value}"
    yield Candidate(text, FactKind.RELATIONSHIP, name, "owns", f"{verb} {value}")


def _comes_or_goes(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Helen left the company in May", "Yuki joins us on February 1 as a designer"."""
    name, rest = person_name(found["name"]), phrase(found["value"])
    if not name or tool_purpose(name) or words(rest) > 12:
        return
    verb = re.sub(r"\s+", " ", found["verb"].lower())
    lasting = (
        re.search(r"\b(?:company|team|us|as|until|on|in|at|leave|sabbatical)\b", rest) or not rest
    )
    passing = re.search(
        r"\b(?:call|meeting|chat|channel|room|early|late|it|this|lunch|office|party)\b", rest
    )
    if not lasting or passing or (verb.startswith("start") and not find_day(rest, said.at)):
        return
    day = find_day(rest, said.at, past=verb in {"left", "quit", "resigned", "joined", "started"})
    if verb == "is" and (not day or day.start_at - said.at < _SOON_MS):
        return
    when = f" ({day.iso})" if day else ""
    value = f"{verb} {rest}".strip()
    yield Candidate(
        f"{name} {value}{when}",
        FactKind.EVENT,
        name,
        f"event:{verb.split()[-1]}",
        value,
        valid_from=day.start_at if day else said.at,
    )


def _turns(found: Found, said: Said) -> Iterator[Candidate]:
    """ "my dad turns 70 on March 9"."""
    day = find_day(found["value"], said.at)
    who = re.sub(r"^(?:my|our)\s+", "", found["who"], flags=re.I).lower()
    if day:
        text = f"User's {who} turns {found['age']} on {day.iso}"
        yield Candidate(
            text,
            FactKind.EVENT,
            f"user's {who}",
            "birthday",
            f"turns {found['age']} {day.text}",
            valid_from=day.start_at,
        )


def _contact(found: Found, said: Said) -> Iterator[Candidate]:
    name, value = person_name(found["name"]), phrase(found["value"])
    if name and not tool_purpose(name) and words(value) <= 10:
        text = f"{name} is the user's {value}"
        yield Candidate(text, FactKind.RELATIONSHIP, name, "contact", value)


_ROLE = r"(?P<role>(?:(?:new|current|former|interim|acting)\s+)?(?:[\w-]+\s+){0,3}?[\w-]+)"

RULES: tuple[Rule, ...] = (
    rule(
        rf"(?P<name>{NAME})\s+(?:now\s+|always\s+|usually\s+)?(?P<verb>handles|reviews|"
        rf"approves|coordinates|organi[sz]es|"
        rf"takes\s+care\s+of|signs\s+off(?:\s+on)?|is\s+on\s+call\s+for|covers|"
        rf"supervises|teaches|designs)\s+(?P<value>.+)",
        _in_charge,
    ),
    rule(
        rf"(?P<name>{NAME})\s+(?P<verb>left|is\s+leaving|quit|resigned|retired|"
        rf"has\s+left|joined|joins|is\s+joining|"
        rf"will\s+join|starts|started|got\s+promoted)\b(?P<value>.*)",
        _comes_or_goes,
    ),
    rule(
        rf"(?P<name>{NAME})\s+(?P<verb>is)(?P<value>\s+(?:out\s+)?on\s+(?:parental\s+|"
        rf"maternity\s+|paternity\s+|sick\s+|"
        rf"annual\s+)?(?:leave|vacation|sabbatical|holiday)\b.*)",
        _comes_or_goes,
    ),
    rule(
        rf"we\s+(?:just\s+|have\s+|finally\s+)*(?:hired|promoted|"
        rf"made)\s+(?P<value>{NAME})\s+(?:(?:as|to)\s+)?(?:an?\s+|our\s+|the\s+)?"
        rf"(?:new\s+)?(?P<role>.+)(?P<whose>)",
        _person_role,
    ),
    rule(
        rf"(?P<value>{NAME})\s+(?:has\s+)?(?:replaced|replaces|took\s+over\s+from|"
        rf"succeeds|succeeded)\s+{NAME}\s+as\s+(?:the\s+|our\s+)?"
        rf"(?P<role>.+)(?P<whose>)",
        _person_role,
    ),
    rule(
        rf"(?P<who>(?:my\s+|"
        rf"our\s+)?{RELATION_QUALIFIER}(?:{RELATION}))\s+turns\s+"
        rf"(?P<age>\d+)\s+(?P<value>on\s.+)",
        _turns,
    ),
    rule(rf"(?P<who>(?:{RELATION}))'s\s+birthday\s+is\s+(?P<value>.+)", _birthday),
    rule(
        rf"(?P<value>{NAME})\s+is\s+(?P<whose>our|the|my)\s+(?:new\s+|"
        rf"current\s+)?(?P<role>.+)",
        _person_role,
    ),
    rule(
        rf"(?:our|the)\s+(?:new\s+|current\s+)?{_ROLE}\s+(?:is|"
        rf"will\s+be)\s+(?:now\s+)?(?P<value>{NAME})(?=$|[,.!;]|\s+(?:now|and|but|so|who))",
        _our_role,
    ),
    rule(
        rf"our\s+(?:new\s+|current\s+)?{_ROLE}\s*,?\s+(?P<value>{NAME})(?=$|[,.!:;)]|"
        rf"\s+(?!(?-i:[A-Z])))",
        _our_role,
    ),
    rule(
        rf"(?P<name>{NAME})\s+(?:now\s+)?(?:leads|runs|owns|heads|manages|"
        rf"is\s+in\s+charge\s+of|is\s+responsible\s+for|maintains|looks\s+after|"
        rf"took\s+over|oversees)\s+(?P<value>.+)",
        _person_leads,
    ),
    rule(rf"(?P<name>{NAME})\s+(?:now\s+)?works\s+(?:at|for)\s+(?P<value>.+)", _works_with),
    rule(
        rf"(?P<who>(?:my|our)\s+{RELATION_QUALIFIER}(?:{RELATION})|{NAME})'s\s+birthday\s+is\s+"
        rf"(?P<value>.+)",
        _birthday,
    ),
    rule(
        rf"(?:my|our)\s+{RELATION_QUALIFIER}(?P<relation>{RELATION})\s+"
        rf"(?=(?:is|works?|lives?|has|owns|speaks|plays|studies|teaches|loves|hates|likes|prefers|"
        rf"collects|drives)\s)",
        _relative,
    ),
    rule(
        rf"(?P<name>{NAME})\s+(?:\(?from|in)\s+(?P<where>finance|legal|hr|marketing|sales|"
        rf"accounting|support|ops|operations|security|procurement|it|design|product|engineering|"
        rf"compliance|payroll|infra|qa|research|the\s+\w+\s+team)\)?\s+(?P<value>(?:approves|"
        rf"handles|owns|runs|manages|needs|signs|is|does|takes|decides|wants|knows)\s.+)",
        _from_department,
    ),
    rule(
        rf"(?P<name>{NAME})\s+is\s+(?:our|my|the)\s+(?P<value>(?:main\s+)?(?:point\s+of\s+)?contact"
        rf"(?:\s+person)?\b.*|liaison\b.*|account\s+manager\b.*)",
        _contact,
    ),
)
