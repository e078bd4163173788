"""Taking back the last change of a fact, whatever it was; taking that back is a change like any."""

from collections.abc import Sequence

from hermes.errors import Conflict
from hermes.memory.facts.audit import Act, Action
from hermes.memory.facts.keeping import restore
from hermes.memory.facts.reference import get_fact, render_ref
from hermes.store.base import FactChange, Tx
from hermes.types import Fact


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
