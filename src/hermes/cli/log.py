"""`hermes log`: what was done, when and why; and whether the log is still what was written."""

from typing import Annotated

import typer

from hermes.app.work_shapes import event_shape, verdict_shape
from hermes.cli.layout import print_columns
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.render import count, print_json, render_local
from hermes.cli.zone import local_zone
from hermes.memory.recall.when import parse_when
from hermes.store.base.events import EventFilter
from hermes.types import Event, EventKind

app = typer.Typer(help="See what was done, and verify the log.", invoke_without_command=True)
When = Annotated[
    str | None, typer.Option(metavar="TIME", help='Such as "last tuesday" or 2026-03-01.')
]


@app.callback()
def show(
    ctx: typer.Context,
    *,
    since: When = None,
    until: When = None,
    kind: Annotated[
        list[EventKind] | None, typer.Option(metavar="KIND", help="Only these; may be repeated.")
    ] = None,
    ref: Annotated[str, typer.Option(metavar="ID", help="Only about this, e.g. job:7.")] = "",
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=100_000)] = 50,
    as_json: AsJson = False,
) -> None:
    """Show what was done, newest first."""
    if ctx.invoked_subcommand is not None:
        return
    with opened(looking=True) as hermes:
        window = _window(since, until, now=hermes.clock.now())
        kinds = tuple(each.value for each in kind or ())
        wanted = EventFilter(*window, kinds=kinds, ref=ref)
        found = hermes.events.list(wanted, limit)
    if as_json:
        print_json([event_shape(event) for event in found])
        return
    print_columns(("event", "at", "kind", "about", "summary"), map(_row, found), wide=4)
    if not found:
        typer.echo(_nothing(kinds, is_timed=any(window)), err=True)


@app.command("verify")
def verify(
    accept: Annotated[
        bool,
        typer.Option("--accept", help="Take the log as it is, after restoring an older backup."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check that no line was altered, removed or inserted; the exit code is 1 if one was."""
    with opened(looking=True) as hermes:
        verdict = hermes.events.verify(accept=accept)
    if as_json:
        print_json(verdict_shape(verdict))
    elif verdict.is_sound:
        erased = f", {verdict.erased} of them erased" if verdict.erased else ""
        events = count(verdict.head.count, "event")
        told = "as it was" if verdict.head.count == 1 else "all as they were"
        typer.echo(f"{events}{erased}, {told} written")
        typer.echo(f"the last link is {verdict.head.hash.hex()}", err=True)
    else:
        typer.echo(verdict.problem)
        typer.echo(
            "Restore a backup to see what it said; `--accept` takes the log as it is.", err=True
        )
    if not verdict.is_sound:
        raise typer.Exit(1)


def _nothing(kinds: tuple[str, ...], *, is_timed: bool) -> str:
    what = f"no {' or '.join(kinds)}" if kinds else "nothing"
    told = f"{what} was logged {'then' if is_timed else 'yet'}"
    if EventKind.DECISION in kinds:
        told += "; they are logged as conversations are read for facts: `hermes memory extract`"
    return told


def _window(since: str | None, until: str | None, *, now: int) -> tuple[int | None, int | None]:
    """From when to when; `until` means the whole of the day or month it names."""
    zone = local_zone()
    start = None if since is None else parse_when(since, now, zone).start_at
    end = None if until is None else parse_when(until, now, zone).end_at
    return start, end


def _row(event: Event) -> tuple[object, ...]:
    said = "(erased)" if event.erased_at is not None else event.summary
    return (event.id, render_local(event.at), event.kind, event.ref, said)
