"""What a model is given for a turn: the frozen prefix, the conversation, and, before the person's
newest message, the time and what was recalled for it, fenced as data.

The recalled block stands as late as it can: everything before it is the same as in the request
before, so that a provider's cache holds for all but the last turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from hermes.agent.keepsakes import Summary
from hermes.agent.thread import Thread
from hermes.clock import to_datetime
from hermes.guard.fence import fence
from hermes.llm.base import ChatMessage, ModelRequest, ToolSpec
from hermes.memory.recall.answer import Recall
from hermes.types import Role, Trust

RECALL_SHARE = 0.4  # of the window: the conversation needs room too
LEAST_RECALL = 200
EARLIER = (
    "Earlier in this conversation, in few words; `session_search` finds what was said exactly."
)
FOLLOWS = "The person's message:"


@dataclass(frozen=True, slots=True)
class Injected:
    """What is put before the person's newest message, and is no part of the conversation."""

    block: str = ""
    trust: Trust = Trust.HIGH


def recall_budget(configured: int, window_tokens: int) -> int:
    return max(LEAST_RECALL, min(configured, int(window_tokens * RECALL_SHARE)))


def inject(recall: Recall | None, thread: Thread, now: int, zone: tzinfo) -> Injected:
    """The time, and what is remembered beyond what the conversation shows anyway."""
    moment = to_datetime(now).astimezone(zone)
    told = f"[It is {moment:%A, %Y-%m-%d %H:%M} {moment.tzname() or ''}".rstrip() + ".]"
    if recall is None:
        return Injected(told)
    items = tuple(
        item
        for item in recall.items
        if not item.session_id or not thread.is_in_sight(item.session_id, item.message_id)
    )
    block = replace(recall, items=items).context() if items else ""
    shown = [item.trust for item in items] if block else []
    shown += [line.trust for item in items for line in item.lines] if block else []
    return Injected(f"{told}\n{block}".strip(), min(shown, default=Trust.HIGH))


def build_request(
    thread: Thread, injected: Injected, asked: int, tools: Sequence[ToolSpec]
) -> ModelRequest:
    """The request for a thread whose newest message of the person is line `asked`."""
    messages = [ChatMessage(Role.SYSTEM, thread.prefix, cache=True)]
    for place, line in enumerate(thread.lines):
        message = line.message
        if place == asked and injected.block:
            message = replace(message, text=f"{injected.block}\n\n{FOLLOWS}\n{message.text}")
        if place == 0 and thread.summary is not None:
            message = replace(message, text=f"{_earlier(thread.summary)}\n\n{message.text}")
        messages.append(message)
    return ModelRequest(_marked(_joined(messages)), tuple(tools))


def _earlier(summary: Summary) -> str:
    label = {"kind": "summary", "trust": summary.trust.name.lower()}
    return f"{EARLIER}\n{fence(summary.text, label)}"


def _joined(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Neighbours that the person said as one: some models take only alternating roles."""
    joined: list[ChatMessage] = []
    for message in messages:
        last = joined[-1] if joined else None
        if last is not None and last.role is Role.USER and message.role is Role.USER:
            text = "\n\n".join(part for part in (last.text, message.text) if part)
            joined[-1] = replace(last, text=text, images=last.images + message.images)
        else:
            joined.append(message)
    return joined


def _marked(messages: list[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Marks the ends of what the next request will begin with: all before this turn, and all."""
    newest = max((n for n, m in enumerate(messages) if m.role is Role.USER), default=0)
    for place in {newest - 1, len(messages) - 1}:
        if place > 0:
            messages[place] = replace(messages[place], cache=True)
    return tuple(messages)
