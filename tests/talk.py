"""Short ways to say in a test what was said in a conversation."""

from collections.abc import Sequence
from dataclasses import replace

from hermes.store.base import Store
from hermes.types import Message, NewSession, Recorded, Role, Turn, Utterance

NOW = 1_767_603_600_000  # 2026-01-05T09:00:00Z


def turn(*texts: str, session: str = "s1", bank: str = "default", key: str = "") -> Turn:
    """A turn in which user and assistant take turns in saying `texts`."""
    roles = (Role.USER, Role.ASSISTANT)
    said = tuple(Utterance(roles[n % 2], text) for n, text in enumerate(texts))
    return Turn(NewSession(id=session, bank=bank), said, key=key)


def at(moment: int, given: Turn) -> Turn:
    """The same turn, said at `moment`."""
    return replace(given, messages=tuple(replace(m, at=moment) for m in given.messages))


def going_on(given: Turn) -> Turn:
    """The same turn, as more of the last episode."""
    return replace(given, continues=True)


def keep(store: Store, *turns: Turn, now: int = NOW) -> list[Recorded]:
    """Record turns as they are; on return they are on disk."""
    return store.write(lambda tx: tx.conversations.record(turns, now))


def texts_of(store: Store, session: str = "s1") -> list[str]:
    """Everything said in a session, in order."""
    return [m.text for m in messages_of(store, session)]


def messages_of(store: Store, session: str = "s1", limit: int = 10_000) -> Sequence[Message]:
    return store.read(lambda tx: tx.conversations.list_messages(session, limit=limit))
