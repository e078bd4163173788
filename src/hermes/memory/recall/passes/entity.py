"""Facts tagged with whom or what the task names."""

from hermes.memory.entities.gazetteer import find_entities
from hermes.memory.entities.known import KnownNames
from hermes.memory.recall.belief import Belief
from hermes.store.base.facts import FactFilter
from hermes.types import Fact

NAME = "entity"
ENTITIES = 4


def search(belief: Belief, names: KnownNames, text: str, bank: str, limit: int) -> list[Fact]:
    """The newest believed facts of each entity the text names, an entity after the other."""
    hits = find_entities(text, names.gazetteer(belief.tx, bank))
    entities = list(dict.fromkeys(hit.entity_id for hit in hits))[:ENTITIES]
    each = max(1, limit // max(1, len(entities)))
    found: dict[int, Fact] = {}
    for entity in entities:
        for fact in belief.newest(FactFilter(bank=bank, entity_id=entity), each):
            found.setdefault(fact.id, fact)
    return list(found.values())
