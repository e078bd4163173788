"""What is there to see of a conversation of the agent afterwards: its prefix, and a trajectory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hermes.agent.keepsakes import find_prefix, images_among
from hermes.errors import NotFound
from hermes.memory.reflect.call_outcome import read_told
from hermes.types import Message, Role

if TYPE_CHECKING:
    from hermes.app.root import App

PAGE = 500
NO_PREFIX = "A conversation held by `hermes chat` or `hermes run` has one: `hermes sessions list`."


def get_prefix(app: App, session_id: str) -> str:
    """What every request of a conversation begins with, to the byte."""
    first = app.conversations.list_messages(session_id, after_id=0, limit=1)
    if first and (prefix := find_prefix(app.conversations.list_payloads(first[0].id))):
        return prefix
    raise NotFound(f"{session_id} has no prefix: no agent of Hermes spoke in it.", NO_PREFIX)


def export_trajectory(app: App, session_id: str) -> dict[str, Any]:
    """A conversation as one line of a training file, without secrets."""
    from hermes.agent.trajectory import render_trajectory  # noqa: PLC0415 - rarely needed

    session = app.conversations.get_session(session_id)
    read = app.conversations.list_whole
    messages: list[Message] = []
    while page := read(session, after_id=messages[-1].id if messages else 0, limit=PAGE):
        messages += page
    told = app.store.read(lambda tx: read_told(tx, messages))
    pictured = [m.id for m in messages if m.role is Role.USER and m.payload_count]
    images = {number: images_among(app.conversations.list_payloads(number)) for number in pictured}
    return render_trajectory(session, messages, told, images=images)
