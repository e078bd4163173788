"""What a verdict does to the facts: values in, values out, for whoever keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.decide import Decision, Verdict
from hermes.types import Fact, FactSource, Origin, Trust


@dataclass(frozen=True, slots=True)
class Birth:
    """What a candidate lacks to be a fact: its names, its place, and who brought it."""

    id: int
    number: int
    bank: str
    recorded_at: int
    origin: Origin = Origin.USER
    trust: Trust = Trust.HIGH
    extractor: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """The fact that is new, if any, and the known ones as they are afterwards."""

    added: Fact | None = None
    updated: tuple[Fact, ...] = ()


def carry_out(
    decision: Decision,
    candidate: Candidate,
    known: Mapping[int, Fact],
    *,
    birth: Birth,
    source: FactSource,
) -> Changes:
    """The changes a decision asks for; `known` holds at least its targets, by id."""
    targets = [known[each] for each in decision.targets]
    if decision.verdict in {Verdict.SKIP, Verdict.MERGE}:
        return Changes()  # no fact is born: a repetition is one more source of a known one
    fact = born(candidate, birth, source)
    if decision.verdict is Verdict.SUPERSEDE:
        closed = tuple(_closed(old, fact.id, decision.closes_at) for old in targets)
        return Changes(fact, closed)
    if decision.verdict is Verdict.CONTRADICT:
        fact = replace(fact, contradicts=decision.targets)
        return Changes(fact, tuple(_contradicted(old, fact.id) for old in targets))
    if decision.closed_by is not None:
        begins = candidate.holds_from if candidate.holds_from is not None else candidate.at
        fact = _closed(fact, decision.closed_by, decision.closes_at)
        return Changes(fact, tuple(_closed(old, fact.id, begins) for old in targets))
    if decision.closes_at is not None:
        fact = replace(fact, valid_to=decision.closes_at)
    return Changes(fact)


def settle(decision: Decision, known: Mapping[int, Fact]) -> tuple[Fact, ...]:
    """The facts, closed, that stood against one that is said again."""
    keep, *lost = decision.targets
    return tuple(_closed(known[each], keep, decision.closes_at) for each in lost)


def born(candidate: Candidate, birth: Birth, source: FactSource) -> Fact:
    """The fact that a candidate is once it is believed."""
    return Fact(
        id=birth.id,
        number=birth.number,
        bank=birth.bank,
        text=candidate.text,
        kind=candidate.kind,
        recorded_at=birth.recorded_at,
        subject=candidate.subject,
        attribute=candidate.attribute,
        value=candidate.value,
        entities=candidate.entities,
        confidence=candidate.confidence,
        single=candidate.single,
        ended=candidate.ended,
        valid_from=candidate.holds_from,
        valid_to=candidate.valid_to,
        origin=birth.origin,
        trust=birth.trust,
        extractor=birth.extractor,
        sources=(source,),
    )


def _closed(old: Fact, successor: int, closes_at: int | None) -> Fact:
    """It ends when the other begins; where that was before it began, it never held."""
    ends = closes_at if closes_at is None else max(closes_at, old.valid_from or closes_at)
    return replace(old, superseded_by=successor, valid_to=ends)


def _contradicted(old: Fact, other: int) -> Fact:
    return replace(old, contradicts=tuple(dict.fromkeys((*old.contradicts, other))))
