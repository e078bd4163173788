"""Carries JSON to a model's endpoint and its answer back: bounded, timed, every break named.

It knows HTTP and server-sent events, and nothing of what the JSON means.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing
from typing import TYPE_CHECKING

from hermes.llm.base import ModelSettings
from hermes.llm.catalog import describe_endpoint
from hermes.net.client import (
    ClientOptions,
    breaks_named,
    open_async_client,
    read_body_async,
    too_large,
)
from hermes.net.faults import Endpoint
from hermes.net.read import parse_object

if TYPE_CHECKING:
    import httpx2

Json = Mapping[str, object]
Piece = tuple[Json, bool]
EVENT_BYTES = 1024 * 1024
# A streamed token comes in an envelope many times its size.
ENVELOPE = 16


class Channel:
    """One endpoint and the connections to it."""

    def __init__(self, settings: ModelSettings, headers: Mapping[str, str]) -> None:
        self.endpoint: Endpoint = describe_endpoint(settings)
        self._limit = settings.max_reply_bytes
        self._options = ClientOptions(
            connect_s=settings.connect_timeout_s, idle_s=settings.idle_timeout_s, headers=headers
        )
        self._client: httpx2.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def post(self, path: str, body: Json, *, ends: float) -> Json:
        """The JSON object the endpoint answers with, by the loop time `ends`."""
        with breaks_named(self.endpoint):
            async with asyncio.timeout_at(ends), self._send(path, body) as response:
                raw = await read_body_async(response, self._limit, self.endpoint)
        return parse_object(raw, self.endpoint)

    async def receive(self, path: str, body: Json, *, ends: float) -> AsyncGenerator[Piece, None]:
        """Every JSON object of a streamed answer, and whether it is the whole answer.

        The deadline runs while we wait for the server, not while the caller holds a piece.
        """
        with breaks_named(self.endpoint):
            async with AsyncExitStack() as stack:
                async with asyncio.timeout_at(ends):
                    response = await stack.enter_async_context(self._send(path, body))
                pieces = await stack.enter_async_context(aclosing(self._pieces(response)))
                while True:
                    async with asyncio.timeout_at(ends):
                        piece = await anext(pieces, None)
                    if piece is None:
                        return
                    yield piece

    async def get(self, path: str, *, ends: float) -> Json:
        """The JSON object at a path of the endpoint."""
        with breaks_named(self.endpoint):
            async with (
                asyncio.timeout_at(ends),
                self._open().stream("GET", self.endpoint.url + path) as response,
            ):
                raw = await read_body_async(response, self._limit, self.endpoint)
        return parse_object(raw, self.endpoint)

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()

    async def _pieces(self, response: "httpx2.Response") -> AsyncGenerator[Piece, None]:
        if not _is_event_stream(response):
            raw = await read_body_async(response, self._limit, self.endpoint)
            yield parse_object(raw, self.endpoint), True
            return
        size = 0
        async for text in _event_texts(response):
            size += len(text)
            if size > self._limit * ENVELOPE:
                raise too_large(self._limit * ENVELOPE, self.endpoint)
            if text not in {"", "[DONE]"}:
                yield parse_object(text.encode("utf-8", "replace"), self.endpoint), False

    def _send(self, path: str, body: Json) -> AbstractAsyncContextManager["httpx2.Response"]:
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        headers = {"content-type": "application/json"}
        url = self.endpoint.url + path
        return self._open().stream("POST", url, content=content, headers=headers)

    def _open(self) -> "httpx2.AsyncClient":
        """The client of the running loop: connections cannot move from one loop to another."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = open_async_client(self.endpoint, self._options), loop
        return self._client


def _is_event_stream(response: "httpx2.Response") -> bool:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return response.status_code == 200 and kind == "text/event-stream"


async def _event_texts(response: "httpx2.Response") -> AsyncIterator[str]:
    import httpx2  # noqa: PLC0415 - loaded already: it made the response

    async for event in httpx2.EventSource(response, max_event_size=EVENT_BYTES):
        yield event.data.strip()
