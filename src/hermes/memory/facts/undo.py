"""Taking back what was done to a fact, whatever it was; taking that back is a change like any."""

from collections.abc import Sequence
from dataclasses import replace

from hermes.errors import Conflict, UserError
from hermes.memory.entities import name_mentions
from hermes.memory.facts.audit import (
    Act,
    Action,
    alter,
    let_go,
    oppose,
    reconcile,
    support,
    was_merged,
)
from hermes.memory.facts.believed import is_current
from hermes.memory.facts.given import PERSON
from hermes.memory.facts.history import rolled_back
from hermes.memory.facts.merging import join_same, part, unjoin
from hermes.memory.facts.opposing import oppose_rivals
from hermes.memory.facts.reference import get_fact, render_ref
from hermes.memory.facts.tagging import tag_fact
from hermes.memory.pending import hold_fact
from hermes.store.base import FactChange, Tx
from hermes.types import Fact, FactSource


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
    if change_id is not None and after.text != before.text:
        _take_words_back(tx, before, after, change_id, act)
    hold_fact(tx, after, act.at)
    successor = before.superseded_by if before.retracted_at is None else None
    oppose_rivals(tx, get_fact(tx, number), act, also=successor)
    return get_fact(tx, number)


def _take_words_back(tx: Tx, before: Fact, after: Fact, change_id: int, act: Act) -> None:
    """Undo all that came with the later words: sources, facts joined to them, contradictions."""
    changes = tx.facts.list_changes(after.id)
    place = next(place for place, each in enumerate(changes, 1) if each.id == change_id)
    tag_fact(tx, replace(after, entities=tuple(name_mentions(after.text))), act.at)
    unjoin(tx, before, changes[place], act)
    kept = get_fact(tx, after.number)
    let_go(tx, kept, [s for s in kept.sources if _came_with(s, changes[place:])], act)
    reconcile(tx, kept, act)
    for number in _stood_against(changes[:place]):
        other = tx.facts.find(number)
        if other is not None and is_current(other):
            oppose(tx, kept, other, act)
    written = {"source": {"quote": after.text, "message": None}}
    if any(each.after == written for each in changes[:place]) and not _rests_on(kept, after.text):
        support(tx, after, FactSource(after.text, at=act.at, trust=after.trust), act)
    if act.by == PERSON:
        join_same(tx, get_fact(tx, after.number), act)


def _came_with(source: FactSource, changes: Sequence[FactChange]) -> bool:
    return any(
        told == {"quote": source.quote, "message": source.message_id}
        and (source.message_id is not None or source.at == change.at)
        for change in changes
        if (told := change.after.get("source"))
    )


def _rests_on(fact: Fact, words: str) -> bool:
    return any(source.quote == words for source in fact.sources)


def _stood_against(changes: Sequence[FactChange]) -> list[int]:
    """The numbers of the facts that one in its last words could not hold beside."""
    found: list[int] = []
    for change in changes:
        if "text" in change.before:
            found = []
        if isinstance(number := change.after.get("contradicts"), int):
            found.append(number)
    return found


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


def find_undoable(changes: Sequence[FactChange]) -> FactChange | None:
    """The last change that altered the fact itself, if it was not the one that made it."""
    altering = [change for change in changes if change.before]
    return altering[-1] if altering else None


def find_before_rewording(changes: Sequence[FactChange]) -> int | None:
    """The change after which a fact stood in the words it had before its last rewording."""
    reworded = [place for place, each in enumerate(changes) if place and "text" in each.before]
    return changes[reworded[-1] - 1].id if reworded else None


def find_before_edit(changes: Sequence[FactChange]) -> int | None:
    """The change after which a fact stood as it did before it was last edited, in any way."""
    edited = [place for place, each in enumerate(changes) if place and _is_edit(each)]
    return changes[edited[-1] - 1].id if edited else None


def _is_edit(change: FactChange) -> bool:
    return "text" in change.before or (change.action == Action.REVISE and bool(change.before))


def bring_back(tx: Tx, number: int, act: Act) -> Fact:
    """Undo what closed a fact; of one that is believed, its last edit."""
    fact = get_fact(tx, number)
    if fact.retracted_at is not None or fact.superseded_by is not None:
        return restore(tx, number, act)
    changes = tx.facts.list_changes(fact.id)
    return restore(tx, number, act, change_id=find_before_edit(changes))


def undo_last(tx: Tx, number: int, act: Act) -> Fact:
    """The fact as it was before its last change."""
    changes = tx.facts.list_changes(get_fact(tx, number).id)
    last = find_undoable(changes)
    earlier = [change.id for change in changes if last is not None and change.id < last.id]
    if not earlier:
        ref = render_ref(number)
        raise Conflict(f"{ref} is as it was first kept.", "There is nothing to take back.")
    return restore(tx, number, act, change_id=earlier[-1])
