"""Merging and splitting entities in a store; each can be undone by the other."""

from collections.abc import Sequence
from dataclasses import replace

from hermes.errors import UserError
from hermes.memory.entities.merging import merge, split
from hermes.memory.entities.names import alias_key
from hermes.store.base import Tx
from hermes.types import Entity, EventKind


def names_of(entity: Entity) -> list[tuple[str, str]]:
    """The names of an entity as a store keeps them, the one it is shown by first."""
    return [(alias_key(name), name) for name in (entity.name, *entity.aliases)]


def merge_entities(tx: Tx, keep: Entity, other: Entity, at: int) -> Entity:
    """Make one of two: the first stays, under all names and with all mentions of both."""
    if keep.bank != other.bank:
        raise UserError("They lie in different banks.", "Only entities of one bank are merged.")
    stays, gone = merge(keep, other)
    tx.entities.move_mentions(other.id, keep.id, ())
    for earlier in tx.entities.list_merged(other.id):
        tx.entities.save(replace(earlier, merged_into=keep.id), names_of(earlier))
    tx.entities.save(stays, names_of(stays))
    tx.entities.save(gone, names_of(gone))
    _tell(tx, f"Merged entity:{other.id} into entity:{keep.id}", keep, at)
    return tx.entities.find(keep.id) or stays


def split_entity(tx: Tx, entity: Entity, aliases: Sequence[str], at: int) -> tuple[Entity, Entity]:
    """Take names off an entity, with the mentions under them, and make another one of them."""
    left, fresh = split(entity, aliases, 0)
    names = names_of(fresh)
    keys = {key for key, _ in names}
    merged = [each for each in tx.entities.list_merged(entity.id) if alias_key(each.name) in keys]
    if merged:
        fresh = replace(fresh, id=merged[0].id, kind=merged[0].kind)
        tx.entities.save(fresh, names)
    else:
        fresh = tx.entities.add(fresh, names, at)
    tx.entities.save(left, names_of(left))
    tx.entities.move_mentions(entity.id, fresh.id, sorted(keys))
    _tell(tx, f"Split entity:{fresh.id} off entity:{entity.id}", fresh, at)
    return tx.entities.find(entity.id) or left, tx.entities.find(fresh.id) or fresh


def _tell(tx: Tx, summary: str, entity: Entity, at: int) -> None:
    """Note it without names: they go when what says them is erased, and a line of the log stays."""
    tx.events.add(EventKind.MEMORY, summary, at=at, ref=f"entity:{entity.id}")
