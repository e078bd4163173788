"""Trying again, giving up, falling back; time and sleep are the test's own."""

import asyncio
import re
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

import pytest

from hermes.clock import SECOND_MS, FixedClock
from hermes.errors import HermesError, Unavailable
from hermes.llm.base import (
    ChatMessage,
    Finished,
    Model,
    ModelEvent,
    ModelRequest,
    ModelSettings,
    StoodIn,
    TextDelta,
    Waiting,
)
from hermes.llm.catalog import open_model
from hermes.llm.chain import ModelPlan, open_chain, tell_apart
from hermes.llm.retry import FallbackModel, Pacing, RetryingModel
from hermes.net.backoff import RetryPolicy
from hermes.net.breaker import Breaker
from hermes.net.faults import Endpoint, EndpointError, Fault, build_error
from hermes.testing import (
    Fail,
    Garbage,
    Html,
    MemoryLedger,
    Say,
    ScriptedModel,
    ScriptedServer,
    Truncate,
)
from hermes.testing.model import Line
from hermes.types import Role

HELLO = ModelRequest((ChatMessage(Role.USER, "hello"),))


@dataclass
class Time:
    """A clock that a sleep moves on."""

    clock: FixedClock = field(default_factory=FixedClock)
    slept: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.clock.advance(round(seconds * SECOND_MS))

    def pacing(self, *, roll: float = 1.0, policy: RetryPolicy | None = None) -> Pacing:
        policy = policy or RetryPolicy(attempts=3, first_s=1.0)
        return Pacing(policy, clock=self.clock, sleep=self.sleep, roll=lambda: roll)


def fault(kind: Fault, retry_after_s: float | None = None) -> EndpointError:
    endpoint = Endpoint("http://x", "The model", "model")
    return build_error(kind, endpoint, retry_after_s=retry_after_s)


def ask(model: Model, request: ModelRequest = HELLO) -> str:
    async def run() -> str:
        try:
            return (await model.complete(request)).text
        finally:
            await model.close()

    return asyncio.run(run())


def read(model: Model) -> list[ModelEvent]:
    async def run() -> list[ModelEvent]:
        try:
            return [event async for event in model.stream(HELLO)]
        finally:
            await model.close()

    return asyncio.run(run())


def over_http(server: ScriptedServer) -> Model:
    return open_model(ModelSettings(model="m", base_url=server.url, idle_timeout_s=5))


def test_passing_faults_over_http_are_waited_out() -> None:
    time = Time()
    busy = Fail(429, "slow down", {"retry-after": "4"})
    with ScriptedServer([busy, Fail(500), Say("at last")]) as server:
        assert ask(RetryingModel(over_http(server), time.pacing())) == "at last"
    assert time.slept == [pytest.approx(4.4), 2.0]
    assert len(server.requests) == 3


@pytest.mark.parametrize("broken", [Truncate(), Garbage(), Html()])
def test_broken_replies_are_asked_for_again(broken: Truncate | Garbage | Html) -> None:
    time = Time()
    with ScriptedServer([broken, Say("whole")]) as server:
        assert ask(RetryingModel(over_http(server), time.pacing())) == "whole"


def test_the_last_error_is_raised_after_the_last_attempt() -> None:
    time = Time()
    model = ScriptedModel(lambda _: fault(Fault.SERVER))
    with pytest.raises(Unavailable):
        ask(RetryingModel(model, time.pacing()))
    assert len(model.requests) == 3
    assert time.slept == [1.0, 2.0]


@pytest.mark.parametrize("kind", [Fault.WRONG_KEY, Fault.UNKNOWN_MODEL, Fault.TLS])
def test_what_will_not_pass_is_not_tried_again(kind: Fault) -> None:
    time = Time()
    model = ScriptedModel([fault(kind)])
    with pytest.raises(EndpointError):
        ask(RetryingModel(model, time.pacing()))
    assert time.slept == []


def test_jitter_spreads_the_waits() -> None:
    waits = []
    for roll in (0.0, 0.5, 1.0):
        time = Time()
        ask(RetryingModel(ScriptedModel([fault(Fault.SERVER), "ok"]), time.pacing(roll=roll)))
        waits += time.slept
    assert waits == [0.5, 0.75, 1.0]


