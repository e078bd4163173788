"""How things stand with a team, in its own words: the last reading of "our …" and "we …".

A present-tense statement about the user's own things counts when it names something definite: a
tool, a name, a version, an address. Trouble, states of the day and talk about the talk do not.
"""

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
from hermes.memory.facts.rules.lexicon import RELATION, tool_purpose
from hermes.types import FactKind

LONGEST = 12  # words

_TROUBLE = re.compile(
    r"\b(?:error\w*|fail\w*|crash\w*|broken?|slow\w*|bug\w*|wrong|return(?:s|ed)|expected|"
    r"timeouts?|"
    r"null|undefined|stuck|down|flaky|missing|weird|annoying|late|ready|done|fine|nice|great|awful|"
    r"terrible|bad|hard|easy|confus\w+|trying|seems?|looks?|getting|problem|issue|why|how|"
    r"anymore\?|"
    r"first|second|third|kids|lunch|dinner|blue|red|green|seats?|batteries|"
    r"today|tonight|tomorrow|yesterday|now and then|this|that|these|it|them|you|your|again|"
    r"line \d+)\b",
    re.I,
)
_NO_THING = re.compile(
    r"(?:i|we|they|you|he|she|who|what|which|there|one|some|most|many|people|everyone|someone|"
    r"nobody|"
    r"user|users|file|files|config|container|docs|example|examples|list|input|output|function|"
    r"variable|"
    r"class|method|column|meeting|call|question|query|script|snippet|tutorial|in|at|on|for|with|"
    r"and|but|"
    r"so|because|if|when|machine|code|log|logs|message|response|request)\b",
    re.I,
)
_CALENDAR = re.compile(
    r"(?:(?:on|at|in)\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|feb|mar|apr|may|june|"
    r"july|aug|"
    r"sep|oct|nov|dec)\w*\b|(?:UTC|GMT|[A-Z]{2,4}T)\b",
    re.I,
)
_DEFINITE = re.compile(r"\b(?-i:[A-Z])\w+|\w\.\w|\b\d[\d.]*\b|[a-z]\d|@|://|\b(?-i:[A-Z]{2,})\b")
_PERSON = re.compile(
    rf"(?:{RELATION})s?$|(?:guy|girl|people|person|one|thing|idea|point|"
    rf"name)$",
    re.I,
)


def _stands(found: Found, said: Said) -> Iterator[Candidate]:
    """ "SMS goes through Twilio", "the bastion host is 10.0.0.5", "my camera is a Sony A7"."""
    thing, value = found["thing"], phrase(found["value"])
    own = re.match(r"(?:our|my|all\s+our)\b", said.text, re.I)
    named = tool_purpose(value) or (own and re.match(r"(?:an?\s+)?(?-i:[A-Z])[a-z]+", value))
    if not named or not _is_sober(said, value) or tool_purpose(thing):
        return
    if _PERSON.search(thing) or _NO_THING.match(thing) or _CALENDAR.match(value):
        return
    link = re.sub(r"\s+", " ", found["link"]).strip()
    text = f"User's {thing} {link} {value}"
    yield Candidate(text, FactKind.ENVIRONMENT, USER, thing.lower(), value, single=False)


def _is_sober(said: Said, value: str) -> bool:
    return (
        not _TROUBLE.search(said.text)
        and 1 <= words(value) <= 8
        and not points_elsewhere(value)
        and words(said.text) <= LONGEST + 4
    )


def _we_do(found: Found, said: Said) -> Iterator[Candidate]:
    """ "we work in two-week sprints", "we branch off develop"."""
    value = phrase(f"{found['verb']} {found['value']}")
    if _is_sober(said, phrase(found["value"])) or (
        re.match(
            r"(?:in|on|off|with|by|from|"
            r"at)\s+\w",
            found["value"],
        )
        and not _TROUBLE.search(said.text)
    ):
        verb = found["verb"].split()[0].lower()
        yield Candidate(
            f"User's team: {value}", FactKind.ENVIRONMENT, USER, f"practice:{verb}", value
        )


def _we_will(found: Found, said: Said) -> Iterator[Candidate]:
    """ "we're rewriting the frontend in Elm", "for the CMS we took Sanity"."""
    value = phrase(f"{found['verb']} {found['value']}")
    if not 2 <= words(value) <= LONGEST or _TROUBLE.search(said.text):
        return
    if not (
        _DEFINITE.search(found["value"]) or tool_purpose(found["value"]) or _WORK.search(value)
    ):
        return
    topic = " ".join(re.findall(r"\w+", found["value"].lower())[:3])
    text = f"User's team: {value}"
    if purpose := found.groupdict().get("purpose"):
        text = f"{text} for {purpose}"
    yield Candidate(text, FactKind.DECISION, USER, f"decision:{topic}", value)


