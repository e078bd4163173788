"""What happened or will happen in the user's life and work, if it is more than the day's chores."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.dates import find_day
from hermes.memory.facts.rules.deadline import SOON_MS
from hermes.memory.facts.rules.grammar import (
    Found,
    Rule,
    Said,
    phrase,
    points_elsewhere,
    rule,
    words,
)
from hermes.memory.facts.rules.lexicon import RELATION
from hermes.memory.facts.rules.person import their
from hermes.memory.facts.rules.places import place
from hermes.types import FactKind


def _event(verb: str, value: str, said: Said) -> Candidate:
    """Something that happened, told of the user, with its day and the words that named it."""
    day = find_day(said.text, said.at, past=True)
    when = f" ({day.iso})" if day else ""
    did = their(f"{verb} {value}".strip())
    return Candidate(
        f"User {did}{when}",
        FactKind.EVENT,
        USER,
        f"event:{verb.split(maxsplit=1)[0]}",
        did,
        valid_from=day.start_at if day else said.at,
    )


def _milestone(found: Found, said: Said) -> Iterator[Candidate]:
    """Things one does a few times in a life: they need no date to matter."""
    value = phrase(found["value"] or "")
    if words(value) <= 14:
        verb = re.sub(r"\s+", " ", found["verb"])
        yield _event(f"{verb[:1].lower()}{verb[1:]}", value, said)


def _travel(found: Found, said: Said) -> Iterator[Candidate]:
    """A journey, when the clause says where to and when."""
    town = place(found["value"])
    day = find_day(found["value"], said.at)
    far = day is not None and day.start_at - said.at >= SOON_MS
    if town and day and far and found["value"].startswith(town):
        yield Candidate(
            f"User travels to {town} on {day.iso}",
            FactKind.EVENT,
            USER,
            f"event:trip to {town.lower()}",
            town,
            valid_from=day.start_at,
            single=True,
        )


def _planned(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I'm getting married on 5 September", "we're moving to Prague next month"."""
    day = find_day(said.text, said.at)
    what = re.sub(r"\s+", " ", found["value"].lower())
    where = place(found["where"]) if found["where"] else ""
    if not day or (found["where"] and not where):
        return
    action = f"{what} {where}".strip()
    yield Candidate(
        f"User is {action} ({day.text}: {day.iso})",
        FactKind.EVENT,
        USER,
        f"event:{action.lower()}",
        action,
        valid_from=day.start_at,
        single=True,
    )


def _turns(found: Found, said: Said) -> Iterator[Candidate]:
    day = find_day(said.text, said.at)
    if day:
        text = f"User turns {found['value']} on {day.iso}"
        yield Candidate(
            text, FactKind.EVENT, USER, "birthday", f"{day.text} (turns {found['value']})"
        )


_ALIVE = re.compile(rf"\b(?:{RELATION})\b|\b(?-i:[A-Z])\w+$", re.I)


def _died(found: Found, said: Said) -> Iterator[Candidate]:
    who = phrase(found["who"])
    if _ALIVE.search(who):
        yield Candidate(
            f"User's {who} {found['verb'].lower()}",
            FactKind.EVENT,
            USER,
            f"event:{who.lower()} died",
            f"{who} {found['verb'].lower()}",
            valid_from=(
                day.start_at if (day := find_day(said.text, said.at, past=True)) else said.at
            ),
        )


def _released(found: Found, said: Said) -> Iterator[Candidate]:
    """A launch in the past, dated, of something with a name."""
    value = phrase(found["value"])
    day = find_day(said.text, said.at, past=True)
    if (
        day
        and not points_elsewhere(value)
        and re.search(r"[A-Z]\w|v?\d", value)
        and words(value) <= 10
    ):
        yield _event(f"{found['verb'].lower()}", value, said)


_HAVE = r"(?:\s+(?:have|just|finally|recently|also|actually|have\s+just|officially))*"

