"""What the agent learns from its own conversations: facts on the way, the rest at the end."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hermes.config.running import find_daemon
from hermes.memory.banks import DEFAULT
from hermes.store.base import Tx
from hermes.store.base.extractions import EXTRACT
from hermes.store.base.reflections import REFLECT
from hermes.types import Episode, EpisodeState, Message, Session

if TYPE_CHECKING:
    from hermes.app.root import App
    from hermes.memory.compress.clusters import Cluster


def learn_upto(app: App, session_id: str, upto: int) -> None:
    """Read the facts of what a session has new, but none after message `upto`."""
    from hermes.memory.facts.extraction import effect_for  # noqa: PLC0415 - many patterns
    from hermes.memory.facts.unread import list_unread  # noqa: PLC0415

    session = app.conversations.get_session(session_id)
    read = effect_for(app.store, app.facts.reader(), app.clock)
    while True:
        found = app.store.read(lambda tx: list_unread(tx, session_id))
        messages = [message for message in found if message.id <= upto]
        if not messages:
            return
        _keep_read(app, session_id, messages, read(session, messages))


def _keep_read(
    app: App, session_id: str, messages: Sequence[Message], effect: Callable[[Tx], object]
) -> None:
    now, last = app.clock.now(), messages[-1].id

    def keep(tx: Tx) -> None:
        effect(tx)
        tx.extractions.mark(session_id, last, now=now)

    app.store.write(keep)
    app.user.project()


def one_cluster(session_id: str, messages: Sequence[Message]) -> Cluster:
    """Messages of a conversation as the one thing to put into few words."""
    from hermes.memory.compress.clusters import Cluster  # noqa: PLC0415 - rarely needed

    at = messages[0].at
    session = Session(session_id, DEFAULT, at, messages[-1].at)
    episode = Episode(0, session_id, DEFAULT, at, "", EpisodeState.RAW, tuple(messages))
    return Cluster(session, (episode,))


def work_off(app: App, session_ids: Sequence[str]) -> bool:
    """Learn from conversations that ended, by the jobs that do so; false if a daemon will.

    The jobs are kept: cut short here, they go on wherever the next worker runs.
    """
    if find_daemon(app.paths) is not None:
        return False
    from hermes.jobs.work import Terms  # noqa: PLC0415 - only at the end of a chat
    from hermes.jobs.worker import Worker, WorkerOptions  # noqa: PLC0415

    now = app.clock.now()
    kinds = (EXTRACT, REFLECT)
    wanted = [(kind, session_id) for session_id in session_ids for kind in kinds]
    app.store.write(lambda tx: [tx.jobs.add(kind, key, now=now) for kind, key in wanted])
    handlers = [each for each in app.jobs.handlers() if each.kind in kinds]
    terms = Terms(f"chat@{socket.gethostname()}:{os.getpid()}")
    options = WorkerOptions(terms, slots=1, poll_s=0.05)
    Worker(app.store, app.clock, handlers, (), options).run(until_idle=True)
    return True
