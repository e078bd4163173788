"""`hermes memory reflections`: what was learnt of how tasks work."""

from typing import Annotated

import typer

from hermes.app.reflections import reflection_shape
from hermes.cli.layout import dim
from hermes.cli.opening import opened
from hermes.cli.options import AsJson, InBank, Yes
from hermes.cli.render import clean, confirm, print_json, render_local
from hermes.types import Reflection

app = typer.Typer(help="See what was learnt of how tasks work.", no_args_is_help=True)
Ref = Annotated[str, typer.Argument(metavar="ID", help="Such as reflection:7 or 7.")]


@app.command("list")
def list_reflections(
    *,
    bank: InBank = "",
    task_type: Annotated[
        str, typer.Option("--type", metavar="TYPE", help="Only of this type of task.")
    ] = "",
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=100_000)] = 100,
    as_json: AsJson = False,
) -> None:
    """List reflections, newest first; warnings tell of what failed."""
    with opened(looking=True) as hermes:
        found = hermes.reflections.list(bank, task_type=task_type, limit=limit)
    if as_json:
        print_json([reflection_shape(each) for each in found])
        return
    for each in found:
        typer.echo(_line(each))
        if each.next_time:
            typer.echo(dim(f"    {clean(each.next_time)}"))
    if not found:
        typer.echo("nothing was learnt yet", err=True)


@app.command("show")
def show(ref: Ref, as_json: AsJson = False) -> None:
    """Show one reflection with all that is known of it."""
    with opened(looking=True) as hermes:
        found = hermes.reflections.get(ref)
    if as_json:
        print_json(reflection_shape(found))
        return
    typer.echo(_line(found))
    told = (
        ("worked", found.worked),
        ("failed", found.failed),
        ("next time", found.next_time),
        ("learnt from", found.session_id),
        ("by", found.author),
        ("trust", found.trust.name.lower()),
        ("first", render_local(found.created_at)),
        ("last", render_local(found.updated_at)),
    )
    for name, text in told:
        if text:
            typer.echo(f"  {name}: {clean(text)}")


@app.command("delete")
def delete(ref: Ref, yes: Yes = False, as_json: AsJson = False) -> None:
    """Forget a reflection."""
    with opened() as hermes:
        found = hermes.reflections.get(ref)
        confirm(f"Forget reflection:{found.id} ({clean(found.lesson)})?", yes=yes)
        gone = hermes.reflections.delete(ref)
    if as_json:
        print_json(reflection_shape(gone))
    else:
        typer.echo(f"forgot reflection:{gone.id}")


def _line(reflection: Reflection) -> str:
    sign = "WARNING " if reflection.is_warning else ""
    held = ", waits for approval" if reflection.held else ""
    held = ", rejected" if reflection.rejected else held
    counts = f"worked {reflection.successes}×, failed {reflection.failures}×{held}"
    text = clean(reflection.lesson)
    return f"[reflection:{reflection.id:03d}] {sign}{reflection.task_type}: {text} ({counts})"
