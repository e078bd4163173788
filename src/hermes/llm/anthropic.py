"""The wire format of Anthropic's Messages API.

System text stands apart, roles must alternate, tool results are a user's, and the prefix to cache
is marked by us.
"""

import base64
import json
from dataclasses import dataclass, replace

from hermes.llm.anthropic_reply import ReplyAssembler, parse_reply
from hermes.llm.base import (
    ChatMessage,
    JsonSchema,
    Model,
    ModelReply,
    ModelRequest,
    ModelSettings,
    Thought,
    ToolSpec,
)
from hermes.llm.catalog import resolve
from hermes.llm.channel import Channel, Json
from hermes.llm.http import Assembler, HttpModel
from hermes.types import Payload, Role, ToolCall

VERSION = "2023-06-01"
Block = dict[str, object]


@dataclass(frozen=True, slots=True)
class AnthropicDialect:
    """What this endpoint is thought to accept."""

    output_format: bool = True
    temperature: bool = True


def open_model(settings: ModelSettings) -> Model:
    """A model at an endpoint that speaks Anthropic's Messages API."""
    settings = resolve(settings)
    headers = {"anthropic-version": VERSION}
    if settings.api_key:
        headers["x-api-key"] = settings.api_key
    return HttpModel(
        settings, AnthropicWire(settings), AnthropicDialect(), Channel(settings, headers)
    )


class AnthropicWire:
    """Renders and parses messages."""

    path = "/messages"

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings

    def render(self, request: ModelRequest, dialect: AnthropicDialect, *, stream: bool) -> Json:
        body: dict[str, object] = {
            "model": self._settings.model,
            "max_tokens": request.max_tokens or self._settings.max_tokens,
            "messages": _render_turns(request.messages),
            "stream": stream,
        }
        if system := _render_system(request.messages):
            body["system"] = system
        if request.tools:
            body["tools"] = [_render_tool(tool) for tool in request.tools]
        temperature = request.temperature
        if temperature is None:
            temperature = self._settings.temperature
        if temperature is not None and dialect.temperature:
            body["temperature"] = temperature
        if request.json_schema:
            body |= _render_format(request, request.json_schema, dialect)
        return body

    def parse(self, body: Json, request: ModelRequest) -> ModelReply:
        return parse_reply(body, request, self._settings.model)

    def assemble(self, request: ModelRequest) -> Assembler:
        return ReplyAssembler(request, self._settings.model)

    def relax(
        self, dialect: AnthropicDialect, said: str, request: ModelRequest
    ) -> AnthropicDialect | None:
        if "temperature" in said and dialect.temperature:
            return replace(dialect, temperature=False)
        if request.json_schema and dialect.output_format:
            return replace(dialect, output_format=False)
        return None


def _render_format(
    request: ModelRequest, wanted: JsonSchema, dialect: AnthropicDialect
) -> dict[str, object]:
    """Hold the reply to a schema: as output format, else as a tool that must be called."""
    if dialect.output_format:
        shape = {"type": "json_schema", "schema": wanted.schema}
        return {"output_config": {"format": shape}}
    answer = ToolSpec(wanted.name, "Give the answer by calling this.", wanted.schema)
    choice: Json = {"type": "any"} if request.tools else {"type": "tool", "name": wanted.name}
    return {
        "tools": [_render_tool(tool) for tool in (*request.tools, answer)],
        "tool_choice": choice,
    }


def _render_tool(tool: ToolSpec) -> Block:
    rendered: Block = {
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.parameters,
    }
    return _mark(rendered) if tool.cache else rendered


def _mark(block: Block) -> Block:
    return block | {"cache_control": {"type": "ephemeral"}}


def _render_system(messages: tuple[ChatMessage, ...]) -> list[Block]:
    blocks: list[Block] = []
    for message in messages:
        if message.role is Role.SYSTEM and message.text.strip():
            block: Block = {"type": "text", "text": message.text}
            blocks.append(_mark(block) if message.cache else block)
    return blocks


def _render_turns(messages: tuple[ChatMessage, ...]) -> list[Json]:
    """Messages with neighbours of one role joined, as the API takes a conversation."""
    turns: list[tuple[str, list[Block]]] = []
    for message in messages:
        blocks = _render_blocks(message)
        if message.role is Role.SYSTEM or not blocks:
            continue
        role = "assistant" if message.role is Role.ASSISTANT else "user"
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(blocks)
        else:
            turns.append((role, blocks))
    return [{"role": role, "content": blocks} for role, blocks in turns]


def _render_blocks(message: ChatMessage) -> list[Block]:
    if message.role is Role.TOOL:
        blocks = [_render_result(message)]
    else:
        blocks = [_render_thought(t) for t in message.thoughts if t.signature or t.sealed]
        blocks += [_render_image(image) for image in message.images]
        # The API takes no text that is empty or blank.
        if message.text.strip():
            blocks.append({"type": "text", "text": message.text})
        blocks += [_render_call(call) for call in message.calls]
    if message.cache and blocks:
        blocks[-1] = _mark(blocks[-1])
    return blocks


def _render_result(message: ChatMessage) -> Block:
    block: Block = {
        "type": "tool_result",
        "tool_use_id": message.call_id,
        "content": message.text or "(empty)",
    }
    return block | {"is_error": True} if message.failed else block


def _render_thought(thought: Thought) -> Block:
    if thought.sealed:
        return {"type": "redacted_thinking", "data": thought.sealed}
    return {"type": "thinking", "thinking": thought.text, "signature": thought.signature}


def _render_image(image: Payload) -> Block:
    source = {
        "type": "base64",
        "media_type": image.media_type,
        "data": base64.b64encode(image.content).decode("ascii"),
    }
    return {"type": "image", "source": source}


def _render_call(call: ToolCall) -> Block:
    return {
        "type": "tool_use",
        "id": call.id,
        "name": call.name,
        "input": _parse_arguments(call.arguments),
    }


def _parse_arguments(text: str) -> Json:
    """The arguments as an object, which is all the API takes; anything else is wrapped."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {"invalid": text}
    return value if isinstance(value, dict) else {"invalid": text}
