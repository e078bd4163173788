"""Conversations as other programs read them: OpenAI-style messages, one JSON object a line.

The counterpart of `transcript`: what is written here is read there, and gives the same messages.
"""

import base64
from collections.abc import Iterator, Sequence
from typing import Any

from hermes.clock import render_time_ms
from hermes.errors import NotFound
from hermes.memory.payloads import OWN, render_marker
from hermes.store.base import Store, Tx
from hermes.types import Message, Payload, Session, ToolCall

PAGE = 200
Json = dict[str, Any]


def export_session(store: Store, session_id: str) -> Iterator[Json]:
    """Each message of a conversation; the first also says what the conversation is."""
    session = store.read(lambda tx: tx.conversations.find_session(session_id))
    if session is None:
        raise NotFound(f"There is no session {session_id!r}.", "See `hermes sessions list`.")
    after = 0
    while page := _read_page(store, session_id, after):
        for message, payloads in page:
            head = {"session_id": session_id} if after else render_session(session)
            yield head | render_message(message, payloads)
            after = message.id


def _read_page(
    store: Store, session_id: str, after: int
) -> list[tuple[Message, Sequence[Payload]]]:
    def read(tx: Tx) -> list[tuple[Message, Sequence[Payload]]]:
        found = tx.conversations.list_messages(session_id, after_id=after, limit=PAGE)
        return [(m, _payloads(tx, m) if m.payload_count else ()) for m in found]

    return store.read(read)


def _payloads(tx: Tx, message: Message) -> Sequence[Payload]:
    """What was sent with a message; what the agent keeps there for itself is nobody else's."""
    kept = tx.conversations.list_payloads(message.id)
    return [payload for payload in kept if not payload.media_type.startswith(OWN)]


def render_session(session: Session) -> Json:
    """What a conversation is, as far as it says."""
    told = {
        "title": session.title,
        "bank": session.bank,
        "platform": session.platform,
        "identity": session.identity,
        "task": session.task,
        "parent_id": session.parent_id,
    }
    return {"session_id": session.id} | {key: text for key, text in told.items() if text}


def render_message(message: Message, payloads: Sequence[Payload]) -> Json:
    """One message; its payloads stand as data URLs where their markers stood."""
    line: Json = {
        "role": message.role.value,
        "content": render_content(message.text, payloads),
        "timestamp": render_time_ms(message.at),
    }
    if message.speaker:
        line["name"] = message.speaker
    if message.calls:
        line["tool_calls"] = [_render_call(call) for call in message.calls]
    if message.call_id:
        line["tool_call_id"] = message.call_id
    return line


def _render_call(call: ToolCall) -> Json:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def render_content(text: str, payloads: Sequence[Payload]) -> str | list[Json]:
    """The text alone, or the parts it was made of."""
    if not payloads:
        return text
    lines: list[str | Payload] = list(text.split("\n"))
    for payload in payloads:
        _put_back(lines, payload)
    return _join(lines)


def _put_back(lines: list[str | Payload], payload: Payload) -> None:
    """A marker on a line of its own becomes a part; one inside a line, a data URL inside it."""
    marker = render_marker(payload)
    if marker in lines:
        lines[lines.index(marker)] = payload
        return
    for n, line in enumerate(lines):
        if isinstance(line, str) and marker in line:
            lines[n] = line.replace(marker, data_url(payload), 1)
            return
    lines.append(payload)


def _join(lines: Sequence[str | Payload]) -> list[Json]:
    parts: list[Json] = []
    said: list[str] = []
    for line in lines:
        if isinstance(line, str):
            said.append(line)
            continue
        parts += _text_part(said)
        said = []
        parts.append(_payload_part(line))
    return parts + _text_part(said)


def _text_part(said: Sequence[str]) -> list[Json]:
    return [{"type": "text", "text": "\n".join(said)}] if said else []


def _payload_part(payload: Payload) -> Json:
    url = data_url(payload)
    if payload.media_type.startswith("image/"):
        return {"type": "image_url", "image_url": {"url": url}}
    return {"type": "file", "file": {"file_data": url}}


def data_url(payload: Payload) -> str:
    return f"data:{payload.media_type};base64,{base64.b64encode(payload.content).decode()}"
