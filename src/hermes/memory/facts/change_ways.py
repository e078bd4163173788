"""The ways in which people tell a change, each with words of which one must stand there.

Most sentences tell none, and trying every way on each of them cost milliseconds a recall; looking
for a way's words first costs a hundredth of trying it.
"""
# ruff: noqa: E501 - a way of saying is a line, however long

import re
from dataclasses import dataclass
from string import ascii_lowercase

_END = (
    r"(?=\s*(?:[;!?()–—]|[,:](?!\d)|(?<!\b[a-z])(?<!\b[dm]r)(?<!\bms)(?<!\bmrs)(?<!\bprof)\.(?:\s|$)|$)|\s+(?:and|but|so|because|cause|since|in|last|this|these|for|as|at|"
    r"after|when|now|btw|any\s?more|anymore|yesterday|today|on|until|though|thing|stuff|again|please|"
    r"instead|as\s+well|already|tbh|anyway|honestly|by\s+(?:the\s+)?(?:end|mid|beginning|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|from\s+(?:now|here|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|next)[a-z]*)\b)"
)


def _words(name: str, most: int = 50) -> str:
    """A few words, without what points at them, up to where a phrase ends."""
    lead = r"(?:(?:the|our|my|an?|just|only|that|this|all|plain)\s+)?"
    return rf"{lead}(?P<{name}>[^\s,.;:!?()](?:[^,;:!?()]|(?<=\d)[:,](?=\d)){{0,{most}}}?(?<![.]))"


# What some words name without naming it; a post stands without an article, and a title is what one
# is promoted to.
SLOTS = {"role": "role", "post": "role", "title": "role", "place": "location"}
# Four letters by which a word is known in whatever form: "move", "moved", "moves".
_STEM = re.compile(r"(?<![a-z])(?:as o(?=f\b)|[a-z]{1,4})|->|→|=>")
_LETTERS = bytes(n if chr(n) in ascii_lowercase else 32 for n in range(256))


@dataclass(frozen=True, slots=True)
class Way:
    """A way of telling a change, and the words of which one must stand there: most sentences hold
    none, and looking for a word costs a hundredth of trying the way."""

    stems: frozenset[str]
    pattern: re.Pattern[str]


def stems_of(text: str) -> frozenset[str]:
    folded = text.lower()
    if not folded.isascii() or "as of" in folded or "->" in folded or "=>" in folded:
        return frozenset(_STEM.findall(folded))
    words = folded.encode().translate(_LETTERS).decode().split()  # thrice as fast as the pattern
    return frozenset([word[:4] for word in words])


def _ways(*ways: tuple[str, str], end: str = "") -> tuple[Way, ...]:
    return tuple(Way(stems_of(words), re.compile(pattern + end, re.I)) for words, pattern in ways)


