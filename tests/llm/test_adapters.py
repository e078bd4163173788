"""One suite over both wire formats, against a scripted server on a real socket."""

import asyncio
import gc
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import TypeVar

import pytest

from hermes.errors import HermesError, Refused, Unavailable, UserError
from hermes.llm.base import (
    CallDelta,
    CallStarted,
    ChatMessage,
    Finish,
    Finished,
    JsonSchema,
    Model,
    ModelEvent,
    ModelReply,
    ModelRequest,
    ModelSettings,
    TextDelta,
    ThoughtDelta,
    ToolSpec,
)
from hermes.llm.catalog import describe_endpoint, open_model
from hermes.llm.pieces import MOST_CALLS
from hermes.llm.structured import parse_json_reply
from hermes.net.faults import EndpointError, Fault, build_error
from hermes.testing import (
    Call,
    Fail,
    Flood,
    Garbage,
    Hang,
    Html,
    Refuse,
    Say,
    ScriptedServer,
    Step,
    Truncate,
)
from hermes.types import Role, ToolCall

T = TypeVar("T")
HELLO = ModelRequest((ChatMessage(Role.USER, "hello"),))
TOOL = ToolSpec("find", "Finds.", {"type": "object", "properties": {"q": {"type": "string"}}})
ANSWER = JsonSchema(
    "answer",
    {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
        "additionalProperties": False,
    },
)


@pytest.fixture(params=["openai", "anthropic"])
def settings(request: pytest.FixtureRequest) -> ModelSettings:
    return ModelSettings(provider=request.param, model="m", idle_timeout_s=0.3, deadline_s=30)


def use(settings: ModelSettings, do: Callable[[Model], Awaitable[T]]) -> T:
    async def run() -> T:
        model = open_model(settings)
        try:
            return await do(model)
        finally:
            await model.close()

    return asyncio.run(run())


def complete(
    server: ScriptedServer, settings: ModelSettings, request: ModelRequest = HELLO
) -> ModelReply:
    settings = replace(settings, base_url=server.base_url)
    return use(settings, lambda model: model.complete(request))


def stream(
    server: ScriptedServer, settings: ModelSettings, request: ModelRequest = HELLO
) -> list[ModelEvent]:
    async def gather(model: Model) -> list[ModelEvent]:
        return [event async for event in model.stream(request)]

    return use(replace(settings, base_url=server.base_url), gather)


def final(events: list[ModelEvent]) -> ModelReply:
    last = events[-1]
    assert isinstance(last, Finished)
    return last.reply


def failure(act: Callable[[], object]) -> EndpointError:
    with pytest.raises(EndpointError) as caught:
        act()
    return caught.value


def test_a_whole_reply(settings: ModelSettings) -> None:
    with ScriptedServer([Say("Good morning — 早上好.")]) as server:
        reply = complete(server, settings)
    assert reply.text == "Good morning — 早上好."
    assert reply.finish is Finish.STOP
    assert reply.model == "m"
    assert reply.usage.input_tokens > 0
    assert reply.usage.output_tokens == 7
    assert not reply.usage.estimated


def test_a_stream_gives_words_and_then_the_same_reply(settings: ModelSettings) -> None:
    with ScriptedServer([Say("one two three", thought="let me see")]) as server:
        events = stream(server, settings)
    assert [e.text for e in events if isinstance(e, TextDelta)] == ["one", " two", " three"]
    assert "".join(e.text for e in events if isinstance(e, ThoughtDelta)) == "let me see"
    reply = final(events)
    assert reply.text == "one two three"
    assert reply.thoughts[0].text == "let me see"
    assert reply.usage.output_tokens == 7


def test_tool_calls_whole_and_streamed_are_the_same(settings: ModelSettings) -> None:
    calls = (
        ToolCall("c1", "find", '{"q": "the \\"blue\\" house", "limit": 3}'),
        ToolCall("c2", "find", '{"q": "二"}'),
    )
    request = replace(HELLO, tools=(TOOL,))
    with ScriptedServer([Call(calls, "Let me look."), Call(calls, "Let me look.")]) as server:
        whole = complete(server, settings, request)
        events = stream(server, settings, request)
    assert [e.name for e in events if isinstance(e, CallStarted)] == ["find", "find"]
    written = "".join(e.text for e in events if isinstance(e, CallDelta))
    assert written == calls[0].arguments + calls[1].arguments
    for reply in (whole, final(events)):
        assert reply.finish is Finish.TOOLS
        assert reply.text == "Let me look."
        assert [c.id for c in reply.calls] == ["c1", "c2"]
        assert '"limit": 3' in reply.calls[0].arguments
        assert "二" in reply.calls[1].arguments


