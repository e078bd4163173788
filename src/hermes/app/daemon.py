"""Whether a daemon runs for a profile, and what it has to do.

The daemon holds a lock on a file in `run/` for as long as it lives; the system lets go of it when
the daemon dies, however it dies. The file with its pid is for people and for `hermes stop`: on its
own it proves nothing.
"""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.config.files import FILE_MODE
from hermes.config.paths import ProfilePaths
from hermes.store.base.jobs import UNFINISHED, Job, JobFilter, JobState

if TYPE_CHECKING:
    from hermes.app.root import App


@dataclass(frozen=True, slots=True)
class Running:
    """A daemon that is alive; `pid` is 0 in the moment before it has written it down."""

    pid: int
    started_at: int


@dataclass(frozen=True, slots=True)
class DaemonStatus:
    """The daemon at a glance, and the work there is, also while none runs.

    `oldest_at` is since when the oldest job waits that could run by now.
    """

    running: Running | None
    unfinished: int
    dead: int
    oldest_at: int | None
    last: Job | None


def lock_file(paths: ProfilePaths) -> Path:
    return paths.run / "daemon.lock"


def pid_file(paths: ProfilePaths) -> Path:
    return paths.run / "daemon.pid"


def token_file(paths: ProfilePaths) -> Path:
    return paths.run / "token"


def find_daemon(paths: ProfilePaths) -> Running | None:
    """The daemon of a profile, or None; a pid file left behind by a dead one does not count."""
    if not _is_locked(lock_file(paths)):
        return None
    try:
        pid, started_at = pid_file(paths).read_text("ascii").split()
        return Running(int(pid), int(started_at))
    except (FileNotFoundError, ValueError):
        return Running(0, 0)


def _is_locked(file: Path) -> bool:
    try:
        handle = os.open(file, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, FILE_MODE)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


class DaemonActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def status(self) -> DaemonStatus:
        counts = self._app.jobs.count()
        now = self._app.clock.now()
        waiting = self._app.jobs.list(JobFilter(states=(JobState.WAITING,)), 1_000)
        finished = self._app.jobs.list(JobFilter(states=(JobState.DONE, JobState.DEAD)), 1)
        return DaemonStatus(
            running=find_daemon(self._app.paths),
            unfinished=sum(by.get(state, 0) for by in counts.values() for state in UNFINISHED),
            dead=sum(by.get(JobState.DEAD, 0) for by in counts.values()),
            oldest_at=min((job.run_at for job in waiting if job.run_at <= now), default=None),
            last=finished[0] if finished else None,
        )

    def read_seed(self) -> str:
        """The person's own seed file, as it is now; empty where there is none."""
        try:
            return self._app.paths.seed_file.read_text("utf-8", errors="replace")
        except FileNotFoundError:
            return ""
