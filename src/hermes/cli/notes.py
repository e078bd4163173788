"""`hermes memory notes`: the notebooks MEMORY.md and USER.md."""

from typing import Annotated

import typer

from hermes.app.fact_shapes import held_shape, kept_shape, note_shape
from hermes.cli.layout import dim
from hermes.cli.opening import opened
from hermes.cli.options import AsJson, KeepSecrets
from hermes.cli.render import clean, print_json
from hermes.cli.writer import calling_writer
from hermes.memory.facts.reference import render_line, render_ref
from hermes.memory.notekeeping import Outcome, Writer
from hermes.memory.notes import visible_text
from hermes.memory.notes.request import Target

app = typer.Typer(help="Read and change MEMORY.md and USER.md.", no_args_is_help=True)

On = Annotated[Target, typer.Option("--target", help="The agent's notebook, or the user's.")]
Old = Annotated[str, typer.Argument(metavar="OLD", help="A note's id, or words only it holds.")]
Content = Annotated[str, typer.Argument(metavar="TEXT", help="The note.")]


@app.command("show")
def show(
    target: On = Target.MEMORY,
    *,
    as_prompt: Annotated[
        bool, typer.Option("--prompt", help="Both pages as a model gets them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show a notebook, each note with its id."""
    with opened(looking=True) as hermes:
        if as_prompt:
            typer.echo(hermes.notes.snapshot())
            return
        notes, page = hermes.notes.list(target), hermes.notes.page(target)
        text, size = hermes.notes.text(target), hermes.notes.size(target)
    if as_json:
        listed = [note_shape(note) for note in notes]
        shape = {"target": target, "path": page.path, "size": size, "limit": page.limit}
        print_json(shape | {"notes": listed, "text": visible_text(text)})
        return
    for note in notes:
        typer.echo(f"{dim(note.id)}  {clean(note.text)}")
    typer.echo(dim(f"{page.path}: {size:,} of {page.limit:,} characters"), err=True)


@app.command("add")
def add(
    text: Content,
    target: On = Target.MEMORY,
    *,
    keep_secrets: KeepSecrets = False,
    as_json: AsJson = False,
) -> None:
    """Add a note; what does not fit is kept as a fact instead."""
    with opened() as hermes:
        writer = _writer(keep_secrets=keep_secrets)
        _print_outcome(hermes.notes.add(target, text, writer), as_json=as_json)


@app.command("replace")
def replace(
    old: Old,
    text: Content,
    target: On = Target.MEMORY,
    *,
    keep_secrets: KeepSecrets = False,
    as_json: AsJson = False,
) -> None:
    """Put a note in other words."""
    with opened() as hermes:
        writer = _writer(keep_secrets=keep_secrets)
        _print_outcome(hermes.notes.replace(target, old, text, writer), as_json=as_json)


@app.command("remove")
def remove(old: Old, target: On = Target.MEMORY, as_json: AsJson = False) -> None:
    """Take a note off the page."""
    with opened() as hermes:
        _print_outcome(hermes.notes.remove(target, old, _writer()), as_json=as_json)


def _writer(*, keep_secrets: bool = False) -> Writer:
    who = calling_writer()
    return Writer(who.origin, who.trust, who.by, keep_secrets=keep_secrets and not who.is_agent)


def _print_outcome(outcome: Outcome, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "done": list(outcome.change.done) if outcome.change else [],
                "closed": [render_ref(fact.number) for fact in outcome.closed],
                "held": [held_shape(each) for each in outcome.held],
                "overflow": [kept_shape(kept) for kept in outcome.overflow],
            }
        )
        return
    if outcome.change is not None:
        size, limit = outcome.change.size, outcome.change.limit
        typer.echo(f"{'; '.join(outcome.change.done)} ({size:,} of {limit:,} characters)")
    for fact in outcome.closed:
        typer.echo(f"no longer believed, as the note said it: {clean(render_line(fact))}")
    for held in outcome.held:
        typer.echo(f"held for approval as held:{held.id}: {clean(held.reason)}")
    for kept in outcome.overflow:
        if kept.fact is not None:
            typer.echo(f"it does not fit on the page; kept as {clean(render_line(kept.fact))}")
    if outcome.full is not None:
        typer.echo(outcome.full.hint, err=True)
