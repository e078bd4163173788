"""A handler that is made late is made once, and only when a job of its kind runs."""

from hermes.clock import FixedClock
from hermes.jobs.deferral import LateHandler
from hermes.jobs.work import Effect, Terms, Work
from hermes.jobs.worker import Worker, WorkerOptions
from hermes.store.base import Store
from hermes.store.base.jobs import JobState


class Counting:
    kind = "count"
    limit_s = 5.0

    def __init__(self) -> None:
        self.keys: list[str] = []

    def run(self, work: Work) -> Effect | None:
        self.keys.append(work.job.key)
        return None


def test_it_is_made_with_its_first_job_and_kept(store: Store, clock: FixedClock) -> None:
    made: list[Counting] = []

    def make() -> Counting:
        made.append(Counting())
        return made[-1]

    handler = LateHandler("count", 5.0, make)
    worker = Worker(store, clock, [handler], [], WorkerOptions(Terms("t"), poll_s=0.01))
    worker.run(until_idle=True)
    assert made == []
    store.write(lambda tx: [tx.jobs.add("count", key, now=clock.now()) for key in ("a", "b")])
    worker = Worker(store, clock, [handler], [], WorkerOptions(Terms("t"), slots=1, poll_s=0.01))
    worker.run(until_idle=True)
    assert [each.keys for each in made] == [["a", "b"]]
    assert store.read(lambda tx: tx.jobs.count())["count"] == {JobState.DONE: 2}
