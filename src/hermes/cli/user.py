"""`hermes user`: what Hermes knows of the person it works for."""

from typing import Annotated

import typer

from hermes.app.fact_shapes import user_shape
from hermes.cli.fact_view import print_refs
from hermes.cli.layout import dim
from hermes.cli.nothing import told_elsewhere
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.render import clean, print_json, tell
from hermes.counted import many
from hermes.memory.banks import DEFAULT
from hermes.memory.usermodel import Link

NOTHING = "nothing is known yet"

app = typer.Typer(help="See what is known of you.", no_args_is_help=True)


@app.command("show")
def show(
    bank: Annotated[str, typer.Option("--bank", metavar="NAME", help="The bank.")] = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """Show the record of the user, each line with the facts it rests on."""
    with opened(looking=True) as hermes:
        hermes.conversations.get_bank(bank)
        model = hermes.user.show(bank)
        waiting = hermes.pending.count()
        held = {} if model.lines else hermes.facts.count_by_bank()
    if as_json:
        print_json(user_shape(model))
        return
    section = ""
    for line in model.lines:
        if line.section != section:
            section = line.section
            typer.echo(dim(section))
        typer.echo(f"  {clean(line.text)} {dim('[' + print_refs(line.facts) + ']')}")
    contested = sum(edge.kind is Link.CONTRADICTS for edge in model.graph)
    if contested:
        typer.echo(
            dim(f"{many(contested, 'contradiction')}: see `hermes memory fact contradictions`")
        )
    if waiting:
        told = "1 write waits" if waiting == 1 else f"{waiting} writes wait"
        typer.echo(dim(f"{told} for approval: see `hermes memory pending`"))
    if not model.lines:
        elsewhere = told_elsewhere(held, bank)
        told = f"nothing is known in bank {bank}; {elsewhere}" if elsewhere else NOTHING
        typer.echo(told, err=True)


@app.command("sync")
def sync(as_json: AsJson = False) -> None:
    """Bring USER.md up to what is known; what you wrote there stays."""
    with opened() as hermes:
        change = hermes.user.project()
        path = hermes.paths.user_note
        held = {} if change else hermes.facts.count_by_bank()
    if change is None:
        named = f"; of bank {DEFAULT} only, not of {', '.join(held)}" if held else ""
        tell(NOTHING + named, as_json=as_json, path=path, size=0)
        return
    told = {"path": path, "size": change.size, "limit": change.limit}
    tell(f"{path}: {change.size:,} of {change.limit:,} characters", as_json=as_json, **told)
