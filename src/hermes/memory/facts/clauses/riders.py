"""What is said beside a line of work: an employer, a place, a team."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import ENVIRONMENTS
from hermes.memory.facts.clauses.limits import is_beside, limit_of
from hermes.memory.facts.clauses.relations import relation_at
from hermes.memory.facts.clauses.slots import Slot, spell, split_slots
from hermes.memory.facts.clauses.subjects import Subject
from hermes.memory.facts.clauses.tokens import Token
from hermes.memory.facts.clauses.tools import find_purpose, is_versioned
from hermes.memory.facts.clauses.wording import subject_text
from hermes.types import FactKind


def whose(subject: Subject) -> str:
    """The subject a fact is filed under."""
    if subject.kind == "person" and subject.owner:
        if not subject.name and any(t.low in _MANY for t in subject.words):
            return USER  # "our customers are dentists" says something of us
        return subject.name or f"user's {_which(subject)}"
    if subject.kind == "name" and find_purpose(subject.name):
        return USER
    if cut := owner_end(subject):
        return spell(subject.words[:cut])
    if subject.kind in {"name", "person", "it", "who"} and subject.name:
        return re.sub(r"^(?i:project)\s+", "", subject.name)
    if subject.noun in ENVIRONMENTS:
        return subject.noun
    return USER


def _which(subject: Subject) -> str:
    """ "piano teacher" of "my piano teacher": which of them it is."""
    words = subject.words
    place = next((n for n, t in enumerate(words) if t.low == subject.noun), 0)
    return (relation_at(words, place) if place else "") or subject.noun


_MANY = frozenset("customers clients users colleagues tenants patients students guests".split())


def owner_end(subject: Subject) -> int:
    """Where the owner ends in "Tom's phone extension"; 0 if nothing is owned."""
    if subject.kind not in {"name", "thing"} or subject.words[0].tag != "NAME":
        return 0
    return next((n for n, t in enumerate(subject.words) if t.tag == "GEN"), 0)


def role_of(words: Sequence[Token], frame: Frame) -> list[Token]:
    """ "PM at Lumenta" of "the new PM for reporting at Lumenta": a post is one of somewhere."""
    role = values.role_words(words) or values.core(words)
    role = role[1:] if len(role) > 1 and role[0].low in _WHICH else role
    where = next((s for s in frame.slots if s.prep == "at" and values.is_org(s.words)), None)
    if where is None or not role or role[-1].end > where.words[0].start:
        return role  # "at Initech as a tester": where is told of by itself
    place = next(n for n, t in enumerate(frame.rest) if t is where.words[0])
    named = values.undated(values.core(where.words))
    named = named[: next((n for n, t in enumerate(named) if t.tag == "PUNCT"), len(named))]
    return [*role, *frame.rest[place - 1 : place], *named]


_WHICH = frozenset({"new", "current", "newest", "old"})


def as_shown(candidate: Candidate, frame: Frame) -> Candidate:
    """With what stands behind a comma, if it says more of the same: "the host is called badger,
    10.0.20.5", "it's uv everywhere, python 3.12"; without it, if it goes on to something else."""
    behind = [t for t in frame.tail if t.text not in {",", "(", ")"}]
    if not behind or candidate.kind is not FactKind.ENVIRONMENT:
        return candidate
    text, more = candidate.text, spell(behind)
    placed = "call" in frame.classes and behind[0].tag == "ADDR"
    versioned = frame.subject.kind == "it" and is_versioned(more)
    if (placed or versioned) and more not in text:
        return replace(candidate, text=f"{text}, {more}")
    if candidate.attribute.endswith((" via", " place")) and behind[0].tag in {
        "DET",
        "PRON",
        "POSS",
    }:
        cut = frame.tail[0].start - frame.rest[0].start
        told = spell([t for t in frame.rest if t.start - frame.rest[0].start < cut])
        verb = candidate.value.partition(" ")[0]
        found = text.partition(told)
        value = f"{verb} {told}"
        return (
            replace(candidate, text=f"{found[0]}{found[1]}", value=value) if found[1] else candidate
        )
    return candidate


def read_riders(frame: Frame, used: Slot) -> Iterator[Candidate]:
    """An employer, a place, a role and a team said beside a line of work."""
    if frame.subject.kind not in {"user", "team", "person", "name"}:
        return
    dated = any(t.tag == "NUM" or t.low in values.CALENDAR for t in frame.lead)
    limit = limit_of(frame)
    when = f", {spell(frame.lead)}" if dated else f" {limit}" if limit else ""
    tail = split_slots([t for t in frame.tail if t.text != ","])[0] if frame.tail else ()
    slots: Sequence[Slot] = [slot for slot in (*frame.slots, *tail) if slot != used and slot.words]
    told = {"employer", "school"} if used.prep in {"at", "for"} else set()
    for slot in slots:
        attribute, verb = _rider(frame, slot)
        if attribute == "location" and (frame.verb == "work" or used.prep in {"at", "for"}):
            attribute, verb = "workplace", "works in"  # "at a practice in Zeist": that is there
        inner = values.core(slot.words)
        inner = inner[: next((n for n, t in enumerate(inner) if n and t.tag == "NUM"), len(inner))]
        if attribute and attribute not in told:
            text = f"{subject_text(frame.subject)} {verb} {spell(inner)}{when}"
            told |= {"employer", "school"} & {attribute}
            of, value = whose(frame.subject), spell(inner)
            single = attribute != "workplace" and not is_beside(frame)
            yield Candidate(text, FactKind.IDENTITY, of, attribute, value, single=single)


def _rider(frame: Frame, slot: Slot) -> tuple[str, str]:
    """What a slot says beside work, and the verb to say it with."""
    if slot.prep in {"at", "with"} and values.is_loose_org(slot.words):
        studies = any(t.low in _STUDYING for t in frame.words)
        return ("school", "studies at") if studies else ("employer", "works at")
    if slot.prep in {"in", "near", "from"} and values.is_place(slot.words):
        return "location", "is in"
    if slot.prep == "as" and values.is_role(slot.words):
        return "role", "works as"
    if slot.prep in {"on", "in"} and any(t.low in _TEAMS for t in slot.words):
        return "team", "is on"
    return "", ""


_STUDYING = frozenset({"student", "phd", "study", "studying", "masters", "semester"})
_TEAMS = frozenset({"team", "squad", "department"})
