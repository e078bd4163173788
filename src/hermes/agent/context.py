"""What a model is given for a turn: the frozen prefix, then the conversation; before a message of
the person stand the time and what was recalled for it, fenced as data.

A block stays where it is in later turns, and what it shows is not recalled again, so that each
request begins with the one before it and a provider's cache holds. All blocks together stay within
the budget of recall: where they fill it, the old ones go. None of them is ever recorded.
"""

from collections.abc import Sequence
from dataclasses import replace

from hermes.agent.keepsakes import Summary
from hermes.agent.parts import AgentOptions
from hermes.agent.prompt import render_place
from hermes.agent.thread import Injected, Thread
from hermes.clock import to_datetime
from hermes.guard.fence import fence
from hermes.llm.base import ChatMessage, ModelRequest, ToolSpec
from hermes.memory.recall.answer import Recall
from hermes.memory.recall.result import Item
from hermes.memory.recall.tokens import count_tokens
from hermes.types import Role

RECALL_SHARE = 0.3  # of what the window has for talk: the conversation needs room too
LEAST_RECALL = 200
LEAST_LEFT = 0.25  # of the budget: with less, recall would be starved by what it gave before
EARLIER = (
    "Earlier in this conversation, in few words; `session_search` finds what was said exactly."
)
FOLLOWS = "The person's message:"


def recall_budget(configured: int, left_tokens: int) -> int:
    """What may be recalled where a window has `left_tokens` for all that is said."""
    return max(LEAST_RECALL, min(configured, int(left_tokens * RECALL_SHARE)))


def room_for_recall(thread: Thread, budget_tokens: int) -> int:
    """How much may be recalled for the next message; old blocks go where they fill the budget."""
    left = budget_tokens - thread.injected_tokens
    if left < max(LEAST_RECALL, budget_tokens * LEAST_LEFT):
        thread.drop_injected()
        return budget_tokens
    return left


def inject(recall: Recall, thread: Thread, now: int, options: AgentOptions) -> Injected:
    """The time, and what is remembered beyond what the conversation shows anyway.

    A conversation that is gone on with in another folder keeps its prefix: it is told here.
    """
    moment = to_datetime(now).astimezone(options.zone)
    told = f"[It is {moment:%A, %Y-%m-%d %H:%M} {moment.tzname() or ''}".rstrip() + "."
    place = render_place(options.workdir)
    told += "]" if place in thread.prefix else f" {place}]"
    items = tuple(item for item in recall.items if not _is_shown(item, thread))
    block = replace(recall, items=items).context() if items else ""
    if not block:
        return Injected(told)
    trusts = [item.trust for item in items]
    trusts += [line.trust for item in items for line in item.lines]
    refs = frozenset(item.ref for item in items)
    return Injected(f"{told}\n{block}", refs, min(trusts), count_tokens(block))


def _is_shown(item: Item, thread: Thread) -> bool:
    if item.ref in thread.shown_refs:
        return True
    return bool(item.session_id) and thread.is_in_sight(item.session_id, item.message_id)


def build_request(
    thread: Thread, tools: Sequence[ToolSpec], *, asked: bool = False
) -> ModelRequest:
    """The request for a thread as it stands; `asked` if it is the first since somebody spoke."""
    messages = [ChatMessage(Role.SYSTEM, thread.prefix, cache=True)]
    for place, line in enumerate(thread.lines):
        message = line.message
        if line.injected is not None:
            text = f"{line.injected.block}\n\n{FOLLOWS}\n{message.text}"
            message = replace(message, text=text)
        if place == 0 and thread.summary is not None:
            message = replace(message, text=f"{_earlier(thread.summary)}\n\n{message.text}")
        messages.append(message)
    return ModelRequest(_marked(_joined(messages)), tuple(tools), asked=asked)


def _earlier(summary: Summary) -> str:
    label = {"kind": "summary", "trust": summary.trust.name.lower()}
    return f"{EARLIER}\n{fence(summary.text, label)}"


def _joined(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Neighbours that one side said as one: some models take only alternating roles."""
    joined: list[ChatMessage] = []
    for message in messages:
        last = joined[-1] if joined else None
        if last is not None and last.role is message.role and _is_speech(last, message):
            text = "\n\n".join(part for part in (last.text, message.text) if part)
            joined[-1] = replace(last, text=text, images=last.images + message.images)
        else:
            joined.append(message)
    return joined


def _is_speech(*messages: ChatMessage) -> bool:
    """Whether nothing but words and pictures is said: what calls a tool stands by itself."""
    roles = (Role.USER, Role.ASSISTANT)
    return all(m.role in roles and not m.calls and not m.thoughts for m in messages)


def _marked(messages: list[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Marks the ends of what the next request will begin with: all before this turn, and all."""
    newest = max((n for n, m in enumerate(messages) if m.role is Role.USER), default=0)
    for place in {newest - 1, len(messages) - 1}:
        if place > 0:
            messages[place] = replace(messages[place], cache=True)
    return tuple(messages)
