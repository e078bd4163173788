"""The contract for looking over a whole memory: how much there was when, and what goes with what.

These queries count and list; what is shown of it, and how days are cut, is decided above.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from hermes.types import Entity, Fact


@dataclass(frozen=True, slots=True)
class Window:
    """What of a memory is looked at: a bank ("" for all), a time, an entity (None for any).

    `before_at` is exclusive.
    """

    bank: str = ""
    since_at: int | None = None
    before_at: int | None = None
    entity_id: int | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities, and how many facts and messages mention both; the lower number first."""

    one: int
    other: int
    together: int


class Overview(Protocol):
    def count_turns(self, window: Window, step_ms: int) -> dict[int, int]:
        """How many episodes began in each step of time that has any, by when the step begins."""

    def count_facts(self, window: Window, step_ms: int) -> dict[int, int]:
        """How many believed facts were first said in each step of time, by when it begins."""

    def list_facts(self, window: Window, limit: int) -> list[tuple[int, Fact]]:
        """Believed facts and when each was first said, the last said first."""

    def list_pairs(self, entities: Sequence[int], limit: int) -> list[Pair]:
        """Which of some entities are mentioned together, the most often first."""

    def list_begun(self, bank: str, key: str, limit: int) -> list[Entity]:
        """Entities with a name that begins so, as names are compared, the most mentioned first."""

    def find_messages(self, ids: Sequence[int], window: Window) -> set[int]:
        """Those of some messages that lie in a window and may be shown."""

    def count_copies(self) -> int:
        """How many believed facts say, letter for letter, what another of their bank says."""
