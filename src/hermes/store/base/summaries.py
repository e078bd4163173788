"""The contract for compression: raw episodes out, a summary in their place, and the way back.

A store moves rows and proves that it can put them back; what a summary says, and when raw episodes
are old enough, is decided in `memory.compress`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from hermes.store.base.vectors import VectorKind
from hermes.types import Episode, Session, Trust

COMPRESS = "compress"  # the kind of the job


@dataclass(frozen=True, slots=True)
class SummaryPart:
    """One message of a summary; it stands for a session's messages `first_id`..`last_id`.

    It gets the number and the time of the first of them, and so stays in its place.
    """

    first_id: int
    last_id: int
    text: str
    trust: Trust = Trust.NONE


@dataclass(frozen=True, slots=True)
class NewSummary:
    """What is to take the place of raw episodes of one session.

    `message_ids` are all the messages the caller saw in them: if there are others by now, nothing
    is changed.
    """

    session_id: str
    episode_ids: tuple[int, ...]
    message_ids: tuple[int, ...]
    parts: tuple[SummaryPart, ...]
    author: str
    probes: int
    found: int
    made_at: int
    purge_at: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary as it stands; counts are of the raw rows, which are gone once it is purged."""

    id: int
    session_id: str
    bank: str
    episode_id: int
    first_at: int
    last_at: int
    made_at: int
    purge_at: int
    purged_at: int | None
    author: str
    episodes: int
    messages: int
    raw_chars: int
    chars: int
    probes: int
    found: int
    archive_bytes: int


@dataclass(frozen=True, slots=True)
class EpisodeCounts:
    raw: int
    compressed: int


class Summaries(Protocol):
    def list_sessions(self, before_at: int, after: int, limit: int) -> list[tuple[int, Session]]:
        """Sessions, hidden ones left out, with a raw episode begun before `before_at`, by number
        from the one after `after` on; each with its number.
        """

    def list_raw(self, session_id: str) -> list[Episode]:
        """The raw episodes of a session in order, each with its messages."""

    def add(self, new: NewSummary) -> Summary:
        """Put a summary in the place of raw episodes, which are archived; Conflict if they are not
        what the caller saw, Corrupt if the archive would not give them back.
        """

    def restore(self, number: int) -> Summary:
        """Take a summary away and put the raw rows back as they were; NotFound if there is none,
        Conflict if they were purged.
        """

    def purge(self, now: int, limit: int) -> list[Summary]:
        """Drop the archives of up to `limit` summaries whose time has come."""

    def find(self, number: int) -> Summary | None: ...

    def find_of_message(self, message_id: int) -> Summary | None:
        """The summary a message is part of."""

    def has_parts(self) -> bool:
        """Whether any message is part of a summary."""

    def find_parts(self, messages: Sequence[int]) -> set[int]:
        """Those of the messages that are parts of summaries."""

    def find_unfinished(self, at: int) -> frozenset[int]:
        """The messages that are parts of summaries of what was said both before and after `at`."""

    def last_made_at(self) -> int | None: ...

    def newest_at(self) -> int | None:
        """When something was last said, by the times messages have."""

    def count_episodes(self, bank: str = "") -> EpisodeCounts: ...

    def count_vectors(self, space: int) -> dict[VectorKind, int]:
        """How many vectors of each kind a space holds."""

    def load_mark(self, name: str) -> str:
        """A small text kept between runs; empty before the first."""

    def save_mark(self, name: str, text: str) -> None: ...

    def list(self, *, session_id: str = "", limit: int = 1_000) -> list[Summary]:
        """Newest first."""
