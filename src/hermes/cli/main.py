"""`hermes`: reads the command line, calls the command, shows what went wrong.

To add a command, add a line to COMMANDS. It is imported only when it is run, so the line carries
the help that `hermes --help` shows. The target is a Typer app (a group) or a function (a command).
"""

import errno
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Annotated, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from hermes import __version__
from hermes.cli.context import Call, enter_call
from hermes.cli.failure import (
    CLOSED_PIPE,
    INTERRUPTED,
    install_crash_report,
    open_missing_streams,
    show_denied,
    show_error,
    show_interrupt,
    show_usage,
    silence_streams,
)
from hermes.cli.lazy import Entry, LazyCommand
from hermes.cli.writer import refuse_agent
from hermes.errors import HermesError
from hermes.guard.door import read_mark

COMMANDS: dict[str, Entry] = {
    "chat": Entry("hermes.cli.chat:chat", "Talk with an agent that remembers"),
    "run": Entry("hermes.cli.run:run", "Have the agent do one task"),
    "model": Entry("hermes.cli.model:app", "List, test and set the model that answers"),
    "usage": Entry("hermes.cli.usage:usage", "Show what models cost, and the day's cap"),
    "demo": Entry("hermes.cli.demo:demo", "See Hermes remember, on a sample history"),
    "status": Entry("hermes.cli.status:status", "Show what is kept, where and how"),
    "doctor": Entry("hermes.cli.doctor:doctor", "Check every part and say what to do"),
    "sessions": Entry("hermes.cli.sessions:app", "Search, read and put away past conversations"),
    "memory": Entry("hermes.cli.memory:app", "Ask what is remembered, correct it, keep it"),
    "user": Entry("hermes.cli.user:app", "See what is known of you"),
    "log": Entry("hermes.cli.log:app", "See what was done, and verify the log"),
    "bank": Entry("hermes.cli.bank:app", "Show and make banks, the scopes of a memory"),
    "backup": Entry("hermes.cli.backup:app", "Make, list, verify and restore backups"),
    "db": Entry("hermes.cli.db:app", "Migrate, look at, copy and spread the database"),
    "config": Entry("hermes.cli.config:app", "Show and change settings"),
    "profile": Entry("hermes.cli.profile:app", "Make, choose and put away profiles"),
    "start": Entry("hermes.cli.daemon:start", "Start the daemon, which works in the background"),
    "stop": Entry("hermes.cli.daemon:stop", "Stop the daemon"),
    "restart": Entry("hermes.cli.daemon:restart", "Stop the daemon and start it anew"),
    "open": Entry("hermes.cli.open:open_dashboard", "Open the dashboard in your browser"),
    "token": Entry("hermes.cli.token:app", "Let other programs in over HTTP"),
    "mcp": Entry("hermes.cli.mcp:app", "Give other agents this memory, over MCP"),
    "service": Entry("hermes.cli.service:app", "Have the system start the daemon"),
    "jobs": Entry("hermes.cli.jobs:app", "See, retry, cancel and run background jobs"),
    "bench": Entry("hermes.cli.bench:app", "Measure what the documentation claims"),
}
"""Name → where it lives. Only what exists stands here; the order is that of the help."""

WITHOUT_COMMAND = "chat"
"""What `hermes` alone runs, once it is in the table."""

DENIED = (
    *(errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EROFS, errno.EDQUOT),
    *(errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG),
)


def run() -> None:
    """The entry point of the `hermes` program."""
    environ = read_mark(os.environ)
    install_crash_report(environ, as_json=asks_for_json(sys.argv))
    open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = main(sys.argv[1:], environ)
    except BrokenPipeError:  # nobody reads our errors either
        silence_streams()
        code = 1
    sys.exit(code)


def main(
    argv: Sequence[str],
    environ: Mapping[str, str],
    commands: Mapping[str, Entry] | None = None,
) -> int:
    """Run one command line; the exit code is 0 done, 1 failed, 2 wrong usage.

    Where whoever read the output has gone (`| head`) it ends quietly, as if by SIGPIPE.
    """
    cli = build_cli(COMMANDS if commands is None else commands)
    as_json = asks_for_json(argv)
    try:
        refuse_agent(argv, environ)
        code = _call(cli, argv, Call(environ, as_json=as_json))
        return show_interrupt(as_json=as_json) if code == INTERRUPTED else code
    except HermesError as error:
        return show_error(error, as_json=as_json)
    except typer.TyperException as error:
        return show_usage(error, as_json=as_json)
    except typer.Abort:
        return show_interrupt(as_json=as_json)
    except BrokenPipeError:
        silence_streams()
        return CLOSED_PIPE
    except OSError as error:
        if error.errno not in DENIED or environ.get("HERMES_DEBUG"):
            raise
        return show_denied(error, as_json=as_json)


def asks_for_json(argv: Sequence[str]) -> bool:
    """Whether `--json` stands among the options; after `--` it is a word like any other."""
    return "--json" in takewhile(lambda word: word != "--", argv)


def _call(cli: TyperGroup, argv: Sequence[str], call: Call) -> int:
    enter_call(call)
    streams = sys.stdout, sys.stderr
    try:
        outcome = cli.main(list(argv), prog_name="hermes", standalone_mode=False, obj=call)
    except SystemExit as ended:
        if sys.stdout is streams[0]:
            raise
        sys.stdout, sys.stderr = streams  # Typer covers them when nobody reads them any more
        raise BrokenPipeError from ended
    sys.stdout.flush()
    return outcome if isinstance(outcome, int) else 0


def build_cli(commands: Mapping[str, Entry]) -> TyperGroup:
    """The command tree: global options, and a stand-in for each command."""
    app = typer.Typer(
        help="An assistant that remembers, and the memory system it lives on.",
        invoke_without_command=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    cli = cast(TyperGroup, get_command(app))
    for name, entry in commands.items():
        cli.add_command(LazyCommand(name, entry))
    return cli


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"hermes {__version__}")
        raise typer.Exit


def _root(
    ctx: typer.Context,
    profile: Annotated[
        str | None, typer.Option("-p", "--profile", metavar="NAME", help="The profile to work in.")
    ] = None,
    home: Annotated[
        str | None, typer.Option(metavar="PATH", help="The home, instead of HERMES_HOME.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting, for this command only."),
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    call: Call = ctx.obj
    enter_call(replace(call, home=home, profile=profile, settings=tuple(settings or ())))
    if ctx.invoked_subcommand is None:
        _run_alone(ctx)


def _run_alone(ctx: typer.Context) -> None:
    """`hermes` with no command: the default one, or the help while there is none."""
    command = ctx.command
    found = command.get_command(ctx, WITHOUT_COMMAND) if isinstance(command, TyperGroup) else None
    if found is None:
        typer.echo(ctx.get_help())
        return
    with found.make_context(WITHOUT_COMMAND, [], parent=ctx) as below:
        below.command.invoke(below)
