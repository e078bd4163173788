"""A branch as its reader knows it: with the beginning it shares with the conversation it left."""

from collections.abc import Iterator

from hermes.agent.lineage import END, MOST_ANCESTORS, branch_of
from hermes.store.base import Tx
from hermes.types import Message, Session


def list_whole(tx: Tx, session: Session, *, after_id: int, limit: int) -> list[Message]:
    """The messages of a conversation, those before it branched off included, in order."""
    found: list[Message] = []
    for session_id, upto in (*reversed(list(_ancestors(tx, session))), (session.id, END)):
        left = limit - len(found)
        page = tx.conversations.list_messages(session_id, after_id=after_id, limit=left)
        found += [message for message in page if message.id <= upto]
        if len(found) == limit:
            break
    return found


def _ancestors(tx: Tx, session: Session) -> Iterator[tuple[str, int]]:
    """The conversations a branch came from, nearest first, and their last message that counts.

    One that was put away, or erased, is not shown by way of its branches either.
    """
    upto, current = END, session
    for _ in range(MOST_ANCESTORS):
        first = tx.conversations.list_messages(current.id, limit=1) if current.parent_id else []
        branch = branch_of(first, tx.conversations.list_payloads)
        above = tx.conversations.find_session(branch.session_id) if branch else None
        if branch is None or above is None:
            return
        current, upto = above, min(upto, branch.upto)
        yield current.id, upto
