"""Which of several things of one name a statement is about: "my other brother", "the old API".

What is said of the one says nothing of the other: it neither repeats nor replaces it.
"""

import re
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


def tells_apart(left: str, right: str, *, is_end: bool = False) -> bool:
    """Whether two statements are about different things of one name.

    "My new phone" is the phone; "my old phone" is another, unless one statement `is_end`: what is
    gone is the old one by that alone.
    """
    mine, theirs = _marks(left), _marks(right)
    telling = _OF_TWO - _FORMER if is_end else _OF_TWO
    if mine & telling != theirs & telling:
        return True
    return any(mine & sort and theirs & sort and not mine & theirs & sort for sort in _OF_SORTS)


@lru_cache(1 << 12)
def _marks(text: str) -> frozenset[str]:
    """The words that stand before the name of a thing, each of which may tell it from another."""
    kin = _KIN.match(text)
    marks = {"in-law" if kin["law"] else "step"} if kin else set[str]()
    return frozenset(marks | {found["word"].lower() for found in _WORD.finditer(text)})
