"""The model of the user by sections, with its contradictions taken out and set side by side.

A page shows the beginning of a long record, so that it stays quick to open; on demand, all of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from hermes.memory.usermodel import Line, Link, UserModel
from hermes.types import Fact

MOST_LINES = 25  # of a section, and contested ones
MOST_FACTS = 8  # of a line
MOST_CHARS = 400  # of a line


@dataclass(frozen=True, slots=True)
class Dispute:
    """Facts that cannot all hold; the first is the one that stands, and `reason` says why."""

    line: Line
    facts: Sequence[Fact]
    reason: str


@dataclass(frozen=True, slots=True)
class Section:
    """Lines of one kind; `left_out` is how many more there are."""

    name: str
    lines: Sequence[Line]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class UserView:
    sections: Sequence[Section]
    disputes: Sequence[Dispute]
    disputed: int  # how many there are, shown or not
    is_cut: bool


def view_user(model: UserModel, facts: Mapping[int, Fact], *, is_whole: bool) -> UserView:
    """`facts` are those the contested lines that are shown rest on, by number."""
    settled = [line for line in model.lines if not line.contested]
    sections = [
        Section(str(name.value), list(lines))
        for name, lines in groupby(settled, lambda line: line.section)
    ]
    shown = sections if is_whole else [_cut_section(section) for section in sections]
    contested = [line for line in model.lines if line.contested]
    disputes = [_dispute(model, line, facts) for line in _first(contested, is_whole)]
    is_cut = shown != sections or len(disputes) < len(contested)
    return UserView(shown, disputes, len(contested), is_cut)


def list_contested(model: UserModel, *, is_whole: bool) -> list[int]:
    """The numbers of the facts that contested lines rest on, as far as they are shown."""
    contested = _first([line for line in model.lines if line.contested], is_whole)
    return [number for line in contested for number in line.facts]


def _first(contested: Sequence[Line], is_whole: bool) -> Sequence[Line]:
    if is_whole:
        return contested
    return [_cut_line(line) for line in contested[:MOST_LINES]]


def _cut_section(section: Section) -> Section:
    lines = [_cut_line(line) for line in section.lines[:MOST_LINES]]
    return Section(section.name, lines, max(0, len(section.lines) - MOST_LINES))


def _cut_line(line: Line) -> Line:
    text = line.text if len(line.text) <= MOST_CHARS else f"{line.text[:MOST_CHARS]}…"
    return replace(line, text=text, facts=line.facts[:MOST_FACTS])


def _dispute(model: UserModel, line: Line, facts: Mapping[int, Fact]) -> Dispute:
    rivals = [facts[number] for number in line.facts if number in facts]
    reasons = [
        edge.reason
        for edge in model.graph
        if edge.kind is Link.OUTRANKS and edge.source in line.facts
    ]
    return Dispute(line, rivals, reasons[0] if reasons else "")
