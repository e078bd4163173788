"""What every store promises of jobs: one holder at a time, each cause served, nothing forgotten."""

from collections.abc import Callable
from functools import partial

import pytest

from hermes.clock import DAY_MS, FixedClock
from hermes.errors import Conflict, NotFound
from hermes.store.base import Store, Tx
from hermes.store.base.jobs import Job, JobFilter, JobState, Lease, Progress
from hermes.types import NewSession, Role, Turn, Utterance

KINDS = ("index", "vacuum")
LEASE_MS = 30_000
NOW = FixedClock().now()


def add(
    store: Store, kind: str = "index", key: str = "", run_at: int = NOW, max_attempts: int = 5
) -> int:
    return store.write(
        lambda tx: tx.jobs.add(kind, key, now=NOW, run_at=run_at, max_attempts=max_attempts)
    )


def claim(store: Store, now: int = NOW, owner: str = "me") -> Job | None:
    return store.write(lambda tx: tx.jobs.claim(KINDS, Lease(owner, now, LEASE_MS)))


def take(store: Store, now: int = NOW, owner: str = "me") -> Job:
    job = claim(store, now, owner)
    assert job is not None
    return job


def get(store: Store, number: int) -> Job:
    job = store.read(lambda tx: tx.jobs.find(number))
    assert job is not None
    return job


def complete(store: Store, job: Job, now: int = NOW) -> None:
    store.write(lambda tx: tx.jobs.complete(job, now=now))


def say(store: Store, text: str) -> None:
    turn = Turn(NewSession(id="s"), (Utterance(Role.USER, text),))
    store.write(lambda tx: tx.conversations.record([turn], NOW))


def test_a_job_waits_runs_and_is_done(any_store: Store) -> None:
    number = store_number = add(any_store)
    assert get(any_store, number).state is JobState.WAITING
    job = take(any_store)
    assert (job.id, job.attempts, job.owner, job.state) == (number, 1, "me", JobState.RUNNING)
    assert job.leased_until_at == NOW + LEASE_MS
    complete(any_store, job, NOW + 5)
    finished = get(any_store, store_number)
    assert (finished.state, finished.finished_at) == (JobState.DONE, NOW + 5)
    assert claim(any_store) is None


def test_a_job_is_held_by_one(any_store: Store) -> None:
    add(any_store)
    take(any_store)
    assert claim(any_store, owner="other") is None


def test_asking_twice_makes_one_job(any_store: Store) -> None:
    first = add(any_store, key="a", run_at=NOW + 500)
    assert add(any_store, key="a", run_at=NOW + 100) == first
    assert get(any_store, first).run_at == NOW + 100
    assert add(any_store, key="a", run_at=NOW + 900) == first
    assert get(any_store, first).run_at == NOW + 100
    assert add(any_store, key="b") != first
    assert add(any_store, kind="vacuum", key="a") != first


def test_a_cause_that_comes_while_the_job_runs_is_served_after_it(any_store: Store) -> None:
    first = add(any_store)
    job = take(any_store)
    assert add(any_store, run_at=NOW + 50) == first
    complete(any_store, job)
    follower = take(any_store, NOW + 50)
    assert follower.id != first
    complete(any_store, follower)
    assert claim(any_store, NOW + DAY_MS) is None


def test_the_job_and_its_cause_are_kept_together_or_not_at_all(any_store: Store) -> None:
    def cause(tx: Tx) -> None:
        tx.jobs.add("index", now=NOW)
        raise Conflict("no")

    with pytest.raises(Conflict):
        any_store.write(cause)
    assert claim(any_store) is None


def test_nothing_runs_before_its_time_or_of_another_kind(any_store: Store) -> None:
    add(any_store, run_at=NOW + 10)
    add(any_store, kind="other")
    assert claim(any_store, NOW + 9) is None
    assert not any_store.read(lambda tx: tx.jobs.has_due(KINDS, now=NOW + 9))
    assert any_store.read(lambda tx: tx.jobs.has_due(KINDS, now=NOW + 10))
    assert take(any_store, NOW + 10).kind == "index"


