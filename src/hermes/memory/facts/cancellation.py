"""Which days that were told are off: "the half marathon is off", "never mind the trip"."""

import re
from collections.abc import Sequence

from hermes.clock import render_time
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.compare import stems
from hermes.types import Fact, FactKind

_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_DATED = frozenset({FactKind.EVENT, FactKind.DEADLINE})
_TRIP = stems("trip journey travel travels holiday vacation flight flights fly flies flying")


def find_called_off(candidate: Candidate, facts: Sequence[Fact]) -> list[Fact]:
    """What was to happen and is said to be off; nothing where several days could be meant."""
    today = render_time(candidate.at or 0)[:10]
    found = {fact.id: (fact, _day(fact)) for fact in facts if _is_of(fact, candidate.change.gone)}
    ahead = [(fact, day) for fact, day in found.values() if day >= today]
    return [fact for fact, _ in ahead] if len({day for _, day in ahead}) == 1 else []


def _is_of(fact: Fact, gone: str) -> bool:
    if fact.ended or fact.kind not in _DATED:
        return False
    named, told = stems(gone), stems(f"{fact.text} {fact.attribute}")
    if named & _TRIP and told & _TRIP:
        named -= _TRIP
        return named <= told
    return bool(named) and named <= told


def _day(fact: Fact) -> str:
    """The day it is to happen on, as it was written down; empty where none is known."""
    found = _DAY.findall(fact.value) or _DAY.findall(fact.text)
    return found[-1] if found else ""