def test_a_wait_longer_than_the_deadline_is_not_begun() -> None:
    time = Time()
    model = ScriptedModel([fault(Fault.BUSY, retry_after_s=30), "never"])
    with pytest.raises(EndpointError):
        ask(RetryingModel(model, time.pacing(), deadline_s=10))
    assert time.slept == []


def test_each_attempt_gets_what_is_left_of_the_deadline() -> None:
    time = Time()
    model = ScriptedModel([fault(Fault.SERVER), fault(Fault.SERVER), "ok"])
    ask(RetryingModel(model, time.pacing(), deadline_s=10))
    assert [request.deadline_s for request in model.requests] == [10, 9, 7]


def test_a_server_that_asks_for_too_much_patience_is_left() -> None:
    time = Time()
    with pytest.raises(EndpointError) as caught:
        ask(RetryingModel(ScriptedModel([fault(Fault.BUSY, 3600)]), time.pacing()))
    assert caught.value.retry_after_s == 3600
    assert time.slept == []


def test_a_stream_is_begun_again_if_nothing_was_said() -> None:
    time = Time()
    with ScriptedServer([Fail(503), Say("a b")]) as server:
        events = read(RetryingModel(over_http(server), time.pacing()))
    assert [type(e) for e in events] == [Waiting, TextDelta, TextDelta, Finished]


def test_a_stream_that_broke_after_a_word_is_not_begun_again() -> None:
    time = Time()
    heard: list[ModelEvent] = []

    async def run(model: Model) -> None:
        try:
            async with aclosing(model.stream(HELLO)) as events:
                async for event in events:
                    heard.append(event)
        finally:
            await model.close()

    with ScriptedServer([Truncate("half an"), Say("whole")]) as server:
        with pytest.raises(EndpointError) as caught:
            asyncio.run(run(RetryingModel(over_http(server), time.pacing())))
    assert caught.value.fault is Fault.TRUNCATED
    assert heard == [TextDelta("half"), TextDelta(" an")]
    assert len(server.requests) == 1


def always(kind: Fault) -> Callable[[ModelRequest], HermesError]:
    return lambda _: fault(kind)


def test_the_breaker_opens_lets_one_through_and_closes() -> None:
    time = Time()
    script: list[str | HermesError] = [fault(Fault.SERVER) for _ in range(4)]
    inner = ScriptedModel([*script, "back", "again"])
    once = time.pacing(policy=RetryPolicy(attempts=1))
    breaker = Breaker(time.clock, threshold=3, cooldown_s=30)
    model = RetryingModel(inner, once, breaker=breaker)

    def fails_with() -> Fault:
        with pytest.raises(EndpointError) as caught:
            ask(model)
        return caught.value.fault

    assert [fails_with() for _ in range(4)] == [Fault.SERVER] * 3 + [Fault.CUT_OFF]
    assert len(inner.requests) == 3
    time.clock.advance(30_000)
    assert fails_with() is Fault.SERVER
    time.clock.advance(30_000)
    assert fails_with() is Fault.CUT_OFF, "the pause doubles with a try that failed"
    time.clock.advance(30_000)
    assert ask(model) == "back"
    assert ask(model) == "again"


def test_after_the_cooldown_one_caller_tries_and_the_others_wait() -> None:
    clock = FixedClock()
    breaker = Breaker(clock, threshold=1, cooldown_s=30)
    breaker.note_failure(fault(Fault.SERVER))
    clock.advance(30_000)
    breaker.require_closed("it")
    with pytest.raises(EndpointError):
        breaker.require_closed("it")
    breaker.note_success()
    breaker.require_closed("it")


def test_many_failures_side_by_side_are_one_outage_and_the_pause_is_the_first() -> None:
    clock = FixedClock()
    breaker = Breaker(clock, threshold=5, cooldown_s=5)
    for _ in range(9):
        breaker.note_failure(fault(Fault.SERVER))
    for pause_s in (5, 10, 20, 40, 60, 60):
        clock.advance(pause_s * 1_000 - 1)
        with pytest.raises(EndpointError):
            breaker.require_closed("it")
        clock.advance(1)
        breaker.require_closed("it")
        breaker.note_failure(fault(Fault.SERVER))


