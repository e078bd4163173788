"""The SELECTs that rows come from on PostgreSQL, and texts as they are kept there."""

from collections.abc import Callable
from typing import Any

from hermes.store import rows
from hermes.store.codec import USUAL_LEVEL
from hermes.store.postgres.connection import Connection
from hermes.types import Message

_MESSAGE = """SELECT m.id, s.uid, m.episode, m.at, m.role, m.packed, m.text, m.speaker, m.calls,
  m.call_id, m.origin, m.trust, (SELECT count(*) FROM payloads p WHERE p.message = m.id),
  (SELECT count(*) FROM payloads p WHERE p.message = m.id
    AND NOT starts_with(p.media_type, 'application/vnd.hermes.')) """
_TO_SESSION = "FROM messages m JOIN sessions s ON s.id = m.session"
MESSAGE = f"{_MESSAGE} {_TO_SESSION}"
SPOKEN = f"""SELECT m.id, s.uid, m.episode, m.at, m.role, m.speaker, m.calls, m.trust,
  m.packed, m.text {_TO_SESSION} WHERE s.hidden_at IS NULL"""
VISIBLE = f"SELECT m.id {_TO_SESSION} WHERE s.hidden_at IS NULL"

# Within a session the numbers of episodes and of messages rise together: indexes give the order.
_OF_SESSION = f"""{_MESSAGE} FROM sessions s JOIN episodes e ON e.session = s.id
  JOIN messages m ON m.episode = e.id WHERE s.uid = ?1 AND s.hidden_at IS NULL"""
_EDGE = "SELECT y.episode FROM messages y WHERE y.id = ?2 AND y.session = s.id"
SESSION_MESSAGES_AFTER = f"""{_OF_SESSION} AND e.id >= coalesce(({_EDGE}), 0) AND m.id > ?2
  ORDER BY e.id, m.id LIMIT ?3"""
SESSION_MESSAGES_BEFORE = f"""{_OF_SESSION}
  AND e.id <= coalesce(({_EDGE}), 9223372036854775807) AND m.id < ?2
  ORDER BY e.id DESC, m.id DESC LIMIT ?3"""


def plain(connection: Connection, packed: bool, stored: bytes) -> str:
    """The text of a message from its two columns."""
    return connection.codec.decode(stored) if packed else stored.decode("utf-8")


def stored(
    connection: Connection, text: str, dictionary: int, level: int = USUAL_LEVEL
) -> tuple[bool, int, bytes]:
    """A text as the columns `packed, size, text` keep it.

    The size is what the other store gives: bytes where it is packed, else characters up to a NUL.
    """
    return stored_by(connection.codec.encoder(dictionary, level), text)


def stored_by(encode: Callable[[str], str | bytes], text: str) -> tuple[bool, int, bytes]:
    """`stored` for many texts, with the encoder of their dictionary."""
    kept = encode(text)
    if isinstance(kept, bytes):
        return True, len(kept), kept
    size = text.index("\x00") if "\x00" in text else len(text)
    return False, size, text.encode("utf-8")


def message(connection: Connection, row: tuple[Any, ...], chars: int | None = None) -> Message:
    text = plain(connection, row[5], row[6])
    return rows.message((*row[:5], text, *row[7:]), chars)
