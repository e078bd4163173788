"""`hermes memory pending | approve | reject`: what waits for the person's word."""

from typing import Annotated

import typer

from hermes.app.fact_shapes import approved_shape, held_shape
from hermes.app.pending import PendingActions
from hermes.cli.layout import dim
from hermes.cli.opening import opened
from hermes.cli.options import AsJson, InBank
from hermes.cli.render import clean, print_json, render_local
from hermes.errors import UserError
from hermes.memory.banks import DEFAULT
from hermes.memory.facts.reference import render_line, render_ref
from hermes.store.base import HeldWrite
from hermes.types import Fact

Refs = Annotated[
    list[str] | None, typer.Argument(metavar="ID…", help="As `hermes memory pending` shows them.")
]
Every = Annotated[bool, typer.Option("--all", help="Everything that waits.")]


def pending(
    *,
    bank: InBank = "",
    decided: Annotated[
        bool, typer.Option("--decided", help="What was approved or rejected before.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what was held back: it came from elsewhere, and would stand before every task."""
    with opened(looking=True) as hermes:
        held = hermes.pending.list(bank, decided=decided)
        facts = hermes.pending.facts_of(held)
    if as_json:
        print_json([held_shape(write) for write in held])
        return
    for reason in dict.fromkeys(write.reason for write in held):
        typer.echo(dim(f"{clean(reason)}:"))  # once: an import can hold dozens
        for write in (each for each in held if each.reason == reason):
            _print_held(write, facts.get(write.fact_id or 0))
    if not held:
        typer.echo("nothing waits", err=True)


def _print_held(write: HeldWrite, fact: Fact | None) -> None:
    typer.echo(f"[held:{write.id}] for {write.target}: {clean(write.text)}")
    if fact is not None:
        source = fact.sources[0] if fact.sources else None
        quote = f": «{clean(source.quote)}»" if source is not None and source.quote else ""
        said = "" if source is None else f", said {render_local(source.at)}"
        typer.echo(dim(f"    {render_ref(fact.number)}{said}{quote}"))
    elsewhere = "" if write.bank == DEFAULT else f", bank {clean(write.bank)}"
    state = f", {write.verdict} {render_local(write.decided_at)}" if write.verdict else ""
    typer.echo(dim(f"    held {render_local(write.held_at)}{elsewhere}{state}"))


def approve(ids: Refs = None, every: Every = False, as_json: AsJson = False) -> None:
    """Let held writes be made."""
    with opened() as hermes:
        done = [hermes.pending.approve(ref) for ref in _chosen(hermes.pending, ids, every)]
    if as_json:
        print_json([approved_shape(each) for each in done])
        return
    for each in done:
        _print_decided(each.write)
        for fact in each.notes.closed:
            typer.echo(f"no longer believed, as the note said it: {clean(render_line(fact))}")


def reject(ids: Refs = None, every: Every = False, as_json: AsJson = False) -> None:
    """Refuse held writes; nothing is deleted."""
    with opened() as hermes:
        done = [hermes.pending.reject(ref) for ref in _chosen(hermes.pending, ids, every)]
    if as_json:
        print_json([held_shape(write) for write in done])
        return
    for write in done:
        _print_decided(write)


def _chosen(held: PendingActions, ids: list[str] | None, every: bool) -> list[str]:
    if bool(ids) == every:
        raise UserError("Which of them?", "Give ids from `hermes memory pending`, or --all.")
    return [str(write.id) for write in held.list()] if every else list(ids or ())


def _print_decided(write: HeldWrite) -> None:
    typer.echo(f"{write.verdict} held:{write.id}: {clean(write.text)}")
