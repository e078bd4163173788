"""The accents of OpenAI-compatible servers: what is sent to them, and what they send."""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.llm.base import (
    ChatMessage,
    Finish,
    JsonSchema,
    ModelReply,
    ModelRequest,
    ModelSettings,
    ToolSpec,
)
from hermes.llm.openai import JsonMode, OpenAIDialect, OpenAIWire, open_model
from hermes.llm.openai_reply import ReplyAssembler, parse_reply
from hermes.llm.pieces import settle_calls
from hermes.llm.structured import parse_json_reply
from hermes.net.faults import EndpointRejected
from hermes.testing import Fail, Received, Say, ScriptedServer, Step
from hermes.types import Payload, Role, ToolCall

WIRE = OpenAIWire(ModelSettings(model="m", max_tokens=100))
PLAIN = OpenAIDialect()
HELLO = ModelRequest((ChatMessage(Role.USER, "hello"),))
SHAPE = JsonSchema("answer", {"type": "object", "properties": {"n": {"type": "integer"}}})


def ask(server: ScriptedServer, *requests: ModelRequest) -> list[ModelReply]:
    async def run() -> list[ModelReply]:
        model = open_model(ModelSettings(model="m", base_url=server.url))
        try:
            return [await model.complete(request) for request in requests]
        finally:
            await model.close()

    return asyncio.run(run())


def feed(*pieces: dict[str, object]) -> ModelReply | None:
    assembler = ReplyAssembler(HELLO, "m")
    for piece in pieces:
        list(assembler.feed(piece))
    return assembler.finish()


def delta(finish: str | None = None, **parts: object) -> dict[str, object]:
    return {"choices": [{"delta": parts, "finish_reason": finish}]}


def call_delta(**parts: object) -> dict[str, object]:
    return delta(tool_calls=[parts])


def test_a_conversation_is_rendered() -> None:
    call = ToolCall("c1", "find", '{"q": 1}')
    request = ModelRequest(
        (
            ChatMessage(Role.SYSTEM, "Be brief."),
            ChatMessage(Role.USER, "See this.", images=(Payload("image/png", b"\x89PNG"),)),
            ChatMessage(Role.ASSISTANT, calls=(call,)),
            ChatMessage(Role.TOOL, "3 hits", call_id="c1"),
        ),
        tools=(ToolSpec("find", "Finds.", {"type": "object"}),),
        temperature=0.0,
        max_tokens=9,
    )
    body = WIRE.render(request, PLAIN, stream=True)
    assert body == {
        "model": "m",
        "max_tokens": 9,
        "temperature": 0.0,
        "stream": True,
        "stream_options": {"include_usage": True},
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "find",
                    "description": "Finds.",
                    "parameters": {"type": "object"},
                },
            }
        ],
        "messages": [
            {"role": "system", "content": "Be brief."},
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
                    {"type": "text", "text": "See this."},
                ],
            },
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "find", "arguments": '{"q": 1}'},
                    }
                ],
            },
            {"role": "tool", "content": "3 hits", "tool_call_id": "c1"},
        ],
    }


def test_arguments_that_are_not_json_go_back_wrapped() -> None:
    message = ChatMessage(Role.ASSISTANT, calls=(ToolCall("c", "f", '{"q": '),))
    body = WIRE.render(ModelRequest((message,)), PLAIN, stream=False)
    assert json.loads(body["messages"][0]["tool_calls"][0]["function"]["arguments"]) == {  # type: ignore[index]
        "invalid": '{"q": '
    }


def test_cache_markers_go_only_where_they_are_understood() -> None:
    request = ModelRequest((ChatMessage(Role.SYSTEM, "Long.", cache=True),))
    marked = WIRE.render(request, replace(PLAIN, cache_markers=True), stream=False)
    assert "cache_control" in json.dumps(marked)
    assert "cache_control" not in json.dumps(WIRE.render(request, PLAIN, stream=False))


