"""What of all that is known belongs into the record of the user, and under which heading.

The record stands before every task, so it holds what lasts and is theirs: not one-off errands, what
happened once, what others are like, or what a thing costs. All of that is kept and recalled.
"""

import re
from enum import StrEnum

from hermes.memory.entities.names import alias_key
from hermes.memory.facts.candidate import USER
from hermes.memory.facts.clauses.tools import TOOLS
from hermes.memory.facts.sorts import thing_of
from hermes.types import Confidence, Fact, FactKind


class Section(StrEnum):
    """The parts of the record, most telling first."""

    NAME = "name"
    STYLE = "style"
    WORK = "work"
    PLACE = "place"
    HEALTH = "health"
    PREFERENCES = "preferences"
    PEOPLE = "people"
    DEADLINES = "deadlines"
    PROJECTS = "projects"
    TOOLS = "tools"
    LANGUAGES = "languages"
    HABITS = "habits"
    LIKES = "likes"
    DISLIKES = "dislikes"
    CONTACT = "contact"
    OTHER = "other"


_BY_ATTRIBUTE = {
    **dict.fromkeys(("name", "nickname", "surname", "pronouns"), Section.NAME),
    **dict.fromkeys(("middle name", "maiden name"), Section.NAME),
    **dict.fromkeys(("role", "employer", "team", "department", "school", "studies"), Section.WORK),
    **dict.fromkeys(("work_mode", "title", "job"), Section.WORK),
    **dict.fromkeys(("location", "timezone", "hometown", "nationality", "office"), Section.PLACE),
    "workplace": Section.PLACE,
    **dict.fromkeys(("diet", "allergy", "trait", "age", "birthday", "birth year"), Section.HEALTH),
    **dict.fromkeys(("language", "native_language"), Section.LANGUAGES),
    **dict.fromkeys(("email", "work email", "phone", "github", "website"), Section.CONTACT),
    **dict.fromkeys(("phone number", "mobile", "number", "address"), Section.CONTACT),
    **dict.fromkeys(("project", "side project"), Section.PROJECTS),
    **dict.fromkeys(("working_hours", "lunch_break", "habit"), Section.HABITS),
    "likes": Section.LIKES,
    "dislikes": Section.DISLIKES,
}
_OF_TOOLS = frozenset({*TOOLS, "uses", "stack", "machine", "tool"})
_LASTING = frozenset(
    "be have learn build play study work run live own teach write train volunteer collect grow "
    "sing coach speak keep raise lead design develop maintain practise practice".split()
)
_WISHING = frozenset("want need expect require wish like".split())
_AS_SAID = ("said", "says", "asks")
_STANDING = re.compile(
    r"\b(?:always|never|from now on|every time|in future|by default|whenever|each|don't|do not|"
    r"not|no|stop|only|everything)\b",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"User (?:always |never )?(?:wants?|wishes|expects|needs?|requires|asks?|asked)\b"
)
_CUT_OUT = "[redacted:"  # where a secret was: what is left says nothing before a task
_DAY = re.compile(r"\((?:on |due )?\d{4}-\d\d-\d\d\)")
MOST_WORDS = 5  # of a person's or a tool's name


def section_of(fact: Fact) -> Section | None:
    """Where a fact stands in the record of the user; None where it does not belong there."""
    if alias_key(fact.subject) != USER or _CUT_OUT in fact.text:
        return None
    return _by_reading(fact) or _as_asked(fact)


def _by_reading(fact: Fact) -> Section | None:
    attribute = fact.attribute.partition(":")[0]
    if attribute in _AS_SAID:
        return _said(fact)
    if fact.kind is FactKind.PREFERENCE:
        return _preference(fact, attribute)
    if fact.kind is FactKind.EVENT:
        return Section.DEADLINES if _DAY.search(fact.text) and _is_theirs(fact) else None
    if attribute in _BY_ATTRIBUTE:
        return _BY_ATTRIBUTE[attribute]
    return _by_kind(fact, attribute)


def _as_asked(fact: Fact) -> Section | None:
    """What was meant to be kept (that is what high confidence says), however it was read.

    What a team does or has is no part of one person's record.
    """
    asked = fact.confidence is Confidence.HIGH and not fact.text.startswith("User's team")
    return _as_theirs(fact) if asked else None


def _by_kind(fact: Fact, attribute: str) -> Section | None:
    short = 0 < len(fact.value.split()) <= MOST_WORDS
    if attribute.endswith("handle"):
        return Section.CONTACT
    if fact.kind is FactKind.DEADLINE:
        return Section.DEADLINES
    if fact.kind is FactKind.RELATIONSHIP:
        return Section.PEOPLE if short else None
    if fact.kind in {FactKind.ENVIRONMENT, FactKind.DECISION}:
        tool = attribute in _OF_TOOLS or attribute.endswith(" version") or thing_of(fact.value)
        return Section.TOOLS if tool and short and _is_theirs(fact) else None
    return _as_theirs(fact)


def _as_theirs(fact: Fact) -> Section | None:
    """What is the user's and has no heading of its own; how they want things comes first."""
    if not _is_theirs(fact):
        return None
    return Section.STYLE if _WISH.match(fact.text) else Section.OTHER


def _preference(fact: Fact, attribute: str) -> Section:
    if attribute in _BY_ATTRIBUTE:
        return _BY_ATTRIBUTE[attribute]
    return Section.STYLE if _WISH.match(fact.text) else Section.PREFERENCES


def _said(fact: Fact) -> Section | None:
    """Words taken as they were said: an order that is to last, or what the user is or does."""
    if fact.text.startswith("User asks"):
        return Section.STYLE if _STANDING.search(fact.text) else None
    verb = fact.attribute.partition(":")[2]
    if verb in _WISHING and _STANDING.search(_told(fact)):
        return _as_theirs(fact)
    if fact.kind is FactKind.EVENT or verb not in _LASTING or fact.confidence is Confidence.LOW:
        return None
    return _as_theirs(fact)


def _told(fact: Fact) -> str:
    """The fact and the words it rests on, where "always" may have stood."""
    return " ".join((fact.text, *(source.quote for source in fact.sources)))


def _is_theirs(fact: Fact) -> bool:
    told = fact.text.startswith(("User ", "User's ")) or " the user " in fact.text
    return told or is_first_person(fact.text)


def is_first_person(text: str) -> bool:
    """Whether a statement is the user's of themselves, as they give it by hand."""
    return text.startswith(("I ", "I'm ", "I've ", "I’m ", "I’ve ", "My ", "my "))
