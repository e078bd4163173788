"""What `hermes doctor` says of background work, of the vectors it makes and of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes.app.daemon import DaemonStatus
from hermes.app.embedding import find_space
from hermes.app.sharing import follow, list_other_homes, shares
from hermes.clock import HOUR_MS
from hermes.counted import many
from hermes.memory.indexing import REFUSED_HINT, UNMADE_HINT
from hermes.memory.spaces import advise_moved, find_moved, find_used, tell_moved
from hermes.store.base import Finding, Tx
from hermes.store.base.vectors import VectorSpace

if TYPE_CHECKING:
    from hermes.app.root import App

LATE_MS = HOUR_MS
OUTLINE_BYTES = 47  # of a message in the outline of its bank, and where its vector is
SIZE_HINT = (
    "Ask through one daemon (`hermes start`), so that one process holds them; a PostgreSQL server "
    "searches so many itself (docs/postgres.md)."
)


def check_vectors(app: App, most_in_memory: int | None = None) -> list[Finding]:
    """Whether the memory uses another model than the configured one, what that refused, and
    whether its vectors fill the memory of what searches them; nothing else is told.

    It comes after the embeddings were asked: a server that tells nothing else told how long they
    are.
    """
    if not _has_database(app):
        return []
    wanted = find_space(app)
    lost = app.memory.notice_lost()
    moved = app.store.read(lambda tx: find_moved(tx, wanted))
    if moved is not None and wanted is not None:
        told, todo = tell_moved(moved, wanted), f"{advise_moved(moved, wanted)}."
        return [Finding("warning", "vectors", told, todo)]
    if (used := app.store.read(lambda tx: find_used(tx, wanted))) is not None:
        told = f"those in use are of {used}, not of {wanted}"
        return [Finding("warning", "vectors", told, UNMADE_HINT)]
    if refused := app.memory.count_refused():
        told = f"the model gave {many(refused, 'text')} no vector: only words find them"
        return [Finding("warning", "vectors", told, REFUSED_HINT)]
    if lost:
        told = f"{many(lost, 'text')} lost the vector; until they have another only words find them"
        return [Finding("warning", "vectors", told, UNMADE_HINT)]
    return _check_size(app, most_in_memory)


def _check_size(app: App, most_in_memory: int | None) -> list[Finding]:
    """What the index takes in a process that recalls, where that is a lot and has no bound."""
    from hermes.store.vectors.blocks import coding_of  # noqa: PLC0415 - brings numpy
    from hermes.store.vectors.index import MOST_IN_MEMORY  # noqa: PLC0415
    from hermes.store.vectors.shelf import row_bytes  # noqa: PLC0415

    def read(tx: Tx) -> VectorSpace | None:
        return tx.vectors.find_current() if tx.vectors.find_search() is None else None

    space = app.store.read(read)
    if space is None or space.next <= (most_in_memory or MOST_IN_MEMORY):
        return []
    megabytes = -(-space.next * (row_bytes(coding_of(space)) + OUTLINE_BYTES) // 10**6)
    told = f"each process that recalls holds {many(space.next, 'vector')}: {megabytes:,} MB"
    return [Finding("warning", "vectors", told, SIZE_HINT)]


def check_jobs(app: App) -> list[Finding]:
    """Whether the work in the background gets done."""
    if not _has_database(app):
        return []
    found = app.daemon.status()
    if found.dead:
        hint = "See `hermes jobs list --state dead`, then `hermes jobs retry`."
        return [Finding("warning", "jobs", f"{found.dead} gave up", hint)]
    if found.oldest_at is not None and app.clock.now() - found.oldest_at > LATE_MS:
        hours = (app.clock.now() - found.oldest_at) // HOUR_MS
        hint = "See the daemon's log." if found.running else "Run `hermes start` or `jobs run`."
        return [Finding("warning", "jobs", f"one has waited for {many(hours, 'hour')}", hint)]
    if found.lapsed and not found.running:
        told = f"{found.lapsed} cut short when their worker ended"
        hint = "`hermes start` or `hermes jobs run` goes on with them; nothing was done twice."
        return [Finding("warning", "jobs", told, hint)]
    return [Finding("ok", "jobs", f"{found.unfinished} to do, {describe_daemon(found)}")]


def check_log(app: App) -> list[Finding]:
    """Whether the log of events is what was written."""
    if not _has_database(app):
        return []
    verdict = app.events.verify()
    if not verdict.is_sound:
        hint = "Restore a backup, or take it as it is with `hermes log verify --accept`."
        return [Finding("failed", "log", verdict.problem, hint)]
    events = verdict.head.count
    told = f"{many(events, 'event')}, {'as it was' if events == 1 else 'all as they were'}"
    return [Finding("ok", "log", f"{told} written")]


def check_import(app: App) -> list[Finding]:
    """Whether an import was cut short: what it brought in waits, unseen."""
    hint = "Run that import again to finish it, or `hermes memory import --undo`."
    if _has_database(app) and app.store.read(lambda tx: tx.portable.load_arrival()):
        return [Finding("warning", "import", "one is under way, or was cut short", hint)]
    if any(app.paths.run.glob("import-*.db")):
        told = "the file of one is being read, or that was cut short; nothing of it is here yet"
        return [Finding("warning", "import", told, hint)]
    return []


def check_copy(app: App) -> list[Finding]:
    """Whether a copy to another store was cut short: that store is not to be used yet."""
    cut = app.db.find_cut_short()
    if cut is None:
        return []
    told = f"one to {cut.target} is under way, or was cut short"
    return [Finding("warning", "copy", told, "Run that `hermes db copy` again: it goes on.")]


def check_notes(app: App) -> list[Finding]:
    """Whether the notes here and in the other homes of the profile are the same."""
    if not shares(app):
        return []
    follow(app)
    others = list_other_homes(app)
    behind = [home.name for home in others if home.is_behind]
    if behind:
        hint = "Use Hermes there, or let a home that is gone go: `hermes db forget-home NAME`."
        told = f"have yet to follow an erasure: {', '.join(behind)}"
        return [Finding("warning", "notes", told, hint)]
    return [Finding("ok", "notes", f"shared with {many(len(others), 'other home')}")]


def describe_daemon(found: DaemonStatus) -> str:
    if found.running:
        return f"the daemon runs, pid {found.running.pid}"
    if found.damage:
        return f"no daemon runs; the last one ended: {found.damage}"
    return "no daemon runs" + ("; the last one was killed" if found.was_killed else "")


def _has_database(app: App) -> bool:
    """Looking must not make one."""
    if app.config.memory.backend != "sqlite":
        return True
    return app.paths.resolve(app.config.memory.path, app.paths.database).exists()
