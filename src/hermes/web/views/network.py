"""The network of entities: as numbers for the drawing, and as rows for the table beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes.memory.network import Network, list_companions
from hermes.types import Entity

Nodes = dict[str, list[dict[str, object]]]
COMPANIONS = 6


@dataclass(frozen=True, slots=True)
class EntityRow:
    entity: Entity
    companions: Sequence[tuple[Entity, int]]


def draw_network(network: Network) -> Nodes:
    """Nodes and links as the drawing takes them."""
    linked = {number for pair in network.pairs for number in (pair.one, pair.other)}
    return {
        "nodes": [
            {
                "id": entity.id,
                "name": entity.name,
                "kind": entity.kind.value,
                "mentions": entity.mentions,
                "alone": entity.id not in linked,
            }
            for entity in network.entities
        ],
        "links": [
            {"source": pair.one, "target": pair.other, "together": pair.together}
            for pair in network.pairs
        ],
    }


def list_rows(network: Network) -> list[EntityRow]:
    return [
        EntityRow(entity, list_companions(network, entity.id)[:COMPANIONS])
        for entity in network.entities
    ]
