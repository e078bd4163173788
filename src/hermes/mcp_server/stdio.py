"""MCP over stdin and stdout, for clients that start the program themselves."""

import anyio
from mcp.server.stdio import stdio_server

from hermes.app import App
from hermes.mcp_server.server import build_server


def serve_stdio(app: App, *, bank: str, may_write: bool) -> None:
    """Serve a profile until the client closes its end."""
    anyio.run(_serve, app, bank, may_write)


async def _serve(app: App, bank: str, may_write: bool) -> None:
    server = build_server(app, bank=bank, may_write=may_write)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
