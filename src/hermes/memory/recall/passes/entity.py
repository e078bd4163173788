"""Facts tagged with whom or what the task names."""

from hermes.memory.entities.gazetteer import find_entities
from hermes.memory.entities.known import KnownNames
from hermes.store.base import Tx
from hermes.store.base.facts import FactFilter
from hermes.types import Fact

NAME = "entity"
ENTITIES = 4


def search(tx: Tx, names: KnownNames, text: str, bank: str, limit: int) -> list[Fact]:
    """The newest facts of each entity the text names, an entity after the other."""
    hits = find_entities(text, names.gazetteer(tx, bank))
    entities = list(dict.fromkeys(hit.entity_id for hit in hits))[:ENTITIES]
    each = limit // max(1, len(entities))
    found: dict[int, Fact] = {}
    for entity in entities:
        for fact in tx.facts.list(FactFilter(bank=bank, entity_id=entity), each):
            found.setdefault(fact.id, fact)
    return list(found.values())
