"""When two preferences cannot both hold: the one turns the other round, or takes its place."""

import re

from hermes.memory.facts.compare import is_same_value, value_words

_OPPOSITE = {"likes": "dislikes", "prefers": "dislikes", "dislikes": "likes"}
_RETURNED = re.compile(r"\b(?:(?P<to>back (?:on|to|with|in|at))|again$|after all$)", re.IGNORECASE)
_ASIDE = re.compile(
    r"[,;(]|\s(?=(?:in|on|at|for|with|without|when|while|over|to|than|as|from|of|after|before|and|or)\s)",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(r"\s(?:from (?:now|today) on|now|these days)\b")
# Words that say of a thing how it is, by what they measure: of one measure, one holds.
_MEASURES = (
    "short long brief lengthy quick extended",
    "early late earlier later morning afternoon evening night lunchtime",
    "small large big little tiny huge compact medium",
    "daily weekly fortnightly monthly quarterly yearly rare frequent occasional regular",
    "hot cold iced warm cool chilled",
    "dark light bright dim",
    "light heavy lightweight thick thin slim",
    "loud quiet silent noisy",
    "fast slow rapid",
    "cheap expensive affordable premium",
    "formal informal casual",
    "detailed concise terse verbose thorough",
    "simple complex complicated plain fancy",
    "new old used modern classic vintage",
    "strong weak mild spicy sweet bitter",
    "soft hard firm",
    "remote in-person onsite online offline virtual",
    "written spoken",
    "synchronous asynchronous async sync",
    "high low",
    "first last",
    "public private",
)
_MEASURED = {
    word: frozenset(n for n, line in enumerate(_MEASURES) if word in line.split())
    for line in _MEASURES
    for word in line.split()
}
_OVER = re.compile(r"\b(?:to|over|than|rather than|instead of|more than)\b", re.IGNORECASE)
_SORTS = (
    frozenset("tea coffee water juice beer wine soda cocoa milk".split()),
    frozenset("morning afternoon evening night".split()),
    frozenset("window aisle".split()),
    frozenset("email phone text call chat".split()),
)


def is_turned(attribute: str, value: str, other_attribute: str, other_value: str) -> bool:
    """Liked and disliked alike; or each preferred to the other."""
    mine, theirs = attribute.partition(":")[0], other_attribute.partition(":")[0]
    if mine == theirs == "prefers":
        return _puts_behind(value, other_value) or _puts_behind(other_value, value)
    opposed = _OPPOSITE.get(mine) == theirs or _OPPOSITE.get(theirs) == mine
    return opposed and is_same_value(value, other_value)


def is_taken_back(text: str, value: str, other_text: str) -> bool:
    """ "we are back on Unity" after "moved from Unity to Godot": the leaving is undone."""
    returned = _RETURNED.search(text)
    if not returned:
        return False
    words = text[returned.end() :].strip(" .,!")[:40] if returned["to"] else value
    thing = re.split(r"[,;(]| and | after | for | now", words)[0].strip()
    left = re.compile(rf"\b(?:from|off|bye|left|dropped|instead of) {re.escape(thing)}\b", re.I)
    return bool(thing) and left.search(other_text) is not None


def is_in_place_of(value: str, other: str) -> bool:
    """Whether of two things of one kind, "black tea" and "green tea", only one is the preferred.

    "Early meetings" can be short ones, and who has black tea in the evening may have green tea
    before: what can hold beside the other does not take its place.
    """
    if _is_other_sort(value, other):
        return True
    (mine, when), (theirs, then) = _parted(value), _parted(other)
    if not (mine and theirs) or _singular(mine[-1]) != _singular(theirs[-1]):
        return False
    how, how_else = set(mine[:-1]) - set(theirs), set(theirs[:-1]) - set(mine)
    return bool(how and how_else) and when in ("", then) and _excludes(how, how_else)


def _is_other_sort(value: str, other: str) -> bool:
    """ "tea" and "coffee", "morning meetings" and "meetings in the afternoon": one of two sorts,
    said of the same thing."""
    mine, theirs = value_words(value), value_words(other)
    for sort in _SORTS:
        one, two = mine & sort, theirs & sort
        if one and two and one != two:
            return mine - sort == theirs - sort
    return False


def _parted(value: str) -> tuple[list[str], str]:
    """The words for a thing, and what is said of when or with what it is preferred."""
    thing, *aside = _ASIDE.split(_FROM_NOW.sub("", value.casefold()), maxsplit=1)
    return thing.split(), aside[0].strip(" ,;(.") if aside else ""


def _singular(word: str) -> str:
    return word.rstrip("s")


def _excludes(how: set[str], other: set[str]) -> bool:
    """Of one measure; or neither is measured, and each names a sort: green, Assam."""
    mine, theirs = (
        frozenset[int]().union(*(_MEASURED.get(word, ()) for word in words))
        for words in (how, other)
    )
    return bool(mine & theirs) or not (mine or theirs)


def _puts_behind(value: str, other: str) -> bool:
    """Whether "coffee to tea" puts behind what the other puts first: "tea", "tea to coffee"."""
    for over in _OVER.finditer(value):
        behind, rest = value[over.end() :], _OVER.split(other, maxsplit=1)
        if is_same_value(behind, rest[0]):
            return len(rest) == 1 or is_same_value(value[: over.start()], rest[1])
    return False
