"""Writes replies the way OpenAI-compatible servers and Anthropic do: whole, and as a stream.

Written apart from the adapters that read them, so that a mistake in one does not hide in the other.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hermes.llm.base import Finish
from hermes.testing.steps import Answer, Call, Refuse, Say
from hermes.types import ToolCall

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Counts:
    """Tokens a scripted server says it counted."""

    sent: int
    cached: int
    written: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """An answer in parts every format has."""

    text: str
    finish: Finish
    calls: tuple[ToolCall, ...] = ()
    thought: str = ""


def speak(answer: Answer) -> Spoken:
    match answer:
        case Say(text, finish, thought):
            return Spoken(text, finish, thought=thought)
        case Call(calls, text):
            return Spoken(text, Finish.TOOLS, calls)
        case Refuse(text):
            return Spoken(text, Finish.REFUSAL)


def words(text: str) -> list[str]:
    """The text in pieces of a word each, as models stream it."""
    return re.findall(r"\s*\S+|\s+$", text)


_OPENAI_FINISH = {
    Finish.STOP: "stop",
    Finish.LENGTH: "length",
    Finish.TOOLS: "tool_calls",
    Finish.REFUSAL: "content_filter",
}
_ANTHROPIC_FINISH = {
    Finish.STOP: "end_turn",
    Finish.LENGTH: "max_tokens",
    Finish.TOOLS: "tool_use",
    Finish.REFUSAL: "refusal",
}


def openai_reply(answer: Answer, model: object, counts: Counts) -> Json:
    spoken = speak(answer)
    message: Json = {"role": "assistant", "content": spoken.text or None}
    if spoken.thought:
        message["reasoning_content"] = spoken.thought
    if spoken.calls:
        message["tool_calls"] = [_openai_call(c) for c in spoken.calls]
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": _OPENAI_FINISH[spoken.finish],
    }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": model,
        "choices": [choice],
        "usage": _openai_usage(counts),
    }


def openai_events(
    answer: Answer, model: object, counts: Counts, *, has_usage: bool
) -> Iterator[str]:
    spoken = speak(answer)
    yield _openai_event(model, {"role": "assistant", "content": ""})
    for piece in words(spoken.thought):
        yield _openai_event(model, {"reasoning_content": piece})
    for piece in words(spoken.text):
        yield _openai_event(model, {"content": piece})
    for index, call in enumerate(spoken.calls):
        for delta in _openai_call_deltas(index, call):
            yield _openai_event(model, {"tool_calls": [delta]})
    yield _openai_event(model, {}, _OPENAI_FINISH[spoken.finish])
    if has_usage:
        yield _sse({"model": model, "choices": [], "usage": _openai_usage(counts)})
    yield "data: [DONE]\n\n"


def _openai_call(call: ToolCall) -> Json:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _openai_call_deltas(index: int, call: ToolCall) -> Iterator[Json]:
    """The name first, then the arguments a few characters at a time."""
    yield {"index": index} | _openai_call(ToolCall(call.id, call.name, ""))
    for start in range(0, len(call.arguments), 7):
        piece = call.arguments[start : start + 7]
        yield {"index": index, "function": {"arguments": piece}}


def _openai_event(model: object, delta: Json, finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _sse({"object": "chat.completion.chunk", "model": model, "choices": [choice]})


def _openai_usage(counts: Counts) -> Json:
    return {
        "prompt_tokens": counts.sent,
        "completion_tokens": counts.written,
        "total_tokens": counts.sent + counts.written,
        "prompt_tokens_details": {"cached_tokens": counts.cached},
    }


def anthropic_reply(answer: Answer, model: object, counts: Counts) -> Json:
    spoken = speak(answer)
    blocks: list[Json] = []
    if spoken.thought:
        blocks.append({"type": "thinking", "thinking": spoken.thought, "signature": "signed"})
    if spoken.text:
        blocks.append({"type": "text", "text": spoken.text})
    for call in spoken.calls:
        blocks.append(_anthropic_call(call) | {"input": json.loads(call.arguments)})
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": blocks,
        "stop_reason": _ANTHROPIC_FINISH[spoken.finish],
        "usage": _anthropic_usage(counts),
    }


def anthropic_events(answer: Answer, model: object, counts: Counts) -> Iterator[str]:
    spoken = speak(answer)
    usage = _anthropic_usage(counts) | {"output_tokens": 1}
    start = {"type": "message", "role": "assistant", "model": model, "content": [], "usage": usage}
    yield _named({"type": "message_start", "message": start})
    yield _named({"type": "ping"})
    for index, (block, deltas) in enumerate(_anthropic_blocks(spoken)):
        yield _named({"type": "content_block_start", "index": index, "content_block": block})
        for delta in deltas:
            yield _named({"type": "content_block_delta", "index": index, "delta": delta})
        yield _named({"type": "content_block_stop", "index": index})
    yield _named(
        {
            "type": "message_delta",
            "delta": {"stop_reason": _ANTHROPIC_FINISH[spoken.finish]},
            "usage": {"output_tokens": counts.written},
        }
    )
    yield _named({"type": "message_stop"})


def _anthropic_blocks(spoken: Spoken) -> Iterator[tuple[Json, list[Json]]]:
    if spoken.thought:
        thinking: list[Json] = [
            {"type": "thinking_delta", "thinking": piece} for piece in words(spoken.thought)
        ]
        thinking.append({"type": "signature_delta", "signature": "signed"})
        yield {"type": "thinking", "thinking": "", "signature": ""}, thinking
    if spoken.text:
        texts: list[Json] = [{"type": "text_delta", "text": piece} for piece in words(spoken.text)]
        yield {"type": "text", "text": ""}, texts
    for call in spoken.calls:
        pieces = [call.arguments[i : i + 7] for i in range(0, len(call.arguments), 7)]
        parts: list[Json] = [{"type": "input_json_delta", "partial_json": p} for p in pieces]
        yield _anthropic_call(call), parts


def _anthropic_call(call: ToolCall) -> Json:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}


def _anthropic_usage(counts: Counts) -> Json:
    return {
        "input_tokens": counts.sent - counts.cached,
        "cache_read_input_tokens": counts.cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": counts.written,
    }


def _sse(piece: Mapping[str, object]) -> str:
    return f"data: {json.dumps(piece)}\n\n"


def _named(piece: Mapping[str, object]) -> str:
    return f"event: {piece['type']}\n{_sse(piece)}"
