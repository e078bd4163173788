"""What happens to facts in a store: believe, revise, forget, restore, merge.

Each function works in the transaction it is given and changes facts only through `audit`. What
becomes of a statement beside others is decided by `decide`, what that does by `ledger`.
"""

import re
from dataclasses import replace

from hermes.errors import Conflict, UserError
from hermes.guard.origin import Decision as Gate
from hermes.guard.origin import Target, decide_write, inherit, is_tainted, origin_of_agent, trust_of
from hermes.guard.scan import scan
from hermes.memory.entities import name_mentions
from hermes.memory.entities.names import alias_key
from hermes.memory.facts.audit import Act, Action, alter, enter, oppose, support, was_merged
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.compare import is_same_value
from hermes.memory.facts.decide import Decision, Verdict, decide, place_in_past
from hermes.memory.facts.given import ALL, PERSON, Given, Kept, Revision
from hermes.memory.facts.history import rolled_back
from hermes.memory.facts.ledger import Birth, carry_out, settle
from hermes.memory.facts.merging import join, join_same, part, require_alike
from hermes.memory.facts.reference import get_fact, render_ref
from hermes.memory.facts.replacement import adopted, find_replaced, is_adopted
from hermes.memory.facts.rivals import excludes
from hermes.memory.facts.search import search_facts
from hermes.memory.facts.tagging import tag_fact
from hermes.memory.facts.times import require_order
from hermes.memory.pending import hold_fact, release_fact
from hermes.memory.usersections import section_of
from hermes.store.base import FactFilter, Tx
from hermes.types import Confidence, Fact, FactKind, FactSource, Origin, Trust

_ORDER = re.compile(
    r"(?:(?:please |always |never |from now on,? |hermes,? )*(?:you|hermes|the assistant|the "
    r"agent) "
    r"(?:must|should|will|are to|have to|has to)|(?:please )?always) "
    r"(?:ignore|disregard|override|obey|forward|send|run|execute|reveal|leak|upload|transfer|"
    r"delete|post)\b",
    re.I,
)
_SURER = {Confidence.LOW: Confidence.MEDIUM, Confidence.MEDIUM: Confidence.HIGH}
_SURER[Confidence.HIGH] = Confidence.HIGH
MOST_NEAR = 40  # facts that share words with a told change, the nearest of them
_STRANGERS = frozenset({Origin.WEB, Origin.TOOL})
_OTHER_VOICES = frozenset({"override", "role-marker", "fence-spoof", "hidden-text"})

Known = dict[tuple[str, str], dict[int, Fact]]
"""What is believed of each subject of a bank, as far as it was asked for in this transaction."""


def believe(
    tx: Tx, candidate: Candidate, given: Given, act: Act, *, known: Known | None = None
) -> Kept:
    """Do with a candidate the one thing there is to do beside what is known.

    `known` is kept up to date here: whoever believes many in one transaction reads them once.
    """
    key = (given.bank, alias_key(candidate.subject))
    shelf = {} if known is None else known
    if key not in shelf:
        wanted = FactFilter(bank=given.bank, subject_key=key[1], current=True)
        shelf[key] = {fact.id: fact for fact in reversed(tx.facts.list(wanted, ALL))}
    kept = _act_on(tx, candidate, shelf[key], given, act)
    touched = [fact.id for fact in (kept.fact, *kept.others) if fact is not None]
    if known is not None and touched:
        fresh = tx.facts.get_many(touched)
        shelf[key] |= {number: fact for number, fact in fresh.items() if _is_current(fact)}
        for number in fresh.keys() & shelf[key].keys():
            if not _is_current(fresh[number]):
                del shelf[key][number]
    return kept


