"""When two preferences cannot both hold: the one turns the other round."""

import re

from hermes.memory.facts.compare import is_same_value

_OPPOSITE = {"likes": "dislikes", "prefers": "dislikes", "dislikes": "likes"}
_OVER = re.compile(r"\b(?:to|over|than|rather than|instead of|more than)\b", re.IGNORECASE)


def is_turned(attribute: str, value: str, other_attribute: str, other_value: str) -> bool:
    """Liked and disliked alike; or each preferred to the other."""
    mine, theirs = attribute.partition(":")[0], other_attribute.partition(":")[0]
    if mine == theirs == "prefers":
        return _puts_behind(value, other_value) or _puts_behind(other_value, value)
    opposed = _OPPOSITE.get(mine) == theirs or _OPPOSITE.get(theirs) == mine
    return opposed and is_same_value(value, other_value)


def _puts_behind(value: str, other: str) -> bool:
    """Whether "coffee to tea" puts behind what the other puts first: "tea", "tea to coffee"."""
    for over in _OVER.finditer(value):
        behind, rest = value[over.end() :], _OVER.split(other, maxsplit=1)
        if is_same_value(behind, rest[0]):
            return len(rest) == 1 or is_same_value(value[: over.start()], rest[1])
    return False
