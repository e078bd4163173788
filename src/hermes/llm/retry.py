"""Keeps trying where that helps, stops where it does not, and turns to another model in time.

A stream is tried again only while nothing of it was passed on: nobody hears half an answer twice.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from hermes.clock import SECOND_MS, Clock, SystemClock
from hermes.errors import Unavailable
from hermes.llm.base import (
    Finished,
    Model,
    ModelEvents,
    ModelReply,
    ModelRequest,
    StoodIn,
    Waiting,
)
from hermes.net.backoff import USUAL_RETRY, RetryPolicy, next_delay_s
from hermes.net.breaker import Breaker
from hermes.net.faults import EndpointError, Fault

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Pacing:
    """When to try again, and by whose clock, sleep and dice."""

    policy: RetryPolicy = USUAL_RETRY
    clock: Clock = field(default_factory=SystemClock)
    sleep: Sleep = asyncio.sleep
    roll: Callable[[], float] = secrets.SystemRandom().random


class RetryingModel:
    """A model whose passing faults are waited out, within the deadline of the request."""

    def __init__(
        self,
        inner: Model,
        pacing: Pacing | None = None,
        *,
        breaker: Breaker | None = None,
        deadline_s: float | None = None,
    ) -> None:
        self._inner = inner
        self._deadline_s = deadline_s
        self._pacing = pacing or Pacing()
        self._breaker = breaker or Breaker(self._pacing.clock)

    @property
    def name(self) -> str:
        return self._inner.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        ends_at = self._ends_at(request)
        attempt = 1
        while True:
            self._breaker.require_closed(self.name, asked=request.asked and attempt == 1)
            try:
                reply = await self._inner.complete(self._shorten(request, ends_at))
            except EndpointError as error:
                await self._pacing.sleep(self._delay_s(error, attempt, ends_at))
                attempt += 1
            except asyncio.CancelledError:
                self._breaker.note_left(answering=False)
                raise
            else:
                self._breaker.note_success()
                return reply

    async def stream(self, request: ModelRequest) -> ModelEvents:
        ends_at = self._ends_at(request)
        attempt, started = 1, False
        while True:
            self._breaker.require_closed(self.name, asked=request.asked and attempt == 1)
            try:
                opened = self._inner.stream(self._shorten(request, ends_at))
                async with aclosing(opened) as events:
                    async for event in events:
                        started = True
                        if isinstance(event, Finished):
                            # Told before it is passed on: who has the answer may listen no more.
                            self._breaker.note_success()
                        yield event
            except EndpointError as error:
                if started:
                    self._breaker.note_failure(error)
                    raise
                delay_s = self._delay_s(error, attempt, ends_at)
                yield Waiting(delay_s, _told(error))
                await self._pacing.sleep(delay_s)
                attempt += 1
            except (GeneratorExit, asyncio.CancelledError):
                self._breaker.note_left(answering=started)
                raise
            else:
                self._breaker.note_success()
                return

    async def close(self) -> None:
        await self._inner.close()

    def _delay_s(self, error: EndpointError, attempt: int, ends_at: int | None) -> float:
        """How long to wait before the next attempt; raises the error where none may follow."""
        self._breaker.note_failure(error)
        pacing = self._pacing
        delay_s = next_delay_s(pacing.policy, error, attempt=attempt, roll=pacing.roll())
        if delay_s is None:
            raise error
        if ends_at is not None and pacing.clock.now() + delay_s * SECOND_MS >= ends_at:
            raise error
        if self._breaker.is_open:
            raise self._breaker.describe(self.name) from error
        return delay_s

    def _ends_at(self, request: ModelRequest) -> int | None:
        allowed_s = self._deadline_s if request.deadline_s is None else request.deadline_s
        if allowed_s is None:
            return None
        return self._pacing.clock.now() + round(allowed_s * SECOND_MS)

    def _shorten(self, request: ModelRequest, ends_at: int | None) -> ModelRequest:
        """The request with what is left of its time."""
        if ends_at is None:
            return request
        left_s = (ends_at - self._pacing.clock.now()) / SECOND_MS
        return replace(request, deadline_s=max(0.0, left_s))


class FallbackModel:
    """A model, and another that answers where the first cannot. The reply says which it was.

    Nobody waits for another try of the first while it is left alone: the other one can answer.
    """

    def __init__(self, main: Model, spare: Model, told: tuple[str, str] | None = None) -> None:
        self._main = main
        self._spare = spare
        self._told = told or (spare.name, main.name)

    @property
    def name(self) -> str:
        return self._main.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        try:
            return await self._main.complete(replace(request, asked=False))
        except (Unavailable, EndpointError) as error:
            if not _is_worth_falling_back(error):
                raise
        return await self._spare.complete(request)

    async def stream(self, request: ModelRequest) -> ModelEvents:
        started = False
        try:
            async with aclosing(self._main.stream(replace(request, asked=False))) as events:
                async for event in events:
                    started |= not isinstance(event, Waiting)
                    yield event
                return
        except (Unavailable, EndpointError) as error:
            if started or not _is_worth_falling_back(error):
                raise
            reason = error.message
        name, instead = self._told
        yield StoodIn(name, reason, instead)
        async with aclosing(self._spare.stream(request)) as events:
            async for event in events:
                yield event

    async def close(self) -> None:
        try:
            await self._main.close()
        finally:
            await self._spare.close()


def _told(error: EndpointError) -> str:
    return f"{error.fault} ({error.said})" if error.said else str(error.fault)


def _is_worth_falling_back(error: Unavailable | EndpointError) -> bool:
    """A wrong key or model name is for the person to mend; hiding it would not help them."""
    if isinstance(error, Unavailable):
        return True
    return error.fault is Fault.NO_CREDIT
