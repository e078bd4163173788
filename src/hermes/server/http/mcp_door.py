"""The door for MCP clients: the same tokens and gate; the SDK is loaded with the first call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection
from starlette.types import Receive, Send
from starlette.types import Scope as Asked

from hermes.app.tokens import Scope
from hermes.errors import Unavailable
from hermes.memory.banks import DEFAULT
from hermes.server.http.entry import Entry

if TYPE_CHECKING:
    from hermes.mcp_server.http import Client, McpServers


class McpDoor:
    """An ASGI endpoint; `?bank=NAME` names the bank that tools work in."""

    def __init__(self, entry: Entry, body_bytes: int) -> None:
        self._entry = entry
        self._body_bytes = body_bytes
        self._servers: McpServers | None = None
        self._client: type[Client]

    async def __call__(self, scope: Asked, receive: Receive, send: Send) -> None:
        request = HTTPConnection(scope)
        door = await self._entry.admit(request, Scope.READ)
        caller = door.caller
        bank = request.query_params.get("bank", DEFAULT)
        servers, may_write = self._load(), caller.scope.covers(Scope.WRITE)
        client = self._client(caller.profile, bank, caller.name, may_write)
        await servers.serve(door.app, client, scope, receive, send)

    async def close(self) -> None:
        if self._servers is not None:
            await self._servers.close()

    def forget(self, profile: str) -> None:
        """Let go of a profile that is put away."""
        if self._servers is not None:
            self._servers.forget(profile)

    def _load(self) -> McpServers:
        if self._servers is None:
            try:
                # The SDK takes a second to import.
                from hermes.mcp_server.http import Client, McpServers  # noqa: PLC0415
            except ModuleNotFoundError as error:
                hint = "Install it: pip install 'hermes-memory[mcp]'."
                raise Unavailable("The MCP library is not installed.", hint) from error
            self._servers, self._client = McpServers(self._body_bytes), Client
        return self._servers
