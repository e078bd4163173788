"""The one way facts change: the row, its history and the log of events, together or not at all.

Everything that changes a fact goes through `enter` or `alter`. Nothing here decides what to change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum

from hermes.errors import Conflict
from hermes.memory.entities.names import alias_key
from hermes.memory.facts.reference import render_ref
from hermes.store.base import FactChange, Tx
from hermes.types import EventKind, Fact, FactKind, FactSource

FIELDS = (
    *("text", "kind", "subject", "attribute", "value", "confidence", "single", "ended"),
    *("valid_from", "valid_to", "retracted_at", "superseded_by"),
    *("origin", "trust", "extractor", "held"),
)


class Action(StrEnum):
    ADD = "add"
    SOURCE = "source"
    SUPERSEDE = "supersede"
    CONTRADICT = "contradict"
    REVISE = "revise"
    FORGET = "forget"
    RESTORE = "restore"
    MERGE = "merge"
    APPROVE = "approve"


_TOLD = {
    Action.ADD: "Learnt",
    Action.SOURCE: "Heard again",
    Action.SUPERSEDE: "Closed",
    Action.CONTRADICT: "Contradicted",
    Action.REVISE: "Revised",
    Action.FORGET: "Deleted",
    Action.RESTORE: "Restored",
    Action.MERGE: "Merged",
    Action.APPROVE: "Approved",
}


@dataclass(frozen=True, slots=True)
class Act:
    """Who changes facts, when, and why."""

    by: str
    at: int
    reason: str = ""


def enter(tx: Tx, fact: Fact, act: Act) -> None:
    """Keep a new fact."""
    tx.facts.add(fact, subject_key=alias_key(fact.subject))
    after = {name: plain(getattr(fact, name)) for name in FIELDS}
    _tell(tx, fact, Action.ADD, act, {}, after)
    if fact.kind is FactKind.DECISION and not fact.held:
        _tell_decision(tx, fact, act)


def alter(tx: Tx, before: Fact, after: Fact, action: Action, act: Act) -> None:
    """Keep a fact as it is now; where nothing changed, nothing is kept and nothing told.

    A change of a fact that is no longer as it was read is refused: it would undo in silence what
    was done to it since.
    """
    changed = _differing(before, after)
    if not changed:
        return
    row = tx.facts.get_many([before.id]).get(before.id)
    if row is None or _differing(before, row):
        raise Conflict(f"{render_ref(before.number)} was changed meanwhile.", "Try again.")
    tx.facts.save(after, subject_key=alias_key(after.subject))
    was = {name: plain(getattr(before, name)) for name in changed}
    now = {name: plain(getattr(after, name)) for name in changed}
    _tell(tx, after, action, act, was, now)


def _differing(one: Fact, other: Fact) -> list[str]:
    return [name for name in FIELDS if getattr(one, name) != getattr(other, name)]


def support(tx: Tx, fact: Fact, source: FactSource, act: Act) -> None:
    """Keep one more source of a fact."""
    tx.facts.add_source(fact.id, source)
    told = {"quote": source.quote, "message": source.message_id}
    _tell(tx, fact, Action.SOURCE, act, {}, {"source": told})


def oppose(tx: Tx, fact: Fact, other: Fact, act: Act) -> None:
    """Keep that two facts cannot both hold."""
    tx.facts.add_contradiction(fact.id, other.id, act.at)
    _tell(tx, fact, Action.CONTRADICT, act, {}, {"contradicts": other.number})
    _tell(tx, other, Action.CONTRADICT, act, {}, {"contradicts": fact.number})


def reconcile(tx: Tx, fact: Fact, act: Act) -> None:
    """Keep that a fact in other words no longer stands against those it stood against."""
    act = replace(act, reason=act.reason or "it says something else now")
    for other in tx.facts.get_many(fact.contradicts).values():
        tx.facts.drop_contradiction(fact.id, other.id)
        _tell(tx, fact, Action.REVISE, act, {}, {"no_longer_against": other.number})
        _tell(tx, other, Action.REVISE, act, {}, {"no_longer_against": fact.number})


def let_go(tx: Tx, fact: Fact, sources: Sequence[FactSource], act: Act) -> None:
    """Keep that a fact no longer rests on what came to it with words that were taken back."""
    act = replace(act, reason=act.reason or "it came with the words that were taken back")
    for source in sources:
        tx.facts.drop_source(fact.id, source)
        _tell(tx, fact, Action.RESTORE, act, {}, {"without_source": source.message_id})


def note_parting(tx: Tx, fact: Fact, other: Fact, act: Act) -> None:
    """Keep that a fact no longer rests on what another one had lent it."""
    told = replace(act, reason=f"{render_ref(other.number)} is a fact of its own again")
    _tell(tx, fact, Action.RESTORE, told, {}, {"without": other.number})


def was_merged(tx: Tx, fact: Fact) -> bool:
    """Whether a fact was last closed by being merged into another."""
    closing = [each for each in tx.facts.list_changes(fact.id) if "retracted_at" in each.after]
    return bool(closing) and closing[-1].action == Action.MERGE


def plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value


def _tell(
    tx: Tx,
    fact: Fact,
    action: Action,
    act: Act,
    before: Mapping[str, object],
    after: Mapping[str, object],
) -> None:
    change = FactChange(0, fact.id, act.at, action, act.by, act.reason, before, after)
    tx.facts.record_change(change)
    details: dict[str, object] = {"action": action.value, "by": act.by, "reason": act.reason}
    details |= {"before": dict(before), "after": dict(after)}
    summary = f"{_TOLD[action]} {render_ref(fact.number)}: {fact.text}"
    tx.events.add(EventKind.MEMORY, summary, at=act.at, details=details, ref=f"fact:{fact.number}")


def _tell_decision(tx: Tx, fact: Fact, act: Act) -> None:
    """A decision is an event of its own: what was decided, in whose words, and when."""
    said = [{"at": source.at, "quote": source.quote} for source in fact.sources]
    details: dict[str, object] = {"by": act.by, "said": said}
    tx.events.add(
        EventKind.DECISION, fact.text, at=act.at, details=details, ref=f"fact:{fact.number}"
    )