RULES: tuple[Rule, ...] = (
    rule(
        r"(?:i\s+am|we\s+are)\s+(?:finally\s+|also\s+)?(?P<value>getting\s+(?:married|"
        r"divorced|surgery)|having\s+"
        r"(?:surgery|a\s+baby)|retiring|graduating|expecting\s+(?:a\s+baby|twins|"
        r"our\s+\w+)|going\s+on\s+"
        r"(?:parental|maternity|paternity)\s+leave|(?:moving|"
        r"relocating)\s+to)(?:\s+(?P<where>(?-i:[A-Z]).+))?",
        _planned,
    ),
    rule(r"i\s+(?:will\s+)?turn\s+(?P<value>\d\d)\s+(?:on|in)\s", _turns),
    rule(
        rf"(?:i|we){_HAVE}\s+(?P<verb>got\s+married|got\s+engaged|got\s+divorced|graduated|"
        rf"retired|got\s+promoted|got\s+laid\s+off|were\s+acquired|got\s+acquired|"
        rf"had\s+a\s+baby|gave\s+birth|got\s+fired|raised\s+(?:a|our)\s+(?:seed|series|"
        rf"pre-seed|round)|passed\s+(?:my|the)\s+(?:\w+\s+){{0,2}}?(?:test|"
        rf"certification|bar)|passed\s+(?:my|"
        rf"the)\s+\w+\s+exam|defended\s+my|bought\s+(?:a|our)\s+(?:house|flat|apartment|"
        rf"car|home|boat|van)|sold\s+(?:my|our|the)\s+(?:house|flat|apartment|car|home|"
        rf"company|startup|boat|van|business|farm|(?:\w+\s+)?(?:shop|bakery|restaurant|"
        rf"practice|studio))|signed\s+(?:a|the)\s+(?:lease|contract|term\s+sheet)|"
        rf"broke\s+(?:my|a)\s+\w+|ran\s+(?:a|my|the)\s+(?:\w+\s+)?(?:half[- ])?marathon|"
        rf"became\s+a\s+(?:father|mother|parent|dad|mom|mum|citizen)|"
        rf"adopted\s+a|finished\s+(?:my|our)\s+(?:degree|masters?|phd|studies|thesis|"
        rf"dissertation|bachelor\w*|training|"
        rf"apprenticeship)|published\s+(?:my|our|a)\s+(?:\w+\s+)?(?:book|novel|paper|"
        rf"album|article|game)|"
        rf"lost\s+(?:my|our)\s+(?:dog|cat|job|father|mother|dad|mum|mom|grandmother|"
        rf"grandfather|son|daughter|brother|sister)|"
        rf"founded\s+(?:a|my|our)\s+\w+|started\s+(?:a|my|our)\s+(?:own\s+)?(?:company|"
        rf"business|phd|band|podcast|newsletter)|"
        rf"won\s+(?:the|a|an|my|our)\s+\w+|had\s+(?:\w+\s+)?surgery|"
        rf"became\s+(?:an?\s+)?(?:\w+\s+)?citizen)\b\s*(?P<value>.*)",
        _milestone,
    ),
    rule(
        r"(?:i|we)\s+(?:am|are)\s+(?:flying|travel+ing|going|heading|driving|"
        r"off)\s+(?:out\s+|back\s+|over\s+)?to\s+(?P<value>.+)",
        _travel,
    ),
    rule(r"(?:i|we)\s+will\s+be\s+(?:in|at|visiting)\s+(?P<value>.+)", _travel),
    rule(
        r"(?:my|our)\s+(?P<who>(?:\w+\s+){0,2}\w+)\s+(?P<verb>died|passed\s+away|"
        r"was\s+born|were\s+born)\b",
        _died,
    ),
    rule(
        rf"(?:we|i){_HAVE}\s+(?P<verb>launched|released|shipped|open[- ]sourced|"
        rf"published)\s+(?P<value>.+)",
        _released,
    ),
)
