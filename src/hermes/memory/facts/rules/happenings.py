"""What happens to people, products and places on a day that is named, whoever tells it."""

import re
from collections.abc import Iterator

from hermes.clock import DAY_MS
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.dates import find_day
from hermes.memory.facts.rules.grammar import (
    Found,
    Rule,
    Said,
    phrase,
    points_elsewhere,
    rule,
    words,
)
from hermes.memory.facts.rules.person import their
from hermes.types import FactKind

SOON_MS = 7 * DAY_MS

_WHO = (
    r"(?P<who>(?-i:[A-Z])[\w'’-]*(?:\s(?-i:[A-Z])[\w'’-]*){0,2}|"
    r"(?:my|our|the)\s+(?:[\w'’-]+\s){0,3}?[\w'’-]+|we|i)"
)
_PASSING = re.compile(
    r"\b(?:meetings?|calls?|train|bus|plane|store|shop|test|build|job|script|server|page|game|"
    r"match|movie|film|show|class|it|this|that|what|which|there|function|loop|request)$",
    re.I,
)
_WILL = r"(?:\s+(?:will|is|are|am|going\s+to|be|has|have|just|also|officially|finally))*"
_CHANGES = (
    r"(?:leav(?:e|es|ing)|left|join(?:s|ed|ing)?|clos(?:e|es|ed|ing)(?:\s+down)?|"
    r"shut(?:s|ting)?\s+down|sunset(?:s|ting)?|retir(?:e|es|ed|ing)|launch(?:es|ed|ing)?|"
    r"open(?:s|ed|ing)?|mov(?:e|es|ing|ed)|relocat(?:e|es|ed|ing)|merg(?:e|es|ed|ing)|"
    r"end(?:s|ed|ing)?|start(?:s|ed|ing)?|graduat(?:e|es|ed|ing)|go(?:es|ing)?\s+(?:away|live|"
    r"public|on\s+\w+\s+leave)|discontinu(?:e|es|ed|ing)|return(?:s|ed|ing)?|"
    r"get(?:s|ting)?\s+married|got\s+married|born|acquired|deprecated|retired|closed|renamed|"
    r"migrat(?:e|es|ed|ing)|defend(?:s|ed|ing)?|expir(?:e|es|ed|ing)|ship(?:s|ped|ping)?|"
    r"turn(?:s|ed|ing)?\s+\d+|due)"
)
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)\w*\b|\bend\s+of\b|"
    r"\bnext\s+(?:month|"
    r"year|quarter|spring|summer|autumn|fall|winter)\b|\bq[1-4]\b|\b20\d\d\b|\d{1,2}(?:st|nd|rd|"
    r"th)",
    re.I,
)


def _changes(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Mehmet is leaving end of May", "we're sunsetting the mobile app in June"."""
    who, rest = found["who"], phrase(found["rest"])
    if _PASSING.search(who) or (points_elsewhere(who) and who.lower() not in {"i", "we"}):
        return
    if re.search(r"\b(?:plan|was\s+to|were\s+to|supposed)\b", said.text, re.I):
        return
    if not _MONTH.search(rest) or words(rest) > 12:
        return
    past = bool(re.search(r"(?:ed|left|got\s+married|born)$", found["verb"], re.I))
    day = find_day(rest, said.at, past=past)
    if day and not past and day.start_at - said.at < SOON_MS:
        return
    doing = f"{found['verb']} {rest}"
    if day:
        yield _event(who, doing, f" ({day.iso})", day.start_at)
    else:
        yield _event(who, doing, "", said.at)


def _event(who: str, doing: str, when: str, start_at: int) -> Candidate:
    own = who.lower() in {"i", "we"}
    subject = USER if own or not who[:1].isupper() else who
    name = "User" if who.lower() == "i" else "User's team" if own else who
    done = re.sub(r"\s+", " ", doing)
    text = f"{name} {their(done)}{when}"
    return Candidate(
        f"{text[:1].upper()}{text[1:]}",
        FactKind.EVENT,
        subject,
        f"event:{'' if own else who.lower() + ' '}{doing.split(maxsplit=1)[0].lower()}",
        doing,
        valid_from=start_at,
    )


RULES: tuple[Rule, ...] = (rule(rf"{_WHO}{_WILL}\s+(?P<verb>{_CHANGES})\b(?P<rest>.*)", _changes),)