def test_an_endpoint_left_alone_still_says_what_to_look_at() -> None:
    breaker = Breaker(FixedClock(), threshold=1)
    breaker.note_failure(fault(Fault.GARBLED))
    with pytest.raises(EndpointError) as caught:
        breaker.require_closed("it")
    assert "after 1 failure in a row; the last was: garbled reply." in caught.value.message
    assert "model.baseUrl" in caught.value.hint


def test_what_a_person_asks_is_tried_also_during_the_pause() -> None:
    time = Time()
    inner = ScriptedModel([*(fault(Fault.GARBLED) for _ in range(6)), "back"])
    model = RetryingModel(inner, time.pacing())
    asked = replace(HELLO, asked=True)

    async def listen() -> None:
        async with aclosing(model.stream(asked)) as events:
            [event async for event in events]

    for sent in (3, 5, 6):  # three tries, two that open the breaker, one in spite of it
        with pytest.raises(EndpointError) as caught:
            asyncio.run(listen())
        assert len(inner.requests) == sent
    assert "6 failures in a row" in caught.value.message
    with pytest.raises(EndpointError, match="is paused until"):
        ask(model)
    assert len(inner.requests) == 6, "what nobody waits for is not sent"
    asyncio.run(listen())
    assert len(inner.requests) == 7


def test_an_endpoint_left_alone_names_one_time_to_ask_again() -> None:
    breaker = Breaker(FixedClock(), threshold=1)
    breaker.note_failure(fault(Fault.BUSY))
    with pytest.raises(EndpointError) as caught:
        breaker.require_closed("it")
    assert re.search(r"it is paused until \d\d:\d\d:05 ", caught.value.message)
    assert "Wait" not in caught.value.hint


@pytest.mark.parametrize(
    ("asked_s", "told"),
    [(None, "Wait a little;"), (3.2, "Wait 4 s;"), (600, "10 minutes;"), (7_200, "2 hours;")],
)
def test_a_busy_endpoint_is_told_with_how_long_it_asked_to_be_left(
    asked_s: float | None, told: str
) -> None:
    assert told in fault(Fault.BUSY, asked_s).hint


def listen_till_answered(model: Model, *, words: int | None = None) -> None:
    """As the agent listens: no further than to the answer, or to the word it is stopped at."""

    async def run() -> None:
        heard = 0
        async with aclosing(model.stream(HELLO)) as events:
            async for event in events:
                heard += 1
                if isinstance(event, Finished) or heard == words:
                    return

    asyncio.run(run())


def test_an_answer_that_was_streamed_closes_the_breaker() -> None:
    time = Time()
    script: list[str | HermesError] = [fault(Fault.SERVER), "ok"] * 6
    model = RetryingModel(ScriptedModel(script), time.pacing())
    for _ in range(6):
        listen_till_answered(model)


def test_a_stream_stopped_by_its_listener_was_no_failure() -> None:
    time = Time()
    breaker = Breaker(time.clock, threshold=1, cooldown_s=30)
    breaker.note_failure(fault(Fault.SERVER))
    time.clock.advance(30_000)
    model = RetryingModel(ScriptedModel(["one two three"]), time.pacing(), breaker=breaker)
    listen_till_answered(model, words=1)
    breaker.require_closed("it")
    breaker.require_closed("it")


def test_a_trial_given_up_before_a_word_leaves_it_to_the_next() -> None:
    clock = FixedClock()
    breaker = Breaker(clock, threshold=1, cooldown_s=30)
    breaker.note_failure(fault(Fault.SERVER))
    clock.advance(30_000)
    breaker.require_closed("it")
    breaker.note_left(answering=False)
    breaker.require_closed("it")
    with pytest.raises(EndpointError):
        breaker.require_closed("it")


def test_an_endpoint_that_answers_no_is_alive() -> None:
    time = Time()
    breaker = Breaker(time.clock, threshold=2)
    for _ in range(5):
        breaker.note_failure(fault(Fault.SERVER))
        breaker.note_failure(fault(Fault.UNKNOWN_MODEL))
    breaker.require_closed("it")


