"""What can be done with entities: list, look at, merge, split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.memory.entities.keeping import merge_entities, split_entity
from hermes.memory.entities.merging import Suggestion, suggest_merges
from hermes.memory.facts.listing import FactQuery, find_entity, list_facts
from hermes.memory.pending import mark_rejected
from hermes.types import Entity, EntityKind, Fact, Message

if TYPE_CHECKING:
    from hermes.app.root import App
    from hermes.store.base import Tx

COMPARED = 500  # of the most mentioned, each with each


@dataclass(frozen=True, slots=True)
class EntityView:
    """An entity, the facts that mention it, and the newest messages that do."""

    entity: Entity
    facts: tuple[Fact, ...]
    messages: tuple[Message, ...]


Entities = list[Entity]


class EntityActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def list(self, bank: str = "", kinds: Sequence[EntityKind] = (), limit: int = 100) -> Entities:
        """The most mentioned first."""
        found = self._app.store.read(lambda tx: tx.entities.list(bank))
        return [entity for entity in found if not kinds or entity.kind in kinds][:limit]

    def get(self, name: str, bank: str = "") -> Entity:
        """An entity by its name, one of its aliases, or `entity:7`."""
        return self._app.store.read(lambda tx: find_entity(tx, name, bank))

    def show(self, name: str, bank: str = "", messages: int = 5) -> EntityView:
        now = self._app.clock.now()

        def read(tx: Tx) -> EntityView:
            entity = find_entity(tx, name, bank)
            query = FactQuery(bank=entity.bank, entity=f"entity:{entity.id}")
            facts = mark_rejected(tx, list_facts(tx, query, limit=1_000, now=now))
            ids = tx.entities.list_messages(entity.id, messages)
            said = tx.conversations.get_messages(ids)
            return EntityView(entity, tuple(facts), tuple(said[i] for i in ids if i in said))

        return self._app.store.read(read)

    def suggest(self, bank: str = "") -> Sequence[Suggestion]:
        """Pairs that may be one, for a person to look at."""
        return suggest_merges(self._app.store.read(lambda tx: tx.entities.list(bank, COMPARED)))

    def merge(self, keep: str, other: str, bank: str = "") -> Entity:
        """Make one of two; the first stays."""
        now = self._app.clock.now()

        def change(tx: Tx) -> Entity:
            one, two = find_entity(tx, keep, bank), find_entity(tx, other, bank)
            return merge_entities(tx, one, two, now)

        return self._app.store.write(change)

    def split(self, name: str, aliases: Sequence[str], bank: str = "") -> tuple[Entity, Entity]:
        """Take names off an entity and make another one of them."""
        now = self._app.clock.now()
        return self._app.store.write(
            lambda tx: split_entity(tx, find_entity(tx, name, bank), aliases, now)
        )
