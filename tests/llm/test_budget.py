"""What calls cost, and the cap on a day's spending."""

import asyncio
import threading
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.clock import HOUR_MS, FixedClock, parse_time, render_time
from hermes.errors import Refused, Unavailable
from hermes.llm.base import (
    CallDelta,
    CallStarted,
    ChatMessage,
    Finished,
    Model,
    ModelEvents,
    ModelReply,
    ModelRequest,
    ModelSettings,
    Prices,
    TextDelta,
    Usage,
)
from hermes.llm.budget import (
    ASSUMED,
    FREE,
    Cap,
    Charge,
    Spent,
    check_cap,
    day_bounds,
    price,
    render_usd,
)
from hermes.llm.chain import ModelPlan, open_chain
from hermes.llm.meter import MeteredModel, Tariff
from hermes.testing import MemoryLedger, Say, ScriptedModel, ScriptedServer
from hermes.types import Role

HELLO = ModelRequest((ChatMessage(Role.USER, "hello"),), max_tokens=1000)
DEAR = Prices(input_usd=3.0, output_usd=15.0, cached_usd=0.3, cache_write_usd=3.75)
counts = st.integers(0, 10_000_000)


def ask(model: Model, times: int = 1) -> None:
    async def run() -> None:
        for _ in range(times):
            await model.complete(HELLO)

    asyncio.run(run())


def test_a_price_is_made_of_its_parts() -> None:
    usage = Usage(
        input_tokens=1_000_000,
        output_tokens=100_000,
        cached_tokens=600_000,
        cache_write_tokens=200_000,
    )
    usd, guessed = price(usage, DEAR)
    assert usd == pytest.approx(0.6 + 0.18 + 0.75 + 1.5)
    assert not guessed


def test_what_the_endpoint_says_it_cost_stands() -> None:
    assert price(Usage(input_tokens=5, cost_usd=0.25), DEAR) == (0.25, False)


@pytest.mark.parametrize("nonsense", [float("nan"), float("inf"), -1000.0])
def test_a_cost_that_cannot_be_one_does_not_lift_the_cap(nonsense: float) -> None:
    usage = Usage(input_tokens=1_000_000)
    assert price(replace(usage, cost_usd=nonsense), DEAR) == price(usage, DEAR)


def test_without_a_price_a_high_one_is_assumed_and_said_to_be() -> None:
    usd, guessed = price(Usage(input_tokens=1_000_000), None)
    assert (usd, guessed) == (ASSUMED.input_usd, True)


def test_what_runs_here_is_free() -> None:
    assert price(Usage(input_tokens=9, output_tokens=9, estimated=True), FREE) == (0.0, False)


@given(counts, counts, counts, counts)
def test_a_price_is_never_negative_and_a_cache_never_makes_it_dearer(
    sent: int, written: int, cached: int, kept: int
) -> None:
    cached, kept = min(cached, sent), min(kept, sent)
    cheap = Prices(3.0, 15.0, cached_usd=0.3)
    with_cache, _ = price(Usage(sent, written, cached, kept), cheap)
    without, _ = price(Usage(sent, written), cheap)
    assert with_cache >= 0
    if cached + kept <= sent:
        assert with_cache <= without + 1e-9


def test_a_day_is_the_day_of_the_person() -> None:
    at = parse_time("2026-03-29T00:30:00+00:00")
    since, until = day_bounds(at, ZoneInfo("Europe/London"))
    assert (render_time(since), render_time(until)) == (
        "2026-03-29T00:00:00Z",
        "2026-03-29T23:00:00Z",  # the clocks go forward: a day of 23 hours
    )
    assert day_bounds(at, UTC)[1] - day_bounds(at, UTC)[0] == 24 * HOUR_MS


@given(st.integers(0, 4_000_000_000_000))
def test_every_moment_is_in_its_day(at: int) -> None:
    for zone in (UTC, ZoneInfo("Pacific/Apia"), ZoneInfo("America/St_Johns")):
        since, until = day_bounds(at, zone)
        assert since <= at < until


