"""MCP over HTTP inside the daemon: each request stands alone, so a restart loses no session."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from hermes.app import App
from hermes.errors import Unavailable
from hermes.mcp_server.server import build_server
from hermes.memory.banks import check_bank

MOST_SERVERS = 64
Key = tuple[str, str, bool]


@dataclass(slots=True)
class _Open:
    """A server that runs, and the task that keeps it so."""

    manager: StreamableHTTPSessionManager
    task: asyncio.Task[None]
    ready: asyncio.Event
    closing: asyncio.Event


class McpServers:
    """One server for each profile, bank and scope that is asked for; lives on one event loop."""

    def __init__(self, body_bytes: int) -> None:
        self._body_bytes = body_bytes
        self._open: dict[Key, _Open] = {}

    async def serve(
        self, app: App, key: tuple[str, bool], scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer one request as the server of this bank and scope does."""
        bank, may_write = check_bank(key[0]), key[1]
        found = self._open.get((app.paths.name, bank, may_write))
        if found is None:
            found = self._start(app, bank, may_write=may_write)
        await found.ready.wait()
        await found.manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        for each in self._open.values():
            each.closing.set()
        await asyncio.gather(*(each.task for each in self._open.values()))
        self._open.clear()

    def _start(self, app: App, bank: str, *, may_write: bool) -> _Open:
        if len(self._open) >= MOST_SERVERS:
            raise Unavailable("Too many banks are served over MCP.", "Use fewer, or restart.")
        manager = StreamableHTTPSessionManager(
            build_server(app, bank=bank, may_write=may_write),
            json_response=True,
            stateless=True,
            max_request_body_size=self._body_bytes,
        )
        ready, closing = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(_run(manager, ready, closing))
        opened = _Open(manager, task, ready, closing)
        self._open[app.paths.name, bank, may_write] = opened
        return opened


async def _run(
    manager: StreamableHTTPSessionManager, ready: asyncio.Event, closing: asyncio.Event
) -> None:
    async with manager.run():
        ready.set()
        await closing.wait()
