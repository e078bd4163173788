"""Other people's words in a message: where they begin, and how far they go.

"My boss wrote me: I'm Sandra and I work at Siemens" is about the boss. Nothing that somebody else
wrote or said is about the user or an order of theirs. It goes up to the mark that closes it, and
where there is none, to the end of the message. What the user says to have said is their own.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator

from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.clauses.values import is_person

_MARK = re.compile(
    r":(?=[ \t\n\"“'‘«>])|(?<=\s)>(?=\s*[^\W\d])|(?:(?<=this)|(?<=follows)|(?<=following))\n"
)
_FIRST_PERSON = re.compile(r"(?i)\s*(?:i|i['’]\w+|we|we['’]\w+|my|our)\b")
_LONGEST_HEAD = 200  # letters before a mark that may say whose words follow
_ENDS = (". ", "! ", "? ", "; ", "\n")
_CLOSING = {'"': '"', "“": "”", "«": "»", "'": "'", "‘": "’"}

_SAYS = (
    r"says|said|writes|wrote|texted|tells|told|replied|answered|(?:e-?)?mailed|messaged|"
    r"posted|tweeted|commented|sends|sent|stated|claimed|explains|explained|announces|announced|"
    r"pinged|forwarded|responds|responded|(?:reads|states|claims)(?=$)|"
    r"(?:texts|mails|messages|answers|replies)(?= me\b)"
)
_WHEN_AND_WHERE = (  # "wrote me this morning", "said in his mail"
    r"(?: (?:me|us|you|him|her|them|back|again|today|yesterday|earlier|just now|now|this|that|here|"
    r"the following|as follows|(?:last|this) \w+|"
    r"(?:to|in|on|at|via|by|about|over) (?:[\w'’-]+ ){0,2}[\w'’-]+)){0,4}"
)
_OWN = frozenset("i we i've we've i’ve we’ve i'd we'd as like".split())
_BEFORE_NOUN = frozenset("the a an my our his her their united".split())  # "in the States:"
_BE = frozenset("is are was were be been being get gets got".split())
_HEARD = frozenset(("told",))  # "I was told": by somebody else

_LETTER = (
    r"(?:(?:e-?)?mails?|messages?|texts?|sms|whatsapps?|dms?|letters?|note|posts?|comments?|reply|"
    r"answer|tweets?|voice-?mails?|newsletters?|memo)"
)
_PAGE = (
    r"(?:(?:web)?sites?|web-?pages?|pages?|readme|docs|documentation|manual|articles?|book|wiki|"
    rf"contract|chat|thread|forum|reddit|ticket|blog|{_LETTER})"
)
_GOT = r"(?:got|get|received|copied|pasted|was sent|were sent)"
_OPENS = (  # what a head may be that names no verb of saying
    rf"\b{_LETTER}\b.{{0,30}}\b(?:from|by) .{{1,60}}",
    rf"\b{_LETTER} (?:that |which )?(?:i|we)\b.{{0,10}} (?:{_GOT}|found)\b.{{0,40}}",
    rf"\b(?:i |we )?{_GOT} (?:this|that|the following|(?:an?|the) (?:\w+ )?{_LETTER})\b.{{0,60}}",
    r"\bthis (?:is|was|came) from .{1,60}",
    r"\b(?:i |we )?(?:found|saw|read) (?:this|that|the following) (?:on|in|at|online|somewhere)\b"
    r".{0,60}",
    r"\b(?:according to|quoting) .{1,60}",
    rf"\bfrom (?:the|an?|my|our|his|her|their|this) (?:[\w'’-]+ ){{0,2}}{_PAGE}",
    r"^\W*(?:fwd?|forwarded)",
)
_STOPS = ":.!?,…"


def _spaced(pattern: str) -> re.Pattern[str]:
    return re.compile(f"(?i){pattern}".replace(" ", r"\s+"))


_SAYING = _spaced(
    r"(?:^|(?P<who>[\w'’]+),? )(?:(?:just|also|already|then|now|once|recently|only|actually|even|"
    rf"have|has|had) )*(?P<says>{_SAYS}){_WHEN_AND_WHERE}$"
)
_PASTED = _spaced(rf"(?:{'|'.join(_OPENS)})$")
_CUE = _spaced(  # one of these is in every head: most colons are looked at no further
    rf"\b(?:{_SAYS}|reads|states|claims|answers|replies|{_PAGE}|{_GOT}|found|saw|read|this|"
    r"according|quoting|fwd?)\b"
)


def find_quoted(text: str) -> Iterator[tuple[int, int]]:
    """Where somebody else's words stand in a text, with those that open them."""
    upto = 0
    cues = [cue.start() for cue in _CUE.finditer(text)]
    for mark in _MARK.finditer(text):
        if mark.start() < upto:
            continue
        start = _clause_start(text, mark.start())
        head = text[start : mark.start()].rstrip(" \t:,")
        has_cue = bisect_left(cues, start) < bisect_left(cues, mark.start())
        opens = find_opening(head) if has_cue else -1
        if opens >= 0:
            upto = _end(text, mark.end())
        elif is_label(text, start, mark.end()):
            opens, upto = 0, _line_end(text, mark.end())
        elif mark[0] == ">" and (not head.strip() or text[: mark.start()].rstrip()[-1] in _STOPS):
            opens, upto = mark.start() - start, _line_end(text, mark.end())
        else:
            continue
        yield start + opens, upto


def find_opening(head: str) -> int:
    """Where it is said, in words before a colon, that somebody else's follow; -1 if it is not."""
    if pasted := _PASTED.search(head):
        return pasted.start()
    saying = _SAYING.search(head)
    if saying is None:
        return -1
    who, says = (saying["who"] or "as").lower(), saying["says"].lower()
    others = who not in _OWN | _BEFORE_NOUN and (who not in _BE or says in _HEARD)
    return saying.start("says" if saying.start() else 0) if others else -1


def is_label(text: str, start: int, end: int) -> bool:
    """Whether a line is somebody's in a chat: "Peter: I live in Salzburg now"."""
    speaks = _FIRST_PERSON.match(text, end)
    begins = not start or text[start - 1] == "\n"
    return bool(speaks) and begins and is_person(tokenize(text[start : end - 1]))


def _clause_start(text: str, at: int) -> int:
    upto = max(0, at - _LONGEST_HEAD)
    ends = ((text.rfind(mark, upto, at), len(mark)) for mark in _ENDS)
    return max((place + length for place, length in ends if place >= 0), default=upto)


def _end(text: str, start: int) -> int:
    """Behind the mark that closes what begins here, or the end of all."""
    begins = len(text) - len(text[start:].lstrip(" \t\n>"))
    closing = _CLOSING.get(text[begins : begins + 1])
    if closing is None:
        return len(text)
    closed = re.compile(rf"{closing}(?!\w)").search(text, begins + 1)
    return closed.end() if closed else len(text)


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
