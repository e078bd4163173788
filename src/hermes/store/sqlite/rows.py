"""The SELECTs that rows come from on SQLite; what a row says is told in `store.rows`."""

from hermes.store.rows import (
    EPISODE,
    ORIGIN_NUMBER,
    ORIGINS,
    ROLE_NUMBER,
    ROLES,
    SESSION,
    STATES,
    episode,
    message,
    parse_calls,
    render_calls,
    session,
    spoken,
)

__all__ = [
    "EPISODE",
    "MESSAGE",
    "ORIGINS",
    "ORIGIN_NUMBER",
    "RAW_OF_SESSION",
    "ROLES",
    "ROLE_NUMBER",
    "SESSION",
    "SESSION_MESSAGES_AFTER",
    "SESSION_MESSAGES_BEFORE",
    "SPOKEN",
    "STATES",
    "STORED_MESSAGE",
    "VISIBLE",
    "episode",
    "message",
    "parse_calls",
    "render_calls",
    "session",
    "spoken",
]

_STORED = """SELECT m.id, s.uid, m.episode, m.at, m.role, m.text, m.speaker, m.calls,
  m.call_id, m.origin, m.trust, (SELECT count(*) FROM payloads p WHERE p.message = m.id),
  (SELECT count(*) FROM payloads p WHERE p.message = m.id
    AND p.media_type NOT GLOB 'application/vnd.hermes.*') """
_MESSAGE = _STORED.replace("m.text", "plain(m.text)")

# CROSS JOIN fixes the order: from the message to its session, by keys.
_TO_SESSION = """FROM messages m
  CROSS JOIN episodes e ON e.id = m.episode CROSS JOIN sessions s ON s.id = e.session"""
MESSAGE = f"{_MESSAGE} {_TO_SESSION}"
STORED_MESSAGE = f"{_STORED} {_TO_SESSION}"  # its text as it is kept: for many rows, decoded by us
SPOKEN = f"""SELECT m.id, s.uid, m.episode, m.at, m.role, m.speaker, m.calls, m.trust, m.text
  {_TO_SESSION} WHERE s.hidden_at IS NULL"""
VISIBLE = f"SELECT m.id {_TO_SESSION} WHERE s.hidden_at IS NULL"

# From the session to its messages. Within a session the numbers of episodes and of messages rise
# together, so both indexes give the order and nothing is sorted. An edge in another session says
# nothing of this one's episodes: one of them may have been continued after it.
_FROM_SESSION = f"""{_MESSAGE} FROM sessions s
  CROSS JOIN episodes e ON e.session = s.id CROSS JOIN messages m ON m.episode = e.id
  WHERE s.uid = ?"""
_OF_SESSION = f"{_FROM_SESSION} AND s.hidden_at IS NULL"
RAW_OF_SESSION = f"{_FROM_SESSION} AND e.state = 0 ORDER BY e.id, m.id"
SESSION_MESSAGES_AFTER = f"""{_OF_SESSION}
  AND e.id >= ifnull((SELECT x.id FROM messages y JOIN episodes x ON x.id = y.episode
    WHERE y.id = ? AND x.session = s.id), 0) AND m.id > ?
  ORDER BY e.id, m.id LIMIT ?"""
SESSION_MESSAGES_BEFORE = f"""{_OF_SESSION}
  AND e.id <= ifnull((SELECT x.id FROM messages y JOIN episodes x ON x.id = y.episode
    WHERE y.id = ? AND x.session = s.id), 9e18) AND m.id < ?
  ORDER BY e.id DESC, m.id DESC LIMIT ?"""
