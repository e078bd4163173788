"""Every page of the dashboard, put together: one line a part."""

from fastapi import APIRouter

from hermes.web.desk import Desk
from hermes.web.door import Sessions
from hermes.web.routes import (
    api,
    care,
    comfort,
    entities,
    facts,
    health,
    lab,
    lessons,
    pending,
    search,
    sessions,
    timeline,
    user,
)

PARTS = (
    search,
    facts,
    timeline,
    entities,
    sessions,
    lab,
    user,
    pending,
    lessons,
    health,
    care,
    comfort,
    api,
)


def create_pages(server: Sessions) -> APIRouter:
    """The dashboard as a router; `server` is who it lives in."""
    desk = Desk(server)
    for part in PARTS:
        part.add_pages(desk)
    return desk.router
