"""Whether a note on the user and a fact say the same: subject, attribute and value, as words give.

Pure. A note leaves out of whom it tells ("Prefers green tea"); it is read as `fact add` reads a
statement, and compared as facts are compared with each other.
"""

from functools import lru_cache

from hermes.memory.entities.names import alias_key
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.compare import (
    is_against,
    is_near,
    is_part,
    is_same_attribute,
    is_same_value,
    value_words,
)
from hermes.types import Fact

MOST_LEAD = 4  # words before a value that say what it is a value of
_UNREAD = ("", "note")  # what no reader could file


def covers(note: str, fact: Fact) -> bool:
    """Whether a note says what a fact says, and perhaps more."""
    told = value_words(fact.value) or value_words(fact.text)
    if fact.ended or alias_key(fact.subject) != USER or told.isdisjoint(value_words(note)):
        return False
    if is_against(note) != is_against(fact.text):
        return False
    if is_near(note, fact.text):
        return True
    return is_part(fact.value, note) and any(_is_of(each, fact) for each in read_note(note))


def says_only(note: str, fact: Fact) -> bool:
    """Whether a note says what a fact says, and nothing besides: with the fact it can go."""
    if not covers(note, fact):
        return False
    if value_words(note) <= value_words(f"{fact.text} {fact.attribute}"):
        return True
    lead, found, rest = note.casefold().partition(fact.value.casefold())
    return bool(found) and len(lead.split()) <= MOST_LEAD and not value_words(rest)


def holds(note: str, fact: Fact) -> bool:
    """Whether a note has every word of what a fact has for its value."""
    return is_part(fact.value, note)


@lru_cache(512)
def read_note(note: str) -> tuple[Candidate, ...]:
    """What a note says of the user, as far as it can be filed: by its words, or told of them."""
    from hermes.memory.facts.clauses.statement import parse_statement  # noqa: PLC0415 - slow

    said = " ".join(note.split())
    ways = (said, f"User {said[:1].lower()}{said[1:]}")
    read = (parse_statement(way, 0) for way in ways if said)
    return tuple(each for each in read if each.subject == USER and each.attribute not in _UNREAD)


def _is_of(read: Candidate, fact: Fact) -> bool:
    return is_same_attribute(read.attribute, fact.attribute) and is_same_value(
        read.value, fact.value
    )
