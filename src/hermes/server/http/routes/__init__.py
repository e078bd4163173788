"""The routes of the REST API, one topic a file: each parses, calls the App, and renders."""

from collections.abc import Sequence

from fastapi import APIRouter


def first_routers() -> Sequence[APIRouter]:
    """Those a server answers from its first moment: how it is."""
    from hermes.server.http.routes import state  # noqa: PLC0415 (so that naming a file loads one)

    return state.router, state.outside


def late_routers() -> Sequence[APIRouter]:
    """All others. What they work with takes longer to load than the server itself."""
    from hermes.server.http.routes import (  # noqa: PLC0415 (loaded once the server answers)
        beliefs,
        facts,
        keeping,
        recalled,
        talk,
        work,
    )

    # Those with a fixed path after a session's id stand before those that end with it.
    return (
        *(keeping.carrying, beliefs.reflections, talk.router, recalled.router, facts.router),
        *(beliefs.entities, beliefs.notes, beliefs.pending, work.log, work.jobs, work.banks),
        *(work.profiles, keeping.backups, keeping.forgetting),
    )
