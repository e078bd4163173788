"""A statement told again with another value: "invoices go to Samir now" beside "… to Petra".

Words decide: both say the same of the same thing but for one phrase, and that phrase stands where
one value excludes another: after a preposition, before what it is for, or as what a thing is.
Pure; what is liked or spoken, of which there may be many, is none of it.
"""

import re
from collections.abc import Sequence

from hermes.memory.entities.names import alias_key
from hermes.memory.facts.candidate import Candidate
from hermes.types import Fact

_MANY = frozenset(
    "likes dislikes avoids prefers language pet project trait allergy colleague child son daughter "
    "friend brother sister owns medication licence decision event".split()
)
_ADDED = re.compile(r"\b(?:also|too|as well|another|second|additionally|besides)\b", re.IGNORECASE)
_CUES = re.compile(
    r"(?i)[,;]? (?:now|nowadays|these days|instead|currently|"
    r"from (?:now|here|today) on(?:wards?)?)\b"
)
_STAMP = re.compile(r" \([^()]*\d{4}-\d\d-\d\d\)")
_WORD = re.compile(r"[\w'’:.@+#-]*[\w'’+#]")
_BEFORE = frozenset("to at on in with from by for".split())  # one stands after it
_IS = frozenset({"is", "are"})
_USER = frozenset({"user", "user's"})
_MORE = frozenset("has have ships sells delivers serves supports speaks owns exports".split())
_MOST = 3  # words of a value


def find_told_anew(facts: Sequence[Fact], candidate: Candidate) -> list[Fact]:
    """The one fact that a candidate tells with another value; none where two could be meant."""
    if _ADDED.search(candidate.quote) or candidate.ended:
        return []
    alike = [
        fact
        for fact in facts
        if alias_key(fact.subject) == alias_key(candidate.subject)
        and fact.attribute.partition(":")[0] not in _MANY
        and is_told_anew(fact.text, candidate.text)
    ]
    return alike if len(alike) == 1 else []


def is_told_anew(old: str, new: str) -> bool:
    """Whether two texts differ in one value, of a thing that has one at a time."""
    mine, theirs = _words(new), _words(old)
    head = _alike(mine, theirs)
    tail = _alike(mine[head:][::-1], theirs[head:][::-1])
    values = [each[head : len(each) - tail] for each in (mine, theirs)]
    if head < 2 or not all(0 < len(value) <= _MOST for value in values):
        return False
    if any(_BEFORE & set(value) for value in values) or _MORE & set(mine[:head]):
        return False  # two values were told, or what one may have two of
    return _is_one_place(mine[:head], mine[len(mine) - tail :] if tail else [])


def _is_one_place(before: list[str], after: list[str]) -> bool:
    if before[-1] in _BEFORE:
        return len(before) > 2
    if len(after) > 1 and after[0] in _BEFORE:
        return True  # "uses … for indentation"
    return before[-1] in _IS and before[0] not in _USER


def _words(text: str) -> list[str]:
    plain = _CUES.sub("", _STAMP.sub("", text)).casefold()
    return [word for word in _WORD.findall(plain) if word not in {"a", "an", "the"}]


def _alike(left: list[str], right: list[str]) -> int:
    """How many words two lists have in common from their beginning."""
    pairs = zip(left, right, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))
