"""What is particular to Anthropic's Messages API."""

import asyncio
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.llm.anthropic import AnthropicDialect, AnthropicWire, open_model
from hermes.llm.anthropic_reply import ReplyAssembler, parse_reply
from hermes.llm.base import (
    CallStarted,
    ChatMessage,
    Finish,
    Finished,
    JsonSchema,
    ModelEvent,
    ModelReply,
    ModelRequest,
    ModelSettings,
    TextDelta,
    Thought,
    ToolSpec,
)
from hermes.llm.structured import parse_json_reply
from hermes.net.faults import EndpointUnavailable, Fault
from hermes.testing import Call, Fail, Garbage, Received, Say, ScriptedServer, Step
from hermes.types import Payload, Role, ToolCall

WIRE = AnthropicWire(ModelSettings(provider="anthropic", model="m", max_tokens=100))
HELLO = ModelRequest((ChatMessage(Role.USER, "hello"),))
SHAPE = JsonSchema("answer", {"type": "object", "properties": {"n": {"type": "integer"}}})
TOOL = ToolSpec("find", "Finds.", {"type": "object"}, cache=True)


def ask(server: ScriptedServer, *requests: ModelRequest) -> list[list[ModelEvent]]:
    async def run() -> list[list[ModelEvent]]:
        settings = ModelSettings(provider="anthropic", model="m", base_url=server.url)
        model = open_model(settings)
        try:
            return [[event async for event in model.stream(request)] for request in requests]
        finally:
            await model.close()

    return asyncio.run(run())


def last_reply(events: list[ModelEvent]) -> ModelReply:
    assert isinstance(events[-1], Finished)
    return events[-1].reply


def test_a_conversation_is_rendered_with_its_marks() -> None:
    calls = (ToolCall("c1", "find", '{"q": 1}'), ToolCall("c2", "find", "not json"))
    request = ModelRequest(
        (
            ChatMessage(Role.SYSTEM, "You are Hermes.", cache=True),
            ChatMessage(Role.SYSTEM, "  "),
            ChatMessage(Role.USER, "See.", images=(Payload("image/png", b"\x89PNG"),)),
            ChatMessage(
                Role.ASSISTANT, calls=calls, thoughts=(Thought("hm", "sig"), Thought("unsigned"))
            ),
            ChatMessage(Role.TOOL, "3 hits", call_id="c1"),
            ChatMessage(Role.TOOL, "", call_id="c2", failed=True),
            ChatMessage(Role.USER, "Go on.", cache=True),
        ),
        tools=(TOOL,),
    )
    mark = {"type": "ephemeral"}
    assert WIRE.render(request, AnthropicDialect(), stream=False) == {
        "model": "m",
        "max_tokens": 100,
        "stream": False,
        "system": [{"type": "text", "text": "You are Hermes.", "cache_control": mark}],
        "tools": [
            {
                "name": "find",
                "description": "Finds.",
                "input_schema": {"type": "object"},
                "cache_control": mark,
            }
        ],
        "messages": [
            {
                "role": "user",
                "content": [
                    {
                        "type": "image",
                        "source": {
                            "type": "base64",
                            "media_type": "image/png",
                            "data": "iVBORw==",
                        },
                    },
                    {"type": "text", "text": "See."},
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "sig"},
                    {"type": "tool_use", "id": "c1", "name": "find", "input": {"q": 1}},
                    {
                        "type": "tool_use",
                        "id": "c2",
                        "name": "find",
                        "input": {"invalid": "not json"},
                    },
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "3 hits"},
                    {
                        "type": "tool_result",
                        "tool_use_id": "c2",
                        "content": "(empty)",
                        "is_error": True,
                    },
                    {"type": "text", "text": "Go on.", "cache_control": mark},
                ],
            },
        ],
    }


