"""Which of several things of one name a statement is about: "my other brother", "the old API".

What is said of the one says nothing of the other: it neither repeats nor replaces it.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

# There are two, or were: who says so of one thing does not mean the one that was told of without.
_OF_TWO = frozenset(
    """other another second third fourth fifth first last middle maiden twin half ex former previous
    old older elder eldest oldest younger youngest little big baby return returning outbound inbound
    spare backup secondary guest in-law step""".split()
)
# Each is one of a few sorts; told of without, a thing may be any of them.
_OF_SORTS = tuple(
    frozenset(line.split())
    for line in (
        "maternal paternal",
        "left right",
        "front back rear side",
        "top bottom ground upper lower middle",
        "upstairs downstairs",
        "inner outer indoor outdoor",
        "north south east west northern southern eastern western",
        "summer winter spring autumn",
        "morning afternoon evening night day",
        "weekday weekend monday tuesday wednesday thursday friday saturday sunday",
        "daily weekly fortnightly monthly quarterly yearly annual",
        "home work office private personal business company",
        "internal external public",
        "staging production prod test testing development dev demo live",
        "draft final",
        "mobile web desktop ios android",
        "frontend backend",
    )
)
_LETTERS = re.compile(r"\w+")
_RUNS_IN = re.compile(  # by its first letters: "prod" is production
    r"\b(?:in|on|for|to) (?:the )?(stag|prod|dev|test|demo)(?:ing|uction|elopment)?\b",
    re.IGNORECASE,
)
_FORMER = frozenset("old former previous last first ex".split())
_WORD = re.compile(
    r"(?:^|(?<=['’]s ))(?:(?:my|our|the|(?:the )?user['’]s(?: team['’]s)?)\s+)?"
    r"(?P<word>[a-z]+)[\s-]",
    re.IGNORECASE,
)
_KIN = re.compile(
    r"^[^.,;]{0,30}?\b(?:(?P<law>in[\s-]law)|step-?(?:mother|father|m[ou]m|dad|son|daughter|brother|"
    r"sister))",
    re.IGNORECASE,
)

_OWNED = re.compile(
    r"(?:(?:the|my|our|user['’]s|team['’]s)\s+)*(?:(?:(?!is\b|are\b)[\w-]+\s+){0,2}?"
    r"[\w-]+['’]s\s+)+",
    re.IGNORECASE,
)
_OWNER = re.compile(r"([\w-]+)['’]s\s")
_NO_OWNER = frozenset("user team it that there he she here what who let".split())
_NAMED = re.compile(
    r"(?:the|my|our|user['’]s(?: team['’]s)?)\s+(?P<name>[\w][\w -]*?)\s+(?:is|are|was|were|has|"
    r"have|runs?|expires?|ends?|starts?|begins?|costs?|takes?|closes?|opens?|lives?|works?)\b",
    re.IGNORECASE,
)
_NO_QUALIFIER = frozenset(
    "new current present main primary own latest actual full real legal favourite favorite best "
    "proper usual preferred".split()
)
_ONE_MORE = re.compile(
    r"\b(?:also|as well|additionally|besides|part[- ]time|on the side|side (?:job|gig|hustle|"
    r"business|project)|(?:a|my|our) second (?=job|home|house|flat|degree|role|phone|car)|"
    r"another (?=job|home|house|flat|role|degree)|volunteer\w*|voluntary|amateur|as a hobby)\b|"
    r"\btoo(?=\s*(?:[.,;!)|]|$))",
    re.IGNORECASE,
)
_SEASON = (
    r"(?:week|day|morning|afternoon|evening|night|winter|summer|spring|autumn|fall|holiday|semester|"
    r"term)s?"
)
_AT_TIMES = re.compile(
    r"\b(?:(?:on|at|over|during)(?: the)? (?:weekends?|weekdays)|on \w+days|(?:in|during|over) the "
    rf"{_SEASON}|in (?:winter|summer|spring|autumn)|at night|(?:every|each|most) (?:other )?"
    rf"{_SEASON}|half (?:of )?the (?:year|time|week|month)|sometimes|occasionally|from time to "
    r"time|now and then|seasonally|(?:some|other|two|three|2|3) days a week)\b",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"\b(?:moved|started|joined|became|switched|changed|left|quit|since|settled|bought|got)\b",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[;|]|[,.](?=\s|$)|\s(?:and|but|while|because)\s", re.IGNORECASE)


def tells_apart(left: str, right: str, *, is_end: bool = False) -> bool:
    """Whether two statements are about different things of one name.

    "My new phone" is the phone; "my old phone" is another, unless one statement `is_end`: what is
    gone is the old one by that alone.
    """
    mine, theirs = _marks(left), _marks(right)
    telling = _OF_TWO - _FORMER if is_end else _OF_TWO
    if mine & telling != theirs & telling:
        return True
    if set(_RUNS_IN.findall(left.casefold())) != set(_RUNS_IN.findall(right.casefold())):
        return True
    if any(mine & sort and theirs & sort and not mine & theirs & sort for sort in _OF_SORTS):
        return True
    return _is_owned_apart(left, right) or _is_owned_apart(right, left)


def _is_owned_apart(owned: str, other: str) -> bool:
    """ "User's wife's passport" and "User's passport"; "the report's deadline" is the report's."""
    whose, words = _owners(owned), set(_LETTERS.findall(other.casefold()))
    return bool(whose - words) and not _owners(other) & set(_LETTERS.findall(owned.casefold()))


@lru_cache(1 << 12)
def _owners(text: str) -> frozenset[str]:
    """Those whose thing a statement is about, the user and the team aside."""
    told = text.casefold()
    found = None if told.startswith("user ") else _OWNED.match(told)
    return frozenset(_OWNER.findall(found[0])) - _NO_OWNER if found else frozenset()


def is_qualified_apart(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether of one kind of thing, one is named by a word more: a laptop and a work laptop.

    Of each, all the ways in which it was told are given.
    """
    mine, theirs = _named(tuple(left)), _named(tuple(right))
    if not mine or not theirs or mine[-1] != theirs[-1]:
        return False
    return set(mine) - _NO_QUALIFIER != set(theirs) - _NO_QUALIFIER


@lru_cache(1 << 12)
def _named(ways: tuple[str, ...]) -> tuple[str, ...]:
    """The words for the thing that a statement begins with, where it is named most fully."""
    names = (m["name"].casefold() for each in ways if (m := _NAMED.match(each.strip())))
    fullest: list[str] = max((name.split() for name in names), key=len, default=[])
    return tuple(fullest)


@lru_cache(1 << 12)
def limits_of(said: str, value: str) -> frozenset[str]:
    """The words that make a value one of several, or one for some of the time: "on weekends".

    Only those said of this value count.
    """
    wanted = set(_LETTERS.findall(value.casefold()))
    pieces = [p for p in _PIECE.split(said) if wanted & set(_LETTERS.findall(p.casefold()))]
    limits = {"one more" for piece in pieces if _ONE_MORE.search(piece)}
    if _HAPPENED.search(said):
        return frozenset(limits)
    times = (found for piece in pieces for found in _AT_TIMES.findall(piece))
    return frozenset(limits | {" ".join(each.casefold().split()) for each in times})


@lru_cache(1 << 12)
def _marks(text: str) -> frozenset[str]:
    """The words that stand before the name of a thing, each of which may tell it from another."""
    kin = _KIN.match(text)
    marks = {"in-law" if kin["law"] else "step"} if kin else set[str]()
    return frozenset(marks | {found["word"].lower() for found in _WORD.finditer(text)})