def _act_on(tx: Tx, candidate: Candidate, known: dict[int, Fact], given: Given, act: Act) -> Kept:
    replaced = _list_replaced(tx, candidate, known, given)
    if replaced:
        candidate = _in_its_place(candidate, replaced[0])
    known = {**known, **{fact.id: fact for fact in replaced}}
    facts = list(known.values())
    decision = decide(candidate, facts, trust=given.source.trust, replaced=replaced)
    if decision.closed_by is not None:
        past = _list_past(tx, candidate, given)
        known = {**known, **{fact.id: fact for fact in past}}
        decision = place_in_past(candidate, decision, past)
    told = replace(act, reason=act.reason or decision.reason)
    if decision.verdict is Verdict.SKIP:
        return Kept(decision.verdict, decision.reason)
    if decision.verdict is Verdict.MERGE:
        kept = _hear_again(tx, known[decision.targets[0]], candidate, given, told)
        settled = settle(decision, known)
        for after in settled:
            alter(tx, known[after.id], after, Action.SUPERSEDE, told)
        return replace(kept, others=settled)
    return _learn(tx, decision, candidate, known, given, told)


def _in_its_place(candidate: Candidate, old: Fact) -> Candidate:
    """As a statement about what it changes, if it does not say itself what it is about.

    What a person wrote stays as it was written.
    """
    if candidate.message_id is None:
        unread = candidate.kind is FactKind.OTHER
        return replace(adopted(candidate, old), text=candidate.text) if unread else candidate
    is_led = candidate.leaning or is_adopted(candidate, old)
    return adopted(candidate, old) if is_led else candidate


def _list_replaced(
    tx: Tx, candidate: Candidate, known: dict[int, Fact], given: Given
) -> list[Fact]:
    """The facts that a told change speaks of, whatever they are about."""
    if not candidate.change and not candidate.correction:
        return []
    words = f"{candidate.quote} {candidate.change.gone} {candidate.change.topic}"
    near = [fact for fact, _ in search_facts(tx, words, bank=given.bank, limit=MOST_NEAR)]
    told = given.source.message_id
    every = {fact.id: fact for fact in [*known.values(), *near]}.values()
    before = [f for f in every if told is None or {s.message_id for s in f.sources} != {told}]
    return find_replaced(candidate, before)


def _list_past(tx: Tx, candidate: Candidate, given: Given) -> list[Fact]:
    """What was believed of the subject of a candidate and has been superseded."""
    wanted = FactFilter(bank=given.bank, subject_key=alias_key(candidate.subject))
    return [fact for fact in tx.facts.list(wanted, ALL) if fact.superseded_by is not None]


def _is_current(fact: Fact) -> bool:
    return fact.retracted_at is None and fact.superseded_by is None


def _learn(
    tx: Tx,
    decision: Decision,
    candidate: Candidate,
    known: dict[int, Fact],
    given: Given,
    act: Act,
) -> Kept:
    number, short = tx.facts.reserve()
    birth = Birth(number, short, given.bank, act.at, given.origin, given.source.trust, act.by)
    changes = carry_out(decision, candidate, known, birth=birth, source=given.source)
    if changes.added is None:
        return Kept(decision.verdict, decision.reason)
    fact = replace(changes.added, held=_is_held(changes.added))
    enter(tx, fact, act)
    tag_fact(tx, fact, act.at)
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
        release_fact(tx, fact, act.at)
    return Kept(Verdict.MERGE, act.reason, get_fact(tx, fact.number))


def _confirmed(fact: Fact, candidate: Candidate, given: Given, act: Act) -> Fact:
    if given.source.trust < fact.trust:
        return fact
    if given.source.trust == fact.trust:
        sure = min(fact.confidence, candidate.confidence, key=list(Confidence).index)
        if all(given.source.message_id != source.message_id for source in fact.sources):
            sure = _SURER[sure]  # said again, in other words or at another time
        return replace(fact, confidence=sure, valid_to=_end(fact, candidate))
    said = replace(
        fact,
        text=candidate.text,
        value=candidate.value,
        confidence=candidate.confidence,
        valid_to=_end(fact, candidate),
        origin=given.origin,
        trust=given.source.trust,
        extractor=act.by,
    )
    return replace(said, held=_is_held(said))


def _end(fact: Fact, candidate: Candidate) -> int | None:
    """When a fact that is said again ends: as it was said last, if an end was said."""
    end = candidate.valid_to
    return fact.valid_to if end is None or end < (fact.valid_from or 0) else end