def test_a_newer_name_for_the_longest_answer_is_learnt_once() -> None:
    def answer(received: Received) -> Step:
        if "max_tokens" in received.body:
            return Fail(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.")
        return Say("ok")

    with ScriptedServer(answer) as server:
        replies = ask(server, HELLO, HELLO)
    assert [r.text for r in replies] == ["ok", "ok"]
    assert ["max_tokens" in r.body for r in server.requests] == [True, False, False]


@pytest.mark.parametrize("cost", ["NaN", "Infinity", "-1000", "true", "1" + "0" * 400, '"0.1"'])
def test_a_cost_that_cannot_be_one_is_not_taken_from_the_server(cost: str) -> None:
    usage = f'{{"prompt_tokens": 9, "completion_tokens": 1, "cost": {cost}}}'
    body = json.loads(f'{{"choices": [{{"message": {{"content": "x"}}}}], "usage": {usage}}}')
    assert parse_reply(body, HELLO, "m").usage.cost_usd is None


def test_a_model_that_takes_no_temperature_is_asked_without() -> None:
    def answer(received: Received) -> Step:
        if "temperature" in received.body:
            return Fail(400, "Unsupported value: 'temperature' does not support 0.2")
        return Say("ok")

    with ScriptedServer(answer) as server:
        assert ask(server, replace(HELLO, temperature=0.2))[0].text == "ok"


def test_a_schema_is_asked_for_in_words_where_nothing_else_is_taken() -> None:
    def answer(received: Received) -> Step:
        if "response_format" in received.body:
            return Fail(400, "response_format is not supported by this server")
        return Say('Here it is:\n```json\n{"n": 4}\n```')

    with ScriptedServer(answer) as server:
        reply = ask(server, replace(HELLO, json_schema=SHAPE))[0]
    assert parse_json_reply(reply) == {"n": 4}
    kinds = [r.body.get("response_format") for r in server.requests]
    assert [k and k["type"] for k in kinds] == ["json_schema", "json_object", None]  # type: ignore[index]
    assert '"integer"' in str(server.requests[-1].body["messages"])


def test_a_refusal_that_nothing_mends_is_raised_once() -> None:
    with ScriptedServer(lambda _: Fail(400, "no")) as server:
        with pytest.raises(EndpointRejected):
            ask(server, HELLO)
    assert len(server.requests) == 1


def test_relaxing_ends() -> None:
    """However an endpoint words its refusals, there is a last dialect."""
    said = "max_tokens max_completion_tokens temperature stream_options cache_control schema"
    dialect: OpenAIDialect | None = replace(PLAIN, cache_markers=True)
    steps = 0
    while dialect is not None:
        last = dialect
        dialect = WIRE.relax(dialect, said, replace(HELLO, json_schema=SHAPE))
        steps += 1
    assert steps == 7
    assert last.json_mode is JsonMode.PROMPT
    assert not last.temperature


def test_strict_is_claimed_only_for_a_strict_schema() -> None:
    loose = WIRE.render(replace(HELLO, json_schema=SHAPE), PLAIN, stream=False)
    closed = {**SHAPE.schema, "required": ["n"], "additionalProperties": False}
    strict = WIRE.render(replace(HELLO, json_schema=JsonSchema("a", closed)), PLAIN, stream=False)
    assert loose["response_format"]["json_schema"]["strict"] is False  # type: ignore[index]
    assert strict["response_format"]["json_schema"]["strict"] is True  # type: ignore[index]


def test_calls_that_share_an_index_but_not_an_id_are_apart() -> None:
    reply = feed(
        call_delta(index=0, id="a", function={"name": "f", "arguments": '{"x":1}'}),
        call_delta(index=0, id="b", function={"name": "g", "arguments": "{}"}),
        delta("tool_calls"),
    )
    assert reply is not None
    assert [(c.id, c.name) for c in reply.calls] == [("a", "f"), ("b", "g")]


def test_calls_without_index_or_id_are_apart_and_get_ids() -> None:
    reply = feed(
        call_delta(function={"name": "f", "arguments": {"x": 1}}),
        call_delta(function={"name": "g", "arguments": ""}),
        delta("stop"),
    )
    assert reply is not None
    assert [(c.name, c.arguments) for c in reply.calls] == [("f", '{"x": 1}'), ("g", "{}")]
    assert len({c.id for c in reply.calls}) == 2
    assert reply.finish is Finish.TOOLS


def test_interleaved_calls_are_put_together() -> None:
    reply = feed(
        call_delta(index=0, id="a", function={"name": "f", "arguments": '{"x"'}),
        call_delta(index=1, id="b", function={"name": "f", "arguments": '{"y"'}),
        call_delta(index=0, function={"arguments": ":1}"}),
        call_delta(index=1, function={"arguments": ":2}"}),
        delta("tool_calls"),
    )
    assert reply is not None
    assert [c.arguments for c in reply.calls] == ['{"x":1}', '{"y":2}']


@pytest.mark.parametrize("named", [{"index": 0}, {"function": {"name": "f"}}])
def test_four_times_the_pieces_take_about_four_times_as_long(named: dict[str, object]) -> None:
    """Also where a server numbers no calls and names the tool with every piece."""
    function = {"name": "f"} if "function" in named else {}

    def cost_s(pieces: int) -> float:
        more = call_delta(**named | {"function": function | {"arguments": "abcdefghij" * 20}})
        first = call_delta(index=named.get("index"), function={"name": "f", "arguments": '{"q": "'})
        begun = time.thread_time()
        reply = feed(first, *[more] * pieces, delta("tool_calls"))
        took_s = time.thread_time() - begun
        assert reply is not None
        assert len(reply.calls[0].arguments) == 200 * pieces + 7
        return took_s

    for _ in range(3):  # the processor's time is uneven beside other work
        least, most = cost_s(5_000), cost_s(20_000)
        if most <= 8 * least:
            return
    pytest.fail(f"{least:.2f} s for 5,000 pieces, {most:.2f} s for 20,000")


def test_calls_with_one_id_twice_get_ids_of_their_own() -> None:
    calls = [{"id": "same", "function": {"name": "f", "arguments": "{}"}}] * 2
    body = {"choices": [{"message": {"tool_calls": calls}, "finish_reason": "stop"}]}
    reply = parse_reply(body, HELLO, "m")
    assert len({c.id for c in reply.calls}) == 2


@pytest.mark.parametrize("ids", [["call_2", ""], ["x", "x_3", "x"], ["", "call_1", "call_1"]])
def test_no_call_is_lost_to_an_id_that_another_has(ids: list[str]) -> None:
    calls = [ToolCall(each, f"f{n}", "{}") for n, each in enumerate(ids)]
    settled = settle_calls(calls, Finish.TOOLS)
    assert [call.name for call in settled] == [call.name for call in calls]
    assert len({call.id for call in settled}) == len(calls)


def test_a_call_cut_off_by_length_is_never_run() -> None:
    reply = feed(
        call_delta(index=0, id="a", function={"name": "delete", "arguments": '{"path": "/tm'}),
        delta("length"),
    )
    assert reply is not None
    assert reply.calls == ()
    assert reply.finish is Finish.LENGTH


def test_a_stream_without_its_end_is_no_reply() -> None:
    assert feed(delta(content="half of")) is None


def test_an_error_inside_a_stream_is_an_error() -> None:
    with pytest.raises(ValueError, match="out of memory"):
        feed({"choices": [{"error": {"message": "out of memory"}, "delta": {}}]})


def test_usage_left_out_is_estimated_and_said_to_be() -> None:
    reply = feed(delta(content="x" * 40), delta("stop"))
    assert reply is not None
    assert reply.usage.estimated
    assert reply.usage.output_tokens == 10


def test_cost_and_cache_hits_of_several_servers_are_read() -> None:
    def usage(**parts: object) -> ModelReply:
        message = {"message": {"content": "x"}, "finish_reason": "stop"}
        return parse_reply({"choices": [message], "usage": parts}, HELLO, "m")

    assert usage(prompt_tokens=9, cost=0.5).usage.cost_usd == 0.5
    assert usage(prompt_tokens=9, prompt_cache_hit_tokens=4).usage.cached_tokens == 4


def test_a_spoken_refusal_is_a_refusal_whatever_the_reason_says() -> None:
    message = {"content": None, "refusal": "I will not."}
    reply = parse_reply({"choices": [{"message": message, "finish_reason": "stop"}]}, HELLO, "m")
    assert (reply.finish, reply.text) == (Finish.REFUSAL, "I will not.")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "choices delta message content tool_calls function name arguments index id"
                " usage finish_reason prompt_tokens error refusal".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)
json_objects = st.dictionaries(st.sampled_from(["choices", "usage", "error"]), json_values)


@given(json_objects)
def test_whatever_json_comes_it_is_a_reply_or_a_value_error(body: dict[str, object]) -> None:
    acts: list[Callable[[], ModelReply | None]] = [
        lambda: parse_reply(body, HELLO, "m"),
        lambda: feed(body),
    ]
    for act in acts:
        try:
            reply = act()
        except ValueError:
            continue
        assert reply is None or isinstance(reply.text, str)


@given(st.text(min_size=1), st.data())
def test_arguments_survive_any_way_of_cutting_them(text: str, data: st.DataObject) -> None:
    arguments = json.dumps({"q": text})
    cuts = sorted(data.draw(st.sets(st.integers(1, len(arguments) - 1))))
    edges = [0, *cuts, len(arguments)]
    pieces = [arguments[a:b] for a, b in pairwise(edges)]
    first = call_delta(index=0, id="a", function={"name": "f", "arguments": ""})
    rest = [call_delta(index=0, function={"arguments": piece}) for piece in pieces]
    reply = feed(first, *rest, delta("tool_calls"))
    assert reply is not None
    assert json.loads(reply.calls[0].arguments) == {"q": text}
