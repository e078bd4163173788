"""Rows of SQLite as values, and the SELECTs they come from."""

import json
from typing import Any

from hermes.types import (
    Episode,
    EpisodeState,
    Message,
    Origin,
    Role,
    Session,
    ToolCall,
    Trust,
)

ROLES = (Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.TOOL)
ORIGINS = (Origin.USER, Origin.AGENT, Origin.TOOL, Origin.WEB, Origin.IMPORT)
STATES = (EpisodeState.RAW, EpisodeState.COMPRESSED)
ROLE_NUMBER = {role: n for n, role in enumerate(ROLES)}
ORIGIN_NUMBER = {origin: n for n, origin in enumerate(ORIGINS)}
_TRUSTS = tuple(Trust)

SESSION = """SELECT s.uid, b.name, s.started_at, s.last_at, s.platform, s.identity, s.title, s.task,
  s.parent, s.ended_at, s.messages, s.episodes
  FROM sessions s JOIN banks b ON b.id = s.bank"""

_MESSAGE = """SELECT m.id, s.uid, m.episode, m.at, m.role, plain(m.text), m.speaker, m.calls,
  m.call_id, m.origin, m.trust, (SELECT count(*) FROM payloads p WHERE p.message = m.id) """

# CROSS JOIN fixes the order: from the message to its session, by keys.
_TO_SESSION = """FROM messages m
  CROSS JOIN episodes e ON e.id = m.episode CROSS JOIN sessions s ON s.id = e.session"""
MESSAGE = f"{_MESSAGE} {_TO_SESSION}"
VISIBLE = f"SELECT m.id {_TO_SESSION} WHERE s.hidden_at IS NULL"

# From the session to its messages. Within a session the numbers of episodes and of messages rise
# together, so both indexes give the order and nothing is sorted. An edge in another session says
# nothing of this one's episodes: one of them may have been continued after it.
_OF_SESSION = f"""{_MESSAGE} FROM sessions s
  CROSS JOIN episodes e ON e.session = s.id CROSS JOIN messages m ON m.episode = e.id
  WHERE s.uid = ? AND s.hidden_at IS NULL"""
SESSION_MESSAGES_AFTER = f"""{_OF_SESSION}
  AND e.id >= ifnull((SELECT x.id FROM messages y JOIN episodes x ON x.id = y.episode
    WHERE y.id = ? AND x.session = s.id), 0) AND m.id > ?
  ORDER BY e.id, m.id LIMIT ?"""
SESSION_MESSAGES_BEFORE = f"""{_OF_SESSION}
  AND e.id <= ifnull((SELECT x.id FROM messages y JOIN episodes x ON x.id = y.episode
    WHERE y.id = ? AND x.session = s.id), 9e18) AND m.id < ?
  ORDER BY e.id DESC, m.id DESC LIMIT ?"""

EPISODE = """SELECT e.id, s.uid, b.name, e.at, coalesce(e.task, s.task), e.state
  FROM episodes e JOIN sessions s ON s.id = e.session JOIN banks b ON b.id = e.bank"""


def session(row: tuple[Any, ...]) -> Session:
    return Session(*row)


def message(row: tuple[Any, ...], chars: int | None = None) -> Message:
    return Message(
        id=row[0],
        session_id=row[1],
        episode_id=row[2],
        at=row[3],
        role=ROLES[row[4]],
        text=row[5][:chars],
        speaker=row[6] or "",
        calls=parse_calls(row[7]) if row[7] else (),
        call_id=row[8] or "",
        origin=ORIGINS[row[9]],
        trust=_TRUSTS[row[10]],
        payload_count=row[11],
    )


def episode(row: tuple[Any, ...], messages: tuple[Message, ...]) -> Episode:
    number, uid, bank, at, task, state = row
    return Episode(number, uid, bank, at, task, STATES[state], messages)


def render_calls(calls: tuple[ToolCall, ...]) -> str | None:
    if not calls:
        return None
    return json.dumps([[c.id, c.name, c.arguments] for c in calls], ensure_ascii=False)


def parse_calls(text: str) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(*parts) for parts in json.loads(text))
