"""The state of things: status, findings, metrics, changes; and the way in for a browser."""

from typing import Annotated

from fastapi import APIRouter, Header, Query
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse

from hermes.app.memory_status import memory_status_shape, read_memory_status
from hermes.app.shapes import finding_shape, status_shape
from hermes.app.work_shapes import daemon_shape
from hermes.errors import UserError
from hermes.server.http.changes import Feeds, render_events
from hermes.server.http.failures import without_paths
from hermes.server.http.logins import NONCE_S
from hermes.server.http.metrics import CONTENT_TYPE, Metrics, read_gauges
from hermes.server.http.readiness import Readiness
from hermes.server.http.routes.ways import Json, Owning, Reading, entry_of, new_router
from hermes.server.http.visits import Sessions
from hermes.wire import work as wire
from hermes.wire.base import LARGEST, Listed

router = new_router("state")
outside = APIRouter(tags=["state"])

Since = Annotated[int | None, Query(ge=0, le=LARGEST, description="Changes after this one.")]
LastEvent = Annotated[str | None, Header(alias="Last-Event-ID", max_length=20)]


@router.get("/status", response_model=wire.Status)
async def status(door: Reading) -> Json:
    """What is kept, how, and what the daemon has to do."""
    app = door.app
    found, daemon = await door.call(lambda: (app.health.status(), app.daemon.status()))
    return status_shape(found) | {"daemon": daemon_shape(daemon)}


@router.get("/memory/status", response_model=wire.MemoryStatus)
async def memory_status(door: Reading) -> Json:
    """Counts, sizes and last times."""
    return memory_status_shape(await door.call(lambda: read_memory_status(door.app)))


@router.get("/doctor", response_model=Listed[wire.Finding])
async def doctor(door: Reading) -> Json:
    """Check every part; this reads the whole store."""
    found = await door.call(door.app.health.doctor)
    shapes = [finding_shape(each) for each in found]
    for shape in shapes:
        shape |= {key: without_paths(shape[key]) for key in ("message", "hint")}
    return {"items": shapes}


@router.get("/changes/latest", response_model=wire.Seq)
async def latest_change(door: Reading, request: Request) -> Json:
    """How far the sequence of changes goes; cheap to ask again and again."""
    return {"seq": await _feeds(request).of(door.app).latest()}


@router.get(
    "/changes",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def changes(
    door: Reading, request: Request, since: Since = None, last_event: LastEvent = None
) -> StreamingResponse:
    """Changes as they happen, as server-sent events; who comes back goes on where it was."""
    if last_event:
        since = _parse_seq(last_event)
    events = render_events(_feeds(request).of(door.app), since)
    return StreamingResponse(events, media_type="text/event-stream")


def _feeds(request: Request) -> Feeds:
    feeds: Feeds = request.app.state.feeds
    return feeds


def _parse_seq(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) > LARGEST:
        raise UserError("Last-Event-ID is no number of a change.", "Leave it out to start now.")
    return int(text)


@router.post("/login", response_model=wire.Login)
async def invite(door: Owning, request: Request) -> Json:
    """A link that logs a browser in: it works once, within a minute."""
    nonce = entry_of(request).logins.invite(door.caller)
    return {"url": f"{request.base_url}login?nonce={nonce}", "expires_in_s": NONCE_S}


@outside.get("/login", include_in_schema=False)
async def log_in(request: Request, nonce: Annotated[str, Query(max_length=100)]) -> Response:
    entry = entry_of(request)
    cookie = entry.logins.enter(nonce)
    if cookie is None:
        raise entry.reject(request)
    answer = RedirectResponse("/", 303)
    secure = request.url.scheme == "https"
    answer.set_cookie(entry.cookie, cookie, httponly=True, samesite="strict", secure=secure)
    return answer


@outside.post("/logout", include_in_schema=False)
async def log_out(request: Request) -> Response:
    entry = entry_of(request)
    sessions: Sessions = request.app.state.sessions
    await sessions.form(request, to_write=False)
    entry.logins.leave(request.cookies.get(entry.cookie, ""))
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(entry.cookie, httponly=True, samesite="strict")
    return answer


@outside.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(door: Reading, request: Request) -> Response:
    """Counts, sizes, backlog, latencies and errors, as Prometheus reads them."""
    counted: Metrics = request.app.state.metrics
    gauges = await door.call(lambda: read_gauges(door.app))
    return Response(counted.render(gauges), media_type=CONTENT_TYPE)


@outside.get("/healthz")
async def healthz() -> dict[str, bool]:
    """Whether the daemon answers; says nothing else, and needs no token."""
    return {"ok": True}


@outside.get("/readyz", response_model=wire.Ready, responses={503: {"model": wire.Ready}})
async def readyz(request: Request, response: Response) -> Json:
    """Whether all routes are there and the store answers: 503 and why not; needs no token."""
    readiness: Readiness = request.app.state.readiness
    reason = await readiness.find_reason()
    if reason:
        response.status_code = 503
    return {"ok": not reason, "reason": reason}
