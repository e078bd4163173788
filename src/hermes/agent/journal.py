"""Where the agent keeps what is said, and where it reads a conversation to go on with it.

`AppJournal` of the app keeps it in the store; `NoJournal` keeps nothing, for incognito sessions.
"""

from collections.abc import Sequence
from typing import Protocol

from hermes.agent.lineage import END
from hermes.errors import NotFound
from hermes.types import Message, Payload, Recorded, Session, Turn


class Journal(Protocol):
    """Synchronous, as the store is."""

    def record(self, turn: Turn) -> Recorded:
        """Keep messages; on return they are on disk."""

    def find_session(self, session_id: str) -> Session | None: ...

    def list_latest(self, session_id: str, *, before_id: int, limit: int) -> list[Message]:
        """The last messages before one, in order."""

    def list_first(self, session_id: str, limit: int) -> list[Message]: ...

    def list_payloads(self, message_id: int) -> list[Payload]: ...

    def end(self, session_id: str) -> None:
        """The conversation is over: what it taught may be learnt."""

    def seal(self, session_id: str) -> None:
        """Nothing in it was said by the person: no fact is to be read from it."""

    def withdraw(self, session_id: str, upto: int, seen: int) -> None:
        """A branch goes on without what was said after message `upto`: read no fact from that.

        What was said after message `seen` was said elsewhere, and stays to be read.
        """

    def take_back(self, session_id: str, after_id: int) -> str:
        """Put away what was said after a message; the session it lies in then, "" if in none."""


class NoJournal:
    """Keeps nothing at all."""

    def record(self, turn: Turn) -> Recorded:
        return Recorded(turn.session.id, 0, tuple(0 for _ in turn.messages))

    def find_session(self, session_id: str) -> Session | None:
        return None

    def list_latest(self, session_id: str, *, before_id: int, limit: int) -> list[Message]:
        return []

    def list_first(self, session_id: str, limit: int) -> list[Message]:
        return []

    def list_payloads(self, message_id: int) -> list[Payload]:
        return []

    def end(self, session_id: str) -> None:
        """There is nothing to end."""

    def seal(self, session_id: str) -> None:
        """There is nothing to read."""

    def withdraw(self, session_id: str, upto: int, seen: int) -> None:
        """There is nothing to take back."""

    def take_back(self, session_id: str, after_id: int) -> str:
        return ""


def get_session(journal: Journal, session_id: str) -> Session:
    found = journal.find_session(session_id)
    if found is None:
        raise NotFound(f"There is no session {session_id!r}.", "See `hermes sessions list`.")
    return found


def last_messages(journal: Journal, session_id: str, count: int) -> Sequence[Message]:
    return journal.list_latest(session_id, before_id=END, limit=count)
