"""What programs get to see: each value as JSON, key by key.

Command line, REST and MCP answer with these shapes. They are documented in docs/sessions.md, and a
test compares the two: adding a key is fine, renaming or removing one breaks whoever reads it.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from hermes.app.health import Status
from hermes.clock import EARLIEST_AT, LATEST_AT, render_time_ms
from hermes.memory.importing import Imported
from hermes.memory.sessions import Preview, Scroll, SessionHit, SessionSearch
from hermes.memory.snippet import Snippet
from hermes.store.base import Finding
from hermes.store.base.summaries import Summary
from hermes.types import Bank, Message, Recorded, Session, Trust

Json = dict[str, Any]
Summaries = Mapping[int, Summary]  # by the episode their messages are in
NONE: Summaries = MappingProxyType({})
_TRUSTS = frozenset(int(each) for each in Trust)


def time_shape(at: int | None) -> str | None:
    """ISO 8601 in UTC, to the millisecond: it sorts as text and loses nothing."""
    return None if at is None else render_time_ms(at)


def dated(value: Any) -> Any:
    """What was kept with a change or an event, its times and trust in the words used elsewhere.

    They are kept as the store counts; which fields are times, their names say.
    """
    if isinstance(value, Mapping):
        return {key: _dated_field(str(key), each) for key, each in value.items()}
    return [dated(each) for each in value] if isinstance(value, list | tuple) else value


def _dated_field(name: str, value: Any) -> Any:
    is_time = name in ("at", "valid_from", "valid_to") or name.endswith("_at")
    if is_time and type(value) is int and EARLIEST_AT <= value <= LATEST_AT:
        return time_shape(value)
    if name == "trust" and type(value) is int and value in _TRUSTS:
        return Trust(value).name.lower()
    return dated(value)


def session_shape(session: Session) -> Json:
    return {
        "id": session.id,
        "title": session.title,
        "bank": session.bank,
        "platform": session.platform,
        "identity": session.identity,
        "task": session.task,
        "parent_id": session.parent_id,
        "started_at": time_shape(session.started_at),
        "last_at": time_shape(session.last_at),
        "ended_at": time_shape(session.ended_at),
        "episodes": session.episodes,
        "messages": session.messages,
    }


def preview_shape(preview: Preview) -> Json:
    return session_shape(preview.session) | {"opening": preview.opening.text}


def message_shape(message: Message, summaries: Summaries = NONE) -> Json:
    """A message; where it stands for others that were compressed, `summary_id` says so."""
    summary = summaries.get(message.episode_id)
    return {
        "id": message.id,
        "session_id": message.session_id,
        "episode_id": message.episode_id,
        "at": time_shape(message.at),
        "role": message.role.value,
        "speaker": message.speaker,
        "text": message.text,
        "tool_calls": [
            {"id": call.id, "name": call.name, "arguments": call.arguments}
            for call in message.calls
        ],
        "tool_call_id": message.call_id,
        "origin": message.origin.value,
        "trust": message.trust.name.lower(),
        "payloads": message.attachments,
        "summary_id": summary.id if summary else None,
    }


def snippet_shape(snippet: Snippet) -> Json:
    return {"text": snippet.text, "highlights": [list(span) for span in snippet.highlights]}


def hit_shape(hit: SessionHit, summaries: Summaries = NONE) -> Json:
    return {
        "session": session_shape(hit.session),
        "score": hit.score,
        "hits": hit.hits,
        "message": message_shape(hit.message, summaries),
        "snippet": snippet_shape(hit.snippet),
        "around": [message_shape(message, summaries) for message in hit.around],
        "first": [message_shape(message, summaries) for message in hit.first],
        "last": [message_shape(message, summaries) for message in hit.last],
    }


def search_shape(search: SessionSearch, summaries: Summaries = NONE) -> Json:
    return {
        "query": search.query,
        "words": list(search.words),
        "found": search.candidates,
        "found_all": search.is_all,
        "hits": [hit_shape(hit, summaries) for hit in search.hits],
    }


def scroll_shape(scroll: Scroll, summaries: Summaries = NONE) -> Json:
    return {
        "session": session_shape(scroll.session),
        "messages": [message_shape(message, summaries) for message in scroll.messages],
        "anchor_id": scroll.anchor_id or None,
        "has_before": scroll.has_before,
        "has_after": scroll.has_after,
    }


def recorded_shape(receipt: Recorded) -> Json:
    return {
        "session_id": receipt.session_id,
        "episode_id": receipt.episode_id,
        "message_ids": list(receipt.message_ids),
        "duplicate": receipt.duplicate,
    }


def imported_shape(source: str, imported: Imported) -> Json:
    return {
        "source": source,
        "sessions": imported.sessions,
        "turns": imported.turns,
        "messages": imported.messages,
        "duplicates": imported.duplicates,
    }


def bank_shape(bank: Bank) -> Json:
    return {
        "name": bank.name,
        "description": bank.description,
        "created_at": time_shape(bank.created_at),
        "sessions": bank.sessions,
    }


def finding_shape(finding: Finding) -> Json:
    return {
        "level": finding.level,
        "part": finding.part,
        "message": finding.message,
        "hint": finding.hint,
    }


def status_shape(status: Status) -> Json:
    store = status.store
    return {
        "version": status.version,
        "home": status.home,
        "profile": status.profile,
        "banks": status.banks,
        "embeddings": status.embeddings,
        "space": status.space,
        "backlog": status.backlog,
        "embedded": status.embedded,
        "refused": status.refused,
        "extraction": status.extraction,
        "store": {
            "backend": store.backend,
            "location": store.location,
            "schema": store.schema,
            "encrypted": store.encrypted,
            "size_bytes": store.size_bytes,
            "seq": store.seq,
            "counts": dict(store.counts),
        },
    }