@pytest.mark.parametrize("act", [complete, stream])
def test_more_calls_than_anyone_can_mean_are_refused_and_not_asked_for_again(
    settings: ModelSettings, act: Callable[..., object]
) -> None:
    calls = tuple(ToolCall(f"c{n}", "find", "{}") for n in range(MOST_CALLS + 1))
    with ScriptedServer([Call(calls)]) as server, pytest.raises(EndpointError) as caught:
        act(server, settings, replace(HELLO, tools=(TOOL,)))
    assert caught.value.fault is Fault.TOO_LARGE
    assert not caught.value.is_passing
    assert f"more than {MOST_CALLS} calls in one reply" in caught.value.message


def test_the_conversation_with_tool_results_can_go_on(settings: ModelSettings) -> None:
    call = ToolCall("c1", "find", '{"q": "x"}')
    with ScriptedServer([Call((call,)), Say("Found it.")]) as server:
        asked = complete(server, settings, replace(HELLO, tools=(TOOL,)))
        result = ChatMessage(Role.TOOL, "three hits", call_id="c1")
        messages = (*HELLO.messages, asked.as_message(), result)
        reply = complete(server, settings, ModelRequest(messages, tools=(TOOL,)))
    assert reply.text == "Found it."
    assert "three hits" in str(server.requests[1].body["messages"])


@pytest.mark.parametrize("streamed", [False, True])
def test_a_refusal_is_a_reply_that_says_so(settings: ModelSettings, streamed: bool) -> None:
    with ScriptedServer([Refuse("No.")]) as server:
        reply = final(stream(server, settings)) if streamed else complete(server, settings)
    assert reply.finish is Finish.REFUSAL
    with pytest.raises(Unavailable, match="declined"):
        parse_json_reply(reply)


def test_a_reply_cut_off_by_length_says_so(settings: ModelSettings) -> None:
    with ScriptedServer([Say('{"n": 1', finish=Finish.LENGTH)]) as server:
        reply = complete(server, settings, replace(HELLO, json_schema=ANSWER))
    assert reply.finish is Finish.LENGTH
    with pytest.raises(Unavailable, match="ran out of room"):
        parse_json_reply(reply)


FAULTS: list[tuple[Step, Fault, type[HermesError]]] = [
    (Fail(401, "bad key"), Fault.NO_KEY, Refused),
    (Fail(403, "not for you"), Fault.FORBIDDEN, Refused),
    (Fail(402, "pay"), Fault.NO_CREDIT, Refused),
    (Fail(429, "You exceeded your insufficient_quota"), Fault.NO_CREDIT, Refused),
    (Fail(400, "Your credit balance is too low"), Fault.NO_CREDIT, Refused),
    (Fail(429, "slow down"), Fault.BUSY, Unavailable),
    (Fail(500, "oops"), Fault.SERVER, Unavailable),
    (Fail(529, "overloaded"), Fault.SERVER, Unavailable),
    (Fail(504, "gateway"), Fault.SLOW, Unavailable),
    (Fail(404, "The model `m` does not exist"), Fault.UNKNOWN_MODEL, UserError),
    (Fail(404, "no route"), Fault.BAD_URL, UserError),
    (Fail(302, "", {"location": "https://x.test"}), Fault.BAD_URL, UserError),
    (Fail(400, "maximum context length is 8192 tokens"), Fault.TOO_LONG, UserError),
    (Fail(400, "something is wrong"), Fault.REJECTED, UserError),
    (Html(), Fault.GARBLED, Unavailable),
    (Html(502), Fault.SERVER, Unavailable),
    (Garbage(), Fault.GARBLED, Unavailable),
    (Garbage("[1, 2]"), Fault.GARBLED, Unavailable),
    (Garbage('{"hello": "there"}'), Fault.GARBLED, Unavailable),
    (Garbage("[" * 100_000), Fault.GARBLED, Unavailable),
    (Truncate("the start of"), Fault.TRUNCATED, Unavailable),
    (Hang(), Fault.SLOW, Unavailable),
    (Hang("half an answer"), Fault.SLOW, Unavailable),
    (Flood(), Fault.TOO_LARGE, Unavailable),
]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(("step", "fault", "kind"), FAULTS)
def test_every_fault_is_named(
    settings: ModelSettings,
    step: Step,
    fault: Fault,
    kind: type[HermesError],
    streamed: bool,
) -> None:
    act = stream if streamed else complete
    with ScriptedServer([step]) as server:
        error = failure(lambda: act(server, settings))
        assert server.url in error.message
    assert error.fault is fault
    assert isinstance(error, kind)
    assert error.kind == kind.__name__
    assert error.hint


