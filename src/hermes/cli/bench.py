"""`hermes bench`: measures what the documentation claims, and prints it beside its target."""

import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hermes.bench.spine import Figure, measure_spine
from hermes.cli.render import print_json

app = typer.Typer(help="Measure what the documentation claims.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]


@app.command("spine")
def spine(
    messages: Annotated[int, typer.Option(help="Size of the large history.")] = 1_000_000,
    as_json: AsJson = False,
) -> None:
    """Durable writes, ingest, search, size and start-up."""
    with tempfile.TemporaryDirectory(prefix="hermes-bench-") as folder:
        figures = measure_spine(Path(folder), messages=messages, say=_say)
        show_figures(figures, as_json=as_json)


def _say(what: str) -> None:
    typer.echo(f"… {what}", err=True)


def show_figures(figures: Iterable[Figure], *, as_json: bool) -> None:
    """Print figures as they come, or all at once as JSON."""
    if as_json:
        print_json([asdict(figure) for figure in figures])
        return
    for figure in figures:
        mark = "ok  " if figure.met else "MISS"
        value = f"{figure.value:,.2f} {figure.unit}"
        typer.echo(f"{mark} {figure.name}: {value} (target {figure.target})")
        if figure.note:
            typer.echo(f"     {figure.note}")
