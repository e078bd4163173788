"""What words say to have changed: what is gone, what has come, and of what they speak.

People tell a change in three ways: they name what is left ("from Vim to Helix", "ditched Jira",
"the bullet thing is getting old"), they say of a thing where it went ("standup got pushed to 10"),
or they state the new with a word that says it was otherwise ("Gym is Wed and Sat now"). Nothing
here knows what was believed before: `replaced` finds the fact that a change speaks of.
"""
# ruff: noqa: E501 - a way of saying is a line, however long

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache

_END = (
    r"(?=\s*(?:[;!?()–—]|[,:](?!\d)|(?<!\b[a-z])\.(?:\s|$)|$)|\s+(?:and|but|so|because|cause|since|in|last|this|these|for|as|at|"
    r"after|when|now|btw|any\s?more|anymore|yesterday|today|on|until|though|thing|stuff|again|please|"
    r"instead|as\s+well|already|tbh|anyway|honestly|by\s+(?:the\s+)?(?:end|mid|beginning|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|from\s+(?:now|here|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|next)[a-z]*)\b)"
)


def _words(name: str, most: int = 50) -> str:
    """A few words, without what points at them, up to where a phrase ends."""
    lead = r"(?:(?:the|our|my|an?|just|only|that|this|all|plain)\s+)?"
    return rf"{lead}(?P<{name}>[^\s,.;:!?()](?:[^,;:!?()]|(?<=\d)[:,](?=\d)){{0,{most}}}?(?<![.]))"


_START = r"(?:^|[,;:]\s+(?:so\s+|and\s+|but\s+)?)"
_LEAVE = (
    r"(?:(?:we|i)(?:'ve|\s+have)?\s+(?:just\s+|finally\s+|now\s+)?)?"
    r"\b(?:ditch(?:ed|ing)?|dropp?(?:ed|ing)?|binned|dumped|scrapp?(?:ed)?|retired|sold|left|quit|"
    r"abandon(?:ed)?|axed|got\s+rid\s+of|getting\s+rid\s+of|good\s+riddance\s+to|bye|"
    r"goodbye(?:\s+to)?|(?:we're|i'm|am|are)\s+done\s+with|no\s+more|"
    r"(?:forget|scratch|ignore|disregard|never\s?mind)(?:\s+about|\s+what\s+(?:i|we)\s+(?:said|told\s+you)\s+about)?|"
    r"never\s+said\s+(?:that\s+)?(?:i|we)\s+(?:like|love|prefer|use|want|have|(?:work|live|am|are)\s+(?:at|for|in|on))d?|"
    r"cancell?ed|decided\s+against(?:\s+using)?|stopped\s+(?:being|going\s+to)|stepped\s+down\s+as|resigned\s+as|g(?:[ai]ve|iving|iven)\s+up(?:\s+on)?|(?:stopped|stop|quit)(?=\s+\w+ing\b)|moved?\s+(?:away\s+from|off|out\s+of)|"
    r"moving\s+(?:away\s+from|off|out\s+of)|broke\s+up\s+with|split\s+up\s+with)\s+"
)
_HAVE = r"(?:\s+(?:has|have|had|got|is|are|was|were|will\s+be|gets?|been))*"
_TO = (
    r"(?:moves?|moved|moving|push(?:ed|es)|shift(?:ed|s)|slip(?:ped|s)|bump(?:ed|s)|postponed|"
    r"delayed|rescheduled|extended|changed?|changes|rais(?:ed?|es)|lower(?:ed|s)|cut|reduced|"
    r"increased|upgrad(?:ed|es?)|updated|went\s+up|went\s+down|goes\s+up|dropp?(?:ed|s)|renamed|"
    r"switch(?:ed|es|ing)?|promoted|relocated|migrat(?:ed|es?|ing)|brought\s+forward|transferred|"
    r"handed|revert(?:ed)?|downgraded|put\s+(?:back|forward))"
    r"(?:\s+(?:back|up|down|out|over|on))?"
)
_INTO = r"\s+(?:to|until|till|into|onto)\s+"

