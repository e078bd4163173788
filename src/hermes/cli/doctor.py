"""`hermes doctor`: every part checked, one line each, with what to do where it is not right."""

import sys
from collections.abc import Sequence
from textwrap import TextWrapper
from typing import Annotated

import typer

from hermes.app import diagnose
from hermes.app.keys import restore_database_key
from hermes.app.shapes import finding_shape
from hermes.cli.context import Invocation, invocation
from hermes.cli.layout import dim, pad, screen_width
from hermes.cli.options import AsJson
from hermes.cli.recovery import ask_recovery_key
from hermes.cli.render import aside, clean, print_json
from hermes.config.load import load_config
from hermes.store.base import Finding

MARKS = {"ok": "✓", "warning": "!", "failed": "✗"}
PLAIN_MARKS = {"ok": "ok", "warning": "!!", "failed": "XX"}
COLOURS = {"ok": "green", "warning": "yellow", "failed": "red"}
PART = 14


def doctor(
    restore_key: Annotated[
        bool,
        typer.Option("--restore-key", help="Put a lost key back from the recovery key first."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check every part of Hermes and say what to do; the exit code is 1 if something failed."""
    called = invocation()
    if restore_key:
        _restore_key(called)
    findings = diagnose(called.paths, called.environ, flags=called.flags)
    if as_json:
        print_json([finding_shape(finding) for finding in findings])
    else:
        _print_findings(findings)
    if any(finding.level == "failed" for finding in findings):
        raise typer.Exit(1)


def _restore_key(called: Invocation) -> None:
    settings = load_config(called.paths, called.environ, called.flags).memory
    place = restore_database_key(called.paths, settings, ask_recovery_key())
    aside(f"the key is back in {place}")


def _print_findings(findings: Sequence[Finding]) -> None:
    marks = MARKS if _can_write("".join(MARKS.values())) else PLAIN_MARKS
    for finding in findings:
        mark = typer.style(marks[finding.level], fg=COLOURS[finding.level])
        indent = len(marks["ok"]) + 1 + PART
        head = f"{mark} {pad(finding.part, PART)}"
        room = max(20, screen_width() - indent)
        for line in _wrap(clean(finding.message), room):
            typer.echo(head + line)
            head = " " * indent
        if finding.hint and finding.level != "ok":  # never wrapped: it may be a command to copy
            typer.echo(f"{' ' * indent}{dim(clean(finding.hint))}")


def _can_write(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _wrap(text: str, width: int) -> list[str]:
    """Lines of whole words: a path that is cut cannot be copied."""
    return TextWrapper(width, break_long_words=False, break_on_hyphens=False).wrap(text)
