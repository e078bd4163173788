"""`hermes memory extract`: read facts out of conversations now, without waiting for the job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hermes.app.fact_shapes import extracted_shape
from hermes.cli.fact_view import told_line
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.render import clean, count, print_json
from hermes.memory.facts.reference import render_ref
from hermes.types import Fact

if TYPE_CHECKING:
    from hermes.memory.facts.extraction import Extracted

MOST_NAMED = 10  # conversations


def extract(
    session: Annotated[
        str, typer.Option(metavar="ID", help="Only this conversation; else all with news.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Read facts out of what was said since the last time."""
    with opened() as hermes:
        done = list(hermes.facts.extract(session))
        facts = [hermes.facts.get(render_ref(n)) for each in done for n in each.numbers]
    if as_json:
        print_json([extracted_shape(each) for each in done])
    else:
        _print(done, facts)
    if any(each.problem for each in done):
        raise typer.Exit(1)


def _print(done: Sequence[Extracted], facts: Sequence[Fact]) -> None:
    for fact in facts:
        typer.echo(told_line(fact))
    messages = sum(each.messages for each in done)
    refused = sum(len(each.refused) for each in done)
    conversations = sum(each.problem is None for each in done)
    read = f"{count(messages, 'message')} of {count(conversations, 'conversation')} read"
    told = f"{read}, {count(len(facts), 'fact')} learnt"
    typer.echo(told + (f", {refused} refused" if refused else ""), err=True)
    if held := sum(fact.held for fact in facts):
        wait = "waits" if held == 1 else "wait"
        approving = "`hermes memory pending` shows, `hermes memory approve --all` approves"
        typer.echo(f"{count(held, 'fact')} about you {wait} for your word: {approving}", err=True)
    for each in done:
        for reason in each.refused:
            typer.echo(f"  {clean(reason)}", err=True)
    _print_problems(done)


def _print_problems(done: Sequence[Extracted]) -> None:
    """Which conversations could not be read, a line for each reason."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for each in done:
        if each.problem is not None:
            why = (each.problem.message, each.problem.hint)
            reasons.setdefault(why, []).append(each.session_id)
    for (message, hint), sessions in reasons.items():
        more = f" and {len(sessions) - MOST_NAMED:,} more" if len(sessions) > MOST_NAMED else ""
        named = ", ".join(sessions[:MOST_NAMED]) + more
        told = f"{count(len(sessions), 'conversation')} not read, to be read again: {clean(named)}"
        typer.echo(f"{told}\n  {clean(message)} {clean(hint)}", err=True)
