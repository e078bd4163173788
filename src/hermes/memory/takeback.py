"""Taking back the end of a conversation: it goes into one of its own that is put away.

No search, recall, reading of facts or export sees it from then on; `restore_session` on the one it
lies in brings it back.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from hermes.memory.erase.texts import list_resting
from hermes.memory.facts.audit import Act
from hermes.memory.facts.revising import forget
from hermes.memory.payloads import OWN
from hermes.memory.reflect.call_outcome import OUTCOME
from hermes.store.base import Tx
from hermes.types import Message, NewSession, Payload, Session, Turn, Utterance

PAGE = 2_000
TITLE = "Taken back: "


def take_back(tx: Tx, session: Session, after_id: int, *, into: str, act: Act) -> bool:
    """Move what was said after a message into the session `into`, and hide that.

    What was believed for nothing but these words is forgotten, with a way back. A session left
    empty is gone. False where nothing was said since.
    """
    found = list(_said_after(tx, session.id, after_id))
    if not found:
        return False
    ids, now = [message.id for message in found], act.at
    resting = list_resting(tx.erasures.list_quoted(ids), ids)
    for fact in tx.facts.get_many(resting).values():
        if fact.retracted_at is None:
            forget(tx, fact.number, act)
    apart = NewSession(
        id=into,
        bank=session.bank,
        platform=session.platform,
        identity=session.identity,
        title=(TITLE + session.title)[:80],
        parent_id=session.id,
    )
    tx.conversations.record(list(_turns(tx, apart, found)), now)
    tx.conversations.hide_session(into, now)
    tx.erasures.remove_messages(ids)
    return True


def _said_after(tx: Tx, session_id: str, after_id: int) -> Iterator[Message]:
    while page := tx.conversations.list_messages(session_id, after_id=after_id, limit=PAGE):
        yield from page
        after_id = page[-1].id


def _turns(tx: Tx, session: NewSession, messages: Sequence[Message]) -> Iterator[Turn]:
    for _, episode in groupby(messages, key=lambda message: message.episode_id):
        yield Turn(session, tuple(_again(tx, message) for message in episode))


def _again(tx: Tx, message: Message) -> Utterance:
    return Utterance(
        message.role,
        message.text,
        at=message.at,
        speaker=message.speaker,
        calls=message.calls,
        call_id=message.call_id,
        origin=message.origin,
        trust=message.trust,
        payloads=tuple(_payloads(tx, message)),
    )


def _payloads(tx: Tx, message: Message) -> Iterator[Payload]:
    """What was sent along and how calls ended; not what the conversation needs to go on."""
    kept = tx.conversations.list_payloads(message.id) if message.payload_count else ()
    for payload in kept:
        if payload.media_type == OUTCOME or not payload.media_type.startswith(OWN):
            yield payload