_POINTING = r"(?:it|that|this|these|those|he|she|they|i|we|you|there|here|what|which|who)\b"

_TURNED = rf"(?:{_TO}|gone|grew|grown|shr[aiu]nk|rose|risen|fell|fallen|converted|graduated)"
_FROM_TO = rf"from\s+{_words('gone')}\s+(?:over\s+)?(?:to|into|onto)\s+{_words('new')}"

_BOTH = tuple(
    re.compile(pattern + _END, re.I)
    for pattern in (
        rf"{_START}(?!{_POINTING}){_words('topic', 40)}{_HAVE}\s+{_TURNED}\s+{_FROM_TO}",
        rf"\b{_TURNED}\s+(?:(?!from\b){_words('topic', 40)}\s+)?{_FROM_TO}",
        rf"\b(?:off|out\s+of|away\s+from)\s+{_words('gone')}\s+(?:and\s+)?(?:on)?(?:in)?to\s+{_words('new')}",
        rf"\b(?:swap|swapped|trade|traded|exchange|exchanged|switched|replace|replaced|replacing|"
        rf"ditched|dropped|substituted)\s+{_words('gone')}\s+(?:in\s+|out\s+)?(?:for|with|by)\s+"
        rf"{_words('new')}",
        rf"(?:^|[,;:]|\b(?:with|on|to|is|are|be|do|does))\s*(?:uses?\s+|using\s+)?{_words('new')}\s*,?\s+"
        rf"(?:instead\s+of|rather\s+than|in\s+place\s+of)\s+{_words('gone')}",
        rf"\b(?:leav(?:e|es|ing)|left)\s+(?=(?-i:[A-Z])){_words('gone', 30)}\s+for\s+(?=(?-i:[A-Z])){_words('new', 30)}",
        r"(?P<new>\d[\d.,:]*\s?(?:%|[a-z]+)?)\s*,?\s+not\s+(?P<gone>\d[\d.,:]*\s?(?:%|[a-z]+)?)",
        rf"{_START}{_words('gone')}\s+(?:has\s+|have\s+)?hand(?:ed|s)\s+{_words('topic')}\s+(?:over\s+)?to\s+"
        rf"{_words('new')}",
        rf"{_START}{_words('new')}\s+(?:has\s+|have\s+)?(?:took|taken|takes|taking)\s+over\s+{_words('topic')}"
        rf"\s+from\s+{_words('gone')}",
        rf"{_START}{_words('gone', 30)}{_HAVE}\s+(?:renamed(?:\s+to)?|now\s+called)\s+{_words('new')}",
        rf"\b(?:in\s+favou?r\s+of|going\s+with|went\s+with)\s+{_words('new')}[,;]?\s+(?:over|and\s+dropp\w+)\s+{_words('gone')}",
        rf"\b(?:ditch|dropp?|scrapp?|abandon|replac)(?:ed|ing|e)?\s+{_words('gone')}\s+(?:in\s+favou?r\s+of|and\s+"
        rf"(?:went|going|go)\s+with)\s+{_words('new')}",
        rf"{_words('gone')}\s*(?:->|→|=>)\s*{_words('new')}",
        rf"\b(?:i|we)\s+\w+\s+not\s+{_words('gone', 30)},?\s+but\s+(?:rather\s+)?{_words('new', 30)}",
        rf"^(?:it|that)(?:'s|\s+is|\s+was)\s+{_words('new', 30)},\s+not\s+{_words('gone', 30)}(?=,?\s+that\s+(?:i|we|my|our)\b)",
        rf"{_START}(?!{_POINTING}){_words('topic', 40)}\s+(?:is|are)(?:\s+not|n't)\s+(?:on\s+)?"
        rf"{_words('gone', 30)},?\s+but\s+(?:on\s+)?(?=[^,;]*\d|[A-Z]){_words('new', 30)}",
        rf"{_START}(?!{_POINTING}){_words('topic', 40)}\s+(?:is|are|uses?|runs\s+on)\s+(?:now\s+|on\s+|in\s+)?"
        rf"{_words('new')},\s+not\s+(?!(?:only|just|yet|sure|even|that|so|too|very|really|if|for)\b)"
        rf"(?:on\s+|in\s+)?{_words('gone')}",
    )
)
_NO_VALUE = (
    r"(?!(?:only|just|yet|sure|even|that|so|too|very|really|if|for|because|since|to|far|when|always|"
    r"often|necessarily|as|more|less|any|all|every|a\s+lot|much|at\s+all|in\s+the|with|without|like)\b)"
)
_GONE = tuple(
    re.compile(pattern + _END, re.I)
    for pattern in (
        rf"\b(?:i|we)(?:'ve|\s+have)?\s+(?:stopped|quit)\s+(?!being|going)\w+ing\s+{_words('gone', 30)}",
        rf"{_LEAVE}{_words('gone')}",
        rf"\b(?:i|we)\s+(?:now\s+|actually\s+|really\s+)?\w+\b[^,;:]{{1,50}}(?:,|\s+[–—-])\s+(?:and\s+)?not\s+{_NO_VALUE}{_words('gone', 30)}",
        rf"\b(?:i|we)\s+(?:was|were)\s+wrong\s+(?:about|on)\s+{_words('gone', 30)}",
        rf"\b(?:no|any)\s+longer\s+(?:an?\s+|on\s+|at\s+|in\s+|with\s+|\w+ing\s+(?:at|for|in|with)\s+|"
        rf"(?:use|uses|using|have|has|work|works|live|lives|drink|eat|do|want)\s+(?:(?:at|for|in|"
        rf"with)\s+)?)?{_words('gone')}",
        rf"{_START}{_words('gone', 30)}\s+(?:doesn't|does\s+not|don't|do\s+not)\s+work(?:\s+for\s+(?:me|us))?\s+any\s?more",
        rf"\b(?:do|does|did|is|are|am|'m|'re|was|have|has)(?:n't|\s+not|nt)\s+(?:(?:really|use|have|"
        rf"work|live|go|see|drink|eat|do|want|need)\s+)?(?:(?:at|for|in|with|to|on|an?)\s+)?"
        rf"{_words('gone')}\s+any\s?more\b",
        rf"\b(?:i|we)(?:'ve|\s+have)?\s+(?:really\s+|totally\s+|kind\s+of\s+)?(?:gone|went)\s+off\s+{_words('gone', 30)}",
        rf"\byou\s+(?:can|may)\s+(?:use|add|include|write)\s+{_words('gone', 30)}\s+again",
        rf"\bused\s+to\s+(?:be|use|work|live|have|drive|do|drink|eat|play|go|run|like|love|prefer|read|take)\s+(?:(?:at|for|in|with|an?)\s+)?{_words('gone')}",
        rf"{_START}{_words('gone', 30)}\s+and\s+(?:i|me)\s+(?:have\s+)?(?:split\s+up|broke(?:n)?\s+up|(?:got\s+)?"
        rf"divorced|separated)",
        rf"{_START}{_words('gone', 30)}(?:\s+thing)?{_HAVE}\s+(?:gone(?!\s+to)(?:\s+"
        rf"downhill)?|history|retire[sd]?|left|quit|resigned|leaving|died|dead|passed\s+away)",
        rf"\bg(?:ive|ave|iven)\s+{_words('gone', 30)}\s+(?:away|up)",
        r"\b(?:we|i)(?:'ve|\s+have)?\s+lost\s+(?:(?:our|my)\s+(?:\w+\s+)?)?(?P<gone>(?-i:[A-Z])\w+)",
        rf"{_START}{_words('gone', 30)}{_HAVE}\s+(?:stepped\s+(?:down|back|aside)|moved\s+on|moved\s+out)",
        rf"{_START}{_words('gone', 30)}\s+(?:is|are)\s+(?:totally\s+)?(?:fine|ok|okay|allowed|welcome)\s+(?:now|again)",
        r"\bthe\s+(?P<gone>[^,;:!?()]{1,30}?)\s+thing\s+(?:(?:is|was)\s+getting\s+old|didn'?t\s+work|"
        r"lasted|is\s+over|is\s+off|was\s+a\s+mistake)",
    )
)
_CALLED_OFF = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"{_START}(?!{_POINTING}){_words('gone', 40)}{_HAVE}\s+(?:called\s+off|cancell?ed|scrapped|"
        rf"shelved|postponed(?:\s+indefinitely)?|fell\s+through|fallen\s+through){_END}(?!\s+(?:to|until|till)\b)",
        rf"{_START}(?!{_POINTING}){_words('gone', 40)}\s+(?:is|are|'s)\s+off(?:\s+(?:now|again|after\s+all|for\s+good|sadly))?"
        r"(?=\s*(?:[.,;:!()–—]|$)|\s+(?:because|since|so|but|as)\b)",
        rf"{_START}(?!{_POINTING}){_words('gone', 40)}{_HAVE}(?:n't|\s+not|\s+no\s+longer)\s+(?:going\s+to\s+happen|happening|"
        rf"taking\s+place){_END}",
        rf"\b(?:cancell?ed|called\s+off|scrapped|postponed|cancell?ing|(?:forget|never\s?mind|scratch)(?:\s+about)?(?=.*\bcancell?ed\b))\s+"
        rf"(?:the|our|my)\s+{_words('gone', 40)}{_END}(?!\s+(?:to|until|till)\b)",
    )
)
_MOVED = tuple(
    re.compile(pattern + _END, re.I)
    for pattern in (
        rf"{_START}{_words('topic', 40)}{_HAVE}\s+{_TO}{_INTO}{_words('new')}",
        rf"{_START}{_words('topic', 40)}{_HAVE}\s+{_TO}\s+(?:it|that|them)\s*{_INTO}{_words('new')}",
        rf"\b{_TO}{_INTO}{_words('new')}",
        rf"\b{_TO}\s+{_words('topic', 40)}{_INTO}{_words('new')}",
    )
)
_WENT = tuple(
    re.compile(pattern + _END, re.I)
    for pattern in (
        rf"\b(?:doing|using|going\s+with|sticking\s+with)\s+{_words('new')}\s+(?:after\s+all|instead)",
        rf"\bnew\s+{_words('topic', 30)}\s*(?::|[,;]?\s*(?:it's|it\s+is)|is|are|=|,|will\s+be)\s+{_words('new')}",
        rf"\bchanged\s+{_words('topic', 30)}\s*(?:[,;:]\s*)?(?:it's|it\s+is|now|new\s+one\s+is)\s+{_words('new')}",
        rf"{_START}{_words('topic', 40)}\s+changed\s*[,;:]\s*(?:it's|it\s+is|now)\s+{_words('new')}",
        rf"{_START}{_words('topic', 40)}{_HAVE}\s+(?:re)?(?:written|built|done)\s+(?:in|with|on)\s+{_words('new')}",
        rf"{_START}{_words('topic', 40)}\s+(?:now\s+)?(?:runs|lives|sits|meets|happens|goes\s+out)\s+(?:now\s+)?"
        rf"(?:in|on|with|at|from)\s+{_words('new')}",
        rf"{_START}(?:it's|its|it\s+is|that's)\s+{_words('new')}\s+now",
        r"\b(?:made|promoted|appointed)\s+(?:me|us)\s+(?:to\s+|an?\s+)?(?P<role>[\w -]{3,30}?)",
        r"\b(?:flat|house|apartment|place|home)\s+in\s+(?P<place>[\w -]{2,30}?)\s+and\s+(?:have\s+)?"
        r"(?:just\s+)?moved\s+in",
        r"\bmoved(?:\s+btw)?,\s+(?P<place>[\w -]{2,30}?)\s+now",
        rf"\b(?:back|return(?:ed|ing)?)\s+(?:to|on|with|at)\s+{_words('new')}",
    )
)
# What follows a leaving that is one of the moment: who left early is back tomorrow.
_WHILE = (
    r"for\s+(?:lunch|dinner|today|tonight|(?:an?|the|some|a\s+few|two|three|\d+)\s+(?:\w+\s+)?(?:minutes?|"
    r"hours?|days?|weeks?|weekend|nights?|while|bit|moment|conference|meeting|trip|visit|holidays?|"
    r"vacation|break|appointment|wedding|call))\b"
)
_CLAUSE = r"(?:(?![,;]|\.\s|\s(?:and|but|so)\s).){0,40}?"
_FOR_A_WHILE = re.compile(rf"{_CLAUSE}\b{_WHILE}", re.I)
_OF_A_MOMENT = re.compile(
    rf"{_CLAUSE}\b(?:{_WHILE}|(?:at\s+(?:\d|home|work|school|noon|midnight|lunch|night|(?:the|my|our)\s+"
    r"(?!end|beginning|start))|this\s+(?:morning|afternoon|evening)|tonight|early|again|until|till|"
    r"on\s+(?:holiday|vacation|leave|a\s+break)|because\s+of\s+the)\b)",
    re.I,
)
_SINCE = (
    r"(?:now|nowadays|these\s+days|from\s+(?:now|today|here)(?:\s+on)?|as\s+of\b[^,;]*|instead|"
    r"since\b[^,;]*)"
)
_IS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"{_START}{_words('new', 30)}\s+(?:is|are|'s)\s+(?:now\s+)?(?:my|our|the)\s+(?P<topic>[\w' -]{{2,40}}?)"
        rf"\s+{_SINCE}",
        rf"{_START}(?:my|our|the)?\s*{_words('topic', 40)}\s+(?:is|are)\s+(?:now\s+{_words('new')}{_END}|"
        rf"{_words('fresh')}\s+{_SINCE})",
    )
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
    r"(?:that|what\s+i\s+said)|i\s+was\s+wrong|i\s+take\s+(?:that|it)\s+back|i\s+misspoke|i\s+stand\s+corrected)\b",
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
_SLOTS = {"role": "role", "place": "location"}  # what some words name without naming it
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
    `moved`, that a thing went to what is new, which is not to say that it is that.
    """

    gone: str = ""
    new: str = ""
    topic: str = ""
    cued: bool = False
    own: bool = True
    off: bool = False
    announced: bool = False
    moved: bool = False

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


def is_of_a_moment(told: str) -> bool:
    """Whether what is told after a leaving says that it is none for good: "early", "for lunch"."""
    return _OF_A_MOMENT.match(told) is not None


def _read(text: str) -> Change:
    cued = bool(_CUE.search(text))
    plain = _SINCE_WHEN.sub("", _MONTH_ON.sub("", text)).strip()
    if _ON_THE_WAY.search(plain):
        return Change(cued=cued)
    if both := _first(_BOTH, plain):
        if _FOR_A_WHILE.match(_after(both["new"], plain)):
            return Change(cued=cued)
        return Change(both["gone"], both["new"], both["topic"], cued=True)
    if called := _first(_CALLED_OFF, plain):
        return Change(called["gone"], cued=True, off=True)
    gone, moved = _first(_GONE, plain), _first(_MOVED, plain)
    if gone and is_of_a_moment(_after(gone["gone"], plain)):
        gone.clear()
    came = moved or _first((*_WENT, *_IS), plain)
    cued = cued or bool(came)
    return Change(gone["gone"], came["new"], came["topic"], cued=cued, moved=bool(moved))


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> defaultdict[str, str]:
    """The words that the first fitting pattern names; nothing where none names any."""
    for pattern in patterns:
        if found := pattern.search(text):
            said = {name: _bare(words) for name, words in found.groupdict().items()}
            for slot in ("role", "place"):
                if value := said.pop(slot, ""):
                    said |= {"new": value, "topic": _SLOTS[slot]}
            said["new"] = said.get("new") or said.pop("fresh", "")
            if said.get("gone") or said["new"]:
                return defaultdict(str, said)
    return defaultdict(str)


def _after(words: str, text: str) -> str:
    return text.partition(words)[2] if words else ""


def _bare(said: str | None) -> str:
    words = (said or "").strip(" \"'“”‘’*_").split()
    return "" if not words or words[0].lower() in _POINTS else " ".join(words)
