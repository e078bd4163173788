"""`hermes memory compact`: old episodes become summaries; `--undo` puts them back."""

from typing import Annotated

import typer

from hermes.app.compress import run_shape, summary_shape
from hermes.cli.layout import print_columns
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.render import aside, count, print_json, render_local
from hermes.errors import UserError
from hermes.memory.compress.drafts import Draft
from hermes.memory.compress.run import Run
from hermes.store.base.summaries import Summary


def compact(
    ids: Annotated[
        list[int] | None, typer.Argument(metavar="ID…", help="With --undo: only these summaries.")
    ] = None,
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be compressed, and how well.")
    ] = False,
    take_back: Annotated[
        bool, typer.Option("--undo", help="Put raw episodes back: of the last run, or of IDs.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="The summaries there are.")] = False,
    trust_clock: Annotated[
        bool, typer.Option("--trust-clock", help="The clock is right, however far it moved.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compress episodes older than 30 days into summaries; facts are not touched.

    Nothing is dropped before it is proved that the summary answers what the episodes could, and
    the raw episodes can be put back for another 30 days.
    """
    if ids and not take_back:
        raise UserError("IDs are given only with --undo.", "Say `hermes memory compact --undo 7`.")
    with opened(looking=listed or dry_run) as hermes:
        if take_back:
            back = hermes.compressing.undo(ids or ())
            until = hermes.clock.now() + hermes.compressing.policy.grace_ms
            _print_undone(back, until, as_json=as_json)
        elif listed:
            _print_summaries(hermes.compressing.list(), as_json=as_json)
        else:
            run = hermes.compressing.run(dry_run=dry_run, trust_clock=trust_clock)
            _print_run(run, dry_run=dry_run, as_json=as_json)


def _print_run(run: Run, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        print_json(run_shape(run))
        return
    if run.doubt:
        typer.echo(f"nothing was compressed: {run.doubt}")
        typer.echo("If the clock is right, say so with --trust-clock.", err=True)
        return
    if dry_run and run.drafts:
        names = ("session", "from", "episodes", "characters", "summary", "proof", "verdict")
        print_columns(names, map(_draft_row, run.drafts), wide=6)
    typer.echo(_told(run, dry_run=dry_run))
    if run.more:
        typer.echo("There is more: run it again, or let the daemon go on tomorrow.", err=True)


def _told(run: Run, *, dry_run: bool) -> str:
    ready = [draft for draft in run.drafts if not draft.refusal]
    if not ready and not run.purged:
        return "; ".join(_left_alone(run)) or "nothing is old enough"
    before, after = sum(d.cluster.chars for d in ready), sum(d.chars for d in ready)
    episodes = sum(len(d.cluster.episodes) for d in ready)
    share = f"{1 - after / before:.0%}" if before else "0%"
    verb = "would become" if dry_run else "became"
    rows = sum(len(d.cluster.messages) for d in ready)
    parts = sum(len(d.parts) for d in ready)
    left = "".join(f"; {each}" for each in _left_alone(run))
    dropped = "archive was" if len(run.purged) == 1 else "archives were"
    gone = f"; {len(run.purged):,} {dropped} dropped" if run.purged else ""
    made = count(len(ready), "summary")
    return (
        f"{count(episodes, 'episode')} {verb} {made}: {rows:,} → {count(parts, 'message')}, "
        f"each with its index entries and vector; {before:,} → {after:,} characters ({share} less)"
        f"{left}{gone}"
    )


def _left_alone(run: Run) -> list[str]:
    """What stays raw, and why."""
    told = []
    if number := len(run.left_raw):
        told.append(f"{count(number, 'cluster')} {'stays' if number == 1 else 'stay'} raw")
    if number := len(run.resting):
        stay = f"{count(number, 'conversation')} {'stays' if number == 1 else 'stay'} raw"
        until = render_local(min(run.resting))[:10]
        told.append(f"{stay} until {until}, since an undo")
    return told


def _draft_row(draft: Draft) -> tuple[object, ...]:
    cluster = draft.cluster
    return (
        cluster.session.id,
        render_local(cluster.messages[0].at),
        len(cluster.episodes),
        cluster.chars,
        draft.chars,
        f"{draft.proof.found}/{draft.proof.probes}",
        draft.refusal or "ready",
    )


def _print_undone(back: list[Summary], until: int, *, as_json: bool) -> None:
    if as_json:
        print_json([summary_shape(summary) for summary in back])
        return
    episodes = sum(summary.episodes for summary in back)
    messages = sum(summary.messages for summary in back)
    told = f"{count(episodes, 'episode')} with {count(messages, 'message')}"
    typer.echo(f"{told} {'is back as it was' if episodes == 1 else 'are back as they were'}")
    aside(f"nothing of these conversations is compressed again before {render_local(until)[:10]}")


def _print_summaries(summaries: list[Summary], *, as_json: bool) -> None:
    if as_json:
        print_json([summary_shape(summary) for summary in summaries])
        return
    names = ("id", "session", "from", "episodes", "characters", "summary", "undo until")
    print_columns(names, map(_summary_row, summaries), wide=1)
    if not summaries:
        typer.echo("nothing was compressed yet", err=True)


def _summary_row(summary: Summary) -> tuple[object, ...]:
    until = render_local(summary.purge_at) if summary.purged_at is None else "(dropped)"
    return (
        summary.id,
        summary.session_id,
        render_local(summary.first_at),
        summary.episodes,
        summary.raw_chars,
        summary.chars,
        until,
    )
