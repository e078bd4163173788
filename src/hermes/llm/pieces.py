"""Reads values out of JSON that a server may have got wrong, and what all replies share."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import count

from hermes.llm.base import Finish, ModelRequest, Usage
from hermes.types import ToolCall

CHARS_PER_TOKEN = 4
MOST_CALLS = 128
_MARKS = re.compile(r"""\\(.?)|["{}\[\]]""", re.DOTALL)


class TooMuch(ValueError):
    """A reply holds more than any should."""


def check_calls(count: int) -> None:
    """Raise `TooMuch` where a reply asks for more calls than anyone can mean."""
    if count > MOST_CALLS:
        raise TooMuch(f"more than {MOST_CALLS} calls in one reply")


class Brackets:
    """Whether JSON that comes in pieces has closed all it opened; each piece is read once."""

    def __init__(self) -> None:
        self._depth = 0
        self._is_quoted = False
        self._is_escaped = False
        self.is_closed = False

    def feed(self, piece: str) -> None:
        for mark in _MARKS.finditer("\\" * self._is_escaped + piece):
            self._is_escaped = mark[0] == "\\"
            if mark[0] == '"':
                self._is_quoted = not self._is_quoted
            elif mark[0] in "{}[]" and not self._is_quoted:
                self._depth += 1 if mark[0] in "{[" else -1
                self.is_closed = self._depth == 0


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


def cost_of(value: object) -> float | None:
    """What a call is said to have cost; None where that cannot be."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        cost = float(value)
    except OverflowError:
        return None
    return cost if math.isfinite(cost) and cost >= 0 else None


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
    """Calls ready to be run: each with an id of its own and arguments; none that was cut off.

    `TooMuch` where there are too many.
    """
    check_calls(len(calls))
    settled: list[ToolCall] = []
    taken: set[str] = set()
    for number, call in enumerate(calls, start=1):
        arguments = call.arguments.strip() or "{}"
        if not call.name or (finish is Finish.LENGTH and not is_json(arguments)):
            continue
        key = _free_id(call.id, number, taken)
        taken.add(key)
        settled.append(ToolCall(key, call.name, arguments))
    return tuple(settled)


def _free_id(given: str, number: int, taken: Set[str]) -> str:
    """The id a call came with; where it has none, or one of another, the next that is free."""
    if given and given not in taken:
        return given
    tried = (f"{given or 'call'}_{n}" for n in count(number))
    return next(each for each in tried if each not in taken)


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
