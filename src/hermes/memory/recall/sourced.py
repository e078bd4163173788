"""Facts with what must be told of the messages they were read from.

What was taken back, made up or only supposed is no surer for having been read out of its message.
Only where that is so of all that a fact rests on: what was said again elsewhere stands.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from hermes.memory.recall.caveats import (
    LEAST,
    LOOKED_AT,
    MADE_UP,
    NAME,
    Around,
    Pair,
    find_pairs,
    is_about_life,
    join_notes,
    list_takers,
    names,
    note_unreal,
    read_around,
)
from hermes.memory.recall.episodes import find_item
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.features import ROLES
from hermes.memory.recall.reading import Reading
from hermes.memory.recall.relevance import DOUBTFUL
from hermes.memory.recall.result import Item
from hermes.memory.recall.revoked import Revocation, find_revocation, is_order
from hermes.memory.recall.waiting import put
from hermes.store.base import Tx
from hermes.types import Role


@dataclass(frozen=True, slots=True)
class _Told:
    """What is known of messages by their ids: that they are unreal, or what takes them back."""

    unreal: Mapping[int, str] = field(default_factory=dict)
    pairs: Mapping[int, Pair] = field(default_factory=dict)


def mark_facts(
    tx: Tx, evidence: Evidence, facts: Sequence[Item], messages: Sequence[Item], reading: Reading
) -> tuple[list[Item], list[Item]]:
    """The facts, with the caveats of what they rest on, and the messages, with what took any back.

    That stands before the fact, which is no longer told as sure.
    """
    looked = [item for item in facts if item.sources and item.relevance >= LEAST][:LOOKED_AT]
    told = _look_at(tx, evidence, _sources_of(evidence, looked), messages, reading)
    if not told.unreal and not told.pairs:
        return list(facts), list(messages)
    is_life = bool(told.unreal) and is_about_life(evidence, reading)
    marked, listed = {}, list(messages)
    for item in looked:
        pairs = [told.pairs[n] for n in item.sources if n in told.pairs]
        pairs = [pair for pair in pairs if _takes(tx, pair, item)]
        unreal = [told.unreal[n] for n in item.sources if n in told.unreal]
        if len(unreal) == len(item.sources):
            marked[item.ref] = _marked(item, unreal[0], MADE_UP if is_life else 1.0)
        elif len(pairs) == len(item.sources):
            own = marked[item.ref] = _marked(item, pairs[0].note, DOUBTFUL)
            listed = put(listed, pairs[0].taker, own.relevance)
    return [marked.get(item.ref, item) for item in facts], listed


def _marked(item: Item, note: str, most: float) -> Item:
    relevance = min(item.relevance, most)
    return replace(item, relevance=relevance, note=join_notes(item.note, note))


def _takes(tx: Tx, pair: Pair, fact: Item) -> bool:
    """Whether what was taken back of a message is what a fact says: of one part, not the rest."""
    return not pair.of or names(tx, Revocation(pair.of, of_words=True), fact.text)


def _sources_of(evidence: Evidence, facts: Sequence[Item]) -> list[int]:
    return evidence.list_shown(n for item in facts for n in item.sources)


def _look_at(
    tx: Tx, evidence: Evidence, ids: Sequence[int], messages: Sequence[Item], reading: Reading
) -> _Told:
    """What must be told of messages that facts were read from."""
    if not ids:
        return _Told()
    around = read_around(evidence, ids, reading)
    texts, takers = reading.texts(ids), list_takers(messages)
    roles = evidence.outline.take("roles", evidence.outline.find(np.array(ids))).tolist()
    unreal = {
        number: note
        for number, role in zip(ids, roles, strict=True)
        if (
            note := note_unreal(
                texts.get(number, ""), around[number], by_user=role == ROLES.index(Role.USER)
            )
        )
    }
    may_be = [n for n in ids if _may_be_taken(evidence, texts.get(n, ""), around[n], takers)]
    said = _items(tx, may_be, messages)
    pairs = find_pairs(tx, evidence, said, takers, around)
    return _Told(unreal, {pair.item.message_id: pair for pair in pairs})


def _may_be_taken(
    evidence: Evidence, text: str, around: Around, takers: Collection[object]
) -> bool:
    """Whether it is worth a closer look: something after it, or naming it, takes back."""
    if takers or (around.next_text and find_revocation(around.next_text)):
        return True
    return bool(evidence.takers.named) and is_order(text)


def _items(tx: Tx, ids: Sequence[int], messages: Sequence[Item]) -> list[Item]:
    known = {item.message_id: item for item in messages}
    found = [known.get(number) or find_item(tx, number, NAME) for number in ids]
    return [item for item in found if item is not None]
