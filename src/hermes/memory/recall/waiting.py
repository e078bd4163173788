"""Messages in the place of facts that wait for approval.

A held fact is never given. The message of the user that it was read from may be, as data: it is
given where the fact would be, and an older message that it says otherwise than is told to be out of
date. What the person refused says nothing.
"""

from collections.abc import Sequence
from dataclasses import replace

from hermes.clock import to_datetime
from hermes.memory.facts.reference import parse_ref
from hermes.memory.pending import list_waiting, mark_rejected
from hermes.memory.recall.episodes import find_item
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.fuse import GIVEN_FROM
from hermes.memory.recall.result import Item
from hermes.memory.recall.succession import SHOWN_CHARS, Succession
from hermes.store.base import Tx
from hermes.types import Fact, FactSource, Role

NAME = "not approved"


def stand_in(
    tx: Tx,
    evidence: Evidence,
    messages: Sequence[Item],
    facts: Sequence[Item],
    succession: Succession,
) -> list[Item]:
    """The messages, with those that held facts rest on where these would stand."""
    listed = list(messages)
    for item in facts:
        if item.held and item.relevance >= GIVEN_FROM:
            fact = tx.facts.find(parse_ref(item.ref))
            said = _said(tx, evidence, fact) if fact is not None else None
            if fact is None or said is None:
                continue
            listed = put(listed, said, item.relevance)
            for source in (each for old, _ in list_waiting(tx, fact) for each in old.sources):
                listed = _outdate(listed, source, said)
    for old, now in succession.waiting:
        if (newer := _said(tx, evidence, now)) is not None:
            for source in old.sources:
                listed = _outdate(listed, source, newer)
    return listed


def _said(tx: Tx, evidence: Evidence, fact: Fact) -> Item | None:
    """The newest message of the user that a held fact rests on, unless the fact was refused."""
    (known,) = mark_rejected(tx, [fact])
    ids = evidence.list_shown(s.message_id for s in fact.sources if s.message_id is not None)
    if known.rejected or not ids:
        return None
    found = find_item(tx, ids[-1], NAME)
    return found if found is not None and found.lines[0].role is Role.USER else None


def put(items: Sequence[Item], said: Item, relevance: float) -> list[Item]:
    """The items, one of them at least so relevant, before those that are less."""
    own = next((item for item in items if item.ref == said.ref), said)
    if own.relevance >= relevance:
        return list(items)
    raised, rest = replace(own, relevance=relevance), [i for i in items if i.ref != said.ref]
    at = next((n for n, item in enumerate(rest) if item.relevance < relevance), len(rest))
    return [*rest[:at], raised, *rest[at:]]


def _outdate(items: list[Item], source: FactSource, said: Item) -> list[Item]:
    """The items, where one holds what is no longer so, with a word of it, after what says so."""
    at = next((n for n, item in enumerate(items) if item.message_id == source.message_id), None)
    if at is None or source.message_id is None:
        return items
    old = items[at]
    if said.at <= old.at or said.trust < old.trust or old.note:
        return items
    day = to_datetime(said.at).date()
    note = f'no longer so since {day}: "{source.quote[:SHOWN_CHARS]}", see {said.ref}'
    marked = [*items[:at], replace(old, note=note), *items[at + 1 :]]
    place = next((n for n, item in enumerate(items) if item.ref == said.ref), None)
    if place is not None and place < at:
        return marked
    own = said if place is None else marked.pop(place)
    raised = replace(own, relevance=max(own.relevance, old.relevance))
    return [*marked[:at], raised, *marked[at:]]
