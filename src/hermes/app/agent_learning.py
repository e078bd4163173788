"""What the agent learns from its own conversations: facts on the way, the rest at the end."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.config.running import find_daemon
from hermes.errors import HermesError
from hermes.memory.banks import DEFAULT
from hermes.memory.facts.reference import render_ref
from hermes.store.base import Tx
from hermes.store.base.extractions import EXTRACT
from hermes.store.base.facts import FactFilter
from hermes.store.base.reflections import REFLECT
from hermes.tools.base import Receipt
from hermes.types import Episode, EpisodeState, EventKind, Fact, Message, Session

if TYPE_CHECKING:
    from hermes.app.root import App
    from hermes.memory.compress.clusters import Cluster
    from hermes.memory.facts.extraction import Reader

MOST_LEARNT = 200


def learn_upto(app: App, session_id: str, upto: int) -> None:
    """Read the facts of what a session has new, but none after message `upto`.

    It is never read again, so where the light model fails the rules read it.
    """
    session = app.conversations.get_session(session_id)
    try:
        _read_upto(app, session, upto, app.facts.reader(session.bank))
    except HermesError:
        _read_upto(app, session, upto, app.facts.rules(session.bank))


def _read_upto(app: App, session: Session, upto: int, reader: Reader) -> None:
    from hermes.memory.facts.backlog import list_unread  # noqa: PLC0415
    from hermes.memory.facts.extraction import effect_for  # noqa: PLC0415 - many patterns

    read = effect_for(app.store, reader, app.clock)
    while True:
        found = app.store.read(lambda tx: list_unread(tx, session.id))
        messages = [message for message in found if message.id <= upto]
        if not messages:
            return
        _keep_read(app, session.id, messages, read(session, messages))


def _keep_read(
    app: App, session_id: str, messages: Sequence[Message], effect: Callable[[Tx], object]
) -> None:
    now, last = app.clock.now(), messages[-1].id

    def keep(tx: Tx) -> None:
        effect(tx)
        tx.extractions.mark(session_id, last, now=now)

    app.store.write(keep)
    app.user.project()


def learn_if_possible(
    app: App, session_id: str, learn: Callable[[str], tuple[Receipt, ...]]
) -> tuple[Receipt, ...]:
    """Read the facts of a session; where that fails it is told, and done when the session ends.

    A light model that is away, or makes no sense, must not cost the person the turn.
    """
    try:
        return learn(session_id)
    except HermesError as error:
        told = f"Facts could not be read before older messages were shortened: {error.message}"
        app.events.record(EventKind.FAILURE, told, details={}, ref=f"session:{session_id}")
        return ()


def one_cluster(session_id: str, messages: Sequence[Message]) -> Cluster:
    """Messages of a conversation as the one thing to put into few words."""
    from hermes.memory.compress.clusters import Cluster  # noqa: PLC0415 - rarely needed

    at = messages[0].at
    session = Session(session_id, DEFAULT, at, messages[-1].at)
    episode = Episode(0, session_id, DEFAULT, at, "", EpisodeState.RAW, tuple(messages))
    return Cluster(session, (episode,))


@dataclass(frozen=True, slots=True)
class Learning:
    """What was learnt from conversations that ended, and what must wait and why, if any must."""

    receipts: tuple[Receipt, ...] = ()
    problem: str = ""


_LATE = {EXTRACT: "not read for facts yet", REFLECT: "no lessons were drawn yet"}


def work_off(app: App, session_ids: Sequence[str]) -> Learning:
    """Learn from conversations that ended, by the jobs that do so, unless a daemon will.

    The jobs are kept: cut short or failed here, they go on wherever the next worker runs.
    """
    if find_daemon(app.paths) is not None:
        return Learning()
    from hermes.jobs.work import Terms  # noqa: PLC0415 - only at the end of a chat
    from hermes.jobs.worker import Ended, Worker, WorkerOptions  # noqa: PLC0415

    now = app.clock.now()
    kinds = (EXTRACT, REFLECT)
    wanted = [(kind, session_id) for session_id in session_ids for kind in kinds]
    app.store.write(lambda tx: [tx.jobs.add(kind, key, now=now) for kind, key in wanted])
    handlers = [each for each in app.jobs.handlers() if each.kind in kinds]
    terms = Terms(f"chat@{socket.gethostname()}:{os.getpid()}")
    ended: list[Ended] = []
    options = WorkerOptions(terms, slots=1, poll_s=0.05, on_end=ended.append)
    Worker(app.store, app.clock, handlers, (), options).run(until_idle=True)
    # What was learnt must be found by its meaning when the next conversation begins.
    app.memory.index()
    problems = [
        f"{_LATE[each.job.kind]}, it stays queued: {each.error}" for each in ended if each.error
    ]
    return Learning(_learnt(app, session_ids, since=now), problems[0] if problems else "")


def _learnt(app: App, session_ids: Sequence[str], *, since: int) -> tuple[Receipt, ...]:
    """The facts read from sessions since a time, oldest first."""
    wanted = FactFilter(current=True)
    found = app.store.read(lambda tx: tx.facts.list(wanted, MOST_LEARNT))
    new = [
        fact
        for fact in found
        if fact.recorded_at >= since and any(s.session_id in session_ids for s in fact.sources)
    ]
    return tuple(receipt_of(app, fact) for fact in reversed(new))


def receipt_of(app: App, fact: Fact) -> Receipt:
    """That a fact is believed now, or waits for the person's word."""
    write = app.pending.find_of_fact(fact) if fact.held else None
    if write is None:
        ref = render_ref(fact.number)
        replaced = app.facts.why(ref).replaced
        notes = [n for each in (*replaced, fact) for n in app.user.list_gone_notes(each)]
        before = (*(old.text for old in replaced), *(f"the note {text!r}" for text in notes))
        return Receipt(fact.text, ref, before=before)
    return Receipt(fact.text, f"held:{write.id}", held=True, why=write.reason)
