"""The REST API for people to read, made from its own description; nothing is fetched elsewhere."""

from starlette.requests import Request

from hermes.web.asking import Page
from hermes.web.desk import Desk
from hermes.web.views.openapi import list_topics


def add_pages(desk: Desk) -> None:
    desk.open("/api", show)


def show(request: Request) -> Page:
    """As open as the description itself: it says nothing of any memory."""
    origin = f"{request.url.scheme}://{request.url.netloc}"
    return Page("api.html", {"topics": list_topics(request.app.openapi()), "origin": origin})
