"""The `extract` job: facts out of a conversation that came to its end, soon after it did.

A conversation is over when someone says so, or when nothing was said for `IDLE_MS`: that covers a
process that died. How facts are found is the extractor's matter; here is when, and that each
message is read once.
"""

from collections.abc import Callable, Sequence
from functools import partial

from hermes.clock import MINUTE_MS
from hermes.jobs.work import Effect, Work
from hermes.memory.facts.backlog import list_unread
from hermes.store.base import Store, Tx
from hermes.store.base.extractions import EXTRACT
from hermes.store.base.jobs import UNFINISHED, Progress
from hermes.types import Message, Session

IDLE_MS = 30 * MINUTE_MS
JOBS_AT_ONCE = 16
ATTEMPTS = 12  # a model that cannot be reached is waited for, for more than a day

Extractor = Callable[[Session, Sequence[Message]], Effect]
"""Reads messages of a session; what it returns keeps the facts. It may wait for a model."""


class ExtractHandler:
    kind = EXTRACT
    limit_s = 3600.0

    def __init__(self, extract: Extractor, after: Callable[[], object] = lambda: None) -> None:
        self._extract = extract
        self._after = after

    def run(self, work: Work) -> Effect | None:
        session = work.store.read(lambda tx: tx.conversations.find_session(work.job.key))
        if session is None:
            return None  # deleted since
        done = 0
        while messages := work.store.read(lambda tx: list_unread(tx, session.id)):
            effect = self._extract(session, messages)
            done += len(messages)
            step = partial(_keep, session.id, messages[-1].id, work.clock.now(), effect)
            work.commit(step, progress=Progress(done, session.messages, "messages read"))
        if done:
            self._after()
        return None


class ExtractWatch:
    """The chore that asks for extraction of conversations that came to their end."""

    every_s = 15.0

    def __init__(self, idle_ms: int = IDLE_MS) -> None:
        self._idle_ms = idle_ms

    def run(self, store: Store, now: int) -> None:
        due = store.read(lambda tx: self._list_due(tx, now))
        if due:
            store.write(lambda tx: _add(tx, due, now))

    def _list_due(self, tx: Tx, now: int) -> list[Session]:
        counts = tx.jobs.count().get(EXTRACT, {})
        room = JOBS_AT_ONCE - sum(counts.get(state, 0) for state in UNFINISHED)
        if room <= 0:
            return []
        return tx.extractions.list_due(now=now, idle_ms=self._idle_ms, limit=room)


def _add(tx: Tx, due: Sequence[Session], now: int) -> None:
    for session in due:
        tx.jobs.add(EXTRACT, session.id, now=now, max_attempts=ATTEMPTS)


def _keep(session_id: str, upto: int, now: int, effect: Effect, tx: Tx) -> None:
    effect(tx)
    tx.extractions.mark(session_id, upto, now=now)
