"""`docs/cli.md`: every command, written from the program itself so that it cannot fall behind."""

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from typer.core import TyperGroup

from hermes.cli.lazy import Entry, LazyCommand
from hermes.cli.main import COMMANDS, build_cli

if TYPE_CHECKING:
    from typer._click import Command, Context

INTRO = """\
# Commands

<!-- Written by `hermes.cli.reference`; a test keeps it equal to the program. -->

- Global options stand before the command: `hermes -p work sessions list`.
- Every command that answers takes `--json`; the shapes are in [sessions.md](sessions.md). Answers
  go to stdout, all else (errors, hints, progress, questions) to stderr.
- Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted. An error is one line that says what
  happened and one that says what to do. With `--json` stderr holds JSON only, an object a line: the
  error, `{"error": {"kind": …, "message": …, "hint": …}}`, is the last, and before it stand only
  notes that must not be missed, `{"note": {"message": …}}`: the recovery key of a new memory.
- What cannot be taken back asks first, or takes `--yes`.
- `hermes --install-completion` teaches your shell to complete commands, options, sessions and
  settings.
"""


def render_reference(commands: Mapping[str, Entry] | None = None) -> str:
    """The page, as Markdown."""
    table = COMMANDS if commands is None else commands
    root = build_cli(table)
    parts = [INTRO, _section("hermes", root, level=2)]
    for name, entry in table.items():
        parts += _walk(f"hermes {name}", LazyCommand(name, entry).load(), level=2)
    return "\n".join(parts)


def _walk(path: str, command: "Command", level: int) -> Iterator[str]:
    yield _section(path, command, level)
    if isinstance(command, TyperGroup):
        for name, below in command.commands.items():
            yield from _walk(f"{path} {name}", below, level + 1)


def _section(path: str, command: "Command", level: int) -> str:
    context = command.make_context(path, [], resilient_parsing=True)
    lines = [f"{'#' * level} {path}", "", _paragraphs(command.help or "")]
    if not isinstance(command, TyperGroup):
        lines += ["", f"`{path} {' '.join(command.collect_usage_pieces(context))}`"]
    rows = list(_rows(command, context))
    if rows:
        lines += ["", "| what | meaning |", "|---|---|", *rows]
    return "\n".join(lines) + "\n"


def _paragraphs(text: str) -> str:
    """Help as it is written in the code, without the indentation of the code."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


def _rows(command: "Command", context: "Context") -> Iterator[str]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and "--help" not in parameter.opts:
            what, meaning = (_escape(text) for text in record)
            yield f"| `{what}` | {meaning} |"


def _escape(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(render_reference())
