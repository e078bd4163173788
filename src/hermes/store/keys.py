"""What stands for the key of a write, in every store alike, so that an export carries it over."""

import hashlib

from hermes.errors import Conflict
from hermes.types import Recorded, Turn

DIGEST_BYTES = 12  # a thousand million keys are told apart but for one chance in 10^11


def key_digest(bank: str, key: str) -> bytes:
    """A few bytes for a key of any length; each bank has keys of its own."""
    named = f"{bank}\x1f{key}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(named, digest_size=DIGEST_BYTES).digest()


def refuse_other(turn: Turn, kept: Recorded, count: int) -> None:
    """A key belongs to one write. Sent with another it is a mistake, and would lose that one.

    `count` messages were kept then; some may be gone since. Texts are not compared: a secret may
    have been cut out of the one that is kept.
    """
    if not kept.message_ids:  # it was kept, and has been erased since
        return
    elsewhere = turn.session.id and turn.session.id != kept.session_id
    if elsewhere or len(turn.messages) != count:
        raise Conflict(
            f"The key {turn.key[:80]!r} belongs to another turn, kept in session "
            f"{kept.session_id}: this one was not kept.",
            "Give each turn a key of its own; only the same turn may be sent again with it.",
        )
