"""A fact as its page shows it: what it rests on, in its conversation, and how it came to be so."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hermes.clock import to_datetime
from hermes.memory.facts.audit import Action
from hermes.memory.facts.undo import find_undoable
from hermes.memory.facts.why import Evidence, Why
from hermes.memory.sessions import Scroll
from hermes.store.base import FactChange, HeldWrite
from hermes.types import Fact, Message
from hermes.web.views.diff import Step, diff_words
from hermes.web.views.marks import Piece, mark_quotes

_TOLD = {
    Action.ADD: "Learnt",
    Action.SOURCE: "Heard again",
    Action.SUPERSEDE: "Replaced by something newer",
    Action.CONTRADICT: "Contradicted",
    Action.REVISE: "Edited",
    Action.FORGET: "Deleted",
    Action.RESTORE: "Restored",
    Action.MERGE: "Merged with another",
    Action.APPROVE: "Approved",
}
_TIMES = {"valid_from", "valid_to", "retracted_at"}
_HIDDEN = {"text", "attribute", "value", "superseded_by", "single", "extractor", "retracted_at"}


@dataclass(frozen=True, slots=True)
class FieldChange:
    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One change, as it is told; `words` is the wording before and since."""

    id: int
    at: int
    told: str
    by: str
    reason: str
    words: Sequence[Step] = ()
    fields: Sequence[FieldChange] = ()
    quote: str = ""
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A message of the source conversation; marked where the fact was taken from it."""

    message: Message
    pieces: Sequence[Piece]
    is_source: bool


@dataclass(frozen=True, slots=True)
class FactView:
    fact: Fact
    state: str
    evidence: Sequence[Evidence]
    conversation: Sequence[Told]
    history: Sequence[HistoryLine]
    undoable: str
    why: Why
    held: HeldWrite | None = None


def view_fact(why: Why, scroll: Scroll | None, held: HeldWrite | None = None) -> FactView:
    """The page of a fact; `held` is what waits for the person's word on it, or was rejected."""
    last = find_undoable(why.history)
    return FactView(
        fact=why.fact,
        state=state_of(why.fact),
        evidence=why.evidence,
        conversation=tell_conversation(scroll, _quotes(why)),
        history=list(reversed(list(_history(why.history)))),
        undoable=_TOLD[Action(last.action)].lower() if last else "",
        why=why,
        held=held if why.fact.held else None,
    )


def state_of(fact: Fact) -> str:
    """How a fact stands, in a word."""
    if fact.retracted_at is not None:
        return "deleted"
    if fact.superseded_by is not None:
        return "replaced"
    if fact.contradicts:
        return "contested"
    if not fact.held:
        return "believed"
    return "rejected" if fact.rejected else "waits for you"


def source_message(why: Why) -> int | None:
    """The message to show a fact in: the newest there still is."""
    evidence = (*why.evidence, *why.earlier)
    found = [each.message.id for each in evidence if each.message is not None]
    return max(found, default=None)


def _quotes(why: Why) -> list[str]:
    return [each.source.quote for each in (*why.evidence, *why.earlier)]


def tell_conversation(scroll: Scroll | None, quotes: Sequence[str]) -> list[Told]:
    if scroll is None:
        return []
    told = []
    for message in scroll.messages:
        pieces = mark_quotes(message.text, quotes)
        is_source = any(piece.is_marked for piece in pieces) or message.id == scroll.anchor_id
        told.append(Told(message, pieces, is_source))
    return told


def _history(changes: Sequence[FactChange]) -> Iterable[HistoryLine]:
    for change in changes:
        source = change.after.get("source")
        quote = source.get("quote", "") if isinstance(source, Mapping) else ""
        yield HistoryLine(
            id=change.id,
            at=change.at,
            told=_tell(change),
            by=change.by,
            reason=change.reason,
            words=_words(change),
            fields=list(_fields(change)),
            quote=str(quote),
            is_last=change is changes[-1],
        )


def _tell(change: FactChange) -> str:
    source = change.after.get("source")
    by_hand = isinstance(source, Mapping) and source.get("message") is None
    return "Said by hand" if by_hand else _TOLD[Action(change.action)]


def _words(change: FactChange) -> list[Step]:
    if "text" not in change.after:
        return []
    return diff_words(str(change.before.get("text", "")), str(change.after["text"]))


def _fields(change: FactChange) -> Iterable[FieldChange]:
    if change.action == Action.ADD:
        return
    for name, after in change.after.items():
        if name in change.before and name not in _HIDDEN:
            before = change.before[name]
            yield FieldChange(name.replace("_", " "), _shown(name, before), _shown(name, after))


def _shown(name: str, value: object) -> str:
    if value in (None, ""):
        return "nothing"
    if name in _TIMES and isinstance(value, int):
        return f"{to_datetime(value):%Y-%m-%d}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