_START = r"(?:^|[,;:]\s+(?:so\s+|and\s+|but\s+)?)"
_LEAVE = (
    r"(?:(?:we|i)(?:'ve|\s+have)?\s+(?:just\s+|finally\s+|now\s+)?)?"
    r"\b(?:ditch(?:ed|ing)?|dropp?(?:ed|ing)?|binned|dumped|scrapp?(?:ed)?|retired|sold|left|quit|"
    r"abandon(?:ed)?|axed|got\s+rid\s+of|getting\s+rid\s+of|good\s+riddance\s+to|bye|"
    r"goodbye(?:\s+to)?|(?:we're|i'm|am|are)\s+done\s+with|no\s+more|"
    r"(?P<unsaid>(?:forget|scratch|ignore|disregard|never\s?mind)\s+(?:(?:everything|all|anything)\s+(?:that\s+)?|what\s+)"
    r"(?:i|we)\s+(?:said|told\s+you|wrote)(?:\s+(?:earlier|before))?\s+about)|"
    r"never\s+said\s+(?:that\s+)?(?:i|we)\s+(?:like|love|prefer|use|want|have|(?:work|live|am|are)\s+(?:at|for|in|on))d?|"
    r"cancell?ed|decided\s+against(?:\s+using)?|stopped\s+(?:being|going\s+to)|stepped\s+down\s+as|resigned\s+as|g(?:[ai]ve|iving|iven)\s+up(?:\s+on)?|(?:stopped|stop|quit)(?=\s+\w+ing\b)|moved?\s+(?:away\s+from|off|out\s+of)|"
    r"moving\s+(?:away\s+from|off|out\s+of)|broke\s+up\s+with|split\s+up\s+with)\s+"
)
_LEAVING = (
    "ditch dropped binned dumped scrap retired sold left quit abandon axed rid riddance bye goodbye "
    "done more forget scratch ignore disregard never nevermind cancelled decided stopped stepped "
    "resigned gave give giving move moving broke split"
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
_MOVING = (
    "move moving push shift slip bump postponed delayed rescheduled extended change changing raise "
    "raising lower cut reduced increased upgrade updated went goes drop renamed switch promoted "
    "relocated migrate migrating brought transferred handed revert downgraded put"
)
_INTO = r"\s+(?:to|until|till|into|onto)\s+"

_POINTING = r"(?:it|that|this|these|those|he|she|they|i|we|you|there|here|what|which|who)\b"

_TURNED = rf"(?:{_TO}|gone|grew|grown|shr[aiu]nk|rose|risen|fell|fallen|converted|graduated)"
_FROM_TO = rf"from\s+{_words('gone')}\s+(?:over\s+)?(?:to|into|onto)\s+{_words('new')}"

BOTH = _ways(
    (
        "from",
        rf"{_START}(?!{_POINTING}){_words('topic', 40)}{_HAVE}\s+{_TURNED}\s+{_FROM_TO}",
    ),
    ("from", rf"\b{_TURNED}\s+(?:(?!from\b){_words('topic', 40)}\s+)?{_FROM_TO}"),
    (
        "off out away",
        rf"\b(?:off|out\s+of|away\s+from)\s+{_words('gone')}\s+(?:and\s+)?(?:on)?(?:in)?to\s+{_words('new')}",
    ),
    (
        "swap trade exchange switched replace ditched dropped substituted",
        rf"\b(?:swap|swapped|trade|traded|exchange|exchanged|switched|replace|replaced|replacing|"
        rf"ditched|dropped|substituted)\s+{_words('gone')}\s+(?:in\s+|out\s+)?(?:for|with|by)\s+"
        rf"{_words('new')}",
    ),
    (
        "instead rather place",
        rf"(?:^|[,;:]|\b(?:with|on|to|is|are|be|do|does))\s*(?:uses?\s+|using\s+)?{_words('new')}\s*,?\s+"
        rf"(?:instead\s+of|rather\s+than|in\s+place\s+of)\s+{_words('gone')}",
    ),
    (
        "leave leaving left",
        rf"\b(?:leav(?:e|es|ing)|left)\s+(?=(?-i:[A-Z])){_words('gone', 30)}\s+for\s+(?=(?-i:[A-Z])){_words('new', 30)}",
    ),
    (
        "not",
        r"(?P<new>\d[\d.,:]*\s?(?:%|[a-z]+)?)\s*,?\s+not\s+(?P<gone>\d[\d.,:]*\s?(?:%|[a-z]+)?)",
    ),
    (
        "handed",
        rf"{_START}{_words('gone')}\s+(?:has\s+|have\s+)?hand(?:ed|s)\s+{_words('topic')}\s+(?:over\s+)?to\s+"
        rf"{_words('new')}",
    ),
    (
        "over",
        rf"{_START}{_words('new')}\s+(?:has\s+|have\s+)?(?:took|taken|takes|taking)\s+over\s+{_words('topic')}"
        rf"\s+from\s+{_words('gone')}",
    ),
    (
        "renamed now",
        rf"{_START}{_words('gone', 30)}{_HAVE}\s+(?:renamed(?:\s+to)?|now\s+called)\s+{_words('new')}",
    ),
    (
        "favour favor going went",
        rf"\b(?:in\s+favou?r\s+of|going\s+with|went\s+with)\s+{_words('new')}[,;]?\s+(?:over|and\s+dropp\w+)\s+{_words('gone')}",
    ),
    (
        "ditch drop scrap abandon replace",
        rf"\b(?:ditch|dropp?|scrapp?|abandon|replac)(?:ed|ing|e)?\s+{_words('gone')}\s+(?:in\s+favou?r\s+of|and\s+"
        rf"(?:went|going|go)\s+with)\s+{_words('new')}",
    ),
    ("-> → =>", rf"{_words('gone')}\s*(?:->|→|=>)\s*{_words('new')}"),
    (
        "not",
        rf"\b(?:i|we)\s+\w+\s+not\s+{_words('gone', 30)},?\s+but\s+(?:rather\s+)?{_words('new', 30)}",
    ),
    (
        "not",
        rf"^(?:it|that)(?:'s|\s+is|\s+was)\s+{_words('new', 30)},\s+not\s+{_words('gone', 30)}(?=,?\s+that\s+(?:i|we|my|our)\b)",
    ),
    (
        "but",
        rf"{_START}(?!{_POINTING}){_words('topic', 40)}\s+(?:is|are)(?:\s+not|n't)\s+(?:on\s+)?"
        rf"{_words('gone', 30)},?\s+but\s+(?:on\s+)?(?=[^,;]*\d|[A-Z]){_words('new', 30)}",
    ),
    (
        "not",
        rf"{_START}(?!{_POINTING}){_words('topic', 40)}\s+(?:is|are|uses?|runs\s+on)\s+(?:now\s+|on\s+|in\s+)?"
        rf"{_words('new')},\s+not\s+(?!(?:only|just|yet|sure|even|that|so|too|very|really|if|for)\b)"
        rf"(?:on\s+|in\s+)?{_words('gone')}",
    ),
    end=_END,
)
_NO_VALUE = (
    r"(?!(?:only|just|yet|sure|even|that|so|too|very|really|if|for|because|since|to|far|when|always|"
    r"often|necessarily|as|more|less|any|all|every|a\s+lot|much|at\s+all|in\s+the|with|without|like)\b)"
)
# Something done once, of which "not X" says who or what it was not done to.
_ONCE = (
    r"(?:have\s+)?(?:(?!(?:decid|agre|settl|pick|mov|switch|chang|migrat|join|start)ed\b)\w+ed|bought|saw|met|had|got|"
    r"ate|drank|found|sent|made|gave|brought|forgot|heard|read|wrote|took|wore|put|left|sold|paid|spent|drove|"
    r"ran|won|lost|built|caught|flew|rode|spoke)\b"
)
GONE = _ways(
    (
        "stopped quit",
        rf"\b(?:i|we)(?:'ve|\s+have)?\s+(?:stopped|quit)\s+(?!being|going)\w+ing\s+{_words('gone', 30)}",
    ),
    (_LEAVING, rf"{_LEAVE}{_words('gone')}"),
    (
        "not",
        rf"\b(?:i|we)\s+(?:now\s+|actually\s+|really\s+)?(?!{_ONCE})\w+\b[^,;:]{{1,50}}(?:,|\s+[–—-])\s+(?:and\s+)?not\s+{_NO_VALUE}{_words('gone', 30)}",
    ),
    ("wrong", rf"\b(?:i|we)\s+(?:was|were)\s+wrong\s+(?:about|on)\s+{_words('gone', 30)}"),
    (
        "longer",
        rf"\b(?:no|any)\s+longer\s+(?:an?\s+|on\s+|at\s+|in\s+|with\s+|\w+ing\s+(?:at|for|in|with)\s+|"
        rf"(?:use|uses|using|have|has|work|works|live|lives|drink|eat|do|want)\s+(?:(?:at|for|in|"
        rf"with)\s+)?)?{_words('gone')}",
    ),
    (
        "anymore any",
        rf"{_START}{_words('gone', 30)}\s+(?:doesn't|does\s+not|don't|do\s+not)\s+work(?:\s+for\s+(?:me|us))?\s+any\s?more",
    ),
    (
        "any anymore",
        rf"\b(?:do|does|did|is|are|am|'m|'re|was|have|has)(?:n't|\s+not|nt)\s+(?:(?:really|use|have|"
        rf"work|live|go|see|drink|eat|do|want|need)\s+)?(?:(?:at|for|in|with|to|on|an?)\s+)?"
        rf"{_words('gone')}\s+any\s?more\b",
    ),
    (
        "gone went",
        rf"\b(?:i|we)(?:'ve|\s+have)?\s+(?:really\s+|totally\s+|kind\s+of\s+)?(?:gone|went)\s+off\s+{_words('gone', 30)}",
    ),
    (
        "again",
        rf"\byou\s+(?:can|may)\s+(?:use|add|include|write)\s+{_words('gone', 30)}\s+again",
    ),
    (
        "used",
        rf"\bused\s+to\s+(?:be|use|work|live|have|drive|do|drink|eat|play|go|run|like|love|prefer|read|take)\s+(?:(?:at|for|in|with|an?)\s+)?{_words('gone')}",
    ),
    (
        "split broke broken divorced separated",
        rf"{_START}{_words('gone', 30)}\s+and\s+(?:i|me)\s+(?:have\s+)?(?:split\s+up|broke(?:n)?\s+up|(?:got\s+)?"
        rf"divorced|separated)",
    ),
    (
        "gone history retire left quit resigned leaving died dead passed",
        rf"{_START}{_words('gone', 30)}(?:\s+thing)?{_HAVE}\s+(?:gone(?!\s+to)(?:\s+"
        rf"downhill)?|history|retire[sd]?|left|quit|resigned|leaving|died|dead|passed\s+away)",
    ),
    ("give gave given", rf"\bg(?:ive|ave|iven)\s+{_words('gone', 30)}\s+(?:away|up)"),
    (
        "lost",
        r"\b(?:we|i)(?:'ve|\s+have)?\s+lost\s+(?:(?:our|my)\s+(?:\w+\s+)?)?(?P<gone>(?-i:[A-Z])\w+)",
    ),
    (
        "stepped moved",
        rf"{_START}{_words('gone', 30)}{_HAVE}\s+(?:stepped\s+(?:down|back|aside)|moved\s+on|moved\s+out)",
    ),
    (
        "now again",
        rf"{_START}{_words('gone', 30)}\s+(?:is|are)\s+(?:totally\s+)?(?:fine|ok|okay|allowed|welcome)\s+(?:now|again)",
    ),
    (
        "thing",
        r"\bthe\s+(?P<gone>[^,;:!?()]{1,30}?)\s+thing\s+(?:(?:is|was)\s+getting\s+old|didn'?t\s+work|"
        r"lasted|is\s+over|is\s+off|was\s+a\s+mistake)",
    ),
    end=_END,
)
CALLED_OFF = _ways(
    (
        "called cancelled scrapped shelved postponed fell fallen",
        rf"{_START}(?!{_POINTING}){_words('gone', 40)}{_HAVE}\s+(?:called\s+off|cancell?ed|scrapped|"
        rf"shelved|postponed(?:\s+indefinitely)?|fell\s+through|fallen\s+through){_END}(?!\s+(?:to|until|till)\b)",
    ),
    (
        "off",
        rf"{_START}(?!{_POINTING}){_words('gone', 40)}\s+(?:is|are|'s)\s+off(?:\s+(?:now|again|after\s+all|for\s+good|sadly))?"
        r"(?=\s*(?:[.,;:!()–—]|$)|\s+(?:because|since|so|but|as)\b)",
    ),
    (
        "happen happening taking",
        rf"{_START}(?!{_POINTING}){_words('gone', 40)}{_HAVE}(?:n't|\s+not|\s+no\s+longer)\s+(?:going\s+to\s+happen|happening|"
        rf"taking\s+place){_END}",
    ),
    (
        "cancelled called scrapped postponed cancelling",
        rf"\b(?:cancell?ed|called\s+off|scrapped|postponed|cancell?ing|(?:forget|never\s?mind|scratch)(?:\s+about)?(?=.*(?:\bcancell?ed\s+(?:it|that)\b|\b(?:it(?:'s|\s+is|\s+was)|that(?:'s|\s+is|\s+was))\s+cancell?ed\b)))\s+"
        rf"(?:the|our|my)\s+{_words('gone', 40)}{_END}(?!\s+(?:to|until|till)\b)",
    ),
)
MOVED = _ways(
    (_MOVING, rf"{_START}{_words('topic', 40)}{_HAVE}\s+{_TO}{_INTO}{_words('new')}"),
    (
        _MOVING,
        rf"{_START}{_words('topic', 40)}{_HAVE}\s+{_TO}\s+(?:it|that|them)\s*{_INTO}{_words('new')}",
    ),
    (_MOVING, rf"\b{_TO}{_INTO}{_words('new')}"),
    (_MOVING, rf"\b{_TO}\s+{_words('topic', 40)}{_INTO}{_words('new')}"),
    end=_END,
)
_NO_PRAISE = r"(?!(?:better|worse|good|bad|great|different|stronger|weaker|\w+ier)\s)"
WENT = _ways(
    (
        "after instead",
        rf"\b(?:doing|using|going\s+with|sticking\s+with)\s+{_words('new')}\s+(?:after\s+all|instead)",
    ),
    (
        "new",
        rf"\bnew\s+{_words('topic', 30)}\s*(?::|[,;]?\s*(?:it's|it\s+is)|is|are|=|,|will\s+be)\s+{_words('new')}",
    ),
    (
        "changed",
        rf"\bchanged\s+{_words('topic', 30)}\s*(?:[,;:]\s*)?(?:it's|it\s+is|now|new\s+one\s+is)\s+{_words('new')}",
    ),
    (
        "changed",
        rf"{_START}{_words('topic', 40)}\s+changed\s*[,;:]\s*(?:it's|it\s+is|now)\s+{_words('new')}",
    ),
    (
        "written rewritten built rebuilt done redone",
        rf"{_START}{_words('topic', 40)}{_HAVE}\s+(?:re)?(?:written|built|done)\s+(?:in|with|on)\s+{_words('new')}",
    ),
    (
        "runs lives sits meets happens goes",
        rf"{_START}{_words('topic', 40)}\s+(?:now\s+)?(?:runs|lives|sits|meets|happens|goes\s+out)\s+(?:now\s+)?"
        rf"(?:in|on|with|at|from)\s+{_words('new')}",
    ),
    ("now", rf"{_START}(?:it's|its|it\s+is|that's)\s+{_words('new')}\s+now"),
    (
        "made",
        rf"\bmade\s+(?:me|us)\s+(?:(?:an?|the|their)\s+{_NO_PRAISE}(?P<role>[\w -]{{3,30}}?)|"
        rf"(?!(?:an?|the|their)\s){_NO_PRAISE}(?P<post>[\w -]{{3,30}}?))",
    ),
    (
        "promoted appointed",
        r"\b(?:promoted\s+(?:me|us)\s+to|appointed\s+(?:me|us)(?!\s+to\b)(?:\s+as)?)\s+(?:(?:an?|the|their)\s+)?"
        r"(?P<title>[\w -]{3,30}?)",
    ),
    (
        "moved",
        r"\b(?:flat|house|apartment|place|home)\s+in\s+(?P<place>[\w -]{2,30}?)\s+and\s+(?:have\s+)?"
        r"(?:just\s+)?moved\s+in",
    ),
    ("moved", r"\bmoved(?:\s+btw)?,\s+(?P<place>[\w -]{2,30}?)\s+now"),
    ("back return", rf"\b(?:back|return(?:ed|ing)?)\s+(?:to|on|with|at)\s+{_words('new')}"),
    end=_END,
)
_SINCE = (
    r"(?:now|nowadays|these\s+days|from\s+(?:now|today|here)(?:\s+on)?|as\s+of\b[^,;]*|instead|"
    r"since\b[^,;]*)"
)
_SINCE_WORDS = "now nowadays these from instead since as of"
IS = _ways(
    (
        _SINCE_WORDS,
        rf"{_START}{_words('new', 30)}\s+(?:is|are|'s)\s+(?:now\s+)?(?:my|our|the)\s+(?P<topic>[\w' -]{{2,40}}?)"
        rf"\s+{_SINCE}",
    ),
    (
        _SINCE_WORDS,
        rf"{_START}(?:my|our|the)?\s*{_words('topic', 40)}\s+(?:is|are)\s+(?:now\s+{_words('new')}{_END}|"
        rf"{_words('fresh')}\s+{_SINCE})",
    ),
)

_NAMES_TOPIC = ("topic", *SLOTS)
TOPIC_STEMS = frozenset[str]().union(
    *(
        way.stems
        for way in BOTH + CALLED_OFF + GONE + MOVED + WENT + IS
        if any(name in way.pattern.groupindex for name in _NAMES_TOPIC)
    )
)
# Words that stand in every tenth sentence, and seldom tell a change there.
_COMMON = stems_of(
    "but out good thing happened going made meaning give giving gave passed place start write "
    "favour never put met meet build hand step call goes take taking took live these away off not "
    "after since again lost any done neither back"
)
# Words of which one stands where a change is told, in nearly all the ways there are.
CHANGE_STEMS = (
    stems_of("now nowadays anymore longer new effective meanwhile changed update correction")
    .union(*(way.stems for way in BOTH + CALLED_OFF + GONE + MOVED + WENT + IS))
    .difference(_COMMON)
)
