"""What asks for `reflect` jobs; it knows nothing of how lessons are drawn."""

from hermes.store.base import Store, Tx
from hermes.store.base.jobs import UNFINISHED, JobState
from hermes.store.base.reflections import REFLECT as KIND
from hermes.types import Session

JOBS_AT_ONCE = 16
ATTEMPTS = 6


class ReflectWatch:
    """The chore that asks for reflection on conversations that were read for facts."""

    every_s = 30.0

    def run(self, store: Store, now: int) -> None:
        due = store.read(_list_due)
        if due:
            store.write(lambda tx: _add(tx, due, now))


def _list_due(tx: Tx) -> list[Session]:
    counts = tx.jobs.count().get(KIND, {})
    room = JOBS_AT_ONCE - sum(counts.get(state, 0) for state in UNFINISHED)
    return tx.reflections.list_due(room) if room > 0 else []


def _add(tx: Tx, due: list[Session], now: int) -> None:
    for session in due:
        last = tx.jobs.find_last(KIND, session.id)
        if last is not None and last.state is JobState.DEAD:
            if (last.finished_at or 0) >= session.last_at:
                continue  # nothing was said since it died
        tx.jobs.add(KIND, session.id, now=now, max_attempts=ATTEMPTS)
