"""`hermes status`: what is kept, where, and which step of the ladder is in use."""

import typer

from hermes.app.daemon import DaemonStatus
from hermes.app.health import Status
from hermes.app.shapes import status_shape
from hermes.app.work_checks import describe_daemon
from hermes.app.work_shapes import daemon_shape
from hermes.cli.layout import dim, pad
from hermes.cli.opening import opened
from hermes.cli.options import AsJson
from hermes.cli.render import clean, print_json, render_local
from hermes.counted import many, many_of

UNITS = ("bytes", "KB", "MB", "GB", "TB")


def status(as_json: AsJson = False) -> None:
    """Show what is kept, where and how."""
    with opened(looking=True) as hermes:
        found = hermes.health.status()
        daemon = hermes.daemon.status()
    if as_json:
        print_json(status_shape(found) | {"daemon": daemon_shape(daemon)})
        return
    for name, value in (_lines(found, daemon) | _work_lines(daemon)).items():
        typer.echo(f"{dim(pad(name, 12))}{clean(value)}")


def _lines(found: Status, daemon: DaemonStatus) -> dict[str, str]:
    store = found.store
    sealed = "encrypted" if store.encrypted else "NOT encrypted"
    kept = f"{store.backend}, {sealed}, {render_size(store.size_bytes)}"
    return {
        "hermes": found.version,
        "profile": found.profile,
        "home": found.home,
        "store": f"{kept if store.size_bytes else 'none yet; it will be'}, {store.location}",
        "holds": many_of({**store.counts, "banks": found.banks}),
        "embeddings": _embeddings(found, daemon),
        "extraction": found.extraction,
    }


def _work_lines(found: DaemonStatus) -> dict[str, str]:
    running, last = found.running, found.last
    dead = f", {found.dead} gave up: `hermes jobs list --state dead`" if found.dead else ""
    cut = f", {found.lapsed} cut short" if found.lapsed else ""
    ended = f"; last: {last.kind}, {render_local(last.finished_at)}" if last else ""
    todo = " `hermes doctor`" if found.damage else ": `hermes start`"
    since = f", since {render_local(running.started_at)}" if running else todo
    changed = "; settings were changed since: `hermes restart`" if found.is_outdated else ""
    return {
        "daemon": describe_daemon(found)
        + since
        + (f", {found.url}" if found.url else "")
        + changed,
        "jobs": f"{found.unfinished} to do{cut}{dead}{ended}",
    }


def render_size(size_bytes: int) -> str:
    """A size as a person says it: `1.2 MB`."""
    size, unit = float(size_bytes), 0
    while size >= 1000 and unit < len(UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.0f} {UNITS[unit]}" if unit == 0 or size >= 100 else f"{size:.1f} {UNITS[unit]}"


def _embeddings(found: Status, daemon: DaemonStatus) -> str:
    named = found.space or found.embeddings
    if found.moved:
        return f"{named}; {found.moved}"
    if found.embeddings == "none":
        return named
    refused = f"; {_refused(found.refused)}" if found.refused else ""
    if not found.backlog:
        return named + refused
    verb = "restart" if daemon.is_outdated else "start"
    todo = f": `hermes {verb}`, or `hermes memory reindex`"
    if daemon.running and not daemon.is_outdated:
        todo = ", which the daemon makes"
    meanwhile = f"; meanwhile recall uses those of {found.used}" if found.used else ""
    return f"{named}; {_waiting(found)}{todo}{meanwhile}{refused}"


def _refused(count: int) -> str:
    return f"the model gave {many(count, 'text')} no vector: `hermes memory reindex` tries again"


def _waiting(found: Status) -> str:
    """How far giving vectors has come; while one waits, it is not 100 %."""
    done = min(99, round(100 * found.embedded))
    wait = "waits" if found.backlog == 1 else "wait"
    return f"{done} % done, {many(found.backlog, 'text')} {wait} for a vector"
