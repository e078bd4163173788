"""Believing a statement: what becomes of it beside what is known, done in a store.

It works in the transaction it is given and changes facts only through `audit`. What is to be done
is decided by `decide`, what that does by `ledger`.
"""

from dataclasses import replace

from hermes.guard.origin import is_tainted
from hermes.memory.entities.names import alias_key
from hermes.memory.facts.audit import Act, Action, alter, enter, oppose, support
from hermes.memory.facts.believed import Believed, Shelf
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.compare import is_same_text
from hermes.memory.facts.decide import Decision, Verdict, decide, place_in_past
from hermes.memory.facts.given import ALL, Given, Kept
from hermes.memory.facts.holding import must_wait
from hermes.memory.facts.ledger import Birth, carry_out, settle
from hermes.memory.facts.reference import get_fact
from hermes.memory.facts.replacement import find_replaced
from hermes.memory.facts.retelling import is_retold, only_unsays, retold
from hermes.memory.facts.revising import forget
from hermes.memory.facts.search import search_facts
from hermes.memory.facts.tagging import tag_fact
from hermes.memory.pending import close_waiting, hold_fact, release_fact
from hermes.store.base import FactFilter, Tx
from hermes.types import Confidence, Fact, FactKind

_SURER = {Confidence.LOW: Confidence.MEDIUM, Confidence.MEDIUM: Confidence.HIGH}
_SURER[Confidence.HIGH] = Confidence.HIGH
MOST_NEAR = 40  # facts that share words with a told change, the nearest of them


def believe(
    tx: Tx, candidate: Candidate, given: Given, act: Act, *, known: Believed | None = None
) -> Kept:
    """Do with a candidate the one thing there is to do beside what is known.

    Whoever believes many in one transaction gives what is `known` there, to be read once.
    """
    of_subject = (known or Believed(tx, given.bank)).of(candidate.subject)
    return _act_on(tx, candidate, of_subject, given, act)


def _act_on(tx: Tx, candidate: Candidate, known: Shelf, given: Given, act: Act) -> Kept:
    called = {fact.id: _as_called(fact, candidate.subject) for fact in known.values()}
    replaced = _list_replaced(tx, candidate, called, given)
    if replaced:
        candidate, given = _told_by(candidate, replaced[0], given)
    others = {fact.id: fact for fact in replaced if fact.id not in known}
    known, facts = known | others, [*called.values(), *others.values()]
    decision = decide(candidate, facts, trust=given.trust, replaced=replaced)
    if decision.closed_by is not None:
        past = _list_past(tx, candidate, given)
        known = known | {fact.id: fact for fact in past}
        decision = place_in_past(candidate, decision, past)
    if only_unsays(candidate):
        return _unsay(tx, decision, candidate, given, act)
    told = replace(act, reason=act.reason or decision.reason)
    if decision.verdict is Verdict.SKIP:
        return Kept(decision.verdict, decision.reason)
    if decision.verdict is Verdict.MERGE:
        kept = _hear_again(tx, known[decision.targets[0]], candidate, given, told)
        waits = kept.fact is not None and kept.fact.held
        settled = () if waits else settle(decision, known)
        for after in settled:
            alter(tx, known[after.id], after, Action.SUPERSEDE, told)
        return replace(kept, others=settled)
    return _learn(tx, decision, candidate, known, given, told)


def _unsay(tx: Tx, decision: Decision, candidate: Candidate, given: Given, act: Act) -> Kept:
    """Unbelieve what is taken back, and believe nothing in its place.

    Words that are not trusted take back nothing: they could only do so with the person's word.
    """
    if decision.verdict is not Verdict.SUPERSEDE or is_tainted(given.source.trust):
        return Kept(Verdict.SKIP, "it says no more than that something said is taken back")
    why = replace(act, reason=f"taken back: {candidate.quote[:40]!r}")
    gone = tx.facts.get_many(decision.targets).values()
    others = tuple(forget(tx, fact.number, why) for fact in gone)
    return Kept(Verdict.SKIP, "what was said is taken back", others=others)


def _as_called(fact: Fact, subject: str) -> Fact:
    """A fact of this subject, as if it had been told under that name."""
    return fact if alias_key(fact.subject) == alias_key(subject) else replace(fact, subject=subject)


def _told_by(candidate: Candidate, old: Fact, given: Given) -> tuple[Candidate, Given]:
    """A statement in its place, worth no more than the fact whose words it is told in.

    What says itself what it says needs no words of what is trusted less.
    """
    placed = _in_its_place(candidate, old)
    if old.trust >= given.trust or placed == candidate:
        return placed, given
    if candidate.message_id is None or not candidate.leaning:
        return replace(candidate, leaning=False), given
    return placed, replace(given, origin=old.origin, at_most=old.trust)


