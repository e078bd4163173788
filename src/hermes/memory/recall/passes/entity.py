"""Facts tagged with whom or what the task names."""

from collections.abc import Iterator

from hermes.memory.entities.gazetteer import find_entities
from hermes.memory.entities.known import KnownNames
from hermes.memory.recall.belief import DEEPEST, GROWTH, Belief
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
        for fact in belief.first(_pages(belief, bank, entity, each), each):
            found.setdefault(fact.id, fact)
    return list(found.values())


def _pages(belief: Belief, bank: str, entity: int, size: int) -> Iterator[list[Fact]]:
    before, seen, is_now = None, 0, belief.as_of is None
    while seen < DEEPEST:
        wanted = FactFilter(
            bank=bank,
            entity_id=entity,
            current=is_now,
            recorded_by=belief.as_of,
            before_number=before,
        )
        page = belief.tx.facts.list(wanted, size)
        yield page
        if len(page) < size:
            return
        before, seen, size = page[-1].number, seen + size, size * GROWTH
