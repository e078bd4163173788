"""Counts what a model's calls cost, and refuses the next one when the day's budget is used up."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace

from hermes.clock import Clock, SystemClock
from hermes.llm.base import (
    CallDelta,
    Finished,
    Model,
    ModelEvents,
    ModelReply,
    ModelRequest,
    Prices,
    TextDelta,
    ThoughtDelta,
    Usage,
)
from hermes.llm.budget import FREE, NO_CAP, Cap, Charge, Ledger, check_cap, day_bounds, price
from hermes.llm.pieces import estimate_usage


@dataclass(frozen=True, slots=True)
class Tariff:
    """Under which setting a model is charged, at which prices, within which cap."""

    section: str = "model"
    prices: Prices | None = None
    cap: Cap = NO_CAP
    max_tokens: int = 4_096


class MeteredModel:
    """A model whose every call is checked against the cap before it and charged after it.

    Calls under way count with what they may cost at most, so that many at once overrun the cap by
    no more than one would.
    """

    def __init__(
        self, inner: Model, ledger: Ledger, tariff: Tariff, clock: Clock | None = None
    ) -> None:
        self._inner = inner
        self._ledger = ledger
        self._tariff = tariff
        self._clock = clock or SystemClock()
        self._under_way: list[Charge] = []
        self._settled = 0

    @property
    def name(self) -> str:
        return self._inner.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        await self._check()
        with self._reserved(request):
            try:
                reply = await self._inner.complete(request)
            except asyncio.CancelledError:
                await self._charge(estimate_usage(request, 0))  # what was sent is paid for
                raise
            await self._charge(reply.usage)
        return reply

    async def stream(self, request: ModelRequest) -> ModelEvents:
        await self._check()
        has_begun, written, usage = False, 0, None
        with self._reserved(request):
            try:
                async with aclosing(self._inner.stream(request)) as events:
                    async for event in events:
                        has_begun = True
                        if isinstance(event, Finished):
                            usage = event.reply.usage
                        elif isinstance(event, TextDelta | ThoughtDelta | CallDelta):
                            written += len(event.text)
                        yield event
            except asyncio.CancelledError:
                has_begun = True  # what was sent is paid for
                raise
            finally:
                # What was stopped half-way is paid for all the same.
                if has_begun:
                    await self._charge(usage or estimate_usage(request, written))

    async def close(self) -> None:
        await self._inner.close()

    async def _check(self) -> None:
        cap = self._tariff.cap
        dollars_count = cap.usd_per_day is not None and self._tariff.prices != FREE
        if not dollars_count and cap.tokens_per_day is None:
            return
        since, until = day_bounds(self._clock.now(), cap.zone)
        section = self._tariff.section
        settled = -1
        while settled != self._settled:
            # A call that ended while the ledger was read is in neither; read again.
            settled = self._settled
            spent = await asyncio.to_thread(self._ledger.get_spent, section, since, until)
        for charge in self._under_way:
            spent = spent.plus(charge)
        check_cap(spent, cap, section, until=until)

    async def _charge(self, usage: Usage) -> None:
        charge = self._price(usage)
        # An interrupt does not stop it: it may come when nobody runs it yet.
        await asyncio.shield(asyncio.to_thread(self._ledger.record_charge, charge))

    def _price(self, usage: Usage) -> Charge:
        usd, guessed = price(usage, self._tariff.prices)
        section = self._tariff.section
        return Charge(self._clock.now(), section, self.name, usage, usd, guessed)

    @contextmanager
    def _reserved(self, request: ModelRequest) -> Iterator[None]:
        """Hold back, while a call runs, what it may cost at most."""
        most = request.max_tokens or self._tariff.max_tokens
        charge = self._price(replace(estimate_usage(request, 0), output_tokens=most))
        self._under_way.append(charge)
        try:
            yield
        finally:
            self._under_way.remove(charge)
            self._settled += 1
