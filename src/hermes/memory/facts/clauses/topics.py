"""What a message speaks of, for a reading that does not say it: "budget is 14k", of the wedding.

Only undertakings and things that have parts are topics: a budget, a deadline or a source belongs
to one of these. The one that was named last before the reading is meant.
"""

import re
from collections.abc import Iterable
from itertools import pairwise

from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.clauses.tools import find_purpose

_NOUNS = (
    "wedding|marriage|honeymoon|trip|holiday|vacation|journey|tour|cruise|camp|retreat|festival|fair|"
    "concert|gig|exhibition|tournament|race|marathon|half marathon|triathlon|match|conference|"
    "congress|workshop|seminar|hackathon|offsite|party|birthday|christening|funeral|reunion|"
    "thesis|dissertation|phd|masters?|paper|manuscript|article|essay|novel|book|screenplay|podcast|"
    "newsletter|magazine|album|film|play|blog|course|class|module|degree|exam|finals|"
    "school|kindergarten|nursery|"
    "migration|cut-?over|relaunch|rebrand|redesign|rewrite|refactor\\w*|rollout|launch|release|"
    "project|campaign|pilot|audit|tender|bid|grant|proposal|application|investigation|study|survey|"
    "experiment|trial|app|api|website|web ?site|site|webshop|web shop|dashboard|service|platform|"
    "pipeline|model|game|plugin|library|prototype|"
    "shop|bakery|caf[eé]|restaurant|hotel|studio|farm|gallery|practice|clinic|startup|company|charity|"
    "cabin|cottage|house|flat|apartment|garden|allotment|greenhouse|kitchen|bathroom|renovation|"
    "homelab|home lab|nas|router|server|cluster|printer|boat|van|car|bike|camper|motorbike|"
    "surgery|operation|treatment|therapy|move|relocation|job|internship|offer|position|interview|"
    "contract|lease|mortgage|loan|visa|insurance|tax return|lawsuit|hearing|"
    "book club|choir|band|orchestra|club|team sport|league|tabletop|ttrpg|campaign"
)
_TOPIC = re.compile(
    rf"(?i)(?<![\w'-])(?P<before>(?:[\w&'-]+\s+){{0,2}}?)(?P<noun>(?:{_NOUNS})"
    rf"(?:\s(?:{_NOUNS}))?)(?:'s)?(?![\w-]|'\w\w)"
)
_BY_DEED = (
    (re.compile(r"(?i)\b(?:get(?:ting)?|got) (?:married|hitched)\b|\bmarrying\b"), "wedding"),
    (re.compile(r"(?i)\b(?:moving (?:house|home|flat|to)|new flat|new place)\b"), "move"),
    (re.compile(r"(?i)\bmigrat(?:e|es|ing|ed)\b"), "migration"),
    (re.compile(r"(?i)\brebrand(?:ing|ed)\b"), "rebrand"),
    (re.compile(r"(?i)\brenovat(?:e|ing|ed)\b"), "renovation"),
)
_MODIFIER = frozenset({"NOUN", "NAME", "ADJ", "NUM"})
_EMPTY = frozenset(
    "new next last final first main current old own other whole big little small nice good great "
    "same only second upcoming whole full my our the a an this that for of".split()
)


def find_topic(texts: Iterable[str], *, besides: str, of_tool: bool = False) -> str:
    """The topic that was named last in the nearest of these texts, if `besides` does not name it.

    The texts come nearest first. With `of_tool`, a tool in the nearest text is one, too.
    """
    said = besides.casefold()
    for place, text in enumerate(texts):
        tools = _tools(text) if place == 0 and of_tool else []
        named = [each for each in _topics(text) or tools if _head(each) not in said]
        if named:
            return named[-1]
    return ""


def find_tool(text: str) -> str:
    """The tool or system that a text named last, or nothing."""
    return next(reversed(_tools(text)), "")


def find_kind(noun: str, text: str) -> str:
    """By what noun or name a thing was told from others when it was last named: "jenkins" of an
    agent."""
    words = tokenize(text)
    for before, token in reversed(list(pairwise(words))):
        if token.low.rstrip("s") == noun.rstrip("s") and token.tag in {"NOUN", "NAME"}:
            kind = before.tag in {"NOUN", "NAME"} and before.low not in _EMPTY
            return before.text if kind else ""
    return ""


def _tools(text: str) -> list[str]:
    """Tools and systems by name, where no undertaking was spoken of: "retention", of Kafka."""
    return [t.text for t in tokenize(text) if t.tag == "NAME" and find_purpose(t.text)]


def _head(topic: str) -> str:
    return topic.rsplit(maxsplit=1)[-1].casefold()


def _topics(text: str) -> list[str]:
    """The topics of a text in the order in which they stand."""
    found = [(each.start("noun"), _phrase(each)) for each in _TOPIC.finditer(text)]
    found += [(each.start(), name) for pattern, name in _BY_DEED for each in pattern.finditer(text)]
    return [name for _, name in sorted(found) if name]


def _phrase(found: re.Match[str]) -> str:
    """The noun with the words that tell it from others: "stats exam", "Alhambra shop"."""
    kept: list[str] = []
    for token in reversed(tokenize(found["before"])):
        if token.tag not in _MODIFIER or token.low in _EMPTY:
            break
        kept.insert(0, token.text)
    return " ".join((*kept, found["noun"].lower()))
