"""Which entities a fact or a message mentions: names become entities, and known ones are found."""

from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.entities import find_mentions
from hermes.memory.entities.gazetteer import Gazetteer, find_entities
from hermes.memory.entities.keeping import names_of
from hermes.memory.entities.kinds import guess_kind, kind_by_words
from hermes.memory.entities.merging import Likeness, compare
from hermes.memory.entities.names import alias_key
from hermes.store.base import Tx
from hermes.types import Entity, EntityKind, Fact, Message


def tag_fact(tx: Tx, fact: Fact, at: int) -> None:
    """Say which entities a fact mentions, making those that are new."""
    names = [name for name in fact.entities if alias_key(name)]
    mentions = [(_ensure(tx, _named(name, fact), at).id, alias_key(name)) for name in names]
    tx.entities.mention_in_fact(fact.id, mentions)


def tag_messages(tx: Tx, messages: Sequence[Message], known: Gazetteer) -> None:
    """Say which known entities messages mention."""
    for message in messages:
        hits = find_entities(message.text, known)
        said = ((hit.entity_id, alias_key(message.text[hit.start : hit.end])) for hit in hits)
        if mentions := list(dict.fromkeys(said)):
            tx.entities.mention_in_message(message.id, mentions)


def _named(name: str, fact: Fact) -> Entity:
    told = {"subject": fact.subject, "attribute": fact.attribute, "value": fact.value}
    kind = guess_kind(name, **told, kind=fact.kind)
    if kind is EntityKind.OTHER:
        kind = kind_by_words(name, fact.text)
    if kind is EntityKind.OTHER:
        written = (each.kind for each in find_mentions(fact.text) if each.text == name)
        kind = next(written, EntityKind.OTHER)
    return Entity(0, fact.bank, name, kind)


def _ensure(tx: Tx, wanted: Entity, at: int) -> Entity:
    """The known entity of that name and kind, the most mentioned of several, or a new one."""
    known = tx.entities.list_named(wanted.bank, alias_key(wanted.name))
    same = [each for each in known if compare(wanted, each) is Likeness.SAME]
    if not same:
        return tx.entities.add(wanted, names_of(wanted), at)
    found = same[0]
    if found.kind is EntityKind.OTHER and wanted.kind is not EntityKind.OTHER:
        found = replace(found, kind=wanted.kind)
        tx.entities.save(found, names_of(found))
    return found
