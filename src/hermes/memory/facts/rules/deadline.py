"""When something is due or takes place, with its date settled against the message's time."""

import re
from collections.abc import Iterator

from hermes.clock import DAY_MS, to_datetime
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.dates import Day, find_day
from hermes.memory.facts.rules.grammar import Found, Rule, Said, points_elsewhere, rule, words
from hermes.types import FactKind

_LEADING_DATE = re.compile(
    r"(?:on|by|before|until|till|for|at|to|is|the|due|no later than)\s*$", re.I
)
_ARTICLE = re.compile(r"^(?:the|our|my|an?|this|that|all|your)\s+", re.I)
_TRAILING = re.compile(r"\s+(?:for|on|of|in|by|to|with|and|the|is|at)$", re.I)
_OCCASION = (
    r"(?:exam|demo|launch|release|kick-?off|go-?live|review|presentation|submission|"
    r"audit|milestone|deliverable|"
    r"cut-?off|code\s+freeze|feature\s+freeze|freeze|interview|conference|workshop|"
    r"board\s+meeting|marathon|race|"
    r"defen[cs]e|talk|lecture|keynote|hearing|renewal|migration|cutover|rollout|beta|ga|mvp|"
    r"offsite|off-site|wedding|flight|"
    r"appointment|surgery|graduation|ceremony|trip|vacation|holiday|party|hackathon|"
    r"webinar|onboarding|sprint\s+review|"
    r"retro|tournament|concert|recital|visa\s+appointment|move|closing|test|final|"
    r"finals|midterm|deadline)"
)
_EVENTS = re.compile(
    r"\b(?:wedding|flight|appointment|surgery|graduation|ceremony|trip|vacation|"
    r"holiday|party|conference|workshop|"
    r"offsite|off-site|concert|recital|board\s+meeting|move|tournament|onboarding)\b",
    re.I,
)


SOON_MS = 7 * DAY_MS  # an event nearer than this is an errand, not a memory
_OPENINGS = frozenset(("starts", "begins", "opens", "kicks off", "launches"))
_PLAIN_STATES = frozenset(("", "done", "ready", "finished", "complete", "completed", "in", "out"))


def _thing(raw: str) -> str:
    thing = _ARTICLE.sub("", raw.strip(" ,:'\"-"))
    thing = _ARTICLE.sub("", thing)
    return _TRAILING.sub("", thing).strip(" ,:'\"-")


def _due(found: Found, said: Said) -> Iterator[Candidate]:
    """ "The Q2 report is due June 30", "Atlas has to be feature complete by Friday"."""
    state = (found.groupdict().get("state") or "").lower()
    thing = found["thing"] if state in _PLAIN_STATES else f"{found['thing']} {state}"
    yield from _dated(thing, found["value"], said)


def _dated(raw_thing: str, raw_date: str, said: Said, verb: str = "") -> Iterator[Candidate]:
    kind = FactKind.DEADLINE
    day = find_day(raw_date, said.at, first=verb in _OPENINGS)
    thing = _thing(raw_thing)
    if not day or not _opens(raw_date, day.start) or not thing or words(thing) > 8:
        return
    if points_elsewhere(thing) or day.iso == f"{to_datetime(said.at):%Y-%m-%d}":
        return
    is_event = _EVENTS.search(thing) is not None
    if is_event and day.start_at - said.at < SOON_MS:
        return
    if is_event or verb in {*_OPENINGS, "closes"}:
        kind = FactKind.EVENT
    if aside := said.clause.aside:
        thing = f"{thing} ({aside})"
    yield _candidate(thing, day, kind, verb)


def _candidate(thing: str, day: Day, kind: FactKind, verb: str = "") -> Candidate:
    iso, start_at = day.iso, day.start_at
    if verb:
        text = f"{thing[:1].upper()}{thing[1:]} {verb} on {iso} ({day.text})"
        return Candidate(text, kind, USER, f"{verb}:{thing.lower()}", iso, single=True)
    if kind is FactKind.EVENT:
        text = f"{thing[:1].upper()}{thing[1:]} takes place on {iso}"
        return Candidate(
            text, kind, USER, f"event:{thing.lower()}", iso, valid_from=start_at, single=True
        )
    return Candidate(
        f"Deadline for {thing}: {iso}", kind, USER, f"deadline:{thing.lower()}", iso, single=True
    )


def _opens(text: str, start: int) -> bool:
    """The date is what the words open with, at most after a preposition or a weekday."""
    lead = text[:start].strip(" ,(")
    if re.match(r"within\b", text, re.I):
        return False
    return not lead or (bool(_LEADING_DATE.search(lead)) and words(lead) <= 3)


