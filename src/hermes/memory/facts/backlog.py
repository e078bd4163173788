"""What of a session was not read for facts yet, in steps small enough for one transaction each."""

from hermes.store.base import Tx
from hermes.types import Message

MESSAGES_AT_ONCE = 200


def list_unread(tx: Tx, session_id: str) -> list[Message]:
    """The next messages to read, cut between two episodes where they are too many."""
    after = tx.extractions.upto(session_id)
    found = tx.conversations.list_messages(session_id, after_id=after, limit=MESSAGES_AT_ONCE)
    if len(found) < MESSAGES_AT_ONCE:
        return found
    whole = [message for message in found if message.episode_id != found[-1].episode_id]
    return whole or found