def _is_held(fact: Fact) -> bool:
    """Whether a fact may not stand before every task without the person's word.

    Only what belongs into the record of the user ever stands there, and what reads as an order
    could pass for it; any other fact is data, recalled with its trust: it has nothing to wait for.
    Of the user, though, neither a page nor a tool says anything unasked. What the person wrote as
    a fact by hand is their word.
    """
    by_hand = fact.extractor == PERSON and fact.origin is Origin.USER
    if by_hand or alias_key(fact.subject) != alias_key(USER):
        return False
    suspect = is_order(fact.text)
    if section_of(fact) is None and not suspect and fact.origin not in _STRANGERS:
        return False
    return decide_write(Target.USER_MODEL, fact.trust, is_suspect=suspect) is Gate.HOLD


def is_order(text: str) -> bool:
    """Whether a statement speaks to the assistant as its master would, and not of the user.

    A fact states; what reads as an instruction waits for the person, unless they wrote it as one.
    """
    said = {signal.kind for signal in scan(text) if not signal.is_quoted}
    return len(said) > 1 or bool(said & _OTHER_VOICES) or bool(_ORDER.match(text))


def revise(tx: Tx, number: int, revision: Revision, act: Act) -> Fact:
    """Correct a fact by hand. New words are read anew; what it rested on before stays to be seen.

    What a person wrote is theirs, and trusted as such; what an agent wrote is worth no more than
    what it had read and what it reworded: trust does not rise by rewording, nor by the person's
    yes, nor does what waits get free.
    """
    before = get_fact(tx, number)
    _refuse_deleted(before)
    after = before
    if revision.said is not None:
        after = _reworded(before, revision.said, act, worth=revision.worth)
    after = replace(
        after,
        kind=revision.kind or after.kind,
        confidence=revision.confidence or after.confidence,
        valid_from=after.valid_from if revision.valid_from is None else revision.valid_from,
        valid_to=after.valid_to if revision.valid_to is None else revision.valid_to,
    )
    require_order(after.valid_from, after.valid_to)
    alter(tx, before, after, Action.REVISE, act)
    if after.text != before.text:
        support(tx, after, FactSource(after.text, at=act.at, trust=after.trust), act)
        tag_fact(tx, after, act.at)
        release_fact(tx, before, act.at)
        hold_fact(tx, after, act.at)
        for other in before.contradicts:
            tx.facts.drop_contradiction(before.id, other)
        for same in join_same(tx, after, act) if act.by == PERSON else ():
            release_fact(tx, same, act.at)
        _oppose_rivals(tx, replace(after, contradicts=()), act)
    return get_fact(tx, number)


def _reworded(before: Fact, read: Candidate, act: Act, *, worth: Trust) -> Fact:
    if read.text == before.text:
        return before
    by_person = act.by == PERSON
    origin = Origin.USER if by_person else origin_of_agent(worth)
    after = replace(
        before,
        text=read.text,
        kind=read.kind,
        subject=read.subject,
        attribute=read.attribute,
        value=read.value,
        entities=(*read.entities, *_still_named(before, read)),
        single=read.single,
        ended=read.ended,
        confidence=Confidence.HIGH,
        origin=origin,
        trust=trust_of(origin) if by_person else inherit(origin, [before.trust, worth]),
        extractor=act.by,
    )
    waits = _is_held(after) and not is_tainted(worth)  # tainted words were asked about before
    return replace(after, held=waits or (before.held and not by_person))


def _still_named(before: Fact, read: Candidate) -> list[str]:
    """Entities of the old wording that stand in the new one and are missed by reading it alone."""
    known = {name.casefold() for name in read.entities}
    return [
        name
        for name in before.entities
        if name.casefold() not in known
        and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", read.text, re.I)
    ]


def forget(tx: Tx, number: int, act: Act) -> Fact:
    """Unbelieve a fact; it stays in its history, and `restore` brings it back."""
    before = get_fact(tx, number)
    _refuse_deleted(before)
    alter(tx, before, replace(before, retracted_at=act.at), Action.FORGET, act)
    release_fact(tx, before, act.at)
    return get_fact(tx, number)


