"""The `index` job: gives vectors to what has none. It is asked for whenever something was added."""

from collections.abc import Callable
from functools import partial

from hermes.clock import HOUR_MS
from hermes.embed.base import Embedder, Space
from hermes.jobs.work import Effect, Work
from hermes.memory.indexing import OpenFormer, has_backlog, index_pending
from hermes.memory.indexing import Progress as Indexed
from hermes.memory.lost import notice_lost
from hermes.memory.spaces import JOB
from hermes.store.base import Store, Tx
from hermes.store.base.jobs import JobState, Progress

KIND = JOB
REST_MS = HOUR_MS  # after a job that died, before the next is tried


class IndexHandler:
    kind = KIND
    limit_s = 12 * 3600.0  # a large import, or a change of model, is embedded in one go

    def __init__(
        self, embedder: Callable[[], Embedder | None], former: OpenFormer = lambda _: None
    ) -> None:
        self._embedder = embedder
        self._former = former

    def run(self, work: Work) -> Effect | None:
        embedder = self._embedder()
        if embedder is None:
            return None

        def show(now: Indexed) -> None:
            work.show(Progress(now.done, now.done + now.left, "texts embedded"))

        index_pending(
            work.store,
            embedder,
            work.clock,
            former=self._former,
            on_progress=show,
            is_stopped=work.is_stopped,
        )
        work.check()
        return None


class IndexWatch:
    """The chore that asks for indexing once the store has changed and something lacks a vector.

    The first look always asks for it: the model may be another than it was before. So may one that
    tells how long its vectors are only when it is asked: what is wanted is compared, too.
    """

    every_s = 1.0
    lost_every_ms = HOUR_MS  # to look for texts that lost their vector

    def __init__(self, wanted: Callable[[], Space | None] = lambda: None) -> None:
        self._wanted = wanted
        self._seen: tuple[int, Space | None] | None = None
        self._rest_until_at = 0
        self._look_at = 0

    def run(self, store: Store, now: int) -> None:
        wanted = self._wanted()
        if now >= self._look_at:
            self._look_at = now + self.lost_every_ms
            if notice_lost(store, wanted):
                self._seen = None
        seen = store.read(lambda tx: tx.changes.latest()), wanted
        if seen == self._seen or now < self._rest_until_at:
            return
        first = self._seen is None
        died_at = store.read(_find_death)
        self._rest_until_at = 0 if died_at is None else died_at + REST_MS
        if now < self._rest_until_at:
            return
        if first or store.read(partial(has_backlog, wanted=wanted)):
            store.write(lambda tx: tx.jobs.add(KIND, now=now))
        self._seen = seen


def _find_death(tx: Tx) -> int | None:
    """When the last job died, if it did."""
    last = tx.jobs.find_last(KIND)
    return last.finished_at if last is not None and last.state is JobState.DEAD else None
