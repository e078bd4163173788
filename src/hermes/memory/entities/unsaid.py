"""Names that nothing says any more: an entity is then shown by another of its names."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from hermes.memory.entities.keeping import names_of
from hermes.memory.entities.names import alias_key
from hermes.store.base import FactFilter, Tx
from hermes.store.base.texts import TextScope
from hermes.store.text import parse_query
from hermes.types import Entity

ALL = 1 << 40


def list_mentioned(tx: Tx, messages: Collection[int]) -> list[int]:
    """The entities with several names that any of these messages mentions."""
    gone = frozenset(messages)
    several = (entity.id for entity in tx.entities.list() if entity.aliases)
    return [
        number for number in several if gone.intersection(tx.entities.list_messages(number, ALL))
    ]


def show_by_said_names(tx: Tx, entities: Iterable[int]) -> None:
    """Where nothing says the name an entity is shown by, show it by another that is said."""
    for number in entities:
        entity = tx.entities.find(number)
        if entity is None or is_said(tx, entity, entity.name):
            continue
        said = [name for name in entity.aliases if is_said(tx, entity, name)]
        if said:
            left = tuple(name for name in entity.aliases if name != said[0])
            kept = replace(entity, name=said[0], aliases=left)
            tx.entities.save(kept, names_of(kept))


def is_said(tx: Tx, entity: Entity, name: str) -> bool:
    """Whether a message, or a fact about it, holds one of an entity's names."""
    if tx.texts.postings_all(parse_query(name), TextScope(bank=entity.bank), 1):
        return True
    facts = tx.facts.list(FactFilter(bank=entity.bank, entity_id=entity.id), ALL)
    return any(f" {alias_key(name)} " in f" {alias_key(fact.text)} " for fact in facts)
