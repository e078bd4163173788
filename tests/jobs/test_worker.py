"""The worker: what it keeps of a job's end, how it stops, and how two of them share the work."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from hermes.clock import DAY_MS, FixedClock
from hermes.errors import Corrupt, Unavailable, UserError
from hermes.jobs.work import Effect, Halted, Handler, Terms, Work
from hermes.jobs.worker import Chore, Ended, Worker, WorkerOptions
from hermes.store.base import Store, Tx
from hermes.store.base.events import EventFilter
from hermes.store.base.jobs import Job, JobState, Progress
from places import Place

WAIT_S = 30.0


@dataclass
class Doing:
    """A handler made of a function."""

    run: Callable[[Work], Effect | None]
    kind: str = "do"
    limit_s: float = 600.0


@dataclass
class Shift:
    """A worker on a store, and what it ended."""

    store: Store
    clock: FixedClock
    handlers: Sequence[Handler]
    chores: Sequence[Chore] = ()
    lease_ms: int = 60_000
    owner: str = "test"
    slots: int = 2
    ended: list[Ended] = field(default_factory=list)

    def make(self) -> Worker:
        options = WorkerOptions(
            Terms(self.owner, self.lease_ms),
            slots=self.slots,
            poll_s=0.01,
            drain_s=WAIT_S,
            on_end=self.ended.append,
        )
        return Worker(self.store, self.clock, self.handlers, self.chores, options)

    def run(self) -> list[JobState]:
        self.make().run(until_idle=True)
        return [each.state for each in self.ended]


def add(store: Store, clock: FixedClock, key: str = "", max_attempts: int = 5) -> int:
    return store.write(
        lambda tx: tx.jobs.add("do", key, now=clock.now(), max_attempts=max_attempts)
    )


def get(store: Store, number: int) -> Job:
    job = store.read(lambda tx: tx.jobs.find(number))
    assert job is not None
    return job


def count_effects(store: Store) -> int:
    return len(store.read(lambda tx: tx.events.list(EventFilter(kinds=("result",)), 10_000)))


def effect(text: str) -> Effect:
    return lambda tx: tx.events.add("result", text, at=1)


def test_what_is_returned_is_kept_with_the_completion(store: Store, clock: FixedClock) -> None:
    number = add(store, clock)
    assert Shift(store, clock, [Doing(lambda work: effect("done"))]).run() == [JobState.DONE]
    assert get(store, number).state is JobState.DONE
    assert count_effects(store) == 1


def test_an_effect_that_fails_takes_the_completion_with_it(store: Store, clock: FixedClock) -> None:
    def half(tx: Tx) -> None:
        tx.events.add("result", "half", at=1)
        raise Unavailable("not now")

    number = add(store, clock)
    assert Shift(store, clock, [Doing(lambda work: half)]).run() == [JobState.WAITING]
    assert get(store, number).error == "not now"
    assert count_effects(store) == 0


def test_jobs_without_a_handler_are_left_alone(store: Store, clock: FixedClock) -> None:
    store.write(lambda tx: tx.jobs.add("unknown", now=clock.now()))
    assert Shift(store, clock, [Doing(lambda work: None)]).run() == []


def test_a_failure_waits_longer_each_time_and_ends_in_the_log(
    store: Store, clock: FixedClock
) -> None:
    def fail(work: Work) -> None:
        raise ZeroDivisionError("by zero, with key sk-ant-api03-" + "a" * 95)

    number = add(store, clock, max_attempts=3)
    waits = []
    for _ in range(2):
        assert Shift(store, clock, [Doing(fail)]).run() == [JobState.WAITING]
        waits.append(get(store, number).run_at - clock.now())
        assert Shift(store, clock, [Doing(fail)]).run() == []
        clock.advance(waits[-1])
    assert waits[1] > 2 * waits[0]
    assert Shift(store, clock, [Doing(fail)]).run() == [JobState.DEAD]
    dead = get(store, number)
    assert dead.error.startswith("ZeroDivisionError: by zero")
    assert "sk-ant" not in dead.error
    (event,) = store.read(lambda tx: tx.events.list(EventFilter(kinds=("failure",)), 9))
    assert event.ref == f"job:{number}"
    assert "3 attempts" in event.summary
    clock.advance(DAY_MS)
    assert Shift(store, clock, [Doing(fail)]).run() == []


def test_a_mistake_that_will_not_pass_is_not_tried_again(store: Store, clock: FixedClock) -> None:
    def fail(work: Work) -> None:
        raise UserError("no such model")

    add(store, clock)
    assert Shift(store, clock, [Doing(fail)]).run() == [JobState.DEAD]


def test_damage_stops_the_worker(store: Store, clock: FixedClock) -> None:
    def fail(work: Work) -> None:
        raise Corrupt("page 7")

    add(store, clock)
    with pytest.raises(Corrupt):
        Shift(store, clock, [Doing(fail)]).run()


def test_steps_are_kept_with_where_to_go_on(store: Store, clock: FixedClock) -> None:
    def climb(work: Work) -> None:
        reached = int(str(work.saved.get("reached", 0)))
        for step in range(reached + 1, 6):
            if step == 4 and work.job.attempts == 1:
                raise Unavailable("slipped")
            saved = {"reached": step}
            work.commit(effect(f"step {step}"), saved=saved, progress=Progress(step, 5, "steps"))

    number = add(store, clock)
    assert Shift(store, clock, [Doing(climb)]).run() == [JobState.WAITING]
    assert get(store, number).progress == Progress(3, 5, "steps")
    assert get(store, number).saved == {"reached": 3}
    clock.advance(DAY_MS)
    assert Shift(store, clock, [Doing(climb)]).run() == [JobState.DONE]
    assert count_effects(store) == 5


class Running:
    """A worker in a thread of its own."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.failure: BaseException | None = None
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.worker.run()
        except BaseException as error:
            self.failure = error

    def stop(self) -> None:
        self.worker.stop()
        self.thread.join(WAIT_S)
        assert not self.thread.is_alive()


