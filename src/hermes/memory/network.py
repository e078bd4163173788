"""Entities as a network: who and what is mentioned together."""

from dataclasses import dataclass

from hermes.store.base import Tx
from hermes.store.base.overview import Pair
from hermes.types import Entity

NODES = 120
LINKS = 400


@dataclass(frozen=True, slots=True)
class Network:
    """The most mentioned entities of a bank, and which of them go together; `total` counts all."""

    entities: tuple[Entity, ...]
    pairs: tuple[Pair, ...]
    total: int


def build_network(tx: Tx, bank: str = "") -> Network:
    listed = tx.entities.list(bank)
    shown = listed[:NODES]
    pairs = tx.overview.list_pairs([entity.id for entity in shown], LINKS)
    return Network(tuple(shown), tuple(pairs), len(listed))


def list_companions(network: Network, entity_id: int) -> list[tuple[Entity, int]]:
    """Who is mentioned with an entity, the most often first."""
    by_id = {entity.id: entity for entity in network.entities}
    found = [
        (by_id[pair.other if pair.one == entity_id else pair.one], pair.together)
        for pair in network.pairs
        if entity_id in (pair.one, pair.other)
    ]
    return sorted(found, key=lambda each: (-each[1], each[0].name))
