"""The wire format of OpenAI's chat completions, which most model servers speak too.

They speak it with accents: what an endpoint refuses is left out from then on (`relax`).
"""

import base64
import json
from dataclasses import dataclass, replace
from enum import IntEnum

from hermes.llm.base import ChatMessage, Model, ModelReply, ModelRequest, ModelSettings, ToolSpec
from hermes.llm.catalog import resolve
from hermes.llm.channel import Channel, Json
from hermes.llm.http import Assembler, HttpModel
from hermes.llm.openai_reply import ReplyAssembler, parse_reply
from hermes.llm.structured import is_strict, render_instruction
from hermes.types import Payload, Role, ToolCall


class JsonMode(IntEnum):
    """How an endpoint is held to JSON, the best way first."""

    SCHEMA = 0
    OBJECT = 1
    PROMPT = 2


@dataclass(frozen=True, slots=True)
class OpenAIDialect:
    """What this endpoint is thought to accept."""

    length_field: str = "max_tokens"
    length_swapped: bool = False
    json_mode: JsonMode = JsonMode.SCHEMA
    temperature: bool = True
    stream_usage: bool = True
    cache_markers: bool = False


_OTHER_LENGTH_FIELD = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": "max_tokens",
}


def open_model(settings: ModelSettings) -> Model:
    """A model at any OpenAI-compatible endpoint."""
    settings = resolve(settings)
    headers = {"authorization": f"Bearer {settings.api_key}"} if settings.api_key else {}
    return HttpModel(
        settings, OpenAIWire(settings), _first_dialect(settings), Channel(settings, headers)
    )


def _first_dialect(settings: ModelSettings) -> OpenAIDialect:
    is_openai = "api.openai.com" in settings.base_url
    return OpenAIDialect(
        length_field="max_completion_tokens" if is_openai else "max_tokens",
        cache_markers="openrouter.ai" in settings.base_url,
    )


class OpenAIWire:
    """Renders and parses chat completions."""

    path = "/chat/completions"

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings

    def render(self, request: ModelRequest, dialect: OpenAIDialect, *, stream: bool) -> Json:
        body: dict[str, object] = {
            "model": self._settings.model,
            "messages": _render_messages(request, dialect),
            dialect.length_field: request.max_tokens or self._settings.max_tokens,
            "stream": stream,
        }
        temperature = request.temperature
        if temperature is None:
            temperature = self._settings.temperature
        if temperature is not None and dialect.temperature:
            body["temperature"] = temperature
        if request.tools:
            body["tools"] = [_render_tool(tool) for tool in request.tools]
        if stream and dialect.stream_usage:
            body["stream_options"] = {"include_usage": True}
        return body | _render_format(request, dialect)

    def parse(self, body: Json, request: ModelRequest) -> ModelReply:
        return parse_reply(body, request, self._settings.model)

    def assemble(self, request: ModelRequest) -> Assembler:
        return ReplyAssembler(request, self._settings.model)

    def relax(
        self, dialect: OpenAIDialect, said: str, request: ModelRequest
    ) -> OpenAIDialect | None:
        if dialect.length_field in said and not dialect.length_swapped:
            other = _OTHER_LENGTH_FIELD[dialect.length_field]
            return replace(dialect, length_field=other, length_swapped=True)
        if "temperature" in said and dialect.temperature:
            return replace(dialect, temperature=False)
        if "stream_options" in said and dialect.stream_usage:
            return replace(dialect, stream_usage=False)
        if "cache_control" in said and dialect.cache_markers:
            return replace(dialect, cache_markers=False)
        # Servers word this in too many ways to look for one: a schema is the likeliest reason.
        if request.json_schema and dialect.json_mode < JsonMode.PROMPT:
            return replace(dialect, json_mode=JsonMode(dialect.json_mode + 1))
        return None


def _render_format(request: ModelRequest, dialect: OpenAIDialect) -> dict[str, object]:
    wanted = request.json_schema
    if wanted is None or dialect.json_mode is JsonMode.PROMPT:
        return {}
    if dialect.json_mode is JsonMode.OBJECT:
        return {"response_format": {"type": "json_object"}}
    strict = is_strict(wanted.schema)
    shape = {"name": wanted.name, "schema": wanted.schema, "strict": strict}
    return {"response_format": {"type": "json_schema", "json_schema": shape}}


def _render_tool(tool: ToolSpec) -> Json:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": function}


def _render_messages(request: ModelRequest, dialect: OpenAIDialect) -> list[Json]:
    rendered = [_render_message(m, dialect) for m in request.messages]
    if request.json_schema and dialect.json_mode is not JsonMode.SCHEMA:
        # Last, so that the cached beginning of the conversation stays the same.
        told = render_instruction(request.json_schema)
        rendered.append({"role": "user", "content": told})
    return rendered


def _render_message(message: ChatMessage, dialect: OpenAIDialect) -> Json:
    rendered: dict[str, object] = {"role": message.role.value, "content": message.text}
    if message.images or (message.cache and dialect.cache_markers):
        rendered["content"] = _render_parts(message, dialect)
    if message.role is Role.TOOL:
        rendered["tool_call_id"] = message.call_id
    if message.calls:
        rendered["tool_calls"] = [_render_call(call) for call in message.calls]
        rendered["content"] = message.text or None
    return rendered


def _render_parts(message: ChatMessage, dialect: OpenAIDialect) -> list[Json]:
    parts: list[dict[str, object]] = [_render_image(image) for image in message.images]
    if message.text:
        parts.append({"type": "text", "text": message.text})
    if parts and message.cache and dialect.cache_markers:
        parts[-1]["cache_control"] = {"type": "ephemeral"}
    return list(parts)


def _render_image(image: Payload) -> dict[str, object]:
    encoded = base64.b64encode(image.content).decode("ascii")
    url = f"data:{image.media_type};base64,{encoded}"
    return {"type": "image_url", "image_url": {"url": url}}


def _render_call(call: ToolCall) -> Json:
    function = {"name": call.name, "arguments": _valid_arguments(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _valid_arguments(text: str) -> str:
    """Arguments as a model wrote them; wrapped if they are not JSON, which servers choke on."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return json.dumps({"invalid": text})
    return text
