"""What recurs and what is required: when things happen, and which rules the team lives by."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.grammar import (
    Found,
    Rule,
    Said,
    phrase,
    points_elsewhere,
    rule,
    words,
)
from hermes.memory.facts.rules.person import third_person
from hermes.types import FactKind

_RECURRING = re.compile(
    r"(?:on\s+)?(?:every|each)\s(?!time\b)|(?:on\s+)?(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)days\b|daily|weekly|"
    r"nightly|hourly|monthly|quarterly|bi-?weekly|(?:at|around)\s+(?:\d|noon|midnight)|"
    r"(?:once|twice)\s+an?\s|(?:the\s+)?(?:first|second|third|last)\s+\w+day\s+of",
    re.I,
)
_ROUTINE = (
    r"(?:releases?|deploys?|deployments?|backups?|stand-?ups?|retros?|sprints?|"
    r"builds?|(?:the\s+)?cron|"
    r"(?:\w+\s+)?jobs?|syncs?|one-on-ones?|1:1s?|all-hands|planning|demos?|reviews?|"
    r"invoices?|payroll|"
    r"reports?|newsletters?|maintenance(?:\s+window)?|trainings?|practice|rehearsals?|classes|"
    r"book\s+club|on-?call|office\s+hours|snapshots?|migrations?|garbage\s+collection|"
    r"rotations?|lessons?)"
)
_RULED = (
    r"(?:prs?|pull\s+requests|merge\s+requests|mrs|commits?|branches|releases|deploys|deployments|"
    r"changes|migrations|tickets|merges|reviews|invoices|expenses|contracts|passwords|backups|logs|"
    r"hotfixes|services|endpoints|apis|tests|docs|customers|refunds|orders|vacation\s+requests|"
    r"support\s+tickets|(?:customer|user|personal|patient)\s+data|recordings|accounts|emails)"
)


def _recurs(found: Found, said: Said) -> Iterator[Candidate]:
    """ "backups run at 3am UTC", "standup is at 9:30", "we deploy on Tuesdays"."""
    value, thing = phrase(found["value"]), found["thing"].lower().removeprefix("the ")
    if not _RECURRING.match(value) or words(value) > 8 or points_elsewhere(thing):
        return
    is_verb = re.match(r"(?:we|i)\b", said.text, re.I)
    text = (
        f"User's team {third_person(thing)} {value}" if is_verb else f"{thing} takes place {value}"
    )
    yield Candidate(
        f"{text[:1].upper()}{text[1:]}",
        FactKind.ENVIRONMENT,
        USER,
        f"schedule:{thing}",
        f"{thing} {value}",
        single=True,
    )


def _moved_slot(found: Found, said: Said) -> Iterator[Candidate]:
    """ "we're moving the standup to 10:15"."""
    thing, value = found["thing"].lower(), phrase(found["value"])
    if words(value) <= 5:
        text = f"{thing[:1].upper()}{thing[1:]} moved to {value}"
        yield Candidate(
            text, FactKind.DECISION, USER, f"schedule:{thing}", f"{thing} {value}", single=True
        )


def _retains(found: Found, said: Said) -> Iterator[Candidate]:
    """ "we keep customer data for 18 months"."""
    value = f"{found['thing']} {phrase(found['value'])}"
    if not points_elsewhere(found["thing"]):
        text = f"User's team {third_person(found['verb'].lower())} {value}"
        yield Candidate(text, FactKind.DECISION, USER, f"policy:{found['thing'].lower()}", value)


def _required(found: Found, said: Said) -> Iterator[Candidate]:
    """ "PRs need two approvals", "support tickets get deleted after 24 months"."""
    rest = phrase(found["value"])
    if points_elsewhere(rest) or not 1 <= words(rest) <= 12 or _FAILING.search(rest):
        return
    thing, verb = found["thing"], re.sub(r"\s+", " ", found["verb"].lower())
    text = f"{thing} {verb} {rest}"
    yield Candidate(
        f"{text[:1].upper()}{text[1:]}", FactKind.DECISION, USER, f"policy:{thing.lower()}", text
    )


def _stays(found: Found, said: Said) -> Iterator[Candidate]:
    text = f"{found['thing']} {found['verb'].lower()} {phrase(found['value'])}"
    if words(text) <= 12:
        sentence = f"{text[:1].upper()}{text[1:]}"
        yield Candidate(sentence, FactKind.DECISION, USER, "policy:data", text)


_FAILING = re.compile(
    r"\b(?:fail\w*|error\w*|broken|wrong|fix\w*|help|today|tomorrow|now|this)\b", re.I
)

RULES: tuple[Rule, ...] = (
    rule(
        rf"(?:we\s+(?:are\s+|have\s+)?(?:moving|moved|move)\s+)?(?:the\s+|"
        rf"our\s+)?(?P<thing>{_ROUTINE})\s+(?:(?:is|was|has\s+been|got)\s+)?"
        rf"(?:moving\s+|moved\s+)?to\s+(?P<value>\d{{1,2}}(?::\d\d)?\s?(?:am|pm)?\b.*|"
        rf"(?:mon|tues|wednes|thurs|fri)days?\b.*)",
        _moved_slot,
    ),
    rule(
        r"we\s+(?P<verb>keep|store|retain|delete|archive|"
        r"purge)\s+(?P<thing>(?:[\w-]+\s+){0,3}?[\w-]+)\s+(?P<value>(?:for|after)\s+"
        r"(?:\d+|an?|two|three|six|twelve)\s+(?:days?|weeks?|months?|years?)\b.*)",
        _retains,
    ),
    rule(
        rf"(?:our\s+|the\s+|my\s+|all\s+)?(?P<thing>{_ROUTINE})\s+(?:now\s+|always\s+|usually\s+)?"
        r"(?:happens?|runs?|are|is|takes?\s+place|go(?:es)?\s+out|starts?|kicks?\s+in|"
        r"meets?|rotates?)\s+"
        r"(?:now\s+)?(?P<value>.+)",
        _recurs,
    ),
    rule(
        r"(?:we|i)\s+(?:always\s+|only\s+|usually\s+|now\s+)?(?P<thing>deploy|release|"
        r"ship|meet|bill|"
        r"invoice|rotate|retro|train)\s+(?P<value>.+)",
        _recurs,
    ),
    rule(
        rf"(?:all\s+|our\s+|every\s+|new\s+)?(?P<thing>{_RULED})\s+(?P<verb>need|needs|"
        rf"require|requires|must|"
        r"have\s+to|has\s+to|always\s+need|get|are|"
        r"is)\s+(?P<value>(?:at\s+least\s+)?(?:an?|one|two|three|four|\d+|"
        r"be|deleted|purged|archived|kept|reviewed|approved|signed|squashed|rebased|"
        r"to\s+be|removed|"
        r"rotated|anonymi[sz]ed|stored\s+for)\b.*)",
        _required,
    ),
    rule(
        r"(?:all\s+)?(?:our\s+|the\s+)?(?P<thing>(?:(?:customer|user|personal|"
        r"patient)\s+)?data)\s+(?P<verb>stays|must\s+stay|"
        r"has\s+to\s+stay|never\s+leaves)\s+(?P<value>(?:in\s+|on\s+)?.+)",
        _stays,
    ),
)
