"""`hermes jobs`: see what is done in the background, try it again, keep it from running."""

from typing import Annotated

import typer

from hermes.app.work_shapes import job_shape
from hermes.cli.layout import dim, pad, print_columns
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.render import aside, clean, print_json, render_local
from hermes.jobs.worker import Ended
from hermes.store.base.jobs import Job, JobFilter, JobState

app = typer.Typer(help="See, retry, cancel and run background jobs.", no_args_is_help=True)
Number = Annotated[int, typer.Argument(metavar="JOB", min=1, help="The job's number.")]


@app.command("list")
def list_jobs(
    *,
    kind: Annotated[str, typer.Option(metavar="NAME", help="Only jobs of this kind.")] = "",
    state: Annotated[
        list[JobState] | None, typer.Option(metavar="STATE", help="Only these; may be repeated.")
    ] = None,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="At most so many.")
    ] = 30,
    as_json: AsJson = False,
) -> None:
    """Show jobs: unfinished ones first, then the newest."""
    wanted = JobFilter(kind=kind, states=tuple(state or ()))
    with opened(looking=True) as hermes:
        found = hermes.jobs.list(wanted, limit)
        more = hermes.jobs.count_of(wanted) - len(found)
    if as_json:
        print_json([job_shape(job) for job in found])
        return
    columns = ("job", "kind", "state", "at", "tries", "progress", "error")
    print_columns(columns, (_row(job) for job in found), wide=6)
    if not found:
        typer.echo("no jobs", err=True)
    elif more > 0:
        aside(f"… and {more:,} more: --limit {len(found) + more} shows all")


@app.command("show")
def show(number: Number, as_json: AsJson = False) -> None:
    """Show all there is to know of a job."""
    with opened(looking=True) as hermes:
        job = hermes.jobs.get(number)
    _print(job, as_json=as_json)


@app.command("retry")
def retry(number: Number, as_json: AsJson = False) -> None:
    """Make a job due at once, with all its attempts."""
    with opened() as hermes:
        job = hermes.jobs.retry(number)
    if as_json:
        print_json(job_shape(job))
    else:
        typer.echo(f"job {number} will run as soon as the daemon or `hermes jobs run` sees it")


@app.command("cancel")
def cancel(number: Number, as_json: AsJson = False) -> None:
    """Keep a job from running; one that runs stops at its next step."""
    with opened() as hermes:
        job = hermes.jobs.cancel(number)
    if as_json:
        print_json(job_shape(job))
    else:
        still = job.state is JobState.RUNNING
        typer.echo(f"job {number} {'stops at its next step' if still else 'is cancelled'}")


@app.command("run")
def run(
    kinds: Annotated[
        list[str] | None,
        typer.Argument(metavar="KIND", help="Ask for these now, due or not: index, vacuum …"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Work off what is due here and now, without a daemon; exit code 1 if something failed."""
    ended: list[Ended] = []

    def note(end: Ended) -> None:
        ended.append(end)
        if not as_json:
            typer.echo(_summary(end))

    with opened() as hermes:
        hermes.jobs.run_due(kinds or (), note)
        jobs = [hermes.jobs.get(end.job.id) for end in ended]
    if as_json:
        print_json([job_shape(job) for job in jobs])
    elif not ended:
        typer.echo("nothing is due", err=True)
    if any(end.error for end in ended):
        raise typer.Exit(1)


def _row(job: Job) -> tuple[object, ...]:
    name = f"{job.kind} {job.key}" if job.key else job.kind
    at = render_local(job.finished_at or job.started_at or job.run_at)
    tries = f"{job.attempts}/{job.max_attempts}"
    error = job.error or ("its worker is gone; it goes on where it was" if job.lapsed else "")
    state = "lapsed" if job.lapsed else job.state.value
    return (job.id, name, state, at, tries, _progress(job), error)


def _progress(job: Job) -> str:
    done, total = job.progress.done, job.progress.total
    if not done and not total:
        return ""
    return f"{done:,} of {total:,}" if total else f"{done:,}"


def _print(job: Job, *, as_json: bool) -> None:
    if as_json:
        print_json(job_shape(job))
        return
    for name, value in job_shape(job).items():
        if value not in ("", None, {}, False):
            typer.echo(f"{dim(pad(name, 17))}{clean(str(value))}")


def _summary(end: Ended) -> str:
    said = f": {clean(end.error)}" if end.error else ""
    return f"job {end.job.id} {end.job.kind} {end.state.value} in {end.took_s:.1f} s{said}"
