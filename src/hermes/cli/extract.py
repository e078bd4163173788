"""`hermes memory extract`: read facts out of conversations now, without waiting for the job."""

from typing import Annotated

import typer

from hermes.app.fact_shapes import extracted_shape
from hermes.cli.fact_view import told_line
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.render import clean, count, print_json
from hermes.memory.facts.reference import render_ref


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
        return
    for fact in facts:
        typer.echo(told_line(fact))
    messages = sum(each.messages for each in done)
    refused = sum(len(each.refused) for each in done)
    read = f"{count(messages, 'message')} of {count(len(done), 'conversation')} read"
    told = f"{read}, {count(len(facts), 'fact')} learnt"
    typer.echo(told + (f", {refused} refused" if refused else ""), err=True)
    if held := sum(fact.held for fact in facts):
        wait = "waits" if held == 1 else "wait"
        approving = "`hermes memory pending` shows, `hermes memory approve --all` approves"
        typer.echo(f"{count(held, 'fact')} about you {wait} for your word: {approving}", err=True)
    for each in done:
        for reason in each.refused:
            typer.echo(f"  {clean(reason)}", err=True)
