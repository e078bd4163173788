"""The parts rules are made of: a pattern at the start of a clause, and what it says.

A rule module is a table of these. Patterns are anchored and have one open end, so they stay linear.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.rules.clauses import Clause

Found = re.Match[str]


@dataclass(frozen=True, slots=True)
class Said:
    """A clause in its setting: what rules may ask besides the words."""

    clause: Clause
    at: int

    @property
    def text(self) -> str:
        return self.clause.text


@dataclass(frozen=True, slots=True)
class Rule:
    pattern: re.Pattern[str]
    build: Callable[[Found, Said], Iterator[Candidate]]


def rule(pattern: str, build: Callable[[Found, Said], Iterator[Candidate]]) -> Rule:
    return Rule(re.compile(pattern, re.I | re.X), build)


def apply_rules(rules: tuple[Rule, ...], said: Said) -> Iterator[Candidate]:
    """What the first rule that yields anything makes of the clause."""
    for each in rules:
        if found := each.pattern.match(said.text):
            candidates = list(each.build(found, said))
            if candidates:
                yield from candidates
                return


_ASIDE = re.compile(
    r"\s*(?:[,;:(]|\s[-–—]+\s|\s(?:but|because|since|so|which|who|where|though|although|while|when|"
    r"whenever|whereas|unless|except|as well|for now|if)\b|\.\s).*$",
    re.I | re.S,
)
_CLAUSE_ASIDE = re.compile(
    r"\s*(?:[;(]|\s[-–—]+\s|,?\s(?:but|because|since|so|which|though|although|while|when|whenever|"
    r"whereas|unless|except)\b|,\s(?:thanks|please|ok|okay|right|cheers|too|as well|"
    r"by the way|btw)\b|"
    r"\.\s).*$",
    re.I | re.S,
)
_TAIL = re.compile(
    r"(?:[\s,]+(?:too|as well|btw|by the way|lol|haha|please|pls|thanks|thank you|now|"
    r"these days|nowadays|"
    r"anymore|any more|actually|though|tbh|obviously|of course|right now|"
    r"at the moment|atm|currently|"
    r"instead|from now on|going forward|at all|if possible|if you can|also|again|honestly|so far|"
    r"for sure|personally|in general|generally|already|today|as of today|ok|okay|cheers|a lot|"
    r"very much|so much|last (?:week|month|year|night|summer|spring|fall|winter|\w+day)|yesterday|"
    r"this (?:week|month|year|morning|afternoon|summer|\w+day)|next (?:week|month|year|\w+day)|"
    r"(?:a (?:few )?|two |three |\d+ )?(?:days?|weeks?|months?|years?) ago|recently|"
    r"since (?:19|20)\d\d|only|"
    r"(?:back )?in (?:19|20)\d\d|these days|mostly|usually|for you|fyi|anyway|"
    r"in the end|for now|right))+$",
    re.I,
)
_EDGES = " \t\n\"'“”.,!?:;*_~…-–—"
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]+|[:;]-?[)(DP]+|<3")


def short(value: str) -> str:
    """A name or noun: up to the first comma, aside or filler."""
    return _clean(_ASIDE.sub("", value))


def phrase(value: str) -> str:
    """A longer value: commas stay, reasons and asides go."""
    return _clean(_CLAUSE_ASIDE.sub("", value))


def _clean(value: str) -> str:
    value = _EMOJI.sub(" ", value).strip(_EDGES)
    value = _TAIL.sub("", value).strip(_EDGES)
    return re.sub(r"\s+", " ", value)


_DETERMINER = re.compile(r"^(?:an?|the|some|my|our|your|his|her|their)\s+", re.I)
_POINTING = re.compile(
    r"(?:he|she|they|we|i|myself|yourself|himself|herself|itself|ourselves|it|this|"
    r"that|these|those|them|him|her|you|your|yours|me|us|one|ones|how|what|when|where|"
    r"why|who|"
    r"the (?:idea|one|ones|first|second|third|last|latter|former|other|way|new|same|"
    r"latest|previous|"
    r"option|approach|look|sound|plan|suggestion|answer|output|result|code|fact|above|following)|"
    r"something|anything|everything|nothing|stuff|things?|some of|all of|both|either|neither|"
    r"option [a-z\d]|number|its|to (?:see|know|hear|say|admit|be|think|get|have|do|go|ask|bother|"
    r"thank|learn|understand|try|add|make|change|fix|keep)|seeing|hearing|knowing|being|so|here|"
    r"there|more|less|better|another|such|most|much|many|a (?:lot|bit|little|few|couple)|"
    r"not|no|very|really|just|too|still|also|only|even|already|back|out|up|down|off|"
    r"on|in|at|ok|okay)\b",
    re.I,
)


def points_elsewhere(value: str) -> bool:
    """A value that means nothing outside its conversation: it, that one, the second option."""
    return not value or bool(_POINTING.match(value))


def bare(value: str) -> str:
    """Without its article."""
    return _DETERMINER.sub("", value, count=1)


def words(value: str) -> int:
    return len(value.split())


_NAME = re.compile(
    r"[^\W\d_][\w'’.-]*(?: (?:de |van |von |da |del |bin |al-)?[^\W\d_][\w'’.-]*){0,3}"
)
_NOT_A_NAME = frozenset(
    "a an the not on in at so just still very really also here back done good fine ok okay "
    "sure sorry "
    "happy sad tired busy sick stuck confused lost new ready trying going looking working getting "
    "using having thinking wondering asking currently always never about from with for to and "
    "or but "
    "it this that these those what how who when where why great out off away home late early "
    "free i "
    "we you he she they me my our your his her their is are was were be been being has have had do "
    "does did no yes well too all some any one two three more less next last first second "
    "there then "
    "now only today tomorrow yesterday afraid aware able unable running glad certain right wrong "
    "interested excited curious online offline based super pretty quite kind broken down up fixed "
    "empty missing required null none true false undefined slow fast hard easy nice bad best worst "
    "leaving coming staying moving retiring asking annoying sleeping allergic married single "
    "pregnant "
    "basically actually probably definitely totally already almost of by as if into over "
    "under".split()
)


_TITLE = re.compile(r"(?:prof|professor|dr|mr|mrs|ms)\.?\s+(?=[A-Z])", re.I)


def person_name(value: str) -> str:
    """The value as a person's name, in capitals if it was typed without, or empty."""
    value = re.sub(r"['’]s$", "", short(_TITLE.sub("", value.strip())))
    if not _NAME.fullmatch(value) or words(value) > 4:
        return ""
    if any(word.lower() in _NOT_A_NAME for word in value.split()):
        return ""
    capital = [word for word in value.split() if word[:1].isupper()]
    if not capital:
        return value.title() if words(value) <= 2 else ""
    return value if value[:1].isupper() else ""


def is_proper(value: str) -> bool:
    """Written as a name: a capital, a digit or a dot inside, not at a sentence's start alone."""
    head = bare(value)
    return bool(re.match(r"[A-Z]", head) or re.search(r"\w[./_]\w|[a-z][A-Z]|\d", head))
