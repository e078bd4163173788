"""Known names, found in a text in one pass over its words."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from hermes.memory.entities.names import alias_key, spelling_key, tokens
from hermes.types import Entity

_COMMON = frozenset(
    "a an the i you he she it we they me my your his her its our us them this that is are was "
    "were be been am do does "
    "did have has had will would can could should may might must and or but if then so not no "
    "yes on in at by for from "
    "to of with as up out off over all any one two new old go get use run set who what when "
    "where why how".split()
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A known entity at a place in a text."""

    entity_id: int
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """First word → the names that start with it, longest first."""

    by_first: dict[str, list[tuple[tuple[str, ...], int, str]]] = field(default_factory=dict)

    @staticmethod
    def of(entities: Iterable[Entity]) -> "Gazetteer":
        gazetteer = Gazetteer()
        for entity in entities:
            if entity.merged_into is None:
                for name in (entity.name, *entity.aliases):
                    gazetteer.add(name, entity.id, entity.name)
        return gazetteer

    def add(self, name: str, entity_id: int, canonical: str) -> None:
        """Index a name under each of its spellings; one common word alone is no name."""
        for key in {spelling_key(name), alias_key(name)}:
            words = tuple(key.split())
            if not words or (len(words) == 1 and (words[0] in _COMMON or len(words[0]) < 2)):
                continue
            listed = self.by_first.setdefault(words[0], [])
            entry = (words, entity_id, canonical)
            if entry not in listed:
                listed.append(entry)
                listed.sort(key=lambda each: -len(each[0]))


def find_entities(text: str, gazetteer: Gazetteer) -> list[Hit]:
    """The known names in a text, the longest at each place, in order."""
    words = tokens(text)
    folded = [token for token, _, _ in words]
    hits: list[Hit] = []
    index = 0
    while index < len(words):
        width = 1
        for names, entity_id, canonical in gazetteer.by_first.get(folded[index], ()):
            if tuple(folded[index : index + len(names)]) == names:
                width = len(names)
                start, end = words[index][1], words[index + width - 1][2]
                hits.append(Hit(entity_id, canonical, start, end))
                break
        index += width
    return hits