def test_what_has_been_due_longest_comes_first(any_store: Store) -> None:
    late = add(any_store, key="late", run_at=NOW + 2)
    early = add(any_store, key="early", run_at=NOW + 1)
    assert [take(any_store, NOW + 3).id for _ in range(2)] == [early, late]


OPERATIONS: dict[str, Callable[[Tx, Job], object]] = {
    "beat": lambda tx, job: tx.jobs.beat(job, Lease("me", NOW, LEASE_MS)),
    "save": lambda tx, job: tx.jobs.save(job, {"at": 1}),
    "complete": lambda tx, job: tx.jobs.complete(job, now=NOW),
    "fail": lambda tx, job: tx.jobs.fail(job, "x", now=NOW, retry_at=NOW),
    "release": lambda tx, job: tx.jobs.release(job, now=NOW),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_lost_lease_is_refused_with_all_that_was_to_be_kept(any_store: Store, name: str) -> None:
    add(any_store)
    lost = take(any_store)
    holder = take(any_store, NOW + LEASE_MS, "other")
    assert holder.id == lost.id
    assert holder.token > lost.token

    def late(tx: Tx) -> None:
        tx.banks.ensure("effect", NOW)
        OPERATIONS[name](tx, lost)

    with pytest.raises(Conflict):
        any_store.write(late)
    assert any_store.read(lambda tx: tx.banks.find("effect")) is None
    complete(any_store, holder)
    with pytest.raises(Conflict):
        complete(any_store, holder)


def test_a_lease_that_ran_out_still_holds_while_nobody_else_claimed(any_store: Store) -> None:
    add(any_store)
    job = take(any_store)
    complete(any_store, job, NOW + 10 * LEASE_MS)
    assert get(any_store, job.id).state is JobState.DONE


def test_a_sign_of_life_keeps_the_lease_and_shows_progress(any_store: Store) -> None:
    add(any_store)
    job = take(any_store)
    lease = Lease("me", NOW + 20_000, LEASE_MS)
    assert not any_store.write(lambda tx: tx.jobs.beat(job, lease, Progress(3, 9, "third")))
    assert claim(any_store, NOW + LEASE_MS + 1, "other") is None
    assert get(any_store, job.id).progress == Progress(3, 9, "third")


def test_a_failed_job_waits_then_is_dead(any_store: Store) -> None:
    number = add(any_store, max_attempts=2)
    job = take(any_store)
    fail = any_store.write(lambda tx: tx.jobs.fail(job, "broke", now=NOW, retry_at=NOW + 7))
    assert fail is JobState.WAITING
    assert claim(any_store, NOW + 6) is None
    again = take(any_store, NOW + 7)
    assert (again.id, again.attempts, again.error) == (number, 2, "broke")
    end = any_store.write(lambda tx: tx.jobs.fail(again, "for good", now=NOW, retry_at=None))
    assert end is JobState.DEAD
    assert get(any_store, number).error == "for good"
    assert claim(any_store, NOW + DAY_MS) is None


def test_a_job_that_kills_its_worker_every_time_is_dead(any_store: Store) -> None:
    number = add(any_store, max_attempts=3)
    for n in range(3):
        assert take(any_store, NOW + n * LEASE_MS, f"victim {n}").attempts == n + 1
    assert claim(any_store, NOW + 3 * LEASE_MS) is None
    assert get(any_store, number).state is JobState.DEAD
    assert "died" in get(any_store, number).error


def test_a_released_job_lost_no_attempt(any_store: Store) -> None:
    add(any_store)
    job = take(any_store)
    any_store.write(lambda tx: tx.jobs.release(job, now=NOW))
    assert take(any_store).attempts == 1


def test_what_a_dead_owner_held_is_due_at_once(any_store: Store) -> None:
    number = add(any_store)
    add(any_store, key="other")
    take(any_store, owner="gone")
    kept = take(any_store, owner="alive")
    assert any_store.write(lambda tx: tx.jobs.release_owner("gone", now=NOW)) == 1
    assert take(any_store).id == number
    assert get(any_store, kept.id).owner == "alive"


def test_cancelling_what_waits_runs_or_is_over(any_store: Store) -> None:
    waiting = add(any_store, key="a")
    cancel = any_store.write(lambda tx: tx.jobs.cancel(waiting, now=NOW))
    assert cancel is JobState.CANCELLED
    assert claim(any_store) is None
    running = add(any_store, key="b")
    job = take(any_store)
    asked = any_store.write(lambda tx: tx.jobs.cancel(running, now=NOW))
    assert asked is JobState.RUNNING
    assert any_store.write(lambda tx: tx.jobs.beat(job, Lease("me", NOW, LEASE_MS)))
    end = any_store.write(lambda tx: tx.jobs.fail(job, "", now=NOW, retry_at=NOW + 1))
    assert end is JobState.CANCELLED
    with pytest.raises(Conflict):
        any_store.write(lambda tx: tx.jobs.cancel(running, now=NOW))
    with pytest.raises(NotFound):
        any_store.write(lambda tx: tx.jobs.cancel(999, now=NOW))


def test_a_cancelled_job_whose_worker_died_is_not_tried_again(any_store: Store) -> None:
    number = add(any_store)
    take(any_store)
    any_store.write(lambda tx: tx.jobs.cancel(number, now=NOW))
    assert claim(any_store, NOW + LEASE_MS) is None
    assert get(any_store, number).state is JobState.CANCELLED


def test_a_dead_job_can_be_tried_again_with_what_it_saved(any_store: Store) -> None:
    number = add(any_store)
    job = take(any_store)
    any_store.write(lambda tx: tx.jobs.save(job, {"reached": 4}))
    any_store.write(lambda tx: tx.jobs.fail(job, "x", now=NOW, retry_at=None))
    any_store.write(lambda tx: tx.jobs.retry(number, now=NOW))
    again = take(any_store)
    assert (again.id, again.attempts, again.saved) == (number, 1, {"reached": 4})
    with pytest.raises(Conflict):
        any_store.write(lambda tx: tx.jobs.retry(number, now=NOW))


def test_a_retry_is_refused_while_its_twin_is_unfinished(any_store: Store) -> None:
    dead = add(any_store)
    job = take(any_store)
    any_store.write(lambda tx: tx.jobs.fail(job, "x", now=NOW, retry_at=None))
    add(any_store)
    with pytest.raises(Conflict):
        any_store.write(lambda tx: tx.jobs.retry(dead, now=NOW))


def test_a_clock_set_back_blocks_nothing_for_long(any_store: Store) -> None:
    add(any_store, key="held")
    take(any_store, NOW + 400 * DAY_MS, "gone")
    add(any_store, key="failed")
    job = take(any_store)
    any_store.write(lambda tx: tx.jobs.fail(job, "x", now=NOW, retry_at=NOW + 400 * DAY_MS))
    assert {take(any_store).key, take(any_store).key} == {"held", "failed"}


def test_listing_shows_unfinished_first_and_counts(any_store: Store) -> None:
    done = add(any_store, key="1")
    complete(any_store, take(any_store))
    waiting = add(any_store, key="2", run_at=NOW + 5)
    other = add(any_store, kind="vacuum")
    listed = any_store.read(lambda tx: tx.jobs.list(JobFilter(), 10))
    assert [job.id for job in listed] == [other, waiting, done]
    only = any_store.read(lambda tx: tx.jobs.list(JobFilter(states=(JobState.DONE,)), 10))
    assert [job.id for job in only] == [done]
    keyed = any_store.read(lambda tx: tx.jobs.list(JobFilter(kind="index", key="2"), 10))
    assert [job.id for job in keyed] == [waiting]
    assert any_store.read(lambda tx: tx.jobs.count()) == {
        "index": {JobState.DONE: 1, JobState.WAITING: 1},
        "vacuum": {JobState.WAITING: 1},
    }
    last = any_store.read(lambda tx: tx.jobs.find_last("index", "1"))
    assert last is not None
    assert last.id == done


def test_pruning_keeps_the_newest_the_dead_and_the_unfinished(any_store: Store) -> None:
    numbers = []
    for n in range(5):
        numbers.append(add(any_store, key=str(n)))
        complete(any_store, take(any_store))
    dead = add(any_store, key="dead")
    job = take(any_store)
    any_store.write(lambda tx: tx.jobs.fail(job, "x", now=NOW, retry_at=None))
    waiting = add(any_store, key="waiting")
    assert any_store.write(lambda tx: tx.jobs.prune(keep=2, before_at=NOW)) == 3
    left = {job.id for job in any_store.read(lambda tx: tx.jobs.list(JobFilter(), 99))}
    assert left == {*numbers[3:], dead, waiting}
    assert any_store.write(lambda tx: tx.jobs.prune(keep=2, before_at=NOW + 1)) == 1


def plan(tx: Tx, at: int) -> None:
    tx.jobs.set_planned("vacuum", at)


def test_schedules_are_remembered(any_store: Store) -> None:
    assert any_store.read(lambda tx: tx.jobs.last_planned("vacuum")) is None
    for at in (NOW, NOW - 5):
        any_store.write(partial(plan, at=at))
        assert any_store.read(lambda tx: tx.jobs.last_planned("vacuum")) == at


def due(store: Store, now: int) -> list[str]:
    sessions = store.read(lambda tx: tx.extractions.list_due(now=now, idle_ms=1_000, limit=9))
    return [session.id for session in sessions]


def test_a_session_is_due_for_extraction_when_idle_or_ended_until_marked(any_store: Store) -> None:
    say(any_store, "one")
    assert due(any_store, NOW + 999) == []
    assert due(any_store, NOW + 1_000) == ["s"]
    any_store.write(lambda tx: tx.conversations.end_session("s", NOW))
    assert due(any_store, NOW) == ["s"]
    any_store.write(lambda tx: tx.extractions.mark("s", 1, now=NOW))
    assert due(any_store, NOW + DAY_MS) == []
    say(any_store, "two")
    assert due(any_store, NOW) == []
    assert due(any_store, NOW + 1_000) == ["s"]
    assert any_store.read(lambda tx: tx.extractions.upto("s")) == 1
    assert any_store.read(lambda tx: tx.extractions.count_pending()) == 1


def test_a_message_that_comes_during_extraction_is_not_missed(any_store: Store) -> None:
    say(any_store, "one")
    say(any_store, "two")
    any_store.write(lambda tx: tx.extractions.mark("s", 1, now=NOW))
    assert due(any_store, NOW + 1_000) == ["s"]
    any_store.write(lambda tx: tx.extractions.mark("s", 2, now=NOW))
    any_store.write(lambda tx: tx.extractions.mark("s", 1, now=NOW))
    assert any_store.read(lambda tx: tx.extractions.upto("s")) == 2
    assert due(any_store, NOW + 1_000) == []


def test_a_deleted_session_is_not_extracted(any_store: Store) -> None:
    say(any_store, "one")
    any_store.write(lambda tx: tx.conversations.hide_session("s", NOW))
    assert due(any_store, NOW + DAY_MS) == []
    any_store.write(lambda tx: tx.conversations.restore_session("s"))
    assert due(any_store, NOW + DAY_MS) == ["s"]
    any_store.write(lambda tx: tx.extractions.mark("s", 1, now=NOW))
    any_store.write(lambda tx: tx.extractions.reset("s"))
    assert due(any_store, NOW + DAY_MS) == ["s"]
