"""Any order of asking, claiming, dying, failing and cancelling, against a model in memory."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from hermes.clock import FixedClock
from hermes.errors import Conflict
from hermes.store.base import Tx
from hermes.store.base.events import EventFilter
from hermes.store.base.jobs import UNFINISHED, Job, JobFilter, JobState, Lease
from places import new_place

T = TypeVar("T")
LEASE_MS = 1_000
MAX_ATTEMPTS = 3
KEYS = ("a", "b", "c")


@dataclass
class Held:
    """What a worker believes to hold; `lost` once another has claimed it."""

    job: Job
    lost: bool = False


class Queue(RuleBasedStateMachine):
    """Effects are lines of the log; each names the claim it was made under."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = new_place("sqlite", Path(self.folder.name)).open()
        self.now = FixedClock().now()
        self.held: list[Held] = []
        self.tokens: set[int] = set()
        self.wanted: dict[str, int] = {}  # key → causes given since a claim last began
        self.effects: list[str] = []

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    def write(self, change: Callable[[Tx], T]) -> T:
        return self.store.write(change)

    def jobs(self) -> list[Job]:
        return self.store.read(lambda tx: tx.jobs.list(JobFilter(), 10_000))

    @rule(key=st.sampled_from(KEYS), delay=st.sampled_from((0, 500)))
    def ask(self, key: str, delay: int) -> None:
        at = self.now + delay
        self.write(
            lambda tx: tx.jobs.add("k", key, now=self.now, run_at=at, max_attempts=MAX_ATTEMPTS)
        )
        self.wanted[key] = self.wanted.get(key, 0) + 1

    @rule(ms=st.sampled_from((1, 500, LEASE_MS)))
    def wait(self, ms: int) -> None:
        self.now += ms

    @rule()
    def claim(self) -> None:
        job = self.write(lambda tx: tx.jobs.claim(["k"], Lease("w", self.now, LEASE_MS)))
        if job is None:
            return
        assert job.token not in self.tokens
        self.tokens.add(job.token)
        for each in self.held:
            each.lost = each.lost or each.job.id == job.id
        self.held.append(Held(job))
        self.wanted[job.key] = 0

    @precondition(lambda self: self.held)
    @rule(which=st.integers(0, 99))
    def complete(self, which: int) -> None:
        held = self.held.pop(which % len(self.held))
        text = f"{held.job.id}/{held.job.token}"

        def finish(tx: Tx) -> None:
            tx.events.add("result", text, at=self.now)
            tx.jobs.complete(held.job, now=self.now)

        if held.lost or not self._is_held(held.job):
            with pytest.raises(Conflict):
                self.write(finish)
            return
        self.write(finish)
        self.effects.append(text)

    @precondition(lambda self: self.held)
    @rule(which=st.integers(0, 99), retry=st.booleans())
    def fail(self, which: int, retry: bool) -> None:
        held = self.held.pop(which % len(self.held))
        retry_at = self.now + 10 if retry and held.job.attempts < MAX_ATTEMPTS else None
        if held.lost or not self._is_held(held.job):
            with pytest.raises(Conflict):
                self.write(lambda tx: tx.jobs.fail(held.job, "x", now=self.now, retry_at=retry_at))
            return
        self.write(lambda tx: tx.jobs.fail(held.job, "x", now=self.now, retry_at=retry_at))

    @precondition(lambda self: self.held)
    @rule(which=st.integers(0, 99))
    def die(self, which: int) -> None:
        """The worker vanishes; its job is claimed again when the lease is over."""
        self.held.pop(which % len(self.held))

    @rule(which=st.integers(0, 99))
    def cancel(self, which: int) -> None:
        jobs = [job for job in self.jobs() if job.state in UNFINISHED]
        if jobs:
            job = jobs[which % len(jobs)]
            self.write(lambda tx: tx.jobs.cancel(job.id, now=self.now))
            self.wanted[job.key] = 0

    @rule(which=st.integers(0, 99))
    def retry(self, which: int) -> None:
        jobs = [job for job in self.jobs() if job.state not in UNFINISHED]
        if not jobs:
            return
        job = jobs[which % len(jobs)]
        if any(other.key == job.key and other.state in UNFINISHED for other in self.jobs()):
            with pytest.raises(Conflict):
                self.write(lambda tx: tx.jobs.retry(job.id, now=self.now))
        else:
            self.write(lambda tx: tx.jobs.retry(job.id, now=self.now))

    @invariant()
    def one_unfinished_job_a_key(self) -> None:
        unfinished = [job.key for job in self.jobs() if job.state in UNFINISHED]
        assert len(unfinished) == len(set(unfinished))

    @invariant()
    def no_more_attempts_than_allowed(self) -> None:
        assert all(job.attempts <= MAX_ATTEMPTS for job in self.jobs())

    @invariant()
    def every_kept_effect_is_there_once(self) -> None:
        lines = self.store.read(lambda tx: tx.events.list(EventFilter(), 10_000))
        assert [line.summary for line in reversed(lines)] == self.effects

    @invariant()
    def a_cause_is_served_unless_cancelled(self) -> None:
        """A cause given after the last claim of its key has a job that has yet to see it."""
        unfinished = {job.key for job in self.jobs() if job.state in UNFINISHED}
        assert {key for key, causes in self.wanted.items() if causes} <= unfinished

    def _is_held(self, job: Job) -> bool:
        now = self.store.read(lambda tx: tx.jobs.find(job.id))
        return now is not None and (now.token, now.state) == (job.token, JobState.RUNNING)


TestQueue = Queue.TestCase
TestQueue.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
