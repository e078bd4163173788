"""Which known facts cannot hold beside a new statement. Pure.

Two values exclude each other only where both are said of one thing that has one value at a time. A
qualifier that one side lacks makes it another thing; words such as "also" or "on weekends" make it
one more value; a place around another, or a short form of a name, is no other value at all.
"""

import re
from collections.abc import Sequence

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.compare import (
    is_against,
    is_related_attribute,
    is_same_attribute,
    is_same_text,
    is_same_value,
    value_words,
)
from hermes.memory.facts.distinction import is_qualified_apart, limits_of
from hermes.memory.facts.places import is_within
from hermes.memory.facts.preference import is_taken_back, is_turned
from hermes.types import Fact, FactKind

Told = Candidate | Fact

_TURNS = frozenset(
    "not no never again now any more anymore longer always don't doesn't isn't don doesn isn "
    "t".split()
)
_SEVERAL = frozenset({"role", "diet", "studies", "training", "activity"})  # unless it changed
_TURNED = re.compile(
    r"\b(?:now|nowadays|these days|again|instead|no longer|any ?more|bec[ao]me|becoming|switch\w*|"
    r"moved?|moving|chang(?:ed|ing)|promoted|used to|turned into|from .+ to|by now|"
    r"new (?:job|role|position|title))\b",
    re.IGNORECASE,
)
_NICKNAMED = re.compile(
    r"\b(?:call(?:s|ed)? me|go(?:es)? by|known as|nickname\w*|for short)\b", re.IGNORECASE
)
_KIN = frozenset(
    "mother father mum mom dad parent grandmother grandfather grandma grandpa grandparent wife "
    "husband widow widower aunt uncle sister brother son daughter".split()
)
_BODY = frozenset(
    "intolerant intolerance allergic allergy free coeliac celiac halal kosher".split()
)
_CLUBS = frozenset(
    "club society choir association allotment pta".split()
)  # who holds a post there has a job, too
# Values that are of another sort than the rest.
_SORTS = {"role": (_KIN, _CLUBS), "diet": (_BODY,)}
_PLACES = ("location", "hometown", "home", "place")
_OF_A_DAY = frozenset({FactKind.DEADLINE, FactKind.EVENT})


def find_rivals(candidate: Candidate, about: Sequence[Fact]) -> list[Fact]:
    """Facts that cannot hold beside the candidate."""
    opposite = [fact for fact in about if is_opposite(candidate, fact)]
    if not candidate.single or candidate.ended:
        return opposite
    held = [fact for fact in about if fact not in opposite and not fact.ended]
    same = [fact for fact in held if excludes(candidate, fact)]
    return [*opposite, *(same or _moved(candidate, about))]


def _moved(candidate: Candidate, about: Sequence[Fact]) -> list[Fact]:
    """ "we pushed the launch of Atlas to 10 March", where one launch is known."""
    if not candidate.change.new and not candidate.change.gone:
        return []
    related = [f for f in about if is_related_attribute(f.attribute, candidate.attribute)]
    return related if len(related) == 1 else []


def excludes(told: Told, fact: Fact, *, changed: bool = False) -> bool:
    """Whether both give one thing a value of which it has one at a time; `changed`, where it is
    known that the one took the place of another."""
    if not is_same_attribute(fact.attribute, told.attribute) or _is_namesake(told, fact):
        return False
    if is_qualified_apart(_ways(told), _ways(fact)) or _limits(told) != _limits(fact):
        return False
    return not _may_both_hold(told, fact, changed or _tells_change(told))


def _may_both_hold(told: Told, fact: Fact, changed: bool) -> bool:
    attribute = told.attribute.casefold()
    if are_of_two_sorts(attribute, told.value, fact.value):
        return True
    if changed:
        return False
    if attribute == "name":
        return _is_alias(told, fact)
    is_place = attribute.endswith(_PLACES)
    return attribute in _SEVERAL or (is_place and is_within(told.value, fact.value))


def are_of_two_sorts(attribute: str, one: str, other: str) -> bool:
    """ "a mother" and "a nurse", "treasurer of the choir" and "lead": neither ends the other."""
    words = [value_words(each) for each in (one, other)]
    return any(
        bool(words[0] & sort) != bool(words[1] & sort)
        for sort in _SORTS.get(attribute.casefold(), ())
    )


def _is_alias(told: Told, fact: Fact) -> bool:
    """ "Call me Kat" beside "Katarina": a short form is one more name, not the new one."""
    short, names = told.value.casefold(), fact.value.casefold().split()
    if any(name.startswith(short) and name != short for name in names):
        return True
    fuller = any(short.startswith(name) for name in names)
    return bool(_NICKNAMED.search(_words(told))) and not fuller


def _tells_change(told: Told) -> bool:
    if isinstance(told, Candidate):
        change = told.change
        if told.correction or told.replaces or change.gone or change.announced:
            return True
    return bool(_TURNED.search(_words(told)))


def _words(told: Told) -> str:
    return " | ".join(_ways(told))


def _ways(told: Told) -> tuple[str, ...]:
    """What was read, and the words it was read from."""
    quotes = [told.quote] if isinstance(told, Candidate) else [s.quote for s in told.sources]
    return (told.text, *quotes)


def _limits(told: Told) -> frozenset[str]:
    """Of a day, a rhythm or hours of work, the time is the very value."""
    timed = told.kind in _OF_A_DAY or told.attribute.startswith(("schedule", "work"))
    return frozenset() if timed else limits_of(_words(told), told.value)


def _is_namesake(told: Told, fact: Fact) -> bool:
    """ "my cousin Tobiah" beside "my flatmate Tobiah": one name, and perhaps not one person."""
    of = re.compile(rf"^User's ([\w ]+?) {re.escape(told.subject)}\b", re.IGNORECASE)
    mine, theirs = of.match(told.text), of.match(fact.text)
    return mine is not None and theirs is not None and mine[1] != theirs[1]


def is_opposite(candidate: Candidate, fact: Fact) -> bool:
    """Liked and disliked alike; each preferred to the other; used and no longer; left and back."""
    if fact.ended != candidate.ended:
        same = is_same_attribute(fact.attribute, candidate.attribute)
        return same and is_same_value(fact.value, candidate.value)
    if is_same_text(fact.text, candidate.text):
        return False
    if _is_reversed(candidate, fact) or _is_denial(candidate, fact):
        return True
    if is_taken_back(candidate.text, candidate.value, fact.text):
        return True
    return is_turned(candidate.attribute, candidate.value, fact.attribute, fact.value)


def _is_denial(candidate: Candidate, fact: Fact) -> bool:
    """ "Hania is not allergic to nuts" beside "Hania is allergic to nuts": but for the not."""
    if is_against(fact.text) == is_against(candidate.text):
        return False
    mine, theirs = (value_words(each) - _TURNS for each in (candidate.text, fact.text))
    return bool(mine) and mine == theirs


def _is_reversed(candidate: Candidate, fact: Fact) -> bool:
    """ "eats dairy again" beside "does not eat dairy": the same, for and against."""
    if not is_same_attribute(fact.attribute, candidate.attribute):
        return False
    if is_against(fact.value) == is_against(candidate.value):
        return False
    mine, theirs = (value_words(each) - _TURNS for each in (candidate.value, fact.value))
    return bool(mine) and mine == theirs
