"""The contract for entities: their names, and which facts and messages mention them.

`key` is a name as it is compared; how names are compared is decided in `memory.entities`.
"""

from collections.abc import Sequence
from typing import Protocol

from hermes.types import Entity

Name = tuple[str, str]
"""A name as it is compared, and as it is written."""


class Entities(Protocol):
    def add(self, entity: Entity, names: Sequence[Name], now: int) -> Entity:
        """Keep a new entity under its names, the first being the one it is shown by."""

    def save(self, entity: Entity, names: Sequence[Name]) -> None:
        """Keep its kind, its names and what it is merged into as they are now."""

    def find(self, entity_id: int) -> Entity | None:
        """The entity, merged into another or not."""

    def list_named(self, bank: str, key: str) -> list[Entity]:
        """Those of a bank ("" for all) with that name, the most mentioned first; none merged."""

    def list_merged(self, entity_id: int) -> list[Entity]:
        """Those that were merged into one."""

    def mention_in_fact(self, fact_id: int, mentions: Sequence[tuple[int, str]]) -> None:
        """Set which entities a fact mentions, in order, each with the key of the name used."""

    def mention_in_message(self, message_id: int, mentions: Sequence[tuple[int, str]]) -> None:
        """Add which entities a message mentions."""

    def move_mentions(self, entity_id: int, to_id: int, keys: Sequence[str]) -> int:
        """Give another entity the mentions under these names (none: all); how many there were."""

    def list_messages(self, entity_id: int, limit: int) -> list[int]:
        """The messages that mention it, newest first."""

    def list_in_fact(self, fact_id: int) -> list[Entity]:
        """The entities a fact mentions, in order."""

    def version(self) -> int:
        """A number that changes whenever any entity or name does."""

    def list(self, bank: str = "", limit: int = 1_000_000) -> list[Entity]:
        """Those not merged into another, the most mentioned first."""
