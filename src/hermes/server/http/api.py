"""The HTTP application: every route, behind the gate."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.responses import HTMLResponse
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from hermes import __version__
from hermes.app import App
from hermes.errors import Unavailable
from hermes.server.auth import Callers, Failures
from hermes.server.http.changes import Feeds
from hermes.server.http.crossing import Crossing
from hermes.server.http.deferral import LateRoutes
from hermes.server.http.entry import COOKIE, TLS_COOKIE, Entry
from hermes.server.http.examples import add_examples
from hermes.server.http.failures import ErrorPage, install_failures, plain_page
from hermes.server.http.gate import LOOPBACK, Gate, Limits
from hermes.server.http.listen import certified_names
from hermes.server.http.logins import Logins
from hermes.server.http.mcp_door import McpDoor
from hermes.server.http.metrics import Metrics
from hermes.server.http.profiles import Profiles
from hermes.server.http.readiness import Readiness
from hermes.server.http.recording import Recorder
from hermes.server.http.routes import first_routers, late_routers
from hermes.server.http.routes.ways import describe_failures
from hermes.server.http.standstill import Standstill, no_rest
from hermes.server.http.turns import TurnsFirst
from hermes.server.http.visits import Sessions

log = logging.getLogger("hermes.http")
IMPORT_BYTES = 4 << 30
ANYWHERE = {"0.0.0.0", "[::]"}  # noqa: S104 (places to listen on, but no name of ours)
ABOUT = """\
The memory of an assistant: sessions and turns, recall, facts, notes, jobs, backups.

Send `Authorization: Bearer TOKEN`; the token names the profile. Errors are
`{"error", "message", "hint"}`. Times are ISO 8601 in UTC.
"""


class Api(FastAPI):
    """FastAPI with our gate around all of it, error pages included."""

    limits: Limits
    metrics: Metrics
    late: LateRoutes

    def openapi(self) -> dict[str, Any]:
        self.late.settle_now()
        is_new = self.openapi_schema is None
        document = super().openapi()
        if is_new:
            describe_failures(document)
            add_examples(document)
        return document

    def build_middleware_stack(self) -> ASGIApp:
        inner = super().build_middleware_stack()
        first = TurnsFirst(inner, self.state.entry, self.state.recorder)
        return Gate(first, self.limits, self.state.standstill, on_end=self.metrics.note)


def create_api(
    app: App, resting: Callable[[App], AbstractContextManager[None]] = no_rest
) -> FastAPI:
    """The application that serves a profile, and others of its home by their tokens."""
    api = Api(
        title="Hermes",
        version=__version__,
        description=ABOUT,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        redirect_slashes=False,
    )
    api.limits = read_limits(app)
    api.metrics = api.state.metrics = Metrics()
    crossing = Crossing()
    api.state.entry = _entry(app, crossing)
    api.state.standstill = Standstill(crossing, resting)
    api.state.readiness = Readiness(
        app.health.ask_store, api.state.standstill, lacking=lambda: api.late.lacking
    )
    api.state.feeds = Feeds(crossing, api.state.standstill)
    api.state.recorder = Recorder(crossing, api.state.standstill)
    api.state.sessions = Sessions(api.state.entry, api.state.standstill, api.state.feeds)
    for router in first_routers():
        api.include_router(router)
    api.state.mcp = McpDoor(api.state.entry, api.limits.body_bytes)
    api.router.routes.append(Route("/mcp", api.state.mcp))
    pages = _Pages(api.state.sessions)
    api.late = LateRoutes(api, lambda: (*late_routers(), pages.load()), crossing)
    install_failures(api, pages.show_error)
    return api


def read_limits(app: App) -> Limits:
    """Who may call by which name, as the settings say."""
    settings = app.config.server
    named = (settings.host, *settings.allowed_hosts, *certified_names(app))
    hosts = {*LOOPBACK, *(_as_host(name) for name in named)} - ANYWHERE
    return Limits(
        hosts=frozenset(hosts),
        origins=frozenset(settings.allowed_origins),
        body_bytes=settings.max_body_mb << 20,
        import_bytes=IMPORT_BYTES,
        timeout_s=settings.request_timeout_s,
    )


def _as_host(name: str) -> str:
    """A name as the Host header says it."""
    bare = name.lower()
    return f"[{bare}]" if bare.count(":") > 1 and not bare.startswith("[") else bare


def _entry(app: App, crossing: Crossing) -> Entry:
    settings = app.config.server
    token = settings.token.get_secret_value() if settings.token else None
    return Entry(
        profiles=Profiles(app),
        callers=Callers(app.paths, token),
        logins=Logins(),
        failures=Failures(),
        crossing=crossing,
        cookie=TLS_COOKIE if settings.tls_cert else COOKIE,
    )


@asynccontextmanager
async def _lifespan(api: FastAPI) -> AsyncIterator[None]:
    rest = asyncio.create_task(_settle(api))  # a reference: or it might be collected half-way
    try:
        yield
        await rest
    finally:
        async with AsyncExitStack() as closing:  # each is closed, even where another fails to
            closing.push_async_callback(
                api.state.entry.crossing.call, api.state.entry.profiles.close
            )
            closing.push_async_callback(api.state.mcp.close)
            closing.push_async_callback(api.state.feeds.close)


async def _settle(api: FastAPI) -> None:
    if isinstance(api, Api):
        with suppress(Unavailable):  # logged, and told by readiness
            await api.late.settle()


class _Pages:
    """The dashboard, where it is installed; it brings templates and Markdown, so it comes late."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._on_error: ErrorPage | None = None

    def load(self) -> APIRouter:
        try:
            from hermes.web import create_pages  # noqa: PLC0415 (only a server needs them)
        except ImportError as error:  # REST and MCP go on without it
            log.error("there is no dashboard: %s", error)
            return _plain_pages()
        pages: APIRouter = create_pages(self._sessions)
        self._on_error = getattr(pages, "on_error", None)
        return pages

    def show_error(
        self, request: Request, status: int, kind: str, message: str, hint: str
    ) -> Response:
        page = self._on_error or plain_page
        return page(request, status, kind, message, hint)


def _plain_pages() -> APIRouter:
    pages = APIRouter(include_in_schema=False)

    @pages.get("/")
    async def home() -> HTMLResponse:
        return HTMLResponse("<!doctype html><title>Hermes</title><p>Hermes runs here.</p>")

    return pages