def _anywhere(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I have to hand in the thesis draft by Friday": the date after the last "by"."""
    raw = found["value"]
    for cut in re.finditer(
        r"\s+(?:by|before|until|no\s+later\s+than|due(?:\s+(?:on|by))?|on)\s+", raw
    ):
        if find_day(raw[cut.end() :], said.at):
            yield from _dated(raw[: cut.start()], raw[cut.start() :].strip(), said)
            return


def _plain_deadline(found: Found, said: Said) -> Iterator[Candidate]:
    """ "the deadline is Friday": of what, the sentence does not say."""
    day = find_day(found["value"], said.at)
    if day and _opens(found["value"], day.start):
        thing = _thing(found["thing"] or "") or "current work"
        if words(thing) <= 8:
            yield _candidate(thing, day, FactKind.DEADLINE)


def _occasion(found: Found, said: Said) -> Iterator[Candidate]:
    verb = re.sub(r"\s+", " ", (found.groupdict().get("verb") or "").lower())
    yield from _dated(found["thing"], found["value"], said, verb)


def _listed(found: Found, said: Said) -> Iterator[Candidate]:
    """ "my calendar has the wedding on June 28"."""
    if said.clause.hearsay:
        yield from _dated(found["thing"], found["value"], said)


def _have(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I have a dentist appointment on the 14th"."""
    yield from _dated(found["thing"], found["value"], said)


def _go_live(found: Found, said: Said) -> Iterator[Candidate]:
    """ "we go live on the 15th"."""
    verb = re.sub(r"\s+", " ", found["verb"].lower())
    yield from _dated(f"{found['thing'] or ''} {verb}".strip(), found["value"], said)


def _in_year(found: Found, said: Said) -> Iterator[Candidate]:
    """ "my passport expires in 2027": a year is all that is said."""
    thing = _thing(found["thing"])
    if not points_elsewhere(thing) and words(thing) <= 5:
        verb = found["verb"].lower()
        text = f"{thing[:1].upper()}{thing[1:]} {verb} in {found['year']}"
        yield Candidate(
            text, FactKind.DEADLINE, USER, f"{verb}:{thing.lower()}", found["year"], single=True
        )


def _shifted(found: Found, said: Said) -> Iterator[Candidate]:
    """ "the launch slipped to July 3": the newest date holds."""
    for candidate in _dated(
        re.sub(r"\bdeadline\b", "", found["thing"]) or found["thing"], found["value"], said
    ):
        yield Candidate(
            candidate.text,
            candidate.kind,
            candidate.subject,
            candidate.attribute,
            candidate.value,
            valid_from=candidate.valid_from,
            single=True,
            correction=True,
        )


_THING = r"(?P<thing>(?:[\w'’/&+#.-]+\s+){0,6}?[\w'’/&+#.-]+)"
_WHEN = r"(?P<value>.+)"

RULES: tuple[Rule, ...] = (
    rule(rf"(?P<thing>(?:the|my|our)\s+(?:[\w'’-]+\s+){{0,3}}?[\w'’-]+)\s+on\s+{_WHEN}", _listed),
    rule(
        rf"we\s+(?:will\s+|are\s+going\s+to\s+)?(?P<verb>go\s+live|kick\s+off|launch|"
        rf"start|open|freeze|cut\s+over)"
        rf"(?:\s+(?:with\s+|the\s+)*(?P<thing>\w+(?:\s\w+)?))??\s+(?:on|in|by|this|"
        rf"next)\b\s*{_WHEN}",
        _go_live,
    ),
    rule(
        rf"{_THING}\s+(?P<verb>expires|ends|lapses|runs\s+out|"
        rf"closes)\s+in\s+(?P<year>20\d\d)\b",
        _in_year,
    ),
    rule(
        rf"(?:the\s+|our\s+|my\s+|new\s+|hard\s+|final\s+)*(?:deadline|due\s+date|"
        rf"cut-?off(?:\s+date)?)\s+(?:for|of|on|to\s+(?:submit|finish|send|deliver|"
        rf"apply\s+for))\s+{_THING}\s*(?:is|was\s+moved\s+to|has\s+moved\s+to|moved\s+to|"
        rf":)(?:\s+now)?\s*{_WHEN}",
        _plain_deadline,
    ),
    rule(rf"{_THING}\s+(?:deadline|due\s+date)\s*(?:is|:)\s*(?:now\s+)?{_WHEN}", _plain_deadline),
    rule(
        rf"(?P<thing>)(?:the\s+|our\s+|my\s+|new\s+|hard\s+|final\s+)*(?:deadline|"
        rf"due\s+date)\s*(?:is|:)\s*(?:now\s+|still\s+)?{_WHEN}",
        _plain_deadline,
    ),
    rule(
        rf"{_THING}\s+(?:is|are)\s+(?:now\s+|all\s+)?due\s+(?:on\s+|by\s+|at\s+|"
        rf"in\s+the\s+\w+\s+on\s+)?{_WHEN}",
        _due,
    ),
    rule(
        rf"{_THING}\s+(?:(?:has|have|needs?|is\s+supposed|ought)\s+to|must|should|will|"
        rf"is\s+to)\s+(?:be\s+)?(?P<state>done|ready|finished|live|out|complete|completed|"
        rf"submitted|delivered|shipped|merged|feature\s+complete|in|sent|filed|paid|signed|"
        rf"released|go\s+out|go\s+live|ship|launch|handed\s+in)\s+(?:by|before|on|until|"
        rf"no\s+later\s+than)\s+{_WHEN}",
        _due,
    ),
    rule(
        rf"{_THING}\s+(?:has|have|was|were|is|got|gets|"
        rf"will\s+be)?\s*(?:been\s+)?(?:now\s+)?(?:moved|pushed|slipped|postponed|"
        rf"rescheduled|extended|delayed|brought\s+forward|bumped|shifted|"
        rf"changed)\s*(?:back|out|up|forward)?\s+(?:from\s+.{{1,30}}?\s+)?(?:to|until|"
        rf"till)\s+{_WHEN}",
        _shifted,
    ),
    rule(
        rf"(?:we|they|the\s+client|the\s+customer|management|my\s+boss)\s+(?:have\s+|"
        rf"just\s+)*(?:moved|pushed|postponed|rescheduled|extended|delayed|shifted|"
        rf"changed)\s+(?:the\s+)?{_THING}\s+(?:back\s+)?(?:to|until|till)\s+{_WHEN}",
        _shifted,
    ),
    rule(
        rf"{_THING}\s+(?:is|are)\s+(?:now\s+|still\s+|currently\s+)?(?:scheduled|"
        rf"planned|set|booked|slated)\s+(?:for|"
        rf"on)\s+{_WHEN}",
        _occasion,
    ),
    rule(
        rf"(?:my\s+)?(?P<who>(?:manager|boss|client|customer|supervisor|team|"
        rf"lead)(?:\s+(?-i:[A-Z])\w+)?|(?-i:[A-Z])\w+|(?:the|our)\s+(?:client|customer|"
        rf"board|team|bank|landlord))\s+(?:wants|needs|expects|asked\s+for|is\s+expecting|"
        rf"requires)\s+(?P<thing>(?:an?|the|my|"
        rf"our)\s+(?:[\w'’/-]+\s+){{0,4}}?[\w'’/-]+)\s+(?:by|before|until|on)\s+{_WHEN}",
        _due,
    ),
    rule(
        rf"{_THING}\s+(?:runs|is\s+valid|lasts|is\s+good|goes\s+on|stays\s+open|is\s+open)\s+"
        rf"(?:until|till|through|to)\s+{_WHEN}",
        _due,
    ),
    rule(
        rf".{{0,60}}?\b(?:wants?|needs?|expects?|asked\s+(?:me\s+|us\s+)?for|requires?|owe\s+"
        rf"(?:\w+\s+)?|promised(?:\s+\w+)?)\s+(?P<thing>(?:an?|the|my|"
        rf"our)\s+(?:[\w'’/-]+\s+){{0,4}}?"
        rf"[\w'’/-]+)\s+(?:by|before|until)\s+{_WHEN}",
        _due,
    ),
    rule(
        rf"{_THING}\s+(?P<verb>launches|ships|goes\s+live|releases|expires?|ends|closes|"
        rf"starts|kicks\s+off|begins|opens|lapses|renews|runs\s+out|comes\s+out|"
        rf"drops)\s+(?:on\s+|by\s+|at\s+(?=the\s)|in\s+(?=[A-Z]))?{_WHEN}",
        _occasion,
    ),
    rule(
        rf"(?P<thing>(?:(?:the|our|my|a|"
        rf"an)\s+)?(?:[\w'’/&+#.-]+\s+){{0,4}}?{_OCCASION}(?:\s+(?:with|for|of|at|"
        rf"in)\s+[\w'’.-]+(?:\s[\w'’.-]+)?)?)\s+is\s+(?:now\s+|on\s+|for\s+)*{_WHEN}",
        _occasion,
    ),
    rule(
        rf"(?:i|we)\s+(?:have|got|have\s+got)\s+(?P<thing>(?:an?|the|my|"
        rf"our)\s+(?:[\w'’/-]+\s+){{0,3}}?{_OCCASION}(?:\s+(?:with|for|at|"
        rf"in)\s+[\w'’.-]+(?:\s[\w'’.-]+)?)?)\s+(?:coming\s+up\s+)?(?:on\s+|at\s+)?{_WHEN}",
        _have,
    ),
    rule(
        r"(?:i|we)\s+(?:really\s+|absolutely\s+)?(?:have\s+to|need\s+to|must|"
        r"promised\s+to|committed\s+to|am\s+supposed\s+to|are\s+supposed\s+to|plan\s+to|"
        r"am\s+going\s+to|are\s+going\s+to|will)\s+(?:finish|submit|deliver|ship|send|"
        r"hand\s+in|complete|file|launch|release|turn\s+in|publish|pay|renew|apply\s+for|"
        r"have|get|present|demo|migrate|finali[sz]e|merge|sign)\s+(?P<value>.+)",
        _anywhere,
    ),
    rule(
        r"(?:i|we)\s+(?:am|are)?\s*(?:launch(?:ing)?|ship(?:ping)?|releas(?:e|ing)|"
        r"demo(?:ing)?|present(?:ing)?|deliver(?:ing)?|"
        r"go(?:ing)?\s+live\s+with)\s+(?P<value>.+)",
        _anywhere,
    ),
)
