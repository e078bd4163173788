"""Rows of any store as values: the numbers that stand for words, and what a row says."""

import json
from collections.abc import Sequence
from typing import Any

from hermes.guard.origin import ORIGIN_OF_ROLE, trust_of
from hermes.store.base.recall import Spoken
from hermes.types import (
    Episode,
    EpisodeState,
    Message,
    Origin,
    Role,
    Session,
    ToolCall,
    Trust,
    Utterance,
)

ROLES = (Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.TOOL)
ORIGINS = (Origin.USER, Origin.AGENT, Origin.TOOL, Origin.WEB, Origin.IMPORT)
STATES = (EpisodeState.RAW, EpisodeState.COMPRESSED)
ROLE_NUMBER = {role: n for n, role in enumerate(ROLES)}
ORIGIN_NUMBER = {origin: n for n, origin in enumerate(ORIGINS)}
SESSION = """SELECT s.uid, b.name, s.started_at, s.last_at, s.platform, s.identity, s.title, s.task,
  s.parent, s.ended_at, s.messages, s.episodes
  FROM sessions s JOIN banks b ON b.id = s.bank"""
EPISODE = """SELECT e.id, s.uid, b.name, e.at, coalesce(e.task, s.task), e.state
  FROM episodes e JOIN sessions s ON s.id = e.session JOIN banks b ON b.id = e.bank"""
_TRUSTS = tuple(Trust)
_BY_ROLE = {
    role: (ORIGIN_NUMBER[origin], trust_of(origin)) for role, origin in ORIGIN_OF_ROLE.items()
}


def source_of(said: Utterance) -> tuple[int, Trust]:
    """Where a message came from and its trust: as said, or else what its role allows."""
    if said.origin is not None:
        return ORIGIN_NUMBER[said.origin], said.trust
    number, most = _BY_ROLE[said.role]
    return number, said.trust if said.trust < most else most


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
        attachments=row[12],
    )


def spoken(row: Sequence[Any], text: str) -> Spoken:
    """A message as recall shows it, its text apart: how that is kept is the store's own."""
    number, session_id, episode_id, at, role, speaker, calls, trust = row
    named = parse_calls(calls) if calls else ()
    return Spoken(
        number, session_id, episode_id, at, ROLES[role], text, speaker or "", named, _TRUSTS[trust]
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
