"""What a verdict does to the facts: values in, values out, for whoever keeps them.

A store carries out the same changes in one transaction; a benchmark carries them out in memory.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hermes.errors import Conflict
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.decide import Decision, Similarity, Verdict, decide
from hermes.types import Confidence, Fact, FactSource, Message, Origin, Trust

_RANK = {Confidence.LOW: 0, Confidence.MEDIUM: 1, Confidence.HIGH: 2}


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


def source_of(candidate: Candidate, message: Message | None = None) -> FactSource:
    """The words a candidate rests on, and where they stand."""
    if message is None:
        return FactSource(candidate.quote, candidate.message_id, at=candidate.at)
    return FactSource(
        candidate.quote, message.id, message.episode_id, message.session_id, message.at
    )


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
    if decision.verdict is Verdict.SKIP:
        return Changes()
    if decision.verdict is Verdict.MERGE:
        return Changes(updated=(merge_source(targets[0], candidate, source),))
    fact = _born(candidate, birth, source)
    if decision.verdict is Verdict.SUPERSEDE:
        closed = tuple(_closed(old, fact.id, decision.closes_at) for old in targets)
        return Changes(fact, closed)
    if decision.verdict is Verdict.CONTRADICT:
        fact = replace(fact, contradicts=decision.targets)
        return Changes(fact, tuple(_contradicted(old, fact.id) for old in targets))
    if decision.closed_by is not None:
        fact = _closed(fact, decision.closed_by, decision.closes_at)
    return Changes(fact)


def merge_source(fact: Fact, candidate: Candidate, source: FactSource) -> Fact:
    """The fact with one more source; it grows no more trusted by being repeated."""
    sources = fact.sources if source in fact.sources else (*fact.sources, source)
    sure = max(fact.confidence, candidate.confidence, key=lambda each: _RANK[each])
    entities = tuple(dict.fromkeys((*fact.entities, *candidate.entities)))
    return replace(fact, sources=sources, confidence=sure, entities=entities)


def reopen(old: Fact, successor: Fact | None) -> Changes:
    """Undo a supersession: the old fact holds again, and what took its place contradicts it."""
    if old.superseded_by is None and old.retracted_at is None and old.valid_to is None:
        raise Conflict(f"fact:{old.number} is not closed.", "There is nothing to restore.")
    restored = replace(old, superseded_by=None, retracted_at=None, valid_to=None)
    if successor is None or successor.retracted_at is not None:
        return Changes(updated=(restored,))
    restored = _contradicted(restored, successor.id)
    return Changes(updated=(restored, _contradicted(successor, old.id)))


def settle(
    candidates: Sequence[Candidate],
    known: Sequence[Fact] = (),
    *,
    bank: str = "default",
    similarity: Similarity | None = None,
) -> tuple[list[Fact], list[Decision]]:
    """Believe candidates one after the other, in memory; ids go on from the known ones."""
    facts = {fact.id: fact for fact in known}
    decisions = []
    for candidate in candidates:
        decision = decide(candidate, list(facts.values()), similarity=similarity)
        number = max(facts, default=0) + 1
        birth = Birth(number, number, bank, recorded_at=candidate.at or 0)
        changes = carry_out(decision, candidate, facts, birth=birth, source=source_of(candidate))
        facts |= {fact.id: fact for fact in changes.updated}
        if changes.added:
            facts[changes.added.id] = changes.added
        decisions.append(decision)
    return list(facts.values()), decisions


def _born(candidate: Candidate, birth: Birth, source: FactSource) -> Fact:
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
        valid_from=candidate.valid_from,
        valid_to=candidate.valid_to,
        origin=birth.origin,
        trust=birth.trust,
        extractor=birth.extractor,
        sources=(source,),
    )


def _closed(old: Fact, successor: int, closes_at: int | None) -> Fact:
    return replace(old, superseded_by=successor, valid_to=closes_at)


def _contradicted(old: Fact, other: int) -> Fact:
    return replace(old, contradicts=tuple(dict.fromkeys((*old.contradicts, other))))