def test_the_spare_answers_and_the_reply_says_so() -> None:
    main = ScriptedModel(always(Fault.NO_CONNECTION))
    with ScriptedServer([Say("spare here")]) as server:
        model = FallbackModel(main, over_http(server))

        async def run() -> tuple[str, str]:
            reply = await model.complete(HELLO)
            await model.close()
            return reply.text, reply.model

        assert asyncio.run(run()) == ("spare here", "m")
    assert main.closed


def test_the_spare_streams_where_the_main_model_said_nothing() -> None:
    model = FallbackModel(ScriptedModel(always(Fault.NO_CREDIT)), ScriptedModel(["x y"]))
    assert [e.text for e in read(model) if isinstance(e, TextDelta)] == ["x", " y"]


def test_it_is_told_that_the_spare_answers_and_why() -> None:
    model = FallbackModel(ScriptedModel(always(Fault.NO_CREDIT)), ScriptedModel(["x"], name="b/s"))
    first = read(model)[0]
    assert isinstance(first, StoodIn)
    assert first.name == "b/s"
    assert "no credit" in first.reason


@pytest.mark.parametrize(
    ("main", "spare", "told"),
    [
        ("http://a:1/v1", "http://b:2/v1", ("openai/m at b:2", "openai/m at a:1")),
        ("http://a:1/v1", "http://a:1/v2", ("openai/m at a:1/v2", "openai/m at a:1/v1")),
    ],
)
def test_a_spare_of_the_same_name_is_told_by_its_address(
    main: str, spare: str, told: tuple[str, str]
) -> None:
    first, second = (ModelSettings(model="m", base_url=url) for url in (main, spare))
    assert tell_apart(first, second) == told


def test_a_spare_of_another_name_is_told_by_it() -> None:
    first = ModelSettings(model="m", base_url="http://a:1/v1")
    assert tell_apart(first, replace(first, model="n")) == ("openai/n", "openai/m")


def test_a_wrong_key_is_not_hidden_by_the_spare() -> None:
    spare = ScriptedModel(["hidden"])
    with pytest.raises(EndpointError):
        ask(FallbackModel(ScriptedModel(always(Fault.WRONG_KEY)), spare))
    assert spare.requests == []


def test_a_stream_says_that_it_waits_and_why() -> None:
    time = Time()
    script: list[Line] = [fault(Fault.BUSY, retry_after_s=3.0), "at last"]
    model = RetryingModel(ScriptedModel(script), time.pacing())

    async def listen() -> list[ModelEvent]:
        async with aclosing(model.stream(HELLO)) as events:
            return [event async for event in events]

    first, *rest = asyncio.run(listen())
    assert isinstance(first, Waiting)
    assert first.delay_s == time.slept[0] >= 3.0
    assert "rate limited" in first.reason
    assert isinstance(rest[-1], Finished) and rest[-1].reply.text == "at last"


def test_waiting_is_no_answer_that_a_spare_would_repeat() -> None:
    time = Time()
    broken = RetryingModel(ScriptedModel([fault(Fault.SERVER)] * 3), time.pacing())
    model = FallbackModel(broken, ScriptedModel(["the spare"]))

    async def listen() -> str:
        async with aclosing(model.stream(HELLO)) as events:
            return "".join([e.text async for e in events if isinstance(e, TextDelta)])

    assert asyncio.run(listen()) == "the spare"


def test_where_nobody_listens_another_answers_after_one_quick_retry() -> None:
    time = Time()
    with ScriptedServer() as gone:
        address = gone.base_url
    with ScriptedServer([Say("I am here.")]) as server:
        spare = ModelSettings("ollama", "spare", server.base_url)
        plan = ModelPlan(ModelSettings("openai", "m", address), fallback=ModelPlan(spare))
        assert ask(open_chain(plan, MemoryLedger(), time.pacing())) == "I am here."
    assert len(time.slept) == 1
    alone = Time()
    with pytest.raises(EndpointError):
        ask(open_chain(replace(plan, fallback=None), MemoryLedger(), alone.pacing()))
    assert len(alone.slept) == 2, "without a fallback it is waited for"