def test_stopping_lets_the_step_end_and_gives_the_job_back(store: Store, clock: FixedClock) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def long(work: Work) -> None:
        for _ in range(1000):
            begun.set()
            assert go_on.wait(WAIT_S)
            work.commit(effect("step"))

    number = add(store, clock)
    shift = Shift(store, clock, [Doing(long)])
    running = Running(shift.make())
    assert begun.wait(WAIT_S)
    running.worker.stop()
    go_on.set()
    running.stop()
    assert running.failure is None
    assert [each.state for each in shift.ended] == [JobState.WAITING]
    job = get(store, number)
    assert (job.state, job.attempts, job.owner) == (JobState.WAITING, 0, "")


def wait_for(store: Store, number: int, is_so: Callable[[Job], bool]) -> Job:
    pause = threading.Event()
    for _ in range(3000):
        job = get(store, number)
        if is_so(job):
            return job
        pause.wait(0.01)
    raise AssertionError(get(store, number))


def test_a_running_job_is_cancelled_between_steps(store: Store, clock: FixedClock) -> None:
    pause = threading.Event()

    def long(work: Work) -> None:
        while True:
            pause.wait(0.01)
            work.commit(effect("step"), progress=Progress(1))

    number = add(store, clock)
    running = Running(Shift(store, clock, [Doing(long)]).make())
    wait_for(store, number, lambda job: job.progress.done == 1)
    asked = store.write(lambda tx: tx.jobs.cancel(number, now=clock.now()))
    assert asked is JobState.RUNNING
    wait_for(store, number, lambda job: job.state is JobState.CANCELLED)
    running.stop()


def test_a_quiet_handler_is_kept_alive_by_its_worker(store: Store, clock: FixedClock) -> None:
    release, begun = threading.Event(), threading.Event()

    def quiet(work: Work) -> Effect:
        begun.set()
        assert release.wait(WAIT_S)
        return effect("after all")

    number = add(store, clock)
    running = Running(Shift(store, clock, [Doing(quiet)], lease_ms=30).make())
    assert begun.wait(WAIT_S)
    first = get(store, number).leased_until_at
    assert first is not None
    clock.advance(1_000)
    wait_for(store, number, lambda job: (job.leased_until_at or 0) > first)
    release.set()
    wait_for(store, number, lambda job: job.state is JobState.DONE)
    running.stop()


