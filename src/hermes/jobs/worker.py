"""The worker: takes jobs that are due, runs their handlers in threads, keeps the outcome.

One loop plans, claims and gives signs of life for what runs; handlers run beside it, at most
`slots` at a time. Everything a handler keeps is fenced by its job's token, so a worker that was
taken for dead does no harm. Nothing here knows what jobs are about.
"""

import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hermes.clock import Clock
from hermes.errors import Conflict, Corrupt, HermesError
from hermes.guard.redact import redact
from hermes.jobs.backoff import describe, next_try
from hermes.jobs.work import Effect, Halted, Handler, Terms, Work
from hermes.store.base import Store, Tx
from hermes.store.base.jobs import Job, JobState
from hermes.types import EventKind

log = logging.getLogger("hermes.jobs")


class Chore(Protocol):
    """Something small the worker does now and then in its own loop, such as planning jobs."""

    @property
    def every_s(self) -> float: ...

    def run(self, store: Store, now: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Ended:
    """How one attempt at a job ended; `state` is what the job is now."""

    job: Job
    state: JobState
    error: str = ""
    took_s: float = 0.0


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    terms: Terms
    slots: int = 2
    poll_s: float = 1.0
    drain_s: float = 20.0
    on_end: Callable[[Ended], None] = field(default=lambda _: None)


@dataclass(slots=True)
class _Running:
    work: Work
    thread: threading.Thread
    limit_s: float
    began_s: float
    stuck: bool = False


class Worker:
    def __init__(
        self,
        store: Store,
        clock: Clock,
        handlers: Sequence[Handler],
        chores: Sequence[Chore],
        options: WorkerOptions,
    ) -> None:
        self._store = store
        self._clock = clock
        self._handlers = {handler.kind: handler for handler in handlers}
        self._kinds = tuple(self._handlers)
        self._chores = {chore: float("-inf") for chore in chores}
        self._options = options
        self._running: list[_Running] = []
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._fatal: Corrupt | None = None

    def run(self, *, until_idle: bool = False) -> None:
        """Work until `stop` is called (or nothing is due), then let what runs come to its end."""
        try:
            while not self._stopping.is_set():
                if self._turn() and until_idle:
                    break
                self._wake.wait(self._options.poll_s)
                self._wake.clear()
        finally:
            self._drain()
        if self._fatal is not None:
            raise self._fatal

    def stop(self) -> None:
        """Have `run` end; safe to call from a signal handler and from any thread."""
        self._stopping.set()
        self._wake.set()

    def wake(self) -> None:
        """There may be something to do: look now."""
        self._wake.set()

    def _turn(self) -> bool:
        """One look at what there is to do; true if nothing runs and nothing is due."""
        try:
            self._run_chores()
            self._tend()
            self._claim_due()
        except Corrupt as error:
            self._fatal = error
            self.stop()
        except HermesError as error:
            log.warning("the store did not answer: %s", error.message)
        return not self._running

    def _run_chores(self) -> None:
        for chore, ran_s in self._chores.items():
            if time.monotonic() - ran_s >= chore.every_s:
                self._chores[chore] = time.monotonic()
                chore.run(self._store, self._clock.now())

    def _tend(self) -> None:
        """Forget what ended, give signs of life for the rest, and give up what is stuck."""
        self._running = [each for each in self._running if each.thread.is_alive()]
        for each in self._running:
            if not each.stuck and time.monotonic() - each.began_s > each.limit_s:
                each.stuck = True
                each.work.expire(each.limit_s)
                log.error("job %d (%s) is stuck", each.work.job.id, each.work.job.kind)
            if not each.stuck and each.work.quiet_s > self._options.terms.lease_ms / 3000:
                each.work.beat()

    def _claim_due(self) -> None:
        while self._has_room() and not self._stopping.is_set():
            job = self._claim(self._clock.now())
            if job is None:
                return
            self._begin(job)

    def _claim(self, now: int) -> Job | None:
        """A look costs nothing but a read: only if something is due is it written who has it."""
        if not self._store.read(lambda tx: tx.jobs.has_due(self._kinds, now=now)):
            return None
        lease = self._options.terms.lease(now)
        return self._store.write(lambda tx: tx.jobs.claim(self._kinds, lease))

    def _has_room(self) -> bool:
        """Stuck threads cannot be ended; a few more than there are slots may pile up, no more."""
        busy = sum(not each.stuck for each in self._running)
        return busy < self._options.slots and len(self._running) < 2 * self._options.slots

    def _begin(self, job: Job) -> None:
        handler = self._handlers[job.kind]
        work = Work(self._store, self._clock, job, self._options.terms)
        thread = threading.Thread(
            target=self._attempt, args=(handler, work), name=f"hermes-job-{job.id}", daemon=True
        )
        self._running.append(_Running(work, thread, handler.limit_s, time.monotonic()))
        thread.start()

    def _attempt(self, handler: Handler, work: Work) -> None:
        began_s = time.monotonic()
        try:
            state, error = self._run_handler(handler, work)
        except Corrupt as corrupt:
            self._fatal = corrupt
            self.stop()
            return
        except HermesError as lost:
            log.warning("job %d (%s): %s", work.job.id, work.job.kind, lost.message)
            return
        finally:
            self._wake.set()
        ended = Ended(work.job, state, error, time.monotonic() - began_s)
        log.info(
            "job %d (%s) %s in %.2f s%s",
            *(work.job.id, work.job.kind, state, ended.took_s),
            f": {error}" if error else "",
        )
        self._options.on_end(ended)

    def _run_handler(self, handler: Handler, work: Work) -> tuple[JobState, str]:
        """Run a handler and keep what came of it; raises only if that could not be kept."""
        try:
            effect = handler.run(work)
            self._store.write(lambda tx: self._complete(tx, work.job, effect))
            return JobState.DONE, ""
        except Halted as halted:
            return self._give_back(work), str(halted)
        except (Corrupt, Conflict):
            raise
        except (
            Exception
        ) as error:  # whatever a handler raises is its job's failure, not the worker's
            # What is known to go wrong has said so; a traceback is for what is not.
            trace = None if isinstance(error, HermesError) else error
            job = work.job
            log.warning("job %d (%s): %s", job.id, job.kind, describe(error), exc_info=trace)
            return self._keep_failure(work.job, error)

    def _complete(self, tx: Tx, job: Job, effect: Effect | None) -> None:
        tx.jobs.complete(job, now=self._clock.now())
        if effect is not None:
            effect(tx)

    def _give_back(self, work: Work) -> JobState:
        now = self._clock.now()
        if work.is_cancelled:
            return self._store.write(
                lambda tx: tx.jobs.fail(work.job, "cancelled", now=now, retry_at=None)
            )
        self._store.write(lambda tx: tx.jobs.release(work.job, now=now))
        return JobState.WAITING

    def _keep_failure(self, job: Job, error: Exception) -> tuple[JobState, str]:
        said = redact(describe(error)).text
        now = self._clock.now()
        retry_at = next_try(job, error, now=now, roll=random.random())  # noqa: S311 (no secret)

        def keep(tx: Tx) -> JobState:
            state = tx.jobs.fail(job, said, now=now, retry_at=retry_at)
            if state is JobState.DEAD:
                summary = f"Job {job.kind} failed for good after {job.attempts} attempts: {said}"
                tx.events.add(EventKind.FAILURE, summary, at=now, ref=f"job:{job.id}")
            return state

        return self._store.write(keep), said

    def _drain(self) -> None:
        """Ask everything to stop at its next step, and wait for that."""
        for each in self._running:
            each.work.halt()
        give_up_s = time.monotonic() + self._options.drain_s
        for each in self._running:
            each.thread.join(max(0.0, give_up_s - time.monotonic()))
            if each.thread.is_alive():
                job = each.work.job
                log.warning(
                    "job %d (%s) did not stop in time: it will begin anew", job.id, job.kind
                )
        self._running = []
