"""The contract for the log of what was done: lines are added, and never changed.

All that can happen to a line is that its content is erased, which is itself a line of the log.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hermes.store.chain import EventLink, Head
from hermes.types import Event


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which lines a listing wants; an empty field asks for nothing. `before_at` is exclusive."""

    since_at: int | None = None
    before_at: int | None = None
    kinds: tuple[str, ...] = ()
    ref: str = ""
    before_id: int | None = None  # only lines written before this one


class Events(Protocol):
    def add(
        self,
        kind: str,
        summary: str,
        *,
        at: int,
        details: Mapping[str, object] | None = None,
        ref: str = "",
    ) -> Event:
        """Append a line; `details` is anything JSON can hold."""

    def erase(self, ids: Sequence[int], *, at: int) -> Event:
        """Take the content out of lines for good, and say in a new line that it was done."""

    def find(self, number: int) -> Event | None: ...

    def head(self) -> Head:
        """Where the log says it ends."""

    def list_links(self, after_id: int, limit: int) -> list[EventLink]:
        """Lines as they are kept, in order, to be verified."""

    def list(self, wanted: EventFilter, limit: int) -> list[Event]:
        """Newest first."""
