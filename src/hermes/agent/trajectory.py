"""Conversations as trajectories for training: ShareGPT lines with tool calls and a success flag.

Secrets are cut out once more. What the prefix held of the person, and what recall put before their
messages, is left out: a trajectory shows how a task was done, not whom it was done for.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from hermes.agent.endings import STOPPED, is_marked
from hermes.agent.keeping import Asked
from hermes.agent.pairs import pair_results
from hermes.agent.prompt import PrefixParts, render_prefix
from hermes.agent.thread import LOST
from hermes.clock import render_time
from hermes.errors import UserError
from hermes.guard.kept import kept_arguments
from hermes.guard.redact import redact
from hermes.llm.base import Finish, ModelReply
from hermes.memory.payloads import parse_data_url
from hermes.memory.reflect.call_outcome import Told
from hermes.memory.reflect.outcome import read_outcome
from hermes.types import Message, Payload, Role, Session, ToolCall

Json = dict[str, Any]
IMAGE = "<image>\n"
HUMAN, GPT, TOOL = "human", "gpt", "tool"
SPEAKER = {Role.USER: HUMAN, Role.ASSISTANT: GPT, Role.TOOL: TOOL}
_TAG = re.compile(r"<(/?)(\\*)(tool_call|tool_response|image)>")


def render_trajectory(
    session: Session,
    messages: Sequence[Message],
    told: Mapping[int, Told] | None = None,
    *,
    images: Mapping[int, Sequence[Payload]] | None = None,
) -> Json:
    """One line of a training file; `told` is how calls ended, as the agent kept it.

    `images` are the pictures sent with messages: `<image>` stands where one was, in order.
    """
    spoken = [message for message in messages if message.role in SPEAKER]
    turns: list[Json] = [{"from": "system", "value": render_prefix(PrefixParts())}]
    shown = images or {}
    turns += _turns(spoken, {number: len(sent) for number, sent in shown.items()})
    completed = _is_completed(spoken)
    return {
        "id": session.id,
        "conversations": turns,
        "timestamp": render_time(session.started_at),
        "completed": completed,
        "success": completed and read_outcome(spoken, told).went_well,
    } | _render_images([image for m in spoken for image in shown.get(m.id, ())])


def parse_trajectory(line: Mapping[str, Any]) -> Iterator[Asked | ModelReply]:
    """What was asked and what the model did, in order: what a replay needs."""
    turns = line.get("conversations")
    if not isinstance(turns, list):
        raise UserError("This is no trajectory: it has no conversations.", "Export one first.")
    sent = [parse_data_url(str(url)) for url in line.get("images") or ()]
    for number, turn in enumerate(turns):
        if turn.get("from") == HUMAN:
            text = str(turn.get("value", ""))
            pictures: list[Payload] = []
            while sent and text.startswith(IMAGE):
                text, image = text.removeprefix(IMAGE), sent.pop(0)
                pictures += [image] if image is not None else []
            yield Asked(_unquote(text), tuple(pictures))
        elif turn.get("from") == GPT:
            yield _parse_reply(str(turn.get("value", "")), number)


def _render_images(images: Sequence[Payload]) -> Json:
    urls = [f"data:{p.media_type};base64,{b64encode(p.content).decode()}" for p in images]
    return {"images": urls} if urls else {}


def _turns(messages: Sequence[Message], images: Mapping[int, int]) -> Iterator[Json]:
    """Sides that take turns, as what trains on them expects: neighbours of one side are one turn.

    Between the end of an interrupted call and the person's next word stands that it was.
    """
    before = ""
    for side, said in groupby(_said(messages), key=itemgetter(0)):
        parts = [(text, images.get(number, 0)) for _, text, number in said]
        if (before, side) == (TOOL, HUMAN):
            yield {"from": GPT, "value": STOPPED}
        between = "\n" if side == TOOL else "\n\n"
        text = between.join(text for text, _ in parts if text)
        yield {"from": side, "value": IMAGE * sum(shown for _, shown in parts) + text}
        before = side


def _said(messages: Sequence[Message]) -> Iterator[tuple[str, str, int]]:
    """The side, the text and the number of each message, each call followed by its response."""
    results = pair_results(messages)
    for place, message in enumerate(messages):
        if message.role is not Role.TOOL:
            yield SPEAKER[message.role], _render_said(message), message.id
            for call in message.calls:
                result = results.get((place, call.id))
                told = None if result is None else messages[result]
                yield TOOL, _render_response(call, told), 0


def _quote(text: str) -> str:
    """Words that quote a tag are no tag: `<tool_call>` in a text becomes `<\\tool_call>`."""
    return _TAG.sub(r"<\1\\\2\3>", text)


def _unquote(text: str) -> str:
    return _TAG.sub(lambda tag: f"<{tag[1]}{tag[2][1:]}{tag[3]}>", text)


def _render_said(message: Message) -> str:
    parts = [_quote(redact(message.text).text)] if message.text else []
    parts += [_render_call(call) for call in message.calls]
    return "\n".join(parts)


def _render_call(call: ToolCall) -> str:
    written = kept_arguments(call.arguments)
    try:
        arguments: object = json.loads(written)
    except ValueError:
        arguments = written
    if not isinstance(arguments, dict):
        arguments = written  # what is no object is told as it was
    told = json.dumps({"name": call.name, "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>\n{told}\n</tool_call>"


def _render_response(call: ToolCall, result: Message | None) -> str:
    """What came of a call; of one whose result was never kept, that it was interrupted."""
    told = {
        "tool_call_id": call.id,
        "name": call.name,
        "content": redact(result.text).text if result else LOST,
    }
    return f"<tool_response>\n{json.dumps(told, ensure_ascii=False)}\n</tool_response>"


def _is_completed(messages: Sequence[Message]) -> bool:
    """Whether the agent had the last word, and it was an answer."""
    if not messages or messages[-1].role is not Role.ASSISTANT:
        return False
    last = messages[-1]
    return not last.calls and not is_marked(last.text)


def _parse_reply(value: str, number: int) -> ModelReply:
    text, *blocks = value.split("<tool_call>\n")
    calls: list[ToolCall] = []
    for place, block in enumerate(blocks):
        try:
            told = json.loads(block.partition("\n</tool_call>")[0])
            arguments = told["arguments"]
            written = arguments if isinstance(arguments, str) else json.dumps(arguments)
            calls.append(ToolCall(f"t{number}_{place}", str(told["name"]), written))
        except (ValueError, KeyError, TypeError) as error:
            hint = "Give it as `hermes sessions export --format trajectory` writes it."
            raise UserError(f"A call in turn {number} cannot be read: {error}.", hint) from None
    finish = Finish.TOOLS if calls else Finish.STOP
    said = text.removesuffix("\n") if calls else text
    return ModelReply(_unquote(said), tuple(calls), finish)