def test_retry_after_is_read(settings: ModelSettings) -> None:
    with ScriptedServer([Fail(429, "slow down", {"retry-after": "7"})]) as server:
        error = failure(lambda: complete(server, settings))
    assert error.retry_after_s == 7


def test_a_wrong_key_names_the_setting_and_hides_the_key(settings: ModelSettings) -> None:
    wrong = replace(settings, api_key="sk-wrong-and-secret")
    with ScriptedServer([], api_key="sk-right") as server:
        error = failure(lambda: complete(server, wrong))
    assert error.fault is Fault.WRONG_KEY
    # At another address than the provider's own, its usual variable is not read.
    assert settings.provider.upper() not in error.hint
    assert "model.apiKey" in error.hint
    named = describe_endpoint(replace(wrong, key_name="MY_KEY"))
    assert "MY_KEY" in build_error(Fault.WRONG_KEY, named).hint
    with ScriptedServer([Fail(400, "key sk-wrong-and-secret is bad")]) as server:
        error = failure(lambda: complete(server, wrong))
    assert "sk-wrong" not in error.message + error.hint + repr(wrong)


def test_the_right_key_is_sent_without_the_blanks_around_it(settings: ModelSettings) -> None:
    with ScriptedServer([Say("in")], api_key="sk-right") as server:
        assert complete(server, replace(settings, api_key=" sk-right\n")).text == "in"


def test_without_a_key_a_service_is_not_even_called(settings: ModelSettings) -> None:
    error = failure(lambda: use(settings, lambda model: model.complete(HELLO)))
    assert error.fault is Fault.NO_KEY
    assert "No key was sent" in error.hint
    assert f"{settings.provider.upper()}_API_KEY" in error.hint


def test_a_closed_port_is_a_refused_connection(settings: ModelSettings) -> None:
    with ScriptedServer() as server:
        url = server.base_url
    closed = replace(settings, base_url=url)
    error = failure(lambda: use(closed, lambda model: model.complete(HELLO)))
    assert error.fault is Fault.NO_CONNECTION
    assert "refused" in error.message.lower()


def test_https_to_a_plain_port_is_a_tls_fault(settings: ModelSettings) -> None:
    with ScriptedServer([Say("x")]) as server:
        crossed = replace(settings, base_url=server.base_url.replace("http:", "https:"))
        error = failure(lambda: use(crossed, lambda model: model.complete(HELLO)))
    assert error.fault is Fault.TLS


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/v1", "127.0.0.1:80/v1", "http://[::1/v1"])
def test_an_address_that_is_none_is_named(settings: ModelSettings, url: str) -> None:
    wrong = replace(settings, base_url=url)
    error = failure(lambda: use(wrong, lambda model: model.complete(HELLO)))
    assert error.fault is Fault.BAD_URL
    assert "model.baseUrl" in error.hint


def test_a_host_that_does_not_exist_is_named(settings: ModelSettings) -> None:
    nowhere = replace(settings, base_url="http://nowhere.invalid/v1")
    error = failure(lambda: use(nowhere, lambda model: model.complete(HELLO)))
    assert error.fault is Fault.NO_HOST


@pytest.mark.parametrize("streamed", [False, True])
def test_the_deadline_of_a_request_holds(settings: ModelSettings, streamed: bool) -> None:
    patient = replace(settings, idle_timeout_s=60)
    act = stream if streamed else complete
    with ScriptedServer([Hang("word")]) as server:
        error = failure(lambda: act(server, patient, replace(HELLO, deadline_s=0.2)))
    assert error.fault is Fault.SLOW


