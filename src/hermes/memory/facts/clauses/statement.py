"""One sentence that is a fact by being given as one: `fact add "…"`."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, tzinfo

from hermes.clock import wall_time
from hermes.memory.entities import name_mentions, without_title
from hermes.memory.entities.plain import is_plain
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.change import read_change
from hermes.memory.facts.clauses.changes import dated
from hermes.memory.facts.clauses.reader import read_text
from hermes.memory.facts.clauses.remembered import by_shape
from hermes.memory.facts.clauses.verbs import base
from hermes.types import Confidence, FactKind


def _plain(verb: str) -> str:
    return base(verb.lower())


# The third person of a note, turned into the first person that clauses are read in.
_FIRST_PERSON: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"^(?:the )?user's team\s+(?:is|are)\b", re.I), "we are"),
    (re.compile(r"^(?:the )?user's team\s+has\b", re.I), "we have"),
    (re.compile(r"^(?:the )?user's team\s+(\w+s)\b", re.I), lambda said: f"we {_plain(said[1])}"),
    (re.compile(r"^(?:the )?user's\s+", re.I), "my "),
    (re.compile(r"^(?:the )?user\s+is\b", re.I), "I am"),
    (re.compile(r"^(?:the )?user\s+has\b", re.I), "I have"),
    (re.compile(r"^(?:the )?user\s+does\s+not\b", re.I), "I do not"),
    (re.compile(r"^(?:the )?user\s+(\w+s)\b", re.I), lambda said: f"I {_plain(said[1])}"),
    (re.compile(r"^(?:the )?user\b", re.I), "I"),
    (re.compile(r"^(primary|main|current|side)\s+project\b", re.I), r"my \1 project"),
    (re.compile(r"^(preferred\s+[\w -]{2,30}):\s*", re.I), r"my \1 is "),
    (re.compile(r"^(favou?rite\s+[\w -]{2,30}):\s*", re.I), r"my \1 is "),
    (re.compile(r"^prefers?\s+", re.I), "I prefer "),
    (
        re.compile(
            r"^(name|timezone|time zone|role|location|birthday|email|pronouns)\s*:\s*", re.I
        ),
        r"my \1 is ",
    ),
)
_LOCATION = re.compile(r"^my location is ", re.I)
_DEADLINE = re.compile(r"^deadline (?:for|of) ([^:]{2,60}):\s*", re.I)
_QUOTED = re.compile(r"(?<!\w)['\"“‘]([^'\"”’]{1,60})['\"”’](?!\w)")
_OF_ANOTHER = re.compile(
    r"^(?P<who>[A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,2}) (?P<rest>(?:lives|works|studies|speaks|"
    r"prefers|likes|loves|hates|drives|plays|owns)\b.+)$"
)
_HANDLE = re.compile(r"^my (\w+) (?:username|handle|user name|account|nick) is:? ", re.I)
_LISTED = re.compile(r"^my (preferred [\w -]{2,30}) is (.+)$", re.I)


def parse_statement(text: str, at: int, zone: tzinfo = UTC) -> Candidate:
    """A candidate for any sentence: subject, attribute and value where they can be read.

    "Tomorrow" is the day after the one that `at` is in `zone`.
    """
    text, heard = re.sub(r"\s+", " ", text).strip(), wall_time(at, zone)
    found = _read(text, heard) or _read_of_another(text, heard) or by_shape(text)
    found = dated(found, heard, text)
    return replace(
        found,
        text=text,
        quote=text,
        at=at,
        correction=False,
        change=read_change(_spoken(text)),
        confidence=Confidence.HIGH,
        entities=_entities(found, text),
        valid_from=at if found.valid_from in (None, heard) else found.valid_from,
    )


def _read(text: str, at: int) -> Candidate | None:
    spoken = _spoken(text)
    if handle := _HANDLE.match(spoken):
        value = spoken[handle.end() :].strip(" .")
        return Candidate(
            text, FactKind.IDENTITY, USER, f"{handle[1].lower()} handle", value, single=True
        )
    if listed := _LISTED.match(spoken):
        return Candidate(
            text, FactKind.PREFERENCE, USER, listed[1].lower(), listed[2].strip(" ."), single=True
        )
    found = read_text(spoken, at)
    return _joined(found) if found else None


def _read_of_another(text: str, at: int) -> Candidate | None:
    """ "Tom lives in Leeds": as it would be read of the user, about Tom."""
    told = _OF_ANOTHER.match(text)
    found = _read(f"User {told['rest']}", at) if told else None
    if told is None or found is None or found.subject != USER:
        return None
    return replace(found, subject=told["who"])


def _spoken(text: str) -> str:
    spoken = _QUOTED.sub(r"\1", text.rstrip(". "))
    for pattern, form in _FIRST_PERSON:
        spoken, changed = pattern.subn(form, spoken)
        if changed:
            break
    spoken = _DEADLINE.sub(r"the deadline for the \1 is ", _LOCATION.sub("I live in ", spoken))
    spoken = re.sub(r"(?<=\bis):\s+", " ", spoken)
    return re.sub(r"\s+[—–]\s+.*$", "", spoken)


def _joined(candidates: list[Candidate]) -> Candidate:
    """Several values in one statement: kept whole, so that no part of it is closed alone."""
    first = candidates[0]
    if len(candidates) == 1:
        return first
    values = ", ".join(dict.fromkeys(each.value for each in candidates))
    same = {each.attribute for each in candidates} == {first.attribute}
    works = first.kind is FactKind.ENVIRONMENT
    attribute = first.attribute if same or not works else "uses"
    return replace(first, attribute=attribute, value=values, single=first.single and same)


def _is_name(subject: str) -> bool:
    """Whether what a statement is about has a name: "Atlas", not "Deploy key"."""
    words = subject.split()
    if subject == USER or not words:
        return False
    return not (is_plain(words[-1]) and (len(words) == 1 or words[-1].islower()))


def _entities(candidate: Candidate, text: str) -> tuple[str, ...]:
    names = [without_title(candidate.subject)] if _is_name(candidate.subject) else []
    names += [found.group(1) for found in _QUOTED.finditer(text)]
    names += name_mentions(text)
    kept = (name for name in names if name.lower() not in {"user", "preferred", "primary"})
    return tuple(dict.fromkeys(kept))
