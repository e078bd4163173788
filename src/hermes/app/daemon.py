"""What the daemon of a profile has to do, and whether one runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.config.running import (
    Running,
    find_address,
    find_daemon,
    find_damage,
    is_outdated,
    was_cut_short,
)
from hermes.store.base.jobs import UNFINISHED, Job, JobFilter, JobState

if TYPE_CHECKING:
    from hermes.app.root import App

__all__ = ["DaemonActions", "DaemonStatus", "Running", "find_daemon"]


@dataclass(frozen=True, slots=True)
class DaemonStatus:
    """The daemon at a glance, and the work there is, also while none runs.

    `oldest_at` is since when the oldest job waits that could run by now; `lapsed` are those that a
    worker left behind which is gone. `url` is where it serves, "" where it does not. `was_killed`:
    none runs, and the last one had no time to say so; `damage` is why it could not go on.
    `is_outdated`: the settings were changed since it read them.
    """

    running: Running | None
    unfinished: int
    dead: int
    oldest_at: int | None
    last: Job | None
    lapsed: int = 0
    url: str = ""
    was_killed: bool = False
    damage: str = ""
    is_outdated: bool = False


class DaemonActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def status(self) -> DaemonStatus:
        counts = self._app.jobs.count()
        now = self._app.clock.now()
        waiting = self._app.jobs.list(JobFilter(states=(JobState.WAITING,)), 1_000)
        running = self._app.jobs.list(JobFilter(states=(JobState.RUNNING,)), 1_000)
        finished = self._app.jobs.list(JobFilter(states=(JobState.DONE, JobState.DEAD)), 1)
        daemon = find_daemon(self._app.paths)
        return DaemonStatus(
            running=daemon,
            unfinished=sum(by.get(state, 0) for by in counts.values() for state in UNFINISHED),
            dead=sum(by.get(JobState.DEAD, 0) for by in counts.values()),
            oldest_at=min((job.run_at for job in waiting if job.run_at <= now), default=None),
            last=finished[0] if finished else None,
            lapsed=sum(job.lapsed for job in running),
            url=find_address(self._app.paths) or "",
            was_killed=was_cut_short(self._app.paths),
            damage=find_damage(self._app.paths),
            is_outdated=daemon is not None and is_outdated(self._app.paths, daemon),
        )

    def read_seed(self) -> str:
        """The person's own seed file, as it is now; empty where there is none."""
        try:
            return self._app.paths.seed_file.read_text("utf-8", errors="replace")
        except FileNotFoundError:
            return ""