def test_the_cap_says_what_was_spent_and_when_it_ends() -> None:
    until = parse_time("2026-01-06T00:00:00+00:00")
    with pytest.raises(Refused) as caught:
        check_cap(Spent(usd=2.5, guessed=True), Cap(usd_per_day=2.0), "lightModel", until=until)
    assert "about $2.50 of $2.00" in caught.value.message
    assert "2026-01-06 at 00:00 UTC" in caught.value.hint
    assert "lightModel.dailyBudgetUsd" in caught.value.hint
    assert "lightModel.inputUsdPerMillion" in caught.value.hint


def test_calls_stop_at_the_cap_and_start_again_the_next_day() -> None:
    clock = FixedClock()
    reply = ModelReply("x", usage=Usage(input_tokens=1_000_000))
    inner = ScriptedModel(lambda _: reply)
    ledger = MemoryLedger()
    tariff = Tariff("model", DEAR, Cap(usd_per_day=7.0))
    model = MeteredModel(inner, ledger, tariff, clock)
    with pytest.raises(Refused):
        ask(model, times=10)
    assert len(inner.requests) == 3
    clock.advance(24 * HOUR_MS)
    ask(model)
    assert len(ledger.charges) == 4


def test_tokens_can_be_capped_where_money_is_not_the_point() -> None:
    inner = ScriptedModel(lambda _: ModelReply("x", usage=Usage(input_tokens=60)))
    tariff = Tariff("model", FREE, Cap(tokens_per_day=100))
    with pytest.raises(Refused, match="120 of 100 tokens"):
        ask(MeteredModel(inner, MemoryLedger(), tariff, FixedClock()), times=5)
    assert len(inner.requests) == 2


def test_sections_are_capped_apart() -> None:
    clock = FixedClock()
    spent = Charge(clock.now(), "model", "m", Usage(), usd=50.0)
    tariff = Tariff("lightModel", DEAR, Cap(usd_per_day=1.0))
    ask(MeteredModel(ScriptedModel(["ok"]), MemoryLedger([spent]), tariff, clock))


def test_many_calls_at_once_overrun_the_cap_by_no_more_than_one() -> None:
    """Each may cost 15 $, the cap is 20 $: two may run at once, not fifty."""
    started: list[int] = []
    usage = Usage(output_tokens=1_000_000)

    def answer(request: ModelRequest) -> ModelReply:
        started.append(1)
        return ModelReply("x", usage=usage)

    tariff = Tariff("model", DEAR, Cap(usd_per_day=20.0))
    model = MeteredModel(ScriptedModel(answer), MemoryLedger(), tariff, FixedClock())
    request = replace(HELLO, max_tokens=1_000_000)

    async def run() -> list[object]:
        calls = (model.complete(request) for _ in range(50))
        return await asyncio.gather(*calls, return_exceptions=True)

    outcomes = asyncio.run(run())
    assert len(started) == 2
    assert sum(isinstance(outcome, Refused) for outcome in outcomes) == 48


class SlowLedger(MemoryLedger):
    """A ledger whose second reading is handed over late, when the books have changed."""

    def __init__(self) -> None:
        super().__init__()
        self.readings = 0
        self.was_read = threading.Event()
        self.may_answer = threading.Event()

    def get_spent(self, section: str, since: int, until: int) -> Spent:
        self.readings += 1
        spent = super().get_spent(section, since, until)
        if self.readings == 2:
            self.was_read.set()
            self.may_answer.wait(10)
        return spent


class WaitingModel(ScriptedModel):
    """A model that answers when it is told to."""

    def __init__(self) -> None:
        super().__init__(lambda _: ModelReply("x", usage=Usage(output_tokens=1_000_000)))
        self.was_asked = asyncio.Event()
        self.may_answer = asyncio.Event()

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.was_asked.set()
        await self.may_answer.wait()
        return await super().complete(request)


def test_a_call_that_ends_while_the_ledger_is_read_is_not_overlooked() -> None:
    ledger, inner = SlowLedger(), WaitingModel()
    model = MeteredModel(inner, ledger, Tariff("model", DEAR, Cap(usd_per_day=10.0)))

    async def run() -> None:
        first = asyncio.create_task(model.complete(HELLO))
        await inner.was_asked.wait()
        second = asyncio.create_task(model.complete(HELLO))
        await asyncio.to_thread(ledger.was_read.wait, 10)
        inner.may_answer.set()
        await first
        ledger.may_answer.set()
        with pytest.raises(Refused):
            await second

    asyncio.run(run())


