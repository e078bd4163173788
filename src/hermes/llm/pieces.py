"""Reads values out of JSON that a server may have got wrong, and what all replies share."""

import json
from collections.abc import Iterator, Mapping, Sequence

from hermes.llm.base import Finish, ModelRequest, Usage
from hermes.types import ToolCall

CHARS_PER_TOKEN = 4


def text_of(value: object) -> str:
    """A string, the texts of a list of parts, or nothing."""
    if isinstance(value, str):
        return value
    if not isinstance(value, Sequence):
        return ""
    parts = (part.get("text") if isinstance(part, Mapping) else part for part in value)
    return "".join(part for part in parts if isinstance(part, str))


def count_of(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def object_of(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def objects_of(value: object) -> Iterator[Mapping[str, object]]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        yield from (part for part in value if isinstance(part, Mapping))


def arguments_of(value: object) -> str:
    """The arguments of a call as JSON text; some servers send the object itself."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if value is not None else ""


def settle_calls(calls: Sequence[ToolCall], finish: Finish) -> tuple[ToolCall, ...]:
    """Calls ready to be run: each with an id of its own and arguments; none that was cut off."""
    settled: dict[str, ToolCall] = {}
    for number, call in enumerate(calls, start=1):
        arguments = call.arguments.strip() or "{}"
        if not call.name or (finish is Finish.LENGTH and not is_json(arguments)):
            continue
        key = call.id if call.id and call.id not in settled else f"{call.id or 'call'}_{number}"
        settled[key] = ToolCall(key, call.name, arguments)
    return tuple(settled.values())


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def estimate_usage(request: ModelRequest, written: int) -> Usage:
    """Tokens by rule of thumb, for an endpoint that does not count them."""
    sent = sum(len(m.text) + sum(len(c.arguments) for c in m.calls) for m in request.messages)
    sent += sum(len(str(tool.parameters)) + len(tool.description) for tool in request.tools)
    return Usage(
        input_tokens=sent // CHARS_PER_TOKEN + len(request.messages),
        output_tokens=-(-written // CHARS_PER_TOKEN),
        estimated=True,
    )