def test_a_deadline_does_not_run_while_the_caller_thinks(settings: ModelSettings) -> None:
    """A slow consumer is not the server's fault: what has arrived can be read at leisure."""

    async def read_slowly(model: Model) -> str:
        text = ""
        async with aclosing(model.stream(replace(HELLO, deadline_s=5))) as events:
            async for event in events:
                await asyncio.sleep(0)
                if isinstance(event, Finished):
                    text = event.reply.text
        return text

    with ScriptedServer([Say("a b c")]) as server:
        read = use(replace(settings, base_url=server.base_url), read_slowly)
    assert read == "a b c"


def test_a_stream_can_be_left_and_the_model_used_again(settings: ModelSettings) -> None:
    async def leave(model: Model) -> str:
        async with aclosing(model.stream(HELLO)) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    break
        return (await model.complete(HELLO)).text

    with ScriptedServer([Say("one two three four"), Say("next")]) as server:
        assert use(replace(settings, base_url=server.base_url), leave) == "next"


def test_a_call_can_be_cancelled_and_the_model_used_again(settings: ModelSettings) -> None:
    async def interrupt(model: Model) -> str:
        heard = asyncio.Event()

        async def listen() -> None:
            async for _ in model.stream(HELLO):
                heard.set()

        task = asyncio.create_task(listen())
        await heard.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return (await model.complete(HELLO)).text

    with ScriptedServer([Hang("a word"), Say("next")]) as server:
        patient = replace(settings, base_url=server.base_url, idle_timeout_s=60)
        assert use(patient, interrupt) == "next"


def test_naming_a_model_costs_no_import_of_the_http_library() -> None:
    code = (
        "import sys, hermes.llm.chain, hermes.llm.probe, hermes.llm.openai, hermes.llm.anthropic,"
        " hermes.embed.http; print([m for m in ('httpx2', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_calls_overlap(settings: ModelSettings) -> None:
    async def ask_thrice(model: Model) -> list[str]:
        replies = await asyncio.gather(*(model.complete(HELLO) for _ in range(3)))
        return [reply.text for reply in replies]

    with ScriptedServer([Say("x"), Say("x"), Say("x")]) as server:
        assert use(replace(settings, base_url=server.base_url), ask_thrice) == ["x"] * 3


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_model_survives_a_change_of_event_loop(settings: ModelSettings) -> None:
    with ScriptedServer([Say("one"), Say("two")]) as server:
        model = open_model(replace(settings, base_url=server.base_url))

        async def ask(*, last: bool) -> str:
            reply = await model.complete(HELLO)
            if last:
                await model.close()
            return reply.text

        # The connection of the first loop is left open in it, and dies with it.
        assert asyncio.run(ask(last=False)) == "one"
        assert asyncio.run(ask(last=True)) == "two"
        gc.collect()


def test_no_proxy_stands_before_this_machine(
    settings: ModelSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with ScriptedServer([Say("direct")]) as server:
        assert complete(server, settings).text == "direct"


def test_text_that_is_not_unicode_is_sent_all_the_same(settings: ModelSettings) -> None:
    with ScriptedServer([Say("ok")]) as server:
        odd = ModelRequest((ChatMessage(Role.USER, "a \ud800 b \x00"),))
        assert complete(server, settings, odd).text == "ok"


def test_a_repeated_prefix_shows_as_cached(settings: ModelSettings) -> None:
    system = ChatMessage(Role.SYSTEM, "You are Hermes. " * 50, cache=True)
    request = ModelRequest((system, *HELLO.messages))
    with ScriptedServer([Say("a"), Say("b")]) as server:
        first = complete(server, settings, request)
        second = complete(server, settings, request)
    assert first.usage.cached_tokens == 0
    assert second.usage.cached_tokens > 100
    assert second.usage.cached_tokens < second.usage.input_tokens


def test_a_reply_held_to_a_schema(settings: ModelSettings) -> None:
    with ScriptedServer([Say('{"n": 3}')]) as server:
        reply = complete(server, settings, replace(HELLO, json_schema=ANSWER))
    assert parse_json_reply(reply) == {"n": 3}
    assert "json_schema" in str(server.requests[0].body)


def test_a_model_must_be_named(settings: ModelSettings) -> None:
    with pytest.raises(UserError, match="No model is named"):
        open_model(replace(settings, model=""))


def test_a_misspelt_provider_gets_a_suggestion() -> None:
    with pytest.raises(UserError) as caught:
        open_model(ModelSettings(provider="anthropik", model="m"))
    assert "Did you mean anthropic?" in caught.value.hint
