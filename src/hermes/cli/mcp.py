"""`hermes mcp`: memory for other agents, and putting it into their settings."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hermes.cli.context import Invocation, invocation
from hermes.cli.layout import print_columns
from hermes.cli.opening import opened
from hermes.cli.options import AsJson, Yes
from hermes.cli.render import confirm, print_json, tell
from hermes.errors import UserError
from hermes.mcp_server.install import (
    Command,
    McpClient,
    config_path,
    find_installed,
    list_arguments,
    plan_install,
    plan_removal,
    save,
)
from hermes.memory.banks import DEFAULT, check_bank

app = typer.Typer(help="Give other agents this memory, over MCP.", no_args_is_help=True)
ToBank = Annotated[str, typer.Option("--bank", metavar="NAME", help="The bank tools work in.")]


@app.command("serve")
def serve(
    *,
    bank: ToBank = DEFAULT,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Only tools that change nothing.")
    ] = False,
) -> None:
    """Serve this profile over stdin and stdout, for a client that starts this program.

    The daemon serves the same over HTTP, at /mcp of its address, with a token.
    """
    try:
        from hermes.mcp_server.stdio import serve_stdio  # noqa: PLC0415 - a second to import
    except ModuleNotFoundError as error:
        hint = "Install it: pip install 'hermes-memory[mcp]'."
        raise UserError("The MCP library is not installed.", hint) from error
    with opened() as hermes:
        serve_stdio(hermes, bank=check_bank(bank), may_write=not read_only)


Client = Annotated[
    McpClient, typer.Argument(metavar="CLIENT", help=f"One of: {', '.join(McpClient)}.")
]


@app.command("install")
def install(
    client: Client,
    *,
    bank: ToBank = DEFAULT,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Only tools that change nothing.")
    ] = False,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The client's settings, if elsewhere.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take Hermes out again.")] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Put Hermes into a client's settings: shows the change first, and keeps all the rest."""
    called = invocation()
    path = file or config_path(client, called.environ, sys.platform)
    more = [*(["--bank", check_bank(bank)] if bank != DEFAULT else [])]
    more += ["--read-only"] if read_only else []
    command = _command(called, more)
    edit = plan_removal(client, path) if remove else plan_install(client, path, command)
    if not edit.changes:
        tell(f"{path}: nothing to change", as_json=as_json, path=path, changed=False)
        return
    typer.echo(edit.diff(), err=as_json)
    asked = f"Remove {path}, which holds nothing else?" if edit.is_removal else ""
    confirm(asked or f"Write this to {path}?", yes=yes)
    save(edit)
    done = "is out of" if remove else "is in"
    text = f"Hermes {done} the settings of {client.value}; restart it to see"
    tell(text, as_json=as_json, path=path, changed=True)


@app.command("list")
def list_clients(as_json: AsJson = False) -> None:
    """Show the clients that are known, and which have Hermes in their settings."""
    environ = invocation().environ
    found = []
    for client in McpClient:
        path = config_path(client, environ, sys.platform)
        found.append({"client": client.value, "installed": _state(client, path), "path": str(path)})
    if as_json:
        print_json(found)
        return
    print_columns(["client", "hermes", "settings"], (tuple(f.values()) for f in found), wide=2)


def _state(client: McpClient, path: Path) -> str:
    try:
        return "installed" if find_installed(client, path) else "no"
    except UserError:
        return "unreadable"


def _command(called: Invocation, more: list[str]) -> Command:
    arguments = list_arguments(called.profile, str(called.home.root), more)
    return Command(sys.executable, arguments, {})
