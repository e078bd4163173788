"""Who "we" are: a team at work, a household, a band; or just the user and others.

Readers write "User's team" for every "we". Only work makes a team, so that the words around decide:
those of the clause first, then the message.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.tools import find_purpose

TEAM = "User's team"
FAMILY = "User's family"
UNKNOWN = "User (with others)"

_WE = re.compile(r"(?i)\b(?:we|our|ours|us|let'?s|we'(?:re|ve|ll|d))\b")
_KIN = re.compile(
    r"(?i)\b(?:kids?|child(?:ren)?|bab(?:y|ies)|sons?|daughters?|wife|husband|boyfriend|girlfriend|"
    r"fianc[ée]e?|mum|mom|dad|parents?|grand(?:ma|pa|son|daughter|parents?)|siblings?|brother|sister|"
    r"papa|mama|mam|mummy|daddy|aunt(?:y|ie)?|uncle|cousins?|gran|nan(?:a)?|"
    r"family|famil(?:y|ies)|married|wedding|honeymoon|pregnant|in-laws|household)\b"
)
_HOUSE = re.compile(
    r"(?i)\b(?:flat|apartment|house|home|garden|kitchen|bathroom|balcony|attic|"
    r"mortgage|holidays?|vacation|nursery|sofa|couch|neighbou?rs?|anniversary|rent|landlord)\b"
)
_WORK = re.compile(
    r"(?i)\b(?:teams?|sprints?|stand-?ups?|retros?|deploy\w*|releas\w+|ship(?:s|ped|ping)?|prod|"
    r"production|staging|repos?|branch\w*|merg\w+|prs?|pull requests?|code\w*|coding|apis?|"
    r"servers?|sell|selling|sold|hosts?|hosting|config|defaults?|commits?|union|pre-?seed|countries|"
    r"clusters?|databases?|dbs?|backend|frontend|pipelines?|ci|infra\w*|customers?|clients?|vendors?|"
    r"suppliers?|stakeholders?|invoic\w+|office|company|firm|start-?up|department|engineers?|devs?|"
    r"developers?|designers?|colleagues?|co-?workers?|boss|managers?|cto|ceo|cfo|board|hir(?:e|ed|ing)|"
    r"employees?|staff|interns?|tickets?|backlog|roadmap|products?|projects?|launch\w*|migrat\w+|"
    r"contracts?|q[1-4]|okrs?|kpis?|sla|meetings?|offsite|rebrand|audits?|compliance|on-?call|"
    r"incidents?|services?|users|tenants?|versions?|librar(?:y|ies)|frameworks?|stack|tool(?:s|ing)?|"
    r"software|data|models?|metrics?|tests?|testing|docs|lint\w*|licen[cs]es?|vpn|shifts?|ward|"
    r"patients?|warehouse|factory|plant|fleet|depots?|lab|endpoints?|builds?|schema|logs?|monitor\w*|"
    r"alerts?|reviews?|approv\w+|partners|sales|marketing|support|hosting|website|webshop|apps?|"
    r"platform|feature\w*|bugs?|freeze|estimat\w+|story points|budget|pricing|billing|onboarding)\b"
)
_OWNED = r"(?:my|our|own|i (?:run|own|have|manage|opened)(?: an?)?)\s+(?:\w+ ){0,2}?"
_CLUB = re.compile(
    r"(?i)\b(?:book|reading|chess|running|rowing|cycling|swim\w*|tennis|football|garden\w*|sewing|"
    r"drama|photo\w*|sailing|climbing|hiking|bridge|rugby|hockey|judo|board ?game|study) "
    r"(?:club|group|team)\b"
)
_GROUP = re.compile(
    r"(?i)\b(?:(?:a|the|my|our|this|church|school|community|local|for) (?:\w+ )?(?P<group>band|"
    r"choir|orchestra|quartet|ensemble|club|troupe|troop|scouts|congregation|parish|co-?op|"
    r"collective|league|allotment)|(?P<game>ttrpg|d&d|dnd|pathfinder|rpg|tabletop)|"
    + _OWNED
    + r"(?P<trade>shop|store|bakery|caf[eé]|restaurant|bar|pub|hotel|b&b|practice|clinic|studio|"
    r"farm|gallery|salon|school|charity|museum|theatre|nursery|garage|brewery|vineyard))\b"
)
_COUPLE = re.compile(
    r"(?i)\bwe(?:'ve| have| had|'re| are| were)? (?:\w+ly )?(?:divorced|separated|split up|"
    r"broke up|(?:got|get|getting|been) (?:married|engaged|divorced|separated)|married|eloped)\b"
)
_GIVEN_UP = re.compile(
    r"(?i)\b(?:sell|selling|sold|clos(?:e|ed|ing)|open(?:ed|ing)?|bought|buy|buying) "
    r"(?:down |up )?(?:the|our|an?) (?:\w+ )?(?:restaurant|shop|store|bakery|caf[eé]|bar|pub|hotel|"
    r"b&b|farm|gallery|salon|brewery|vineyard|house|flat|car|bike|van|boat|caravan|piano)\b"
)
_FOUNDED = re.compile(r"(?i)\b(?:founded|established|incorporated|set up) (?:in )?\d{4}\b")
_COMPANY = re.compile(
    r"(?i)\b(?:my|our|the|this) (?:\w+ )?(?P<firm>company|firm|business|agency|charity|startup)\b"
)
_NAME = re.compile(r"\b[A-Z][\w-]{2,}")
_NO_NAMES = frozenset("Our The And But Also They This That Yes For With From".split())
_HIS_OWN = re.compile(r"(?i)\b(?:my|our|both|the two|us)\b")
_OUR = re.compile(r"User's team's\b")


@dataclass(frozen=True)
class Around:
    """The message of a reading, looked through once: a long one has many readings.

    What was said before it, the nearest first, counts only where it named the same: whoever spoke
    of work may speak of a trip next.
    """

    text: str = ""
    earlier: Sequence[str] = ()

    @cached_property
    def who(self) -> str:
        return _named(self.text, near=False) or UNKNOWN

    def who_named(self, quote: str) -> str:
        """Who "we" were when something was named that these words name, too."""
        names = set(_NAME.findall(quote)) - _NO_NAMES
        same = (text for text in self.earlier if names & set(_NAME.findall(text)))
        return next(filter(None, (_named(text, near=False) for text in same)), UNKNOWN)

    @cached_property
    def at_work(self) -> bool:
        """Whether it is plainly about a business."""
        return len(_WORK.findall(self.text)) > 2

    @cached_property
    def firm(self) -> str:
        found = _COMPANY.search(self.text)
        return f"User's {found['firm'].lower()}" if found else ""

    @cached_property
    def says_we(self) -> bool:
        return _WE.search(self.text) is not None


def name_us(candidate: Candidate, around: Around, *, in_team: bool) -> Candidate:
    """The candidate with "we" named by what is said; `in_team` says that the chat is one of
    several at work."""
    quote = candidate.quote
    if TEAM not in candidate.text or _is_said(quote):
        return candidate
    of_team = in_team and not _KIN.search(quote) and around.who != FAMILY
    who = TEAM if of_team else _told(quote, around) or _named(quote, near=True) or around.who
    who = around.who_named(quote) if who == UNKNOWN else who
    if who == UNKNOWN and not (_WE.search(quote) or around.says_we):
        who = "User"
    if who == TEAM:
        return candidate
    text = _OUR.sub("User's", candidate.text)
    return replace(candidate, text=text.replace(TEAM, who))


def _told(quote: str, around: Around) -> str:
    """Who does what only a couple, an owner or a business does, whatever words stand around."""
    if _COUPLE.search(quote):
        return "User"
    if _GIVEN_UP.search(quote):
        return UNKNOWN
    if _FOUNDED.search(quote):
        return around.firm or TEAM
    served = _KIN.search(quote) and not _HIS_OWN.search(quote) and around.at_work
    return TEAM if served else ""  # "we don't take kids under 8"


def _is_said(quote: str) -> bool:
    return re.search(r"(?i)\b(?:my|our) team\b", quote) is not None


def _named(text: str, *, near: bool) -> str:
    """Whom one text speaks of, or nothing; in the clause itself one word of kin is enough."""
    kin, work = len(_KIN.findall(text)), len(_WORK.findall(text)) + bool(find_purpose(text))
    if near and kin:
        return FAMILY
    if group := _group(text):
        return group if near or work < 3 else TEAM
    if work and work == kin and not near:
        return UNKNOWN  # "my wife says I'm too soft a boss": it may be either
    if work and work >= kin:
        return TEAM
    return FAMILY if kin or (near and _HOUSE.search(text)) else ""


def _group(text: str) -> str:
    if club := _CLUB.search(text):
        return f"User's {club.group().lower()}"
    found = _GROUP.search(text)
    if found is None:
        return ""
    named = found["group"] or found["trade"]
    return f"User's {named.lower()}" if named else "User's gaming group"
