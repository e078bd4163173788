"""Why a fact is believed: the words it rests on, in their place, and what it stands against."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes.memory.facts.quotes import locate
from hermes.memory.facts.reference import get_fact
from hermes.store.base import FactChange, Tx
from hermes.types import Fact, FactSource, Message, Session

AROUND = 160


@dataclass(frozen=True, slots=True)
class Evidence:
    """A source and the message it stands in: `before` and `after` are what stands around it.

    Once the message is part of a summary there is only the session it was said in.
    """

    source: FactSource
    message: Message | None = None
    session: Session | None = None
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """A fact and all that speaks for it, against it, or of how it came to be as it is.

    `earlier` is what it rested on before a person gave it other words.
    """

    fact: Fact
    evidence: tuple[Evidence, ...]
    replaced: tuple[Fact, ...]
    replaced_by: Fact | None
    contradicts: tuple[Fact, ...]
    history: tuple[FactChange, ...]
    earlier: tuple[Evidence, ...] = ()

    @property
    def messages(self) -> list[Message]:
        """What was said that it rests on, or did."""
        evidence = (*self.evidence, *self.earlier)
        return [each.message for each in evidence if each.message is not None]


def explain(tx: Tx, number: int) -> Why:
    fact = get_fact(tx, number)
    ids = [source.message_id for source in fact.sources if source.message_id is not None]
    messages = tx.conversations.get_messages(ids)
    near = tx.facts.get_many([*fact.contradicts, *filter(None, [fact.superseded_by])])
    history = tuple(tx.facts.list_changes(fact.id))
    current = _current(fact, history)
    evidence = [_evidence(tx, source, messages) for source in fact.sources]
    return Why(
        replace(fact, sources=current),
        tuple(each for each in evidence if each.source in current),
        tuple(tx.facts.list_superseded(fact.id)),
        near.get(fact.superseded_by) if fact.superseded_by is not None else None,
        tuple(near[each] for each in fact.contradicts if each in near),
        history,
        tuple(each for each in evidence if each.source not in (*current, *_undone(fact, history))),
    )


def _current(fact: Fact, history: Sequence[FactChange]) -> tuple[FactSource, ...]:
    """The sources of the words a fact has now: what was said before an edit spoke for others."""
    worded = _worded(history)
    if not worded or worded[-1].action != "revise":
        undone = _undone(fact, history)
        return tuple(s for s in fact.sources if s not in undone) or fact.sources
    edited_at = worded[-1].at
    return tuple(s for s in fact.sources if s.at is None or s.at >= edited_at) or fact.sources


def _undone(fact: Fact, history: Sequence[FactChange]) -> tuple[FactSource, ...]:
    """The edits that were taken back: they speak for nothing any more."""
    worded = _worded(history)
    if not worded or worded[-1].action != "restore":
        return ()
    gone = {each.after["text"] for each in worded} - {fact.text}
    return tuple(s for s in fact.sources if s.message_id is None and s.quote in gone)


def _worded(history: Sequence[FactChange]) -> list[FactChange]:
    return [each for each in history if "text" in each.after and each.action != "add"]


def _evidence(tx: Tx, source: FactSource, messages: dict[int, Message]) -> Evidence:
    message = messages.get(source.message_id) if source.message_id is not None else None
    if message is None:
        said_in = tx.conversations.find_session(source.session_id) if source.session_id else None
        return Evidence(source, session=said_in)
    session = tx.conversations.find_session(message.session_id)
    place = locate(source.quote, message.text)
    if place is None:
        return Evidence(source, message, session)
    start, end = place
    before = message.text[max(0, start - AROUND) : start]
    return Evidence(source, message, session, before, message.text[end : end + AROUND])
