"""How a conversation that branched off another is followed back to it."""

from collections.abc import Callable, Sequence

from hermes.agent.keepsakes import Branch, find_branch
from hermes.types import Message, Payload

END = 1 << 62  # after every message there is
MOST_ANCESTORS = 20


def branch_of(
    first: Sequence[Message], list_payloads: Callable[[int], Sequence[Payload]]
) -> Branch | None:
    """Where a conversation with this first message left another; None where it did not."""
    return find_branch(list_payloads(first[0].id)) if first else None
