"""When two preferences cannot both hold: the one turns the other round."""

import re

from hermes.memory.facts.compare import is_same_value, value_words

_OPPOSITE = {"likes": "dislikes", "prefers": "dislikes", "dislikes": "likes"}
_RETURNED = re.compile(r"\b(?:(?P<to>back (?:on|to|with|in|at))|again$|after all$)", re.IGNORECASE)
_OVER = re.compile(r"\b(?:to|over|than|rather than|instead of|more than)\b", re.IGNORECASE)


_SORTS = (
    frozenset("tea coffee water juice beer wine soda cocoa milk".split()),
    frozenset("morning afternoon evening night".split()),
    frozenset("window aisle".split()),
    frozenset("email phone text call chat".split()),
)


def is_other_sort(value: str, other: str) -> bool:
    """ "tea" and "coffee", "morning meetings" and "meetings in the afternoon": one of two sorts,
    said of the same thing."""
    mine, theirs = value_words(value), value_words(other)
    for sort in _SORTS:
        one, two = mine & sort, theirs & sort
        if one and two and one != two:
            return mine - sort == theirs - sort
    return False


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


def _puts_behind(value: str, other: str) -> bool:
    """Whether "coffee to tea" puts behind what the other puts first: "tea", "tea to coffee"."""
    for over in _OVER.finditer(value):
        behind, rest = value[over.end() :], _OVER.split(other, maxsplit=1)
        if is_same_value(behind, rest[0]):
            return len(rest) == 1 or is_same_value(value[: over.start()], rest[1])
    return False
