"""Emptying memory: a part of it, or all. Nothing is erased for good: the backup is the way back."""

from collections.abc import Callable
from enum import StrEnum
from functools import partial

from hermes.config.files import write_atomic
from hermes.config.paths import ProfilePaths
from hermes.memory.events import add_event
from hermes.memory.notes import load_notes, parse_notes
from hermes.store.base import Store, Tx
from hermes.store.base.erase import TextKind
from hermes.store.base.extractions import EXTRACT
from hermes.store.base.jobs import JobFilter, JobState
from hermes.store.base.reflections import REFLECT
from hermes.types import EventKind

BATCH = 2_000
ALL = 1 << 40
Counts = dict[str, int]


class ResetTarget(StrEnum):
    EPISODES = "episodes"
    FACTS = "facts"
    NOTES = "notes"
    ALL = "all"


def reset_store(store: Store, paths: ProfilePaths, target: ResetTarget, *, now: int) -> Counts:
    """Empty what `target` names; how much of what there was."""
    counts: Counts = {}
    if target in (ResetTarget.FACTS, ResetTarget.ALL):
        counts["facts"] = _empty(store, TextKind.FACT, now)
        counts["held writes"] = _empty(store, TextKind.HELD, now)
        counts["entities"] = _empty(store, TextKind.ENTITY, now)
    if target in (ResetTarget.EPISODES, ResetTarget.ALL):
        counts["messages"] = _empty(store, TextKind.MESSAGE, now)
        _empty(store, TextKind.SESSION, now)
        counts["jobs"] = store.write(_drop_jobs)
        store.write(lambda tx: tx.erasures.forget_keys())
    if target is ResetTarget.ALL:
        counts["reflections"] = _empty(store, TextKind.REFLECTION, now)
    if target in (ResetTarget.NOTES, ResetTarget.ALL):
        counts["notes"] = sum(_empty_page(paths, name) for name in ("MEMORY.md", "USER.md"))
    done = {name: count for name, count in counts.items() if count}
    what = f"Reset {target}"
    store.write(lambda tx: add_event(tx, EventKind.MEMORY, what, now=now, details=done))
    store.purge()
    return done


def _empty(store: Store, kind: TextKind, now: int) -> int:
    count = after = 0
    while ids := store.write(partial(_remove_some, kind, after, now)):
        count += len(ids)
        after = ids[-1]
    return count


def _remove_some(kind: TextKind, after: int, now: int, tx: Tx) -> list[int]:
    ids = [row.id for row in tx.erasures.list_texts(kind, after=after, limit=BATCH)]
    if ids:
        _REMOVE[kind](tx, ids, now)
    return ids


_REMOVE: dict[TextKind, Callable[[Tx, list[int], int], object]] = {
    TextKind.MESSAGE: lambda tx, ids, now: tx.erasures.remove_messages(ids),
    TextKind.FACT: lambda tx, ids, now: tx.erasures.remove_facts(ids, now=now),
    TextKind.REFLECTION: lambda tx, ids, now: tx.erasures.remove_rows(TextKind.REFLECTION, ids),
    TextKind.ENTITY: lambda tx, ids, now: tx.erasures.remove_rows(TextKind.ENTITY, ids),
    TextKind.HELD: lambda tx, ids, now: tx.erasures.remove_rows(TextKind.HELD, ids),
    TextKind.SESSION: lambda tx, ids, now: tx.erasures.blank_texts(TextKind.SESSION, ids),
}


def _drop_jobs(tx: Tx) -> int:
    """Jobs about conversations that are gone; one that runs ends by itself, finding nothing."""
    wanted = [
        job.id
        for kind in (EXTRACT, REFLECT)
        for job in tx.jobs.list(JobFilter(kind=kind), ALL)
        if job.state is not JobState.RUNNING and tx.conversations.find_session(job.key) is None
    ]
    return tx.erasures.remove_rows(TextKind.JOB, wanted)


def _empty_page(paths: ProfilePaths, name: str) -> int:
    file = paths.notes / name
    notes = len(parse_notes(load_notes(file)))
    if file.exists():
        write_atomic(file, "")
    return notes
