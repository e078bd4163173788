"""The contract for background work: a table of jobs, each held by one worker at a time by a lease.

A claim gives a job a token that was never given before. Whoever works on the job shows the token
with everything it keeps; once another has claimed the job, the old token is refused. So an effect
kept in the transaction that shows the token happens once, or not at all. Nothing here knows what a
job does, or when it should be tried again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

MAX_ATTEMPTS = 5


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    DEAD = "dead"
    CANCELLED = "cancelled"


UNFINISHED = (JobState.WAITING, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job has come, for people; `total` is 0 where it is not known."""

    done: int = 0
    total: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it stands. `saved` is what it wants to find again if it has to begin anew.

    `lapsed` says of one that counts as running that its worker is gone; a store leaves it unset.
    """

    id: int
    kind: str
    key: str
    payload: Mapping[str, object]
    state: JobState
    run_at: int
    created_at: int
    attempts: int = 0
    max_attempts: int = MAX_ATTEMPTS
    token: int = 0
    owner: str = ""
    leased_until_at: int | None = None
    started_at: int | None = None
    finished_at: int | None = None
    progress: Progress = Progress()
    saved: Mapping[str, object] = field(default_factory=dict)
    error: str = ""
    cancelling: bool = False
    lapsed: bool = False


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Which jobs a listing wants; an empty field asks for nothing."""

    kind: str = ""
    key: str | None = None
    states: tuple[JobState, ...] = ()


@dataclass(frozen=True, slots=True)
class Lease:
    """Who claims, at what time, and how long the claim holds without a sign of life."""

    owner: str
    now: int
    for_ms: int


class Jobs(Protocol):
    def add(
        self,
        kind: str,
        key: str = "",
        *,
        now: int,
        payload: Mapping[str, object] | None = None,
        run_at: int | None = None,
        max_attempts: int = MAX_ATTEMPTS,
    ) -> int:
        """Ask for a job, in the transaction that gives cause for it; its number.

        `key` names the work. If a job of this kind and key waits, that one is meant, brought
        forward to `run_at` (unset: at once) if need be. If one is running it may have begun too
        early to see the cause: another will follow it.
        """

    def claim(self, kinds: Sequence[str], lease: Lease) -> Job | None:
        """Take the job that has been due longest, with a new token, or none.

        A job whose lease has run out is due as well: its worker is taken for dead. One that has
        used up its attempts that way is dead, and not given out.
        """

    def beat(self, job: Job, lease: Lease, progress: Progress | None = None) -> bool:
        """Show a sign of life; whether the job should be cancelled. Conflict if it is lost."""

    def save(self, job: Job, saved: Mapping[str, object]) -> None:
        """Keep what the job needs to go on from here. Conflict if it is lost."""

    def complete(self, job: Job, *, now: int) -> None:
        """The job is done, together with all else in this transaction. Conflict if it is lost."""

    def fail(self, job: Job, error: str, *, now: int, retry_at: int | None) -> JobState:
        """The attempt failed: the job waits until `retry_at`, or is dead, or cancelled if that was
        asked for. Conflict if it is lost.
        """

    def release(self, job: Job, *, now: int) -> None:
        """Give the job back as if it had not been claimed. Conflict if it is lost."""

    def release_owner(self, owner: str, *, now: int) -> int:
        """Make everything due that `owner`, known to be gone, had claimed; how many that was."""

    def cancel(self, number: int, *, now: int) -> JobState:
        """Keep a waiting job from running; ask a running one to stop, with all it was asked for
        up to now. Conflict if it is over.
        """

    def retry(self, number: int, *, now: int) -> None:
        """Make a job that is over, or waits, due at once with all its attempts. Conflict if it
        runs, or if another of its kind and key is unfinished.
        """

    def find(self, number: int) -> Job | None: ...

    def find_last(self, kind: str, key: str = "") -> Job | None:
        """The newest job of a kind and key, finished or not."""

    def list(self, wanted: JobFilter, limit: int) -> list[Job]:
        """Unfinished ones first, then by number, newest first."""

    def count(self) -> dict[str, dict[JobState, int]]:
        """How many jobs there are, by kind and state."""

    def has_due(self, kinds: Sequence[str], *, now: int) -> bool:
        """Whether `claim` may find one."""

    def prune(self, *, keep: int, before_at: int) -> int:
        """Drop finished jobs beyond the newest `keep`; dead ones only if they ended before
        `before_at`; how many that was.
        """

    def last_planned(self, name: str) -> int | None:
        """When the periodic job `name` was last asked for."""

    def set_planned(self, name: str, at: int) -> None: ...
