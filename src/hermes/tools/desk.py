"""What tools may ask of a profile's memory. The App stands behind it; tools never see the App.

Every write says how far its words are trusted; whatever may not be written as it is, is held. What
lies in another bank than the one that is asked for is not there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # names only: recall brings numpy, and a chat opens before it is needed
    from datetime import tzinfo

    from hermes.memory.facts.given import Kept
    from hermes.memory.facts.why import Why
    from hermes.memory.notekeeping import Outcome
    from hermes.memory.notes import MemoryRequest
    from hermes.memory.recall.answer import Recall
    from hermes.memory.sessions import Preview, Scroll, SearchOptions, SessionSearch
    from hermes.store.base import HeldWrite
    from hermes.tools.base import Receipt
    from hermes.types import EventKind, Fact, Trust


class Desk(Protocol):
    """Synchronous, as memory is: call it through `asyncio.to_thread`."""

    @property
    def zone(self) -> tzinfo:
        """By whose clock times are told: the person's."""

    def change_notes(self, request: MemoryRequest, trust: Trust, said: str = "") -> Outcome:
        """Change a notebook, all of the request or nothing; of it, what is tainted is held.

        `trust` is what its words are worth at most: an operation may be worth less.
        The page on the user is about the person of the default bank. `said` is what they said last:
        facts that it names go with the notes that are taken off.
        """

    def recall(self, task: str, *, bank: str, budget_tokens: int | None = None) -> Recall:
        """What bears on a task."""

    def search_sessions(self, query: str, options: SearchOptions) -> SessionSearch: ...

    def scroll_session(self, place: str | int, *, bank: str, before: int, after: int) -> Scroll: ...

    def browse_sessions(self, *, bank: str, limit: int) -> list[Preview]: ...

    def add_facts(self, told: Sequence[tuple[str, Trust]], *, bank: str) -> Sequence[Kept]:
        """Believe statements, all or none; one about the user from tainted words is held."""

    def get_fact(self, ref: str, *, bank: str) -> Fact: ...

    def revise_fact(self, ref: str, text: str, *, bank: str, trust: Trust) -> Fact:
        """Correct a fact; from tainted words only after the person said yes to them."""

    def forget_fact(self, ref: str, *, bank: str) -> Fact: ...

    def list_gone_notes(self, fact: Fact) -> list[str]:
        """What the notes on the person said that went when a fact last changed."""

    def explain_fact(self, ref: str, *, bank: str) -> Why: ...

    def find_facts(self, words: str, *, bank: str, limit: int) -> list[Fact]: ...

    def find_held(self, fact: Fact) -> HeldWrite | None:
        """What waits for the person's word before a fact is believed."""

    def approve_held(self, ref: str) -> Receipt:
        """Make a held write, by the person's word."""

    def reject_held(self, ref: str) -> None:
        """Refuse a held write, by the person's word."""

    def tell(
        self, kind: EventKind, summary: str, *, details: Mapping[str, object], ref: str
    ) -> None:
        """A line of the log of what was done."""
