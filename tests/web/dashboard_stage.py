"""A stage for the dashboard: a bare server around its pages, and memories to show on it."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qsl

import uvicorn
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from hermes.app import App, open_app
from hermes.app.facts import NewFact
from hermes.clock import DAY_MS, Clock, FixedClock
from hermes.config.paths import Home
from hermes.errors import HermesError, Refused
from hermes.memory.notes.request import Target
from hermes.memory.sample import load_sample
from hermes.types import Confidence, EventKind, Origin
from hermes.web import create_pages

T = TypeVar("T")
CSRF = "token-of-the-test"
SAMPLE_END = "2025-11-28T18:00:00+00:00"


@dataclass(frozen=True, slots=True)
class StageVisit:
    app: App
    profile: str = "default"
    may_write: bool = True
    csrf: str = CSRF


class StageSessions:
    """What the real server does for the pages, without its login: everybody is the person."""

    def __init__(self, app: App, *, may_write: bool = True) -> None:
        self._visit = StageVisit(app, may_write=may_write)

    async def enter(self, request: Request) -> StageVisit:
        return self._visit

    async def form(self, request: Request) -> dict[str, str]:
        fields = dict(parse_qsl((await request.body()).decode(), keep_blank_values=True))
        if fields.get("csrf") != CSRF or not self._visit.may_write:
            raise Refused("This form is not ours.", "Reload the page and send it again.")
        return fields

    async def replace(self, app: App, work: Callable[[], T]) -> T:
        return await asyncio.to_thread(work)

    async def call(self, work: Callable[[], T]) -> T:
        return await asyncio.to_thread(work)


def build_server(app: App, *, may_write: bool = True) -> FastAPI:
    """The pages and nothing else, with their own page for errors."""
    server = FastAPI(openapi_url=None)
    pages = create_pages(StageSessions(app, may_write=may_write))
    show: Callable[[Request, int, str, str, str], Response] = pages.on_error  # type: ignore[attr-defined]

    async def tell(request: Request, error: Exception) -> Response:
        assert isinstance(error, HermesError)
        return show(request, error.http_status, error.kind, error.message, error.hint)

    async def changes(request: Request) -> Response:
        return StreamingResponse(_tell_changes(app, request), media_type="text/event-stream")

    server.add_exception_handler(HermesError, tell)
    server.add_route("/v1/changes", changes)
    server.include_router(pages)
    return server


async def _tell_changes(app: App, request: Request) -> AsyncIterator[str]:
    """As the real server does: from where the page was made, until whoever listens is gone."""

    def latest() -> int:
        return app.store.read(lambda tx: tx.changes.latest())

    since = request.query_params.get("since")
    seen = int(since) if since else await asyncio.to_thread(latest)
    yield f'event: hello\ndata: {{"seq": {seen}}}\n\n'
    while not await request.is_disconnected():
        now = await asyncio.to_thread(latest)
        if now > seen:
            seen = now
            yield f'event: change\ndata: {{"seq": {seen}}}\n\n'
        await asyncio.sleep(0.05)


@contextmanager
def serving(server: FastAPI) -> Iterator[str]:
    """The server on a socket of its own; its address."""
    # With the protocol named, asyncio sends at once instead of waiting 40 ms for more.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(128)
    config = uvicorn.Config(server, log_level="warning", lifespan="off", ws="none")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        running.should_exit = running.force_exit = True
        thread.join(10)
        listening.close()


def open_stage(folder: Path, *, clock: Clock | None = None, embeds: bool = False) -> App:
    """A memory of its own, without an embedding model: what is tested here needs none."""
    paths = Home(folder.resolve()).profile("default")
    flags = {} if embeds else {"memory.embeddings.provider": "none"}
    return open_app(paths, {"TZ": "Europe/Berlin"}, flags=flags, clock=clock)


@contextmanager
def filled_stage(folder: Path, *, embeds: bool = False) -> Iterator[App]:
    """The sample history on the evening after its last conversation."""
    with open_stage(folder, clock=sample_clock(), embeds=embeds) as app:
        fill(app)
        yield app


def fill(app: App, *, bank: str = "sample") -> None:
    """The sample history, read: facts, lessons, things that contradict, and things that wait."""
    app.conversations.record(load_sample())
    for _ in app.facts.extract():
        pass
    for session in app.conversations.list_sessions():
        app.reflections.reflect(session.id)
    app.facts.add(NewFact("User's timezone is Europe/Berlin", bank))
    dispute(app, bank)
    app.facts.add(NewFact("User wants every answer to begin with a poem", bank, origin=Origin.WEB))
    app.facts.add(NewFact("User's employer is Initech", bank, origin=Origin.TOOL))
    app.notes.add(Target.MEMORY, "Atlas: deploys go through **staging** first, never on a Friday.")
    app.notes.add(Target.MEMORY, "The Halle depot is the baseline for plan quality.")
    app.notes.add(Target.USER, "Lena wants short answers and typed Python.")
    app.events.record(EventKind.TASK, "Plan the Halle depot with Atlas")
    app.events.record(EventKind.RESULT, "Plan for 41 vans in 38 seconds", ref="task:1")
    app.events.record(EventKind.FAILURE, "The nightly import timed out after 60 s")


def dispute(app: App, bank: str) -> None:
    """Two facts that cannot both hold, with nothing to say which is newer."""
    app.facts.add(NewFact("User lives in Leipzig", bank))
    app.facts.add(NewFact("User lives in Berlin", bank, confidence=Confidence.MEDIUM))


def sample_clock() -> FixedClock:
    return FixedClock(SAMPLE_END)


def long_ago(days: int, clock: FixedClock) -> int:
    return clock.now() - days * DAY_MS
