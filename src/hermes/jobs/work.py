"""One attempt at a job, as its handler sees it: keep a step, show progress, stop when asked.

A handler keeps things only through `commit`, or by returning an effect. Both show the job's token
in the same transaction, so that whatever kills the worker, a step happened once or not at all.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from hermes.clock import Clock
from hermes.errors import Conflict, Unavailable
from hermes.store.base import Store, Tx
from hermes.store.base.jobs import Job, Lease, Progress

T = TypeVar("T")
Effect = Callable[[Tx], object]
SHOW_EVERY_S = 1.0


class Halted(Exception):
    """The job has to stop between two steps: the worker shuts down, or someone cancelled it."""


class Handler(Protocol):
    """Does the jobs of one kind."""

    @property
    def kind(self) -> str: ...

    @property
    def limit_s(self) -> float:
        """How long one attempt may take; after that its worker is taken for stuck."""

    def run(self, work: "Work") -> Effect | None:
        """Do the job. What is returned is kept together with the job's completion.

        Waits for networks and computes outside of transactions, calls `work.check` or
        `work.commit` every few seconds, and goes on from `work.saved` when it is tried again.
        """


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a worker holds jobs."""

    owner: str
    lease_ms: int = 60_000

    def lease(self, now: int) -> Lease:
        return Lease(self.owner, now, self.lease_ms)


class Work:
    def __init__(self, store: Store, clock: Clock, job: Job, terms: Terms) -> None:
        self.store = store
        self.clock = clock
        self.job = job
        self.saved: Mapping[str, object] = job.saved
        self._terms = terms
        self._stop = threading.Event()
        self._end: Exception | None = None
        self._cancelled = False
        self._shown_s = 0.0
        self._beaten_s = time.monotonic()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled

    @property
    def quiet_s(self) -> float:
        """Seconds since the last sign of life."""
        return time.monotonic() - self._beaten_s

    def is_stopped(self) -> bool:
        """Whether the next `check` will raise."""
        return self._stop.is_set()

    def check(self) -> None:
        """Raise if the job must not go on."""
        if self._end is not None:
            raise self._end

    def commit(
        self,
        effect: Callable[[Tx], T],
        *,
        saved: Mapping[str, object] | None = None,
        progress: Progress | None = None,
    ) -> T:
        """Keep one step; Conflict, and nothing kept, if the job is no longer ours."""
        self.check()

        def step(tx: Tx) -> tuple[bool, T]:
            cancelled = tx.jobs.beat(self.job, self._terms.lease(self.clock.now()), progress)
            if saved is not None:
                tx.jobs.save(self.job, saved)
            return cancelled, effect(tx)

        cancelled, result = self.store.write(step)
        self._note_beat(cancelled)
        if saved is not None:
            self.saved = saved
        return result

    def show(self, progress: Progress) -> None:
        """Let people see how far the job is, at most once a second; raises as `check` does."""
        self.check()
        if time.monotonic() - self._shown_s >= SHOW_EVERY_S:
            self._shown_s = time.monotonic()
            self.commit(lambda tx: None, progress=progress)
            self.check()

    def halt(self) -> None:
        """Ask the handler to stop at its next step."""
        self._stop_with(Halted("the worker is shutting down"))

    def expire(self, limit_s: float) -> None:
        """The attempt took too long: no sign of life is given for it any more."""
        hint = "If it needs more time, see docs/daemon.md."
        self._stop_with(Unavailable(f"It was not done after {limit_s:g} seconds.", hint))

    def beat(self) -> None:
        """Give a sign of life from outside the handler."""
        try:
            lease = self._terms.lease(self.clock.now())
            self._note_beat(self.store.write(lambda tx: tx.jobs.beat(self.job, lease)))
        except Conflict as lost:
            self._stop_with(lost)

    def _note_beat(self, cancelled: bool) -> None:
        self._beaten_s = time.monotonic()
        if cancelled and not self._cancelled:
            self._cancelled = True
            self._stop_with(Halted("it was cancelled"))

    def _stop_with(self, reason: Exception) -> None:
        self._end = self._end or reason
        self._stop.set()