def _in_its_place(candidate: Candidate, old: Fact) -> Candidate:
    """As a statement about what it changes, if it does not say itself what it is about.

    What a person wrote stays as it was written.
    """
    if candidate.message_id is None:
        unread = candidate.kind is FactKind.OTHER
        return replace(retold(candidate, old), text=candidate.text) if unread else candidate
    return retold(candidate, old) if is_retold(candidate, old) else candidate


def _list_replaced(tx: Tx, candidate: Candidate, known: Shelf, given: Given) -> list[Fact]:
    """The facts that a told change speaks of, whatever they are about."""
    if not candidate.change and not candidate.correction:
        return []
    words = f"{candidate.quote} {candidate.change.gone} {candidate.change.topic}"
    near = [fact for fact, _ in search_facts(tx, words, bank=given.bank, limit=MOST_NEAR)]
    told = given.source.message_id
    every = (known | {fact.id: fact for fact in near if fact.id not in known}).values()
    others = [fact for fact in every if not is_same_text(fact.text, candidate.text)]
    before = [f for f in others if told is None or {s.message_id for s in f.sources} != {told}]
    return find_replaced(candidate, before)


def _list_past(tx: Tx, candidate: Candidate, given: Given) -> list[Fact]:
    """What was believed of the subject of a candidate and has been superseded."""
    wanted = FactFilter(bank=given.bank, subject_key=alias_key(candidate.subject))
    return [fact for fact in tx.facts.list(wanted, ALL) if fact.superseded_by is not None]


def _learn(
    tx: Tx,
    decision: Decision,
    candidate: Candidate,
    known: Shelf,
    given: Given,
    act: Act,
) -> Kept:
    number, short = tx.facts.reserve()
    birth = Birth(number, short, given.bank, act.at, given.origin, given.trust, act.by)
    changes = carry_out(decision, candidate, known, birth=birth, source=given.source)
    if changes.added is None:
        return Kept(decision.verdict, decision.reason)
    fact = replace(changes.added, held=must_wait(changes.added))
    enter(tx, fact, act)
    tag_fact(tx, fact, act.at)
    if fact.held and decision.verdict is not Verdict.CONTRADICT:
        hold_fact(tx, fact, act.at, closes=changes.updated)  # it closes nothing until approved
        return Kept(decision.verdict, decision.reason, fact)
    for after in changes.updated:
        alter(tx, known[after.id], after, Action.SUPERSEDE, act)
        if decision.verdict is Verdict.CONTRADICT:
            oppose(tx, fact, after, act)
    hold_fact(tx, fact, act.at)
    return Kept(decision.verdict, decision.reason, fact, changes.updated)


def _hear_again(tx: Tx, fact: Fact, candidate: Candidate, given: Given, act: Act) -> Kept:
    """One more source. Said by someone trusted more, the fact takes over their words and trust."""
    if given.source not in fact.sources:
        support(tx, fact, given.source, act)
    after = _confirmed(fact, candidate, given, act)
    alter(tx, fact, after, Action.REVISE, act)
    if fact.held and not after.held:
        close_waiting(tx, after, act)
        release_fact(tx, fact, act.at)
    elif after.held and not fact.held:
        hold_fact(tx, after, act.at)
    return Kept(Verdict.MERGE, act.reason, get_fact(tx, fact.number))


def _confirmed(fact: Fact, candidate: Candidate, given: Given, act: Act) -> Fact:
    if given.trust < fact.trust:
        return fact
    if given.trust == fact.trust:
        sure = min(fact.confidence, candidate.confidence, key=list(Confidence).index)
        if all(given.source.message_id != source.message_id for source in fact.sources):
            sure = _SURER[sure]  # said again, in other words or at another time
        again = replace(fact, confidence=sure, valid_to=_end(fact, candidate))
        newly = must_wait(again) and not must_wait(fact)  # what was approved stays so
        return replace(again, held=fact.held or newly)
    said = replace(
        fact,
        text=candidate.text,
        value=candidate.value,
        confidence=candidate.confidence,
        valid_to=_end(fact, candidate),
        origin=given.origin,
        trust=given.trust,
        extractor=act.by,
    )
    return replace(said, held=must_wait(said))


def _end(fact: Fact, candidate: Candidate) -> int | None:
    """When a fact that is said again ends: as it was said last, if an end was said."""
    end = candidate.valid_to
    return fact.valid_to if end is None or end < (fact.valid_from or 0) else end
