"""Two facts made one, and made two again: what each rests on goes along both ways."""

from dataclasses import replace

from hermes.errors import Conflict, UserError
from hermes.memory.entities.names import alias_key
from hermes.memory.facts.audit import Act, Action, alter, note_parting, support, was_merged
from hermes.memory.facts.believed import is_current, list_beside
from hermes.memory.facts.compare import (
    is_against,
    is_near,
    is_part,
    is_same_attribute,
    is_same_text,
    value_words,
)
from hermes.memory.facts.history import rolled_back
from hermes.memory.facts.reference import get_fact, refuse_deleted, render_ref
from hermes.memory.pending import hold_fact, release_fact
from hermes.store.base import FactChange, Tx
from hermes.types import Fact


def require_alike(keep: Fact, other: Fact) -> None:
    """Refuse to make one of facts about different things; `--yes` says that they are not."""
    if alias_key(keep.subject) != alias_key(other.subject) or not _says_the_same(keep, other):
        one, two = render_ref(keep.number), render_ref(other.number)
        raise Conflict(
            f"They say different things: {one} {keep.text!r}, {two} {other.text!r}.",
            f"If {two} is wrong, `hermes memory fact delete {two}`; to merge them all the same, "
            f"`hermes memory fact merge {one} {two} --yes`.",
        )


def _says_the_same(keep: Fact, other: Fact) -> bool:
    """One value in two wordings: two values of one attribute are two things, as two cats are."""
    if other.id in keep.contradicts or is_against(keep.text) != is_against(other.text):
        return False
    if is_near(keep.text, other.text) or is_near(other.text, keep.text):
        return True
    if is_same_attribute(keep.attribute, other.attribute):
        return is_part(keep.value, other.value) or is_part(other.value, keep.value)
    return bool(value_words(keep.value) & value_words(other.value))


def merge(tx: Tx, number: int, other_number: int, act: Act, *, unlike: bool = False) -> Fact:
    """Make one fact of two that say the same: the first stays, with the sources of both.

    Two about different things are made one only where `unlike` says that this is meant.
    """
    keep, other = get_fact(tx, number), get_fact(tx, other_number)
    if keep.id == other.id or keep.bank != other.bank:
        raise UserError("Only two facts of one bank can be merged.", "Name two different ones.")
    refuse_deleted(keep)
    refuse_deleted(other)
    if not unlike:
        require_alike(keep, other)
    told = replace(act, reason=act.reason or f"merged into {render_ref(keep.number)}")
    join(tx, keep, other, told)
    release_fact(tx, other, act.at)
    return get_fact(tx, number)


def join(tx: Tx, keep: Fact, other: Fact, act: Act) -> None:
    """Close a fact, and let another one rest on what it rested on."""
    for source in other.sources:
        if source not in keep.sources:
            support(tx, keep, source, act)
    closed = replace(other, retracted_at=act.at, superseded_by=keep.id)
    alter(tx, other, closed, Action.MERGE, act)


def join_same(tx: Tx, keep: Fact, act: Act) -> None:
    """Close what is believed beside a fact and says the same in the same words."""
    if not is_current(keep):
        return
    beside = list_beside(tx, keep, open_at=act.at)
    same = [f for f in beside if f.ended == keep.ended and is_same_text(f.text, keep.text)]
    for other in same:
        join(tx, keep, other, replace(act, reason=f"merged into {render_ref(keep.number)}"))
        release_fact(tx, other, act.at)


def unjoin(tx: Tx, keep: Fact, since: FactChange, act: Act) -> None:
    """Make facts of their own again of all that were merged into one from a change of it on."""
    for other in tx.facts.list_superseded(keep.id):
        merges = [each for each in tx.facts.list_changes(other.id) if each.action == Action.MERGE]
        if was_merged(tx, other) and (merges[-1].at, merges[-1].id) > (since.at, since.id):
            part(tx, other, act)
            after = rolled_back(other, merges[-1].before)
            alter(tx, other, after, Action.RESTORE, act)
            hold_fact(tx, after, act.at)


def part(tx: Tx, fact: Fact, act: Act) -> None:
    """Take out of the fact that another was merged into what came from that one by it."""
    keep = tx.facts.get_many([fact.superseded_by or 0]).get(fact.superseded_by or 0)
    merged = [each for each in tx.facts.list_changes(fact.id) if each.action == Action.MERGE]
    if keep is None or not merged:
        return
    lent = _lent(tx, keep, merged[-1])
    going = [s for s in fact.sources if (s.quote, s.message_id) in lent and s in keep.sources]
    for source in going:
        tx.facts.drop_source(keep.id, source)
    if going:
        note_parting(tx, keep, fact, act)


def _lent(tx: Tx, keep: Fact, merge: FactChange) -> set[tuple[object, object]]:
    """What a fact came to rest on by a merge."""
    added = (
        each.after.get("source")
        for each in tx.facts.list_changes(keep.id)
        if each.action == Action.SOURCE and (each.at, each.reason) == (merge.at, merge.reason)
    )
    return {(told.get("quote"), told.get("message")) for told in added if isinstance(told, dict)}
