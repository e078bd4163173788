"""What words say to have changed: what is gone, what has come, and of what they speak.

People tell a change in three ways: they name what is left ("from Vim to Helix", "ditched Jira",
"the bullet thing is getting old"), they say of a thing where it went ("standup got pushed to 10"),
or they state the new with a word that says it was otherwise ("Gym is Wed and Sat now"). Nothing
here knows what was believed before: `replaced` finds the fact that a change speaks of.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache

from hermes.memory.facts.change_ways import (
    BOTH,
    CALLED_OFF,
    GONE,
    IS,
    MOVED,
    SLOTS,
    WENT,
    Way,
    stems_of,
)
from hermes.memory.facts.clauses.posts import TAKES
from hermes.memory.facts.clauses.tokens import tokenize

# What follows a leaving that is one of the moment: who left early is back tomorrow.
_WHILE = (
    r"for\s+(?:lunch|dinner|today|tonight|(?:an?|the|some|a\s+few|two|three|\d+)\s+(?:\w+\s+)?(?:minutes?|"
    r"hours?|days?|weeks?|weekend|nights?|while|bit|moment|conference|meeting|trip|visit|holidays?|"
    r"vacation|break|appointment|wedding|call))\b"
)
_HOUR = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half)"
_CLAUSE = r"(?:(?![,;]|\.\s|\s(?:and|but|so)\s).){0,40}?"
_FOR_A_WHILE = re.compile(rf"{_CLAUSE}\b{_WHILE}", re.I)
_OF_A_MOMENT = re.compile(
    rf"{_CLAUSE}\b(?:{_WHILE}|(?:at\s+(?:\d|{_HOUR}\b|home|work|school|noon|midnight|lunch|night|(?:the|my|our)\s+"
    r"(?!end|beginning|start))|this\s+(?:morning|afternoon|evening)|tonight|early|again|until|till|"
    r"on\s+(?:holiday|vacation|leave|a\s+break)|because\s+of\s+the)\b)",
    re.I,
)
_CUE = re.compile(
    r"\b(?:now|nowadays|these\s+days|as\s+of|since|from\s+(?:now|here)\s+on|from\s+\w+\s+on|again|"
    r"after\s+all|instead|any\s?more|no\s+longer|new|starting|effective|meanwhile|by\s+now|"
    r"change\s+of\s+plan|update|(?:took|taken|takes|taking)\s+over)\b",
    re.I,
)
_ANNOUNCED = re.compile(
    r"(?:(?:so|and|but|ok|okay|well|hm+|oh|no|sorry|actually|hey|wait)[\s,:!.-]+)*"
    r"(?:(?:i(?:'ve|\s+have)?\s+)?(?:just\s+)?chang(?:ed|ing)\s+my\s+mind|(?:we(?:'ve|\s+have)?\s+)?chang(?:ed|ing)\s+our\s+minds?|change\s+of\s+(?:plans?|mind|heart)|"
    r"on\s+second\s+thoughts?|(?:a\s+)?(?:small\s+|quick\s+)?correction|(?:scratch|strike|forget)\s+"
    r"(?:that|what\s+i\s+said)|i\s+was\s+wrong|i\s+take\s+(?:that|it)\s+back|i\s+(?:told|gave)\s+you\s+(?:(?:it|that|this|the)\s+)?wrong|i\s+got\s+(?:it|that)\s+wrong|i\s+misspoke|i\s+stand\s+corrected)\b",
    re.I,
)  # that something said before is taken back: of whatever the words after it say
_NOT_SO = re.compile(
    r"\b(?:if|should|could|would|might|(?:i|we|you|they|he|she|it)\s+may|maybe|perhaps|thinking|considering|want(?:s|ed)?\s+"
    r"to|wanna|plan(?:s|ning)?\s+to|hop(?:e|ing)|wish|unless|imagine|suppose|let'?s|shall|wonder\w*|"
    r"tempted|almost|nearly|haven't|hasn't|won't|not\s+yet|never\s+(?:left|quit|dropped)|i'd|we'd|"
    r"thought\s+about|one\s+day|someday|jokes?|kidding)\b",
    re.I,
)
_POINTS = frozenset(
    "it that this them there one everything all things something stuff here i we you they he she "
    "me us him her".split()
)
_LEAD = re.compile(
    r"^(?:(?:(?:little|small|quick|slight|tiny|one)\s+(?:update|change|correction)|so|and|ok|okay|hey|well|hm+|oh|no|btw|fyi|update|news|also|but|yeah|wait|actually|finally|sadly|unfortunately)"
    r"[\s,:!.-]+)+",
    re.I,
)
_SINCE_WHEN = re.compile(
    r",\s+(?:as\s+of|since)\s+[\w ]{3,20},", re.I
)  # "moved, as of May, to York"
_MONTH_ON = re.compile(r"\bfrom\s+(?:\w+\s+){1,3}?on\b", re.I)
_ON_THE_WAY = re.compile(
    r"\b(?:fly|flies|flying|flew|flight|train|bus|driv\w+|travel\w*|commut\w*|trip|route|walk\w*|"
    r"rid(?:e|ing)|rang(?:e|es|ing)|anywhere|open|read\w*)\b[^,;]*\bfrom\b",
    re.I,
)
LONGEST = 400  # letters of a sentence that tells a change; a longer one tells a story


@dataclass(frozen=True, slots=True)
class Change:
    """Words that name what no longer holds, what does now, and the thing; any may be empty.

    `cued` says that a word stands there which makes a statement one of a change ("now"); `own`,
    that what is gone is named in these very words, and not in those beside them; `off`, that it
    was to happen on a day and will not; `announced`, that words after it take back what was said;
    `moved`, that a thing went to what is new, which is not to say that it is that; `unsaid`, that
    no more than having said it is taken back, which is not to say that it is no longer so.
    """

    gone: str = ""
    new: str = ""
    topic: str = ""
    cued: bool = False
    own: bool = True
    off: bool = False
    announced: bool = False
    moved: bool = False
    unsaid: bool = False

    def __bool__(self) -> bool:
        return bool(self.gone or self.new or self.cued or self.announced)


NOTHING = Change()


@lru_cache(4096)
def read_change(sentence: str) -> Change:
    """What one sentence says to have changed; `NOTHING` where it says no such thing."""
    text = _LEAD.sub("", " ".join(sentence.replace("’", "'").split()))
    if not text or len(text) > LONGEST or text.endswith("?") or _NOT_SO.search(text):
        return NOTHING
    announced = bool(_ANNOUNCED.match(sentence.strip()))
    return replace(_read(text), announced=True) if announced else _read(text)


def is_announced(text: str) -> bool:
    """Whether words begin with taking back what was said before: "change of plan"."""
    return _ANNOUNCED.match(text.replace("’", "'").strip()) is not None


def is_unsure(sentence: str) -> bool:
    """Whether a change is only supposed, wished or thought about in a sentence."""
    return _NOT_SO.search(sentence.replace("’", "'")) is not None


def is_of_a_moment(told: str) -> bool:
    """Whether what is told after a leaving says that it is none for good: "early", "for lunch"."""
    return _OF_A_MOMENT.match(told) is not None


def _read(text: str) -> Change:
    cued = bool(_CUE.search(text))
    plain = _SINCE_WHEN.sub("", _MONTH_ON.sub("", text)).strip()
    if _ON_THE_WAY.search(plain):
        return Change(cued=cued)
    stems = stems_of(plain)
    if both := _first(BOTH, plain, stems):
        if _FOR_A_WHILE.match(_after(both["new"], plain)):
            return Change(cued=cued)
        return Change(both["gone"], both["new"], both["topic"], cued=True)
    if called := _first(CALLED_OFF, plain, stems):
        return Change(called["gone"], cued=True, off=True)
    gone, moved = _first(GONE, plain, stems), _first(MOVED, plain, stems)
    if gone and is_of_a_moment(_after(gone["gone"], plain)):
        gone.clear()
    came = moved or _first(WENT + IS, plain, stems)
    cued = cued or bool(came)
    told = Change(gone["gone"], came["new"], came["topic"], cued=cued, moved=bool(moved))
    return replace(told, unsaid=True) if gone["gone"] and gone["unsaid"] else told


def _first(ways: tuple[Way, ...], text: str, stems: frozenset[str]) -> defaultdict[str, str]:
    """The words that the first fitting way names; nothing where none names any."""
    for way in ways:
        if not stems.isdisjoint(way.stems) and (found := way.pattern.search(text)):
            said = {name: _bare(words) for name, words in found.groupdict().items()}
            for slot in SLOTS:
                value = said.pop(slot, "")
                if value and TAKES[slot](tokenize(value)):
                    said |= {"new": value, "topic": SLOTS[slot]}
            said["new"] = said.get("new") or said.pop("fresh", "")
            if said.get("gone") or said["new"]:
                return defaultdict(str, said)
    return defaultdict(str)


def _after(words: str, text: str) -> str:
    return text.partition(words)[2] if words else ""


def _bare(said: str | None) -> str:
    words = (said or "").strip(" \"'“”‘’*_").split()
    return "" if not words or words[0].lower() in _POINTS else " ".join(words)
