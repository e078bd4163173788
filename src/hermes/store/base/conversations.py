"""The contract for sessions, episodes and messages, and for the banks they lie in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from hermes.types import Bank, Episode, Message, Payload, Recorded, Session, Turn


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Which sessions a listing wants; an empty field asks for nothing."""

    bank: str = ""
    platform: str = ""
    identity: str = ""
    parent_id: str = ""
    since_at: int | None = None
    before_at: int | None = None
    before_id: str = ""  # only those that a listing shows after this session
    seen_at: int | None = None  # when that one was last spoken in, as the listing told
    deleted: bool = False
    entity_id: int | None = None  # only those in which it is mentioned


class Conversations(Protocol):
    def record(self, turns: Sequence[Turn], now: int) -> list[Recorded]:
        """Keep turns, in order, all or none.

        A session is made by its first turn. A turn whose key is known is not kept again; its
        receipt says so and names what was kept before.
        """

    def find_session(self, session_id: str) -> Session | None: ...

    def list_sessions(self, wanted: SessionFilter, limit: int) -> list[Session]:
        """Newest activity first; NotFound if `before_id` names no session."""

    def end_session(self, session_id: str, at: int) -> None:
        """Mark a conversation as over; recording into it opens it again."""

    def retitle_session(self, session_id: str, title: str) -> None: ...

    def hide_session(self, session_id: str, at: int) -> None:
        """Delete with a way back: no search, listing or recall shows it."""

    def restore_session(self, session_id: str) -> None: ...

    def list_messages(
        self, session_id: str, *, after_id: int = 0, before_id: int = 0, limit: int = 100
    ) -> list[Message]:
        """Messages in order; with `before_id`, the last ones before it (still in order)."""

    def get_messages(self, ids: Sequence[int], *, chars: int | None = None) -> dict[int, Message]:
        """The messages that exist among `ids`, hidden sessions left out.

        With `chars`, only the start of each text.
        """

    def find_visible(self, ids: Sequence[int], *, session_id: str = "") -> set[int]:
        """Those of `ids` that `get_messages` would give, of one session if it is named."""

    def list_payloads(self, message_id: int) -> list[Payload]: ...

    def list_episodes(
        self, bank: str, *, limit: int, before_at: int | None = None
    ) -> list[Episode]:
        """The newest episodes of a bank (of all when ""), newest first, with their messages."""


class Banks(Protocol):
    def ensure(self, name: str, now: int) -> None: ...
    def describe(self, name: str, description: str) -> None: ...
    def find(self, name: str) -> Bank | None: ...
    def list(self) -> list[Bank]: ...
