"""What can be seen of an earlier statement and a later sentence, by name, for whoever weighs it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.change import is_unsure
from hermes.memory.facts.compare import is_against, numbers, stems
from hermes.memory.facts.sorts import sorts_of

_CUES = {
    "now": r"now(?:adays)?|these days|by now|currently|at the moment",
    "since": r"from (?:\w+ ){1,3}?on(?:wards)?|as of|starting|effective|since|from (?:now|today|"
    r"(?:next |this )?(?:week|month|year|semester|term|quarter)|jan\w*|feb\w*|mar\w*|"
    r"apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|mon\w*|tue\w*|wed\w*|"
    r"thu\w*|fri\w*|q[1-4])",
    "no more": r"no longer|any ?more|no more|(?:isn|aren|doesn|don|won|can)['’]?t .{0,30}any",
    "instead": r"instead|rather than|in place of|replac\w+|(?:and|but) not|not \w+(?: \w+)?$",
    "back": r"(?<!hi )(?<!me )(?<!hello )(?<!hey )again|after all|back (?:to|on|with|in)|is back|"
    r"are back",
    "mended": r"actually|in fact|turns out|correction|wrong|i mean\w*|meant|should be|must be",
    "moved": r"moved?|moving|push(?:ed|es|ing)|shift\w*|slip\w*|slid\w*|postpon\w*|delay\w*|"
    r"reschedul\w*|brought forward|pulled|extend\w*|put back|rebooked|move[sd]? up",
    "changed": r"chang(?:ed?|es|ing)|switch\w*|swapp?\w*|migrat\w*|convert\w*|upgrad\w*|bump\w*|"
    r"rais(?:ed|ing|es)|(?:goes|going|went|gone|go) (?:up|down)|up to|down to|increas\w*|"
    r"lower(?:ed|s)|cut to|took over|takes over|taken over|hand(?:ed|ing)?\b.{0,20}\bover|"
    r"transferr?\w*|promot\w*|renam\w*|made me",
    "new": r"new|replacement|successor",
    "out": r"out|dropped|dropping|ditch\w*|scrap\w*|cancel\w*|quit|quits|left|leaving|gone|dead|"
    r"over|done|forget|was (?:fun|cute|nice|great)|killed|broke|split|retir\w*|stopp?\w*|"
    r"gave up|withdr\w+|finish\w*|sold|lost|died|fired|resign\w*|clos(?:ed|ing)|ended|"
    r"expired|off",
    "settled": r"decided|decision|set on|it is|goin[g'] (?:with|for)|we go|go with|"
    r"went (?:with|for)|picked|chose|settled|"
    r"approved|confirmed|agreed|official\w*|bit the bullet|signed|"
    r"got|bought|installed|joined|start(?:ed|s)?",
    "allowed": r"allowed|fine again|ok(?:ay)? (?:again|now|after all)|can",
    "ordered": r"make (?:it|that|the)|do (?:it|that)|put|use|keep|give|skip|please|pls|only",
    "became": r"became|becoming|turned|is called|will be|are gonna|gonna",
    "was": r"was|were|used to|had been",
}  # words of a change, by what they tell
_AGAINST = {
    "also": r"also|too|as well|another|second|additionally|besides|other|both|extra",
    "unsure": r"if|maybe|perhaps|might|could|would|should|thinking|considering|wish|hope|hoping|"
    r"unless|suppose|let'?s say|want to|plan(?:ning)? to|may be",
    "once": r"today|tonight|tomorrow|this time|this week|just this|for now|yesterday|this morning",
    "told": r"said|says|told|asks?|asked|claims?|heard|apparently",
    "asks": r"can you|could you|help|write|draft|how (?:do|to|should|can)|what|why|which|explain|"
    r"show me|tell me|list|give me|turn this|translate|rewrite|summari[sz]e|fix",
}
_ALL = {
    name: re.compile(rf"\b(?:{words})\b", re.I) for name, words in {**_CUES, **_AGAINST}.items()
}
STRONG = frozenset("now since instead back mended moved changed new out".split()) | {"no more"}
_WORD = re.compile(r"[^\W\d_][\w'’.+#-]*")
_VERSION = re.compile(r"\b\d+\.\d+(?:\.\d+)*\b")
TEMPLATE = frozenset("user wants asks hermes team prefers plans people person".split())
_OTHERS = re.compile(
    r"\bmy (?:sister|brother|mum|mom|dad|father|mother|friend|colleague|boss|wife|husband|partner|"
    r"neighbou?r|daughter|son|flatmate|roommate|cousin|aunt|uncle|client|customer)\b",
    re.I,
)
_FIRST = re.compile(r"\b(?:i|i['’]?m|im|my|me|we|our|we['’]?re|i['’]?ve|ive)\b", re.I)
_NOT = (
    r"(?:not|no longer|no|out|instead of|rather than|forget|was|without|over|isn'?t|"
    r"from|killed|dropped|scrap|n't)"
)


@dataclass(frozen=True, slots=True)
class Earlier:
    """A statement that was made before, the words it rests on, and when they were said."""

    text: str
    quote: str
    attribute: str
    value: str
    subject: str
    kind: str
    at: int


@dataclass(frozen=True, slots=True)
class Later:
    """A sentence, its message up to there, and when it was said."""

    text: str
    message: str
    at: int
    is_question: bool = False


def earlier_of(candidate: Candidate) -> Earlier:
    """A reading, as what was stated."""
    c = candidate
    return Earlier(c.text, c.quote, c.attribute, c.value, c.subject, str(c.kind), c.at or 0)


@lru_cache(1 << 12)
def cues_in(sentence: str) -> frozenset[str]:
    """By name, which words of a change, or against one, stand in a sentence."""
    return frozenset(name for name, pattern in _ALL.items() if pattern.search(sentence))


def tells_turn(sentence: str) -> bool:
    """Whether a sentence has any word of a change: without one, nothing is weighed."""
    return not cues_in(sentence).isdisjoint(_CUES)


def signs_of(earlier: Earlier, later: Later) -> frozenset[str]:
    """What can be seen of both, by name."""
    return frozenset({*cues_in(later.text), *_shapes(later), *_values(earlier, later)})


def _shapes(later: Later) -> Iterable[str]:
    words = _WORD.findall(later.text)
    if later.is_question:
        yield "question"
    if is_unsure(later.text):
        yield "not so"
    if len(words) <= 4:
        yield "few words"
    if len(words) > 25:
        yield "many words"
    if _FIRST.search(later.text):
        yield "first person"


def _values(earlier: Earlier, later: Later) -> Iterable[str]:
    told = f"{earlier.text} {earlier.quote}"
    mine, theirs = sorts_of(later.text), sorts_of(told)
    for sort in mine & theirs:
        yield f"sort:{sort.partition(' of ')[0]}"
    if mine & theirs:
        yield "one sort"
    yield from _numbers(later.text, told)
    yield from _value(earlier, later, stems(later.text))
    yield f"kind:{earlier.kind}"


def _numbers(sentence: str, told: str) -> Iterable[str]:
    new, old = set(numbers(sentence)), set(numbers(told))
    if new and old:
        yield "numbers differ" if new - old else "numbers same"
    versions = [set(_VERSION.findall(each)) for each in (sentence, told)]
    if all(versions) and not versions[0] & versions[1]:
        yield "versions differ"


def _value(earlier: Earlier, later: Later, said: frozenset[str]) -> Iterable[str]:
    value = stems(earlier.value) - TEMPLATE
    if value and value <= said:
        yield "value repeated"
        if _is_denied(earlier.value, later.text):
            yield "value denied"
    elif value & said:
        yield "value in part"
    if stems(earlier.attribute.replace("_", " ").replace(":", " ")) & said - value:
        yield "attribute named"
    if is_against(earlier.quote) != is_against(later.text):
        yield "polarity differs"
    yield from _whose(earlier, later, said)


def _whose(earlier: Earlier, later: Later, said: frozenset[str]) -> Iterable[str]:
    told = f"{earlier.text} {earlier.quote}"
    if (who := _OTHERS.search(later.text)) and who[0].lower() not in told.lower():
        yield "of another"
    if earlier.subject.lower() != "user":
        yield "of other subject"
        if stems(earlier.subject) & said:
            yield "subject named"


def _is_denied(value: str, sentence: str) -> bool:
    first = next(iter(sorted(value.split(), key=len, reverse=True)), "")
    if len(first) < 2:
        return False
    name = re.escape(first)
    pattern = rf"\b{_NOT}\b(?:\W+\w+){{0,2}}\W+{name}|{name}\W+(?:\w+\W+){{0,2}}{_NOT}\b"
    return re.search(pattern, sentence, re.I) is not None
