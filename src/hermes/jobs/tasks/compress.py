"""The `compress` job: old episodes become summaries, and archives past their grace period go."""

from collections.abc import Callable
from dataclasses import dataclass

from hermes.jobs.work import Effect, Work
from hermes.memory.compress.drafts import Draft, Policy, Summariser
from hermes.memory.compress.run import Run, Watch, compress_old
from hermes.memory.events import add_event
from hermes.store.base.jobs import Progress
from hermes.store.base.summaries import COMPRESS
from hermes.types import EventKind

KIND = COMPRESS


@dataclass(frozen=True, slots=True)
class Shown:
    """How far a run has come, told to the job."""

    work: Work

    def __call__(self, draft: Draft) -> None:
        self.work.show(Progress(text=f"session {draft.cluster.session.id}"))


class CompressHandler:
    kind = KIND
    limit_s = 6 * 3600.0

    def __init__(self, summariser: Callable[[], Summariser], policy: Policy) -> None:
        self._summariser = summariser
        self._policy = policy

    def run(self, work: Work) -> Effect | None:
        watch = Watch(work.commit, Shown(work), work.is_stopped)
        now = work.clock.now()
        run = compress_old(work.store, now, self._summariser(), policy=self._policy, watch=watch)
        work.check()
        return _told(run, now)


def _told(run: Run, now: int) -> Effect | None:
    """A clock that is not believed is worth a line of the log; what was compressed has its own."""
    if not run.doubt:
        return None
    what = f"Compressed nothing: {run.doubt}"
    return lambda tx: add_event(tx, EventKind.FAILURE, what, now=now)
