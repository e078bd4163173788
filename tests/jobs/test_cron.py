"""Periodic jobs: once a period, once after any jump of the clock, and not again after a restart."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from hermes.clock import DAY_MS, HOUR_MS, MINUTE_MS, FixedClock
from hermes.jobs.cron import PERIOD_MS, Cron, Periodic
from hermes.jobs.housekeeping import KEEP_FINISHED, Prune
from hermes.store.base import Store, Tx
from hermes.store.base.jobs import JobFilter, JobState, Lease
from places import new_place

WEEKLY = Periodic("vacuum", "weekly")


def finish_all(tx: Tx, now: int) -> int:
    """Do every job that is due; how many there were."""
    done = 0
    while (job := tx.jobs.claim(["vacuum", "backup"], Lease("t", now, 1_000))) is not None:
        tx.jobs.complete(job, now=now)
        done += 1
    return done


def tick(store: Store, now: int, *periodic: Periodic) -> int:
    Cron(periodic or (WEEKLY,)).run(store, now)
    return store.write(lambda tx: finish_all(tx, now))


def test_the_first_period_begins_when_it_is_first_seen(store: Store, clock: FixedClock) -> None:
    start = clock.now()
    assert tick(store, start) == 0
    assert tick(store, start + 7 * DAY_MS - 1) == 0
    assert tick(store, start + 7 * DAY_MS) == 1
    assert tick(store, start + 7 * DAY_MS + 1) == 0
    assert tick(store, start + 14 * DAY_MS) == 1


def test_soon_means_at_once_and_then_by_period(store: Store, clock: FixedClock) -> None:
    backup = Periodic("backup", "daily", soon=True)
    assert tick(store, clock.now(), backup) == 1
    assert tick(store, clock.now() + HOUR_MS, backup) == 0
    assert tick(store, clock.now() + DAY_MS, backup) == 1


def test_never_is_never(store: Store, clock: FixedClock) -> None:
    never = Periodic("vacuum", "never", soon=True)
    assert tick(store, clock.now(), never) == 0
    assert tick(store, clock.now() + 999 * DAY_MS, never) == 0


def test_a_jump_ahead_asks_once_and_a_jump_back_not_at_all(store: Store, clock: FixedClock) -> None:
    start = clock.now()
    tick(store, start)
    ahead = start + 3650 * DAY_MS
    assert [tick(store, ahead + n * MINUTE_MS) for n in range(5)] == [1, 0, 0, 0, 0]
    assert [tick(store, start + n * MINUTE_MS) for n in range(5)] == [0, 0, 0, 0, 0]
    assert tick(store, start + 7 * DAY_MS) == 1


def test_an_unfinished_job_is_not_asked_for_twice(store: Store, clock: FixedClock) -> None:
    cron = Cron([WEEKLY])
    for week in range(4):
        cron.run(store, clock.now() + week * 7 * DAY_MS)
    waiting = store.read(lambda tx: tx.jobs.list(JobFilter(states=(JobState.WAITING,)), 9))
    assert [job.kind for job in waiting] == ["vacuum"]


@settings(max_examples=30)
@given(st.lists(st.integers(-400 * DAY_MS, 400 * DAY_MS), max_size=30))
def test_however_the_clock_moves_runs_stay_few(steps: list[int]) -> None:
    """Never more runs than forward movement pays for: each needs a whole period since the last."""
    with TemporaryDirectory() as folder:
        store = new_place("sqlite", Path(folder)).open()
        now = FixedClock().now()
        tick(store, now)
        runs, forward = 0, 0
        for step in steps:
            now += step
            forward += max(0, step)
            runs += tick(store, now)
            assert tick(store, now) == 0
        store.close()
    assert runs <= min(len(steps), forward // PERIOD_MS["weekly"])


def test_old_jobs_go_and_recent_ones_stay(store: Store, clock: FixedClock) -> None:
    now = clock.now()

    def fill(tx: Tx) -> None:
        for n in range(KEEP_FINISHED + 50):
            tx.jobs.add("vacuum", str(n), now=now)
        finish_all(tx, now)

    store.write(fill)
    Prune().run(store, now)
    left = store.read(lambda tx: tx.jobs.list(JobFilter(), 5_000))
    assert len(left) == KEEP_FINISHED
    assert left[0].key == str(KEEP_FINISHED + 49)
