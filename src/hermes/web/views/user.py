"""The model of the user by sections, with its contradictions taken out and set side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from hermes.memory.usermodel import Line, Link, UserModel
from hermes.types import Fact


@dataclass(frozen=True, slots=True)
class Dispute:
    """Facts that cannot all hold; the first is the one that stands, and `reason` says why."""

    line: Line
    facts: Sequence[Fact]
    reason: str


@dataclass(frozen=True, slots=True)
class UserView:
    sections: Sequence[tuple[str, Sequence[Line]]]
    disputes: Sequence[Dispute]


def view_user(model: UserModel, facts: Mapping[int, Fact]) -> UserView:
    """`facts` are those the contested lines rest on, by number."""
    settled = [line for line in model.lines if not line.contested]
    sections = [
        (str(name.value), list(lines))
        for name, lines in groupby(settled, lambda line: line.section)
    ]
    disputes = [_dispute(model, line, facts) for line in model.lines if line.contested]
    return UserView(sections, disputes)


def _dispute(model: UserModel, line: Line, facts: Mapping[int, Fact]) -> Dispute:
    rivals = [facts[number] for number in line.facts if number in facts]
    reasons = [
        edge.reason
        for edge in model.graph
        if edge.kind is Link.OUTRANKS and edge.source in line.facts
    ]
    return Dispute(line, rivals, reasons[0] if reasons else "")


def contested_numbers(model: UserModel) -> list[int]:
    return [number for line in model.lines if line.contested for number in line.facts]
