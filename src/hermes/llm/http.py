"""A model behind HTTP, in whichever wire format: a `Wire` renders and parses, a `Channel` carries.

It knows when to speak more plainly, and when a reply is complete.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping
from contextlib import aclosing
from typing import Generic, Protocol, TypeVar

from hermes.llm.base import (
    Finished,
    ModelEvent,
    ModelEvents,
    ModelReply,
    ModelRequest,
    ModelSettings,
)
from hermes.llm.catalog import needs_key
from hermes.llm.channel import Channel, Json
from hermes.llm.halves import join_halves
from hermes.llm.pieces import TooMuch
from hermes.net.client import too_large
from hermes.net.faults import EndpointError, EndpointRejected, Fault, build_error
from hermes.net.read import read_status

Dialect = TypeVar("Dialect")


class Assembler(Protocol):
    """Puts a streamed reply together, piece by piece."""

    @property
    def size(self) -> int:
        """Characters gathered so far."""

    def feed(self, piece: Json) -> Iterable[ModelEvent]:
        """What this piece adds; raises `ValueError` on nonsense."""

    def finish(self) -> ModelReply | None:
        """The whole reply, or None if the stream broke off before its end."""


class Wire(Protocol[Dialect]):
    """A wire format: pure functions between requests, JSON and replies.

    A `Dialect` says which optional parts of the format this endpoint is thought to accept.
    """

    path: str

    def render(self, request: ModelRequest, dialect: Dialect, *, stream: bool) -> Json:
        """The body to send."""

    def parse(self, body: Json, request: ModelRequest) -> ModelReply:
        """A reply sent whole; raises `ValueError` if it is none."""

    def assemble(self, request: ModelRequest) -> Assembler:
        """A new assembler, for one streamed reply."""

    def relax(self, dialect: Dialect, said: str, request: ModelRequest) -> Dialect | None:
        """A plainer dialect, given why the endpoint refused; None if none would help."""


class HttpModel(Generic[Dialect]):
    """A `Model` over one endpoint and one wire format."""

    def __init__(
        self, settings: ModelSettings, wire: Wire[Dialect], dialect: Dialect, channel: Channel
    ) -> None:
        self._settings = settings
        self._wire = wire
        self._dialect = dialect
        self._channel = channel
        self._endpoint = channel.endpoint

    @property
    def name(self) -> str:
        return f"{self._settings.provider}/{self._settings.model}"

    async def complete(self, request: ModelRequest) -> ModelReply:
        self._require_key()
        ends = self._ends_at(request)
        while True:
            body = self._wire.render(request, self._dialect, stream=False)
            try:
                answer = await self._channel.post(self._wire.path, body, ends=ends)
                return self._parse(answer, request)
            except EndpointRejected as error:
                self._relax_or_raise(error, request)

    async def stream(self, request: ModelRequest) -> ModelEvents:
        self._require_key()
        ends = self._ends_at(request)
        started = False
        while True:
            try:
                async with aclosing(join_halves(self._stream_once(request, ends))) as events:
                    async for event in events:
                        started = True
                        yield event
                return
            except EndpointRejected as error:
                if started:
                    raise
                self._relax_or_raise(error, request)

    async def close(self) -> None:
        await self._channel.close()

    async def _stream_once(self, request: ModelRequest, ends: float) -> ModelEvents:
        body = self._wire.render(request, self._dialect, stream=True)
        assembler = self._wire.assemble(request)
        async with aclosing(self._channel.receive(self._wire.path, body, ends=ends)) as pieces:
            async for piece, is_whole in pieces:
                if is_whole:
                    yield Finished(self._parse(piece, request))
                    return
                for event in self._feed(assembler, piece):
                    yield event
        reply = assembler.finish()
        if reply is None:
            raise build_error(Fault.TRUNCATED, self._endpoint, "the stream ended too early")
        yield Finished(reply)

    def _parse(self, body: Json, request: ModelRequest) -> ModelReply:
        self._raise_if_error(body)
        try:
            return self._wire.parse(body, request)
        except ValueError as error:
            raise self._misread(error) from error

    def _feed(self, assembler: Assembler, piece: Json) -> list[ModelEvent]:
        self._raise_if_error(piece)
        try:
            events = list(assembler.feed(piece))
        except ValueError as error:
            raise self._misread(error) from error
        if assembler.size > self._settings.max_reply_bytes:
            raise too_large(self._settings.max_reply_bytes, self._endpoint)
        return events

    def _misread(self, error: ValueError) -> EndpointError:
        fault = Fault.TOO_LARGE if isinstance(error, TooMuch) else Fault.GARBLED
        return build_error(fault, self._endpoint, str(error))

    def _raise_if_error(self, body: Json) -> None:
        """Some servers say 200 first and fail afterwards, inside the body."""
        if error := body.get("error"):
            raw = json.dumps(body).encode()
            raise read_status(_status_in(error), {}, raw, self._endpoint)

    def _require_key(self) -> None:
        if not self._settings.api_key and needs_key(self._settings):
            raise build_error(Fault.NO_KEY, self._endpoint)

    def _ends_at(self, request: ModelRequest) -> float:
        """When, by the event loop's clock, the call has taken too long."""
        allowed = self._settings.deadline_s
        if request.deadline_s is not None:
            allowed = min(allowed, request.deadline_s)
        return asyncio.get_running_loop().time() + max(0.0, allowed)

    def _relax_or_raise(self, error: EndpointRejected, request: ModelRequest) -> None:
        """Speak more plainly from now on, if that may be why the endpoint refused."""
        plainer = None
        if error.fault is Fault.REJECTED:
            plainer = self._wire.relax(self._dialect, error.said.lower(), request)
        if plainer is None:
            raise error
        self._dialect = plainer


_STATUS_OF_TYPE = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}


def _status_in(error: object) -> int:
    """The HTTP status an error inside a body stands for."""
    if not isinstance(error, Mapping):
        return 500
    code = error.get("code")
    if isinstance(code, int) and 400 <= code < 600:
        return code
    if isinstance(code, str) and len(code) == 3 and code.isdecimal() and int(code) >= 400:
        return int(code)
    return _STATUS_OF_TYPE.get(str(error.get("type")), 500)