def test_a_schema_becomes_a_tool_where_output_formats_are_unknown() -> None:
    def answer(received: Received) -> Step:
        if "output_config" in received.body:
            return Fail(400, "output_config: Extra inputs are not permitted")
        return Call((ToolCall("t1", "answer", '{"n": 12345678}'),))

    with ScriptedServer(answer) as server:
        events = ask(server, replace(HELLO, json_schema=SHAPE))[0]
    reply = last_reply(events)
    assert parse_json_reply(reply) == {"n": 12345678}
    assert reply.calls == ()
    assert reply.finish is Finish.STOP
    assert not any(isinstance(event, CallStarted) for event in events)
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == reply.text
    assert server.requests[1].body["tool_choice"] == {"type": "tool", "name": "answer"}


def test_with_other_tools_beside_it_the_schema_is_one_of_several() -> None:
    request = replace(HELLO, json_schema=SHAPE, tools=(TOOL,))
    body = WIRE.render(request, AnthropicDialect(output_format=False), stream=False)
    assert body["tool_choice"] == {"type": "any"}
    assert len(body["tools"]) == 2  # type: ignore[arg-type]


def test_the_version_and_the_key_are_sent_as_anthropic_wants_them() -> None:
    with ScriptedServer([Say("ok")]) as server:

        async def run() -> None:
            settings = ModelSettings(
                provider="anthropic", model="m", base_url=server.url, api_key="sk-ant-1"
            )
            model = open_model(settings)
            await model.complete(HELLO)
            await model.close()

        asyncio.run(run())
    headers = server.requests[0].headers
    assert headers["x-api-key"] == "sk-ant-1"
    assert headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in headers


def test_thoughts_come_back_as_they_were_signed() -> None:
    with ScriptedServer([Say("done", thought="step by step")]) as server:
        reply = last_reply(ask(server, HELLO)[0])
    body = WIRE.render(ModelRequest((reply.as_message(),)), AnthropicDialect(), stream=False)
    assert body["messages"][0]["content"][0] == {  # type: ignore[index]
        "type": "thinking",
        "thinking": "step by step",
        "signature": "signed",
    }


def test_sealed_thoughts_are_kept() -> None:
    block = {"type": "redacted_thinking", "data": "XYZ"}
    reply = parse_reply({"content": [block], "stop_reason": "end_turn"}, HELLO, "m")
    body = WIRE.render(ModelRequest((reply.as_message(),)), AnthropicDialect(), stream=False)
    assert body["messages"][0]["content"] == [block]  # type: ignore[index]


def test_input_tokens_count_the_cached_part_too() -> None:
    usage = {
        "input_tokens": 10,
        "cache_read_input_tokens": 200,
        "cache_creation_input_tokens": 30,
        "output_tokens": 5,
    }
    reply = parse_reply({"content": [], "stop_reason": "end_turn", "usage": usage}, HELLO, "m")
    assert reply.usage.input_tokens == 240
    assert reply.usage.cached_tokens == 200
    assert reply.usage.cache_write_tokens == 30


def test_an_overload_in_the_middle_of_a_stream_is_an_overload() -> None:
    overload = json.dumps({"type": "error", "error": {"type": "overloaded_error"}})

    with (
        ScriptedServer([Garbage(overload)]) as server,
        pytest.raises(EndpointUnavailable) as caught,
    ):
        ask(server, HELLO)
    assert caught.value.fault is Fault.SERVER


blocks = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["text", "tool_use", "thinking", "content_block_delta", 3]),
        "text": st.text(max_size=5) | st.integers(),
        "input": st.none() | st.integers() | st.dictionaries(st.text(max_size=3), st.integers()),
        "name": st.text(max_size=5) | st.none(),
        "index": st.integers(0, 2) | st.lists(st.integers(), max_size=2),
        "delta": st.none() | st.dictionaries(st.sampled_from(["text", "partial_json"]), st.text()),
        "usage": st.none() | st.dictionaries(st.just("input_tokens"), st.integers() | st.text()),
    },
)


@given(st.lists(blocks, max_size=5))
def test_whatever_blocks_come_they_are_a_reply_or_a_value_error(
    pieces: list[dict[str, object]],
) -> None:
    reply = parse_reply({"content": pieces}, HELLO, "m")
    assert isinstance(reply.text, str)
    assembler = ReplyAssembler(HELLO, "m")
    for piece in pieces:
        try:
            list(assembler.feed(piece))
        except ValueError:
            return
    assert assembler.finish() is None
