"""The contract for facts: rows, what they rest on, their history, their words.

A store keeps what it is told to keep. What becomes of a fact beside others, what a change means and
who may make it is decided in `memory.facts`, so that every store does alike.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hermes.store.base.texts import TextIndex
from hermes.types import Fact, FactKind, FactSource


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Which facts a listing wants; an empty field asks for nothing.

    `current` leaves out what was retracted or superseded; `open_at` also what was over by then.
    `true_at` asks for what held in the world at a time, superseded or not; `recorded_by` for what
    was known by a time, retracted or not.
    """

    bank: str = ""
    kinds: tuple[FactKind, ...] = ()
    subject_key: str = ""
    attributes: tuple[str, ...] = ()
    entity_id: int | None = None
    message_id: int | None = None
    current: bool = False
    open_at: int | None = None
    true_at: int | None = None
    recorded_by: int | None = None
    before_number: int | None = None


@dataclass(frozen=True, slots=True)
class FactChange:
    """One change of one fact: the fields that changed, as they were and as they are since."""

    id: int
    fact_id: int
    at: int
    action: str
    by: str
    reason: str
    before: Mapping[str, object]
    after: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class FactTally:
    """How many facts there are of which sort; `junk` were extracted, and deleted by someone."""

    believed: int = 0
    closed: int = 0
    deleted: int = 0
    contested: int = 0
    held: int = 0
    extracted: int = 0
    junk: int = 0

    @property
    def junk_rate(self) -> float | None:
        return self.junk / self.extracted if self.extracted else None


class Facts(Protocol):
    def reserve(self) -> tuple[int, int]:
        """An id and a number that no fact had before or will have."""

    def add(self, fact: Fact, *, subject_key: str) -> None:
        """Keep a new fact, under the id and number reserved for it, with its sources."""

    def save(self, fact: Fact, *, subject_key: str) -> None:
        """Keep the fact's fields as they are now; sources, entities and links stay as they were."""

    def add_source(self, fact_id: int, source: FactSource) -> None: ...

    def drop_source(self, fact_id: int, source: FactSource) -> None:
        """Let a fact rest on it no longer."""

    def add_contradiction(self, fact_id: int, other_id: int, at: int) -> None:
        """Say that two facts cannot both hold; saying it again changes nothing."""

    def drop_contradiction(self, fact_id: int, other_id: int) -> None: ...

    def find(self, number: int) -> Fact | None:
        """The fact people call by that number, retracted or not."""

    def get_many(self, ids: Sequence[int]) -> dict[int, Fact]:
        """The facts that exist among `ids`."""

    def get_by_vector(self, items: Sequence[int]) -> dict[int, Fact]:
        """The facts whose wording has one of these vectors, by the vector's item."""

    def count(self, bank: str = "") -> int:
        """How many facts are believed now."""

    def tally(self, bank: str = "") -> FactTally: ...

    def list_superseded(self, fact_id: int) -> list[Fact]:
        """The facts that `fact_id` took the place of, oldest first."""

    def record_change(self, change: FactChange) -> int:
        """Append to the history; the number the line got (`change.id` is not looked at)."""

    def list_changes(self, fact_id: int) -> list[FactChange]:
        """The history of a fact, oldest first."""

    def list_changes_after(self, at: int, bank: str = "") -> list[FactChange]:
        """All that was changed since a time, newest first."""

    def list_changes_since(self, seq: int, bank: str = "") -> list[FactChange]:
        """All that was changed after a place in the sequence of changes, newest first.

        What an import brought in has its history with it, and is not among them.
        """

    @property
    def texts(self) -> TextIndex:
        """The words of facts; the numbers in postings are ids of facts."""

    def list(self, wanted: FactFilter, limit: int) -> list[Fact]:
        """Newest first."""
