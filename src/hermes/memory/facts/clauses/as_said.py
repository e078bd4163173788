"""A clause taken as it stands, where no reader has a form for what it says.

Readers know forms; people know more of them. Whether such a clause is worth keeping is not judged
here: the gate does, and it asks more of it than of what a reader knew.
"""

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.apply import clause_value
from hermes.memory.facts.clauses.customs import Setting
from hermes.memory.facts.clauses.dated import is_undated
from hermes.memory.facts.clauses.days import find_day
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.riders import whose
from hermes.memory.facts.clauses.slots import spell
from hermes.memory.facts.clauses.subjects import Subject
from hermes.memory.facts.clauses.wording import others, render, subject_text
from hermes.types import FactKind

LONGEST = 26  # words; what is longer tells a story
LONGEST_FRAGMENT = 14

_WHO = frozenset({"user", "team", "person", "own", "name", "thing"})
_CONTENT = frozenset({"NOUN", "NAME", "NUM", "ADDR", "ADJ", "VERB"})


def read_as_said(
    frame: Frame, setting: Setting, text: str, about: Subject | None = None
) -> list[Candidate]:
    """The clause in the third person, or in its own words where that cannot be done well."""
    if not frame.verb:
        return _fragment(frame, setting, text, about)
    if len(frame.words) > LONGEST:
        return []
    subject = frame.subject
    if subject.kind == "none" and frame.group[0].form in {"VB", ""}:
        asked = f"User asks: {others(list(frame.words))}"
        return [_dated(asked, spell(frame.words), frame, setting, text, "asks")]
    unnamed = subject.kind == "person" and not subject.owner and not subject.name
    if subject.kind not in _WHO or unnamed:
        return [_dated(f"User says: {text}", text, frame, setting, text, "says")]
    if not frame.rest and not frame.passive and subject.kind in {"user", "team"}:
        return []
    if len(frame.rest) == 1 and frame.rest[0].tag in {"PRON", "OBJ"}:
        return []
    if subject.kind == "user" and any(t.low in {"you", "your"} for t in frame.rest):
        return []  # "I'm always here for you"
    said, value = render(frame), clause_value(frame)
    return [_dated(said, value or said, frame, setting, text, f"said:{frame.verb}")]


def _fragment(frame: Frame, setting: Setting, text: str, about: Subject | None) -> list[Candidate]:
    """ "my laptop: ThinkPad T14", "and zsh", "tabs, not spaces": no verb, but a thing."""
    words = [t for t in frame.words if t.tag not in {"INTJ", "EMOJI"}]
    if not 0 < len(words) <= LONGEST_FRAGMENT or not any(t.tag in _CONTENT for t in words):
        return []
    if all(t.text.startswith(("@", "#")) or t.tag == "PUNCT" for t in words):
        return []
    said = others(words)
    if about is not None and about.kind in _WHO:
        said = f"{subject_text(about)}: {said}"
    return [_dated(said[:1].upper() + said[1:], spell(words), frame, setting, text, "said")]


def _dated(
    said: str, value: str, frame: Frame, setting: Setting, text: str, attribute: str
) -> Candidate:
    kind, since = _kind(frame), None
    day = None if frame.negated or is_undated(text) else find_day(text, setting.at)
    if day is not None and day.start_at > setting.at:
        said, since, kind = f"{said} ({day.iso})", day.start_at, FactKind.EVENT
    named = frame.verb == "be" and frame.subject.owner == "user"  # "my advisor is Ingeborg Vaas"
    subject = whose(frame.subject) if attribute.startswith("said:") and not named else USER
    return Candidate(said, kind, subject, attribute, value, valid_from=since)


def _kind(frame: Frame) -> FactKind:
    if frame.classes & {"like", "dislike", "prefer", "eat", "hobby"}:
        return FactKind.PREFERENCE
    if frame.classes & {"decide", "switch"} and frame.subject.kind == "team":
        return FactKind.DECISION
    if frame.subject.kind in {"thing", "own"}:
        return FactKind.ENVIRONMENT
    return FactKind.EVENT if frame.tense == "past" else FactKind.OTHER