def test_a_stream_left_half_way_is_charged_for_what_was_heard() -> None:
    ledger = MemoryLedger()
    model = MeteredModel(
        ScriptedModel(["one two three four five six"]), ledger, Tariff(), FixedClock()
    )

    async def run() -> None:
        async with aclosing(model.stream(HELLO)) as events:
            async for event in events:
                assert isinstance(event, TextDelta)
                break

    asyncio.run(run())
    (charge,) = ledger.charges
    assert charge.guessed
    assert charge.usage.output_tokens == 1


class BrokenOff(ScriptedModel):
    """Writes the beginning of a call, and fails."""

    async def stream(self, request: ModelRequest) -> ModelEvents:
        yield CallStarted("write_file")
        yield CallDelta("x" * 400)
        raise Unavailable("It broke off.", "Ask again.")


def test_a_stream_that_broke_off_in_a_call_is_charged_for_what_was_written_of_it() -> None:
    ledger = MemoryLedger()
    model = MeteredModel(BrokenOff([]), ledger, Tariff(), FixedClock())

    async def run() -> None:
        with pytest.raises(Unavailable):
            async for _ in model.stream(HELLO):
                pass

    asyncio.run(run())
    (charge,) = ledger.charges
    assert charge.usage.output_tokens == 100
    assert charge.usage.input_tokens > 0


class Silent(ScriptedModel):
    """Is asked, and never answers."""

    def __init__(self) -> None:
        super().__init__([])
        self.is_asked = asyncio.Event()

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.is_asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def stream(self, request: ModelRequest) -> ModelEvents:
        yield Finished(await self.complete(request))


@pytest.mark.parametrize("streamed", [False, True])
def test_a_call_that_was_interrupted_is_charged_for_what_was_sent(streamed: bool) -> None:
    ledger, long = MemoryLedger(), ModelRequest((ChatMessage(Role.USER, "word " * 50_000),))

    async def run() -> None:
        silent = Silent()
        model = MeteredModel(silent, ledger, Tariff(), FixedClock())
        asked = anext(aiter(model.stream(long))) if streamed else model.complete(long)
        asking = asyncio.ensure_future(asked)
        await silent.is_asked.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(run())
    (charge,) = ledger.charges
    assert charge.guessed
    assert charge.usage.input_tokens > 50_000
    assert charge.usage.output_tokens == 0


def test_a_call_that_failed_costs_nothing() -> None:
    ledger = MemoryLedger()
    failing = ScriptedModel([Refused("no")])
    with pytest.raises(Refused):
        ask(MeteredModel(failing, ledger, Tariff(), FixedClock()))
    assert ledger.charges == []


def test_the_chain_over_http_meters_what_the_server_counts() -> None:
    ledger = MemoryLedger()
    with ScriptedServer([Say("hi"), Say("hi")]) as server:
        settings = ModelSettings(model="m", base_url=server.url, prices=DEAR)

        async def run() -> None:
            model = open_chain(ModelPlan(settings, Cap(usd_per_day=1.0)), ledger)
            await model.complete(HELLO)
            events = [event async for event in model.stream(HELLO)]
            assert events
            await model.close()

        asyncio.run(run())
    first, second = ledger.charges
    assert (first.section, first.model, first.guessed) == ("model", "openai/m", False)
    assert first.usage.output_tokens == second.usage.output_tokens == 7
    assert second.usage.cached_tokens > 0
    assert second.usd < first.usd
    spent = ledger.get_spent("model", 0, parse_time("2100-01-01"))
    assert spent.calls == 2
    assert 0 < spent.cache_share < 1


@pytest.mark.parametrize(
    ("usd", "told"), [(5.0, "$5.00"), (0.015, "$0.0150"), (0.0196, "$0.0196"), (0.0, "$0.00")]
)
def test_money_is_told_as_exactly_as_it_was_set(usd: float, told: str) -> None:
    assert render_usd(usd) == told