def restore(tx: Tx, number: int, act: Act, *, change_id: int | None = None) -> Fact:
    """Undo a deletion or a supersession; with `change_id`, go back to how it was after that change.

    What took the place of a restored fact stays, and the two contradict each other, in sight.
    """
    before = get_fact(tx, number)
    after = _as_after(tx, before, change_id) if change_id is not None else _reopened(tx, before)
    if after == before:
        raise Conflict(
            f"{render_ref(number)} is as it was: not deleted, replaced or edited since.",
            f"To go back to an earlier wording, see `hermes memory fact history {number}`, then "
            f"`hermes memory fact restore {number} --to CHANGE`.",
        )
    if after.retracted_at is None and was_merged(tx, before):
        part(tx, before, act)
    alter(tx, before, after, Action.RESTORE, act)
    if after.text != before.text:
        tag_fact(tx, replace(after, entities=tuple(name_mentions(after.text))), act.at)
    hold_fact(tx, after, act.at)
    successor = before.superseded_by if before.retracted_at is None else None
    _oppose_rivals(tx, after, act, also=successor)
    return get_fact(tx, number)


def _oppose_rivals(tx: Tx, fact: Fact, act: Act, *, also: int | None = None) -> None:
    """Show what a fact that was put right by hand cannot hold beside; `also` is such a one."""
    if not _is_current(fact) or fact.ended:
        return
    wanted = FactFilter(bank=fact.bank, subject_key=alias_key(fact.subject), open_at=act.at)
    told = replace(act, reason="both stand by a change made by hand")
    beside = {other.id: other for other in tx.facts.list(wanted, ALL)}
    if (
        also is not None
    ):  # perhaps about another subject: "Jonas owns Orion" after "Marta owns Orion"
        beside |= {n: each for n, each in tx.facts.get_many([also]).items() if _is_current(each)}
    for other in beside.values():
        if other.id not in (fact.id, *fact.contradicts) and not other.ended:
            if other.id == also or _is_rival(fact, other):
                oppose(tx, fact, other, told)


def _is_rival(fact: Fact, other: Fact) -> bool:
    both = fact.single and other.single and excludes(fact, other)
    return both and not is_same_value(fact.value, other.value)


def _reopened(tx: Tx, fact: Fact) -> Fact:
    """Without the last thing that closed it."""
    if fact.retracted_at is not None:
        successor = None if was_merged(tx, fact) else fact.superseded_by
        return replace(fact, retracted_at=None, superseded_by=successor)
    if fact.superseded_by is None:
        return replace(fact, valid_to=None)
    closing = [each for each in tx.facts.list_changes(fact.id) if "superseded_by" in each.after]
    valid_to = closing[-1].before.get("valid_to") if closing else None
    end = valid_to if isinstance(valid_to, int) else None
    return replace(fact, superseded_by=None, valid_to=end)


def _as_after(tx: Tx, fact: Fact, change_id: int) -> Fact:
    changes = tx.facts.list_changes(fact.id)
    if change_id not in {each.id for each in changes}:
        hint = f"See `hermes memory fact history {render_ref(fact.number)}`."
        raise UserError(f"{render_ref(fact.number)} has no change {change_id}.", hint)
    later = [each for each in changes if each.id > change_id]
    for change in reversed(later):
        fact = rolled_back(fact, change.before)
    return fact


def merge(tx: Tx, number: int, other_number: int, act: Act, *, unlike: bool = False) -> Fact:
    """Make one fact of two that say the same: the first stays, with the sources of both.

    Two about different things are made one only where `unlike` says that this is meant.
    """
    keep, other = get_fact(tx, number), get_fact(tx, other_number)
    if keep.id == other.id or keep.bank != other.bank:
        raise UserError("Only two facts of one bank can be merged.", "Name two different ones.")
    _refuse_deleted(keep)
    _refuse_deleted(other)
    if not unlike:
        require_alike(keep, other)
    told = replace(act, reason=act.reason or f"merged into {render_ref(keep.number)}")
    join(tx, keep, other, told)
    release_fact(tx, other, act.at)
    return get_fact(tx, number)


def _refuse_deleted(fact: Fact) -> None:
    if fact.retracted_at is not None:
        ref = render_ref(fact.number)
        hint = f"Bring it back with `hermes memory fact restore {ref}`."
        raise Conflict(f"{ref} was deleted.", hint)
