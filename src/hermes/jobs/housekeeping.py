"""Keeping the table of jobs short: what is long over is of no interest, what died for a while."""

from hermes.clock import DAY_MS
from hermes.store.base import Store

KEEP_FINISHED = 1_000
KEEP_DEAD_MS = 90 * DAY_MS


class Prune:
    """The chore that drops old jobs."""

    every_s = 600.0

    def run(self, store: Store, now: int) -> None:
        count = store.read(lambda tx: sum(sum(n.values()) for n in tx.jobs.count().values()))
        if count > KEEP_FINISHED:
            store.write(lambda tx: tx.jobs.prune(keep=KEEP_FINISHED, before_at=now - KEEP_DEAD_MS))
