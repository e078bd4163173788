"""`hermes usage`: what calls to models cost, by day, model and role, and how far the cap is."""

from typing import Annotated

import typer

from hermes.app.spending import Cap
from hermes.app.work_shapes import cache_share, spending_shape
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.render import print_json, print_table
from hermes.llm.budget import render_usd
from hermes.store.base.spending import SpendingLine

Since = Annotated[str, typer.Option("--since", metavar="DAY", help="From this day on: 2026-01-31.")]
ByModel = Annotated[
    bool, typer.Option("--by-model", help="One line for each model, over all days.")
]


def usage(since: Since = "", by_model: ByModel = False, as_json: AsJson = False) -> None:
    """Show tokens, how much of them a provider's cache held, cost, and the day's cap."""
    with opened(looking=True) as app:
        lines = app.spending.by_model(since) if by_model else app.spending.by_day(since)
        caps = app.spending.caps()
    if as_json:
        print_json(spending_shape(lines, caps))
        return
    if lines:
        named = ("model", "role", "since") if by_model else ("day", "role", "model")
        columns = (*named, "calls", "in", "cached", "out", "cost")
        print_table(columns, [_row(line, by_model=by_model) for line in lines])
    else:
        typer.echo("no model was called yet", err=True)
    for cap in caps:
        typer.echo(_told(cap))


def _told(cap: Cap) -> str:
    if cap.cap_usd is None:
        limit = f"without a cap (`hermes config set {cap.role}.dailyBudgetUsd 5` sets one)"
    else:
        limit = f"of {render_usd(cap.cap_usd)} a day"
    return f"today, {cap.role}: {render_usd(cap.spent_usd)} {limit}"


def _row(line: SpendingLine, *, by_model: bool) -> tuple[object, ...]:
    named = (line.model, line.role, line.day) if by_model else (line.day, line.role, line.model)
    cost = f"{'~' if line.guessed else ''}${line.usd:.4f}"
    return (
        *named,
        line.calls,
        f"{line.input_tokens:,}",
        f"{cache_share(line):.0%}",
        f"{line.output_tokens:,}",
        cost,
    )
