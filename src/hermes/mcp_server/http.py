"""MCP over HTTP inside the daemon: each request stands alone, so a restart loses no session."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from hermes.app import App
from hermes.errors import Unavailable
from hermes.mcp_server.exposure import QUIET_S, Shown
from hermes.mcp_server.server import build_server
from hermes.memory.banks import check_bank

MOST_SERVERS = 64
MOST_CLIENTS = 10_000


class Client(NamedTuple):
    """Who asks: which bank of which profile, by which token, and whether it may write."""

    profile: str
    bank: str
    token: str
    may_write: bool


@dataclass(slots=True)
class _Open:
    """A server that runs, and the task that keeps it so."""

    app: App
    manager: StreamableHTTPSessionManager
    task: asyncio.Task[None]
    ready: asyncio.Event
    closing: asyncio.Event
    requests: int = 0


class McpServers:
    """One server for each token and bank that is asked for; lives on one event loop.

    Those least lately used make room for others: any name of a bank may be asked for. What a token
    was shown is remembered beyond that.
    """

    def __init__(self, body_bytes: int) -> None:
        self._body_bytes = body_bytes
        self._open: dict[Client, _Open] = {}  # the one used last stands last
        self._shown: OrderedDict[tuple[str, str], Shown] = OrderedDict()
        self._ending: set[asyncio.Task[None]] = set()

    async def serve(
        self, app: App, client: Client, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer one request as the server of this client does."""
        check_bank(client.bank)
        found = self._find(app, client)
        found.requests += 1
        try:
            await found.ready.wait()
            await found.manager.handle_request(scope, receive, send)
        finally:
            found.requests -= 1

    def _find(self, app: App, key: Client) -> _Open:
        found = self._open.pop(key, None)
        if found is not None and found.app is not app:  # its profile was put away since
            self._end(found)
            found = None
        if found is None:
            self._make_room()
            found = self._start(app, key)
        self._open[key] = found
        return found

    def _make_room(self) -> None:
        if len(self._open) < MOST_SERVERS:
            return
        idle = next((key for key, each in self._open.items() if not each.requests), None)
        if idle is None:
            raise Unavailable("Too many banks are served over MCP at once.", "Try again.")
        self._end(self._open.pop(idle))

    def _end(self, server: _Open) -> None:
        server.closing.set()
        self._ending.add(server.task)
        server.task.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        for each in self._open.values():
            self._end(each)
        self._open.clear()
        await asyncio.gather(*self._ending)

    def forget(self, profile: str) -> None:
        """End the servers of a profile that is put away."""
        for key in [key for key in self._open if key.profile == profile]:
            self._end(self._open.pop(key))

    def _shown_to(self, client: Client) -> Shown:
        """What a token was shown, in whichever bank."""
        key = (client.profile, client.token)
        shown = self._shown.pop(key, None) or Shown(QUIET_S)
        self._shown[key] = shown
        while len(self._shown) > MOST_CLIENTS:
            self._shown.popitem(last=False)
        return shown

    def _start(self, app: App, key: Client) -> _Open:
        shown = self._shown_to(key)
        manager = StreamableHTTPSessionManager(
            build_server(app, bank=key.bank, may_write=key.may_write, shown=shown),
            json_response=True,
            stateless=True,
            max_request_body_size=self._body_bytes,
        )
        ready, closing = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(_run(manager, ready, closing))
        return _Open(app, manager, task, ready, closing)


async def _run(
    manager: StreamableHTTPSessionManager, ready: asyncio.Event, closing: asyncio.Event
) -> None:
    async with manager.run():
        ready.set()
        await closing.wait()
