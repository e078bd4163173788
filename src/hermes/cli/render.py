"""How commands show things: JSON for programs, tables for people, questions before harm.

Text that came from outside is stripped of what could steer a terminal before it is shown.
"""

import dataclasses
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, tzinfo
from enum import Enum
from pathlib import PurePath

import typer

from hermes.cli.context import is_for_program
from hermes.clock import to_datetime
from hermes.counted import many
from hermes.errors import UserError

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
HIDDEN = re.compile(r"[\u202a-\u202e\u2066-\u2069]")


def print_json(value: object) -> None:
    """One JSON document; keys keep the order in which the value has them."""
    typer.echo(json.dumps(to_plain(value), ensure_ascii=False, indent=2))


def tell(text: str, *, as_json: bool, **told: object) -> None:
    """What was done: a line for people, an object for programs."""
    print_json(told) if as_json else typer.echo(text)


def aside(text: str) -> None:
    """A line for people beside the answer, on stderr: what to do next, what may surprise."""
    if not is_for_program():
        typer.echo(text, err=True)


def warn(text: str, **told: object) -> None:
    """What must not be missed, on stderr: a line for people, an object on a line for programs."""
    if is_for_program():
        text = json.dumps({"note": {"message": text, **told}}, ensure_ascii=False, default=str)
    typer.echo(text, err=True)


def to_plain(value: object) -> object:
    """A value as JSON can hold it: dataclasses and mappings as objects, paths and days as text."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(str(item) for item in value)
    return value


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on a terminal, tab-separated lines elsewhere; the first line names the columns."""
    cells = [[clean(str(cell)) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _print_rich(columns, cells)
        return
    for line in ([name.upper() for name in columns], *cells):
        typer.echo("\t".join(line))


def _print_rich(columns: Sequence[str], cells: list[list[str]]) -> None:
    # rich takes 0.1 s to import, and only a terminal needs it
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(*columns, box=SIMPLE_HEAD, pad_edge=False)
    for line in cells:
        table.add_row(*(Text(cell) for cell in line))
    Console().print(table)


def clean(text: str) -> str:
    """`text` on one line, without control characters or marks that reorder what is seen."""
    return CONTROL.sub(" ", HIDDEN.sub("", text)).strip()


def count(number: int, noun: str) -> str:
    """`1 file`, `2 files`"""
    return many(number, noun)


def render_local(at: int | None, zone: tzinfo | None = None) -> str:
    """A time as the person's clock shows it: `2026-01-05 10:00`."""
    if at is None:
        return ""
    return to_datetime(at).astimezone(zone).replace(tzinfo=None).isoformat(" ", "minutes")


def confirm(question: str, *, yes: bool) -> None:
    """Go on only if the person says so: by --yes, or on the terminal."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise UserError(f"{question} Nobody is here to answer.", "Add --yes to go ahead.")
    if not typer.confirm(question, err=True):
        aside("nothing was changed")
        raise typer.Exit(1)
