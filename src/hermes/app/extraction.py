"""Reading conversations for facts now, one or all that have something new.

Imported where it is used: what reads sentences takes a fifth of a second to load.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hermes.errors import Corrupt, HermesError, Refused
from hermes.memory.facts.extraction import Extracted, extract_session, list_pending
from hermes.net.faults import EndpointError

if TYPE_CHECKING:
    from hermes.app.root import App

UNANSWERED = 3  # sessions on end for which no model answered, before no more is asked


def extract_one(app: App, session_id: str) -> Extracted:
    """Read what a session has new; a failure is raised."""
    reader = app.facts.reader(app.conversations.get_session(session_id).bank)
    return extract_session(app.store, session_id, reader, app.clock)


def extract_all(app: App) -> Iterator[Extracted]:
    """Read what every session has new; a failure is told, and the others are read.

    A reply may make no sense for one session alone; where none comes, few more are asked.
    """
    unanswered: list[HermesError] = []
    for session_id in list_pending(app.store, app.clock):
        if len(unanswered) < UNANSWERED:
            done = _try_one(app, session_id)
        else:
            done = Extracted(session_id, problem=unanswered[-1])
        if isinstance(done.problem, EndpointError | Refused):
            unanswered.append(done.problem)
        else:
            unanswered.clear()
        yield done


def _try_one(app: App, session_id: str) -> Extracted:
    try:
        return extract_one(app, session_id)
    except Corrupt:
        raise
    except HermesError as problem:
        return Extracted(session_id, problem=problem)
