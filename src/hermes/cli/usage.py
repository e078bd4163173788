"""`hermes usage`: what calls to models cost, by day, model and role, and how far the cap is."""

from typing import Annotated

import typer

from hermes.app import App
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.render import print_json, print_table
from hermes.store.base.spending import SpendingLine

ROLES = ("model", "lightModel", "fallbackModel")
Since = Annotated[str, typer.Option("--since", metavar="DAY", help="From this day on: 2026-01-31.")]
ByModel = Annotated[
    bool, typer.Option("--by-model", help="One line for each model, over all days.")
]


def usage(since: Since = "", by_model: ByModel = False, as_json: AsJson = False) -> None:
    """Show tokens, how much of them a provider's cache held, cost, and the day's cap."""
    with opened() as app:
        lines = app.spending.by_model(since) if by_model else app.spending.by_day(since)
        caps = _caps(app)
    if as_json:
        print_json({"lines": [_shape(line) for line in lines], "today": caps})
        return
    if lines:
        columns = ("day", "role", "model", "calls", "in", "cached", "out", "cost")
        print_table(columns, [_row(line) for line in lines])
    else:
        typer.echo("no model was called yet", err=True)
    for cap in caps:
        typer.echo(_told(cap))


def _caps(app: App) -> list[dict[str, object]]:
    """Today's spending in each role that has a model."""
    config = app.config
    sections = dict(
        zip(ROLES, (config.model, config.light_model, config.fallback_model), strict=True)
    )
    return [
        {
            "role": role,
            "spent_usd": round(app.spending.spent(role=role).usd, 6),
            "cap_usd": section.daily_budget_usd,
        }
        for role, section in sections.items()
        if section.provider != "none"
    ]


def _told(cap: dict[str, object]) -> str:
    limit = f"of ${cap['cap_usd']:.2f}" if cap["cap_usd"] is not None else "without a cap"
    return f"today, {cap['role']}: ${cap['spent_usd']:.4f} {limit}"


def _row(line: SpendingLine) -> tuple[object, ...]:
    cost = f"{'~' if line.guessed else ''}${line.usd:.4f}"
    return (
        line.day,
        line.role,
        line.model,
        line.calls,
        f"{line.input_tokens:,}",
        f"{_share(line):.0%}",
        f"{line.output_tokens:,}",
        cost,
    )


def _shape(line: SpendingLine) -> dict[str, object]:
    return {
        "day": line.day,
        "role": line.role,
        "model": line.model,
        "calls": line.calls,
        "input_tokens": line.input_tokens,
        "cached_tokens": line.cached_tokens,
        "cache_share": round(_share(line), 4),
        "output_tokens": line.output_tokens,
        "usd": round(line.usd, 6),
        "guessed": line.guessed,
    }


def _share(line: SpendingLine) -> float:
    return line.cached_tokens / line.input_tokens if line.input_tokens else 0.0