def test_a_stuck_handler_loses_its_job_and_keeps_nothing(place: Place, clock: FixedClock) -> None:
    release, first = threading.Event(), threading.Event()
    kept: list[str] = []

    def stuck(work: Work) -> Effect | None:
        if work.job.attempts > 1:
            return effect("second")
        first.set()
        assert release.wait(WAIT_S)
        return effect("first")

    store = place.open()
    number = add(store, clock)
    shift = Shift(store, clock, [Doing(stuck, limit_s=0.0)], lease_ms=1_000)
    running = Running(shift.make())
    assert first.wait(WAIT_S)
    clock.advance(10_000)  # the lease runs out; no sign of life came
    wait_for(store, number, lambda job: job.state is JobState.DONE)
    release.set()
    running.stop()
    found = store.read(lambda tx: tx.events.list(EventFilter(kinds=("result",)), 9))
    kept = [event.summary for event in found]
    assert kept == ["second"]
    store.close()


def test_two_workers_do_each_job_once(place: Place, clock: FixedClock) -> None:
    one, two = place.open(), place.open()
    for n in range(40):
        add(one, clock, key=str(n))
    seen: list[str] = []
    everything = threading.Event()

    def do(work: Work) -> Effect:
        seen.append(work.job.key)
        if len(seen) >= 40:
            everything.set()
        return effect(work.job.key)

    shifts = [
        Shift(store, clock, [Doing(do)], owner=f"worker {n}", slots=3)
        for n, store in enumerate((one, two))
    ]
    running = [Running(shift.make()) for shift in shifts]
    assert everything.wait(WAIT_S)
    for each in running:
        each.stop()
        assert each.failure is None
    assert sorted(seen, key=int) == [str(n) for n in range(40)]
    assert count_effects(one) == 40
    one.close()
    two.close()


def test_no_more_run_at_once_than_there_are_slots(store: Store, clock: FixedClock) -> None:
    lock = threading.Lock()
    now, most = 0, 0
    pause = threading.Event()

    def do(work: Work) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        pause.wait(0.01)
        with lock:
            now -= 1

    for n in range(12):
        add(store, clock, key=str(n))
    assert len(Shift(store, clock, [Doing(do)], slots=3).run()) == 12
    assert most <= 3


@dataclass(eq=False)
class Asking:
    """A chore that asks for a job each time."""

    every_s: float = 3600.0
    times: int = 0

    def run(self, store: Store, now: int) -> None:
        self.times += 1
        store.write(lambda tx: tx.jobs.add("do", now=now))


def test_chores_run_before_work_and_not_too_often(store: Store, clock: FixedClock) -> None:
    chore = Asking()
    shift = Shift(store, clock, [Doing(lambda work: None)], [chore])
    assert shift.run() == [JobState.DONE]
    assert chore.times == 1


def test_a_chore_that_finds_the_store_busy_does_not_stop_the_worker(
    store: Store, clock: FixedClock
) -> None:
    class Failing:
        every_s = 0.0
        times = 0

        def run(self, store: Store, now: int) -> None:
            self.times += 1
            if self.times < 3:
                raise Unavailable("locked")
            done.set()

    done = threading.Event()
    running = Running(Shift(store, clock, [], [Failing()]).make())
    assert done.wait(WAIT_S)
    running.stop()
    assert running.failure is None


def test_halting_is_seen_by_whoever_asks(store: Store, clock: FixedClock) -> None:
    add(store, clock)
    terms = Terms("me")
    job = store.write(lambda tx: tx.jobs.claim(["do"], terms.lease(clock.now())))
    assert job is not None
    work = Work(store, clock, job, terms)
    work.show(Progress(1, 2, "half"))
    assert get(store, job.id).progress == Progress(1, 2, "half")
    work.show(Progress(2, 2, "all"))  # too soon to be worth a write
    assert get(store, job.id).progress == Progress(1, 2, "half")
    assert not work.is_stopped()
    work.halt()
    assert work.is_stopped()
    with pytest.raises(Halted):
        work.check()
    with pytest.raises(Halted):
        work.commit(lambda tx: None)