_WORK = re.compile(
    r"\b(?:front-?end|back-?end|api|app|site|feature|product|pricing|plan|support|service|office|"
    r"team|"
    r"project|release|launch|design|redesign|contract|vendor|platform|module|database|"
    r"code(?:base)?|"
    r"monolith|tests?|hiring|page|report|newsletter|beta|roadmap|budget|week|sprints?|theme|"
    r"tier)\b",
    re.I,
)


def _is_settled(found: Found, said: Said) -> Iterator[Candidate]:
    """ "the redesign is postponed to Q3", "hiring is frozen until summer"."""
    value = phrase(said.text)
    if words(value) <= LONGEST and _WORK.search(found["thing"]):
        topic = re.sub(r"^(?:the|our|my)\s+", "", found["thing"].lower())
        text = f"{value[:1].upper()}{value[1:]}"
        yield Candidate(text, FactKind.DECISION, USER, f"decision:{topic}", value)


_DOES = (
    r"(?:is|are|goes|go|runs?|lives?|sits?|uses?|has|have|comes?|listens?|points?|supports?|"
    r"requires?|"
    r"needs?|speaks?|talks?)(?:\s+(?:all|now|still|mostly|only|handled|done|managed|written|"
    r"built|made|"
    r"licensed|hosted|stored|called|named|under|through|via|by|with|in|on|at|to|from|behind|"
    r"using|about|"
    r"around|an?|the))*"
)
_NOW_DOING = (
    r"(?:rewriting|bringing\s+back|postponing|replacing|splitting|adding|removing|opening|"
    r"closing|freezing|"
    r"phasing\s+out|rolling\s+out|killing|merging|renaming|cancelling|canceling|outsourcing|"
    r"retiring|"
    r"deprecating|switching|moving|migrating|porting|not\s+going\s+to\s+\w+|not\s+using|"
    r"not\s+doing|"
    r"consolidating|standardi[sz]ing|open[- ]sourcing|hiring)"
)
_DID = (
    r"(?:chose|took|picked|adopted|dropped|scrapped|cancelled|canceled|postponed|renamed|merged|"
    r"split|"
    r"outsourced|signed|approved|rejected|killed|retired|archived|rewrote|replaced|ported|bought|"
    r"licensed)"
)

RULES: tuple[Rule, ...] = (
    rule(
        rf"(?:for\s+(?:the\s+|our\s+)?(?P<purpose>[\w /-]{{2,25}}?)\s*,?\s+)?(?:we|management|"
        rf"the\s+(?:team|"
        rf"company|board))\s+(?:are\s+|is\s+|have\s+|has\s+|just\s+|finally\s+|"
        rf"also\s+)*(?P<verb>{_NOW_DOING}|"
        rf"{_DID})\s+(?P<value>.+)",
        _we_will,
    ),
    rule(
        r"(?P<thing>(?:(?:the|our|all)\s+)?(?:[\w-]+\s+){0,2}?[\w-]+)\s+(?:is|are|was|has\s+been|"
        r"got|will\s+be)\s+"
        r"(?:now\s+|officially\s+)?(?:postponed|cancell?ed|frozen|approved|rejected|scrapped|cut|"
        r"dropped|retired|"
        r"archived|renamed|replaced|paused|shelved|off\s+the\s+table|on\s+hold|out\s+of\s+scope|"
        r"in\s+scope)\b",
        _is_settled,
    ),
    rule(
        r"we\s+(?:always\s+|only\s+|mostly\s+|usually\s+|will\s+|still\s+)*(?P<verb>work\s+in|"
        r"follow|branch|track|log|"
        r"review|support|sell|serve|offer|maintain|develop|operate|charge|bill|release|publish|"
        r"back\s+up|sync|"
        r"target|practi[sc]e|keep|export|import|license|ship\s+(?:to|with)|"
        r"take\s+payments)\s+(?P<value>.+)",
        _we_do,
    ),
    rule(
        rf"(?:(?:our|the|my|all\s+our|"
        rf"all\s+the)\s+)?(?P<thing>[\w/-]+(?:\s[\w/-]+){{0,2}}?)\s+(?P<link>{_DOES})\s+"
        rf"(?P<value>.+)",
        _stands,
    ),
)
