"""Which entities a fact or a message mentions: names become entities, and known ones are found."""

from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.entities import find_mentions
from hermes.memory.entities.gazetteer import Gazetteer, find_entities
from hermes.memory.entities.keeping import names_of
from hermes.memory.entities.kinds import (
    guess_kind,
    is_called_project,
    kind_by_words,
    presume_kind,
)
from hermes.memory.entities.merging import Likeness, compare
from hermes.memory.entities.names import alias_key
from hermes.store.base import Tx
from hermes.types import Entity, EntityKind, Fact, Message


def tag_fact(tx: Tx, fact: Fact, at: int) -> None:
    """Say which entities a fact mentions, making those that are new."""
    names = [name for name in fact.entities if alias_key(name)]
    mentions = [(_ensure(tx, name, fact, at).id, alias_key(name)) for name in names]
    tx.entities.mention_in_fact(fact.id, mentions)


def tag_messages(tx: Tx, messages: Sequence[Message], known: Gazetteer) -> None:
    """Say which known entities messages mention."""
    for message in messages:
        hits = find_entities(message.text, known)
        said = ((hit.entity_id, alias_key(message.text[hit.start : hit.end])) for hit in hits)
        if mentions := list(dict.fromkeys(said)):
            tx.entities.mention_in_message(message.id, mentions)


def _ensure(tx: Tx, name: str, fact: Fact, at: int) -> Entity:
    """The known entity of that name and kind, the most mentioned of several, or a new one."""
    wanted = Entity(0, fact.bank, name, _kind(name, fact))
    presumed = replace(wanted, kind=_presumed(wanted, fact))
    known = tx.entities.list_named(wanted.bank, alias_key(wanted.name))
    same = [each for each in known if _is_one(wanted, presumed, each)]
    if not same:
        return tx.entities.add(presumed, names_of(presumed), at)
    found = same[0]
    if found.kind is EntityKind.OTHER and presumed.kind is not EntityKind.OTHER:
        found = replace(found, kind=presumed.kind)
        tx.entities.save(found, names_of(found))
    return found


def _is_one(wanted: Entity, presumed: Entity, known: Entity) -> bool:
    """Tom who has tools is the brother; but what has tools and a city's name is no city."""
    like = presumed if _is_city_and_project(presumed, known) else wanted
    return compare(like, known) is Likeness.SAME


def _is_city_and_project(presumed: Entity, known: Entity) -> bool:
    return presumed.kind is EntityKind.PROJECT and known.kind is EntityKind.PLACE


def _kind(name: str, fact: Fact) -> EntityKind:
    if is_called_project(name, fact.text):
        return EntityKind.PROJECT
    told = {"subject": fact.subject, "attribute": fact.attribute, "value": fact.value}
    written = (each.kind for each in find_mentions(fact.text) if each.text == name)
    guesses = (
        guess_kind(name, **told, kind=fact.kind),
        kind_by_words(name, fact.text),
        next(written, EntityKind.OTHER),
    )
    return next((kind for kind in guesses if kind is not EntityKind.OTHER), EntityKind.OTHER)


def _presumed(wanted: Entity, fact: Fact) -> EntityKind:
    if wanted.kind is not EntityKind.OTHER:
        return wanted.kind
    told = {"subject": fact.subject, "attribute": fact.attribute, "value": fact.value}
    return presume_kind(wanted.name, **told, kind=fact.kind)
