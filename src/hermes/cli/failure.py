"""How a failure is shown: what happened, what to do, and the exit code.

The one place that turns errors into lines on stderr, or into JSON for a caller that asked for it.
"""

import errno
import json
import os
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

import typer

from hermes.cli.namesakes import advise_namesakes
from hermes.cli.wording import reword
from hermes.clock import SystemClock, render_time
from hermes.config.files import FILE_MODE, make_private_dir
from hermes.config.paths import read_home
from hermes.errors import HermesError

GLOBAL_OPTIONS = ("-p", "--profile", "--home", "--set")
CHAT_OPTIONS = {
    "--resume": "goes on with the last conversation",
    "-r": "goes on with the last conversation",
    "--incognito": "keeps nothing of what is said",
}
INTERRUPTED = 130
CLOSED_PIPE = 141  # what a shell reports of a program that SIGPIPE ended


def show_error(error: HermesError, *, as_json: bool) -> int:
    """An error of ours: its message, its hint."""
    _show(error.kind, error.message, error.hint, as_json=as_json)
    return error.exit_code


def show_usage(error: typer.TyperException, *, as_json: bool) -> int:
    """A command line that could not be read; an empty one gets its help."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(error.message, err=True)
        return error.exit_code
    path = context.command_path if context is not None else "hermes"
    hint = f"`{path} --help` shows what it takes."
    option = getattr(error, "option_name", "")
    if option in GLOBAL_OPTIONS:
        rest = path.removeprefix("hermes")
        hint = f"{option} stands before the command: hermes {option} …{rest}"
    message = reword(error.format_message())
    if path == "hermes" and (told := advise_namesakes(message, getattr(context, "command", None))):
        message, hint = message.partition(" Did you mean")[0], told
    if path == "hermes" and option in CHAT_OPTIONS:
        message = f"No such option: {option}"  # what is near by its letters is not what is meant
        hint = f"`hermes chat {option}` {CHAT_OPTIONS[option]}."
    _show("UserError", message, hint, as_json=as_json)
    return error.exit_code


def show_denied(error: OSError, *, as_json: bool) -> int:
    """The system said no: not a mistake in Hermes, and not one it can mend."""
    place = Path(error.filename).parent if isinstance(error.filename, str) else "the home"
    if error.errno == errno.EROFS:
        message = f"Nothing can be written in {place}: the file system is read-only."
        hint = "Make it writable, or copy the home to where you may write and set HERMES_HOME."
    else:
        message = f"{error.strerror}: {error.filename or 'a file'}"
        hint = "Check that it is there, who owns it, its mode (`ls -ld`) and the space left (`df`)."
    _show("Unavailable", message, hint, as_json=as_json)
    return 1


def show_interrupt(*, as_json: bool) -> int:
    """The person pressed Ctrl-C."""
    if as_json:
        _show("Interrupted", "interrupted", "", as_json=True)
    else:
        typer.echo("interrupted", err=True)
    return INTERRUPTED


def open_missing_streams() -> None:
    """A stream that was closed before we started (`2>&-`) goes nowhere instead of failing."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))


def silence_streams() -> None:
    """Whoever read our output has gone; let Python's last flush go nowhere instead of complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (BrokenPipeError, ValueError):
            os.dup2(nowhere, stream.fileno())


def install_crash_report(environ: Mapping[str, str], *, as_json: bool) -> None:
    """Show a mistake in Hermes itself as one line, with its traceback kept in the log folder."""

    def report(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        text = "".join(traceback.format_exception(kind, error, trace))
        if environ.get("HERMES_DEBUG"):
            sys.stderr.write(text)
            return
        summary = traceback.format_exception_only(kind, error)[-1].strip()
        _show(kind.__name__, f"unexpected: {summary}", _keep(text, environ), as_json=as_json)

    sys.excepthook = report


def _keep(text: str, environ: Mapping[str, str]) -> str:
    """Append a traceback to the crash log; says where to look."""
    rerun = "Run it again with HERMES_DEBUG=1 to see the traceback"
    try:
        file = read_home(environ).root / "logs" / "crash.log"
        make_private_dir(file.parent)
        _append(file, f"--- {render_time(SystemClock().now())}\n{text}\n")
    except (OSError, HermesError):
        return f"{rerun}."
    return f"{rerun}; it is also in {file}"


def _append(file: Path, text: str) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, FILE_MODE)
    with os.fdopen(handle, "a", encoding="utf-8", errors="backslashreplace") as log:
        log.write(text)


def _show(kind: str, message: str, hint: str, *, as_json: bool) -> None:
    if as_json:
        error = {"kind": kind, "message": message, "hint": hint}
        typer.echo(json.dumps({"error": error}, ensure_ascii=False), err=True)
        return
    typer.echo(f"error: {message}", err=True)
    if hint:
        typer.echo(f"hint: {hint}", err=True)
