"""Two facts made one, and made two again: what each rests on goes along both ways."""

from dataclasses import replace

from hermes.errors import Conflict
from hermes.memory.entities.names import alias_key
from hermes.memory.facts.audit import Act, Action, alter, note_parting, support
from hermes.memory.facts.compare import (
    is_against,
    is_near,
    is_part,
    is_same_attribute,
    is_same_text,
    value_words,
)
from hermes.memory.facts.given import ALL
from hermes.memory.facts.reference import render_ref
from hermes.store.base import FactChange, FactFilter, Tx
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


def join(tx: Tx, keep: Fact, other: Fact, act: Act) -> None:
    """Close a fact, and let another one rest on what it rested on."""
    for source in other.sources:
        if source not in keep.sources:
            support(tx, keep, source, act)
    closed = replace(other, retracted_at=act.at, superseded_by=keep.id)
    alter(tx, other, closed, Action.MERGE, act)


def join_same(tx: Tx, keep: Fact, act: Act) -> list[Fact]:
    """Close what is believed beside a fact and says the same in the same words."""
    if keep.retracted_at is not None or keep.superseded_by is not None:
        return []
    wanted = FactFilter(bank=keep.bank, subject_key=alias_key(keep.subject), open_at=act.at)
    beside = [fact for fact in tx.facts.list(wanted, ALL) if fact.id != keep.id]
    same = [f for f in beside if f.ended == keep.ended and is_same_text(f.text, keep.text)]
    for other in same:
        join(tx, keep, other, replace(act, reason=f"merged into {render_ref(keep.number)}"))
    return same


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
