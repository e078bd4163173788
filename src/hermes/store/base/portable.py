"""The contract for carrying memory out of a store and into another, record by record.

A record is what `docs/export.md` describes, with the numbers of the store it is in. Which records
come in, and under which numbers, is decided in `memory.portable`; a store reads and writes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

Record = dict[str, Any]
Cursor = tuple[Any, ...]
ARRIVING = -1
"""When a session is hidden, and a fact retracted, that is on its way in: at no time anybody hid or
retracted one.
"""
BLOB_PART_BYTES = 3 << 20  # a payload is carried in parts, so that no record is too large


class Section(StrEnum):
    """The parts of an export, in their order: what is referred to comes first."""

    BANKS = "banks"
    ENTITIES = "entities"
    BLOBS = "blobs"
    SESSIONS = "sessions"
    EPISODES = "episodes"
    MESSAGES = "messages"
    KEYS = "keys"
    SUMMARIES = "summaries"
    FACTS = "facts"
    REFLECTIONS = "reflections"
    HELD = "held_writes"
    EVENTS = "events"


NUMBERS = ("episode", "message", "fact", "fact_number", "entity", "reflection")
"""What is counted on, so that no number is ever used twice, wherever memory is carried."""


@dataclass(frozen=True, slots=True)
class KnownSession:
    """A session that is there: its number, its bank, and the episode it is in."""

    number: int
    bank: str
    last_episode: int


class Portable(Protocol):
    def is_empty(self) -> bool:
        """Whether nothing was ever kept, so that numbers may be taken over as they are."""

    def get_numbers(self) -> dict[str, int]:
        """The last number given of each of `NUMBERS`."""

    def raise_numbers(self, numbers: dict[str, int]) -> None:
        """Let no number up to these be given again."""

    def reset_numbers(self) -> None:
        """Count from the beginning again: only where nothing numbered is left or was ever seen."""

    def reserve(self, name: str, count: int) -> int:
        """The first of `count` numbers that nothing had before."""

    def count(self, section: Section, bank: str) -> int: ...

    def list_records(
        self, section: Section, after: Cursor, *, limit: int, bank: str = ""
    ) -> list[tuple[Cursor, Record]]:
        """The next records of a section in the one order it has, each with where it is."""

    def put(self, section: Section, records: Sequence[Record]) -> None:
        """Keep records that are new, under the numbers they have."""

    def link_entities(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Say of entities which others they are merged into."""

    def link_facts(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Say of facts which others took their place."""

    def add_contradictions(self, pairs: Sequence[tuple[int, int, int]]) -> None:
        """Say of facts which others they contradict, and since when that is known."""

    def finish(self, extracted: Mapping[str, int], reflected: Mapping[str, int]) -> None:
        """Bring sums up to date, and say up to which message sessions were dealt with before."""

    def settle(self) -> None:
        """Index what was put, and bring the sums of its sessions up to date; once a transaction."""

    def load_arrival(self) -> str:
        """What was noted of an import that is under way or was cut short; empty if none is."""

    def save_arrival(self, noted: str) -> None: ...

    def list_arriving(self, limit: int) -> list[int]:
        """Some of the messages in sessions that are on their way in."""

    def show_arrived(self, hidden: Mapping[str, int]) -> None:
        """Let sessions that were on their way in be seen, but for those hidden where they were."""

    def list_arriving_facts(self, limit: int) -> list[int]:
        """Some of the facts that are on their way in."""

    def show_facts(self, span: tuple[int, int], retracted: Mapping[int, int]) -> None:
        """Let facts that were on their way in be seen, those within `span`; some were retracted
        where they were.
        """

    def drop_arrival(self, spans: Mapping[str, tuple[int, int]], banks: Sequence[str]) -> None:
        """Drop what an import leaves whose messages are gone: its empty sessions, its banks that
        hold nothing, and keys and entities within its numbers that stand for nothing.
        """

    def find_session(self, session_id: str) -> KnownSession | None:
        """A session that is there, not one on its way in."""

    def list_session(self, session_id: str) -> list[Record]:
        """The messages of a session as records."""

    def find_bank(self, name: str) -> Record | None: ...

    def find_entity(self, bank: str, kind: str, key: str) -> int | None:
        """The entity of that kind and name, compared by its key."""

    def find_fact(self, bank: str, text: str, recorded_at: int) -> int | None:
        """A fact that is there, not one on its way in."""

    def has_reflection(self, bank: str, task_type: str, lesson_key: str) -> bool: ...

    def has_event(self, content: str) -> bool: ...

    def has_key(self, key: str) -> bool: ...

    def has_held(self, record: Record) -> bool: ...


class Stage(Protocol):
    """Records on their way in: read and checked, and nowhere to be seen yet."""

    def count(self) -> int:
        """How many were staged, in this attempt or an earlier one."""

    def add(self, records: Sequence[tuple[str, Record]]) -> None:
        """Keep records with their sections; on return they are on disk."""

    def list_records(self, section: str, after: int, limit: int) -> list[tuple[int, Record]]: ...

    def close(self) -> None: ...

    def discard(self) -> None:
        """Close, and leave nothing behind."""


class Staging(Protocol):
    def open_stage(self, path: Path) -> Stage:
        """A stage in a file of its own, protected as the store is; an unfinished one goes on."""
