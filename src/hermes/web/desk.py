"""Where requests meet handlers: takes a request apart, runs the handler, sends what it answers.

The only module that knows HTTP; handlers know `Ask` and `Answer`.
"""

import gzip
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from hermes.app import App
from hermes.errors import NotFound
from hermes.types import Entity
from hermes.web.asking import Answer, Ask, Download, Page, Redirect
from hermes.web.assets import find_asset, send_asset
from hermes.web.door import Sessions, Visit
from hermes.web.rendering import render

Handler = Callable[[Ask], Answer]
THEME = "hermes-theme"
THEMES = ("light", "dark")
NARROWED = ("/", "/timeline", "/sessions", "/facts")  # pages that a choice narrows
PACKED = (
    20_000  # bytes; pages of a memory are never packed: they hold a token beside what was asked
)
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'{styles}; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


class Desk:
    """Gathers the pages of the dashboard into a router."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self.router = APIRouter(include_in_schema=False)
        self.router.add_route("/static/{name}", _send_static, methods=["GET"])
        self.router.on_error = self.show_error  # type: ignore[attr-defined] # the server looks

    def get(self, path: str, handler: Handler) -> None:
        async def answer(request: Request) -> Response:
            visit = await self._sessions.enter(request)
            return await self._answer(request, _ask(request, visit, {}), handler)

        self.router.add_route(path, answer, methods=["GET"])

    def post(self, path: str, handler: Handler) -> None:
        async def answer(request: Request) -> Response:
            visit = await self._sessions.enter(request)
            form = await self._sessions.form(request)
            return await self._answer(request, _ask(request, visit, form), handler)

        self.router.add_route(path, answer, methods=["POST"])

    def replace(self, path: str, handler: Handler) -> None:
        """A form that puts another store in the place of the one there is."""

        async def answer(request: Request) -> Response:
            visit = await self._sessions.enter(request)
            form = await self._sessions.form(request)
            ask = _ask(request, visit, form)
            done = await self._sessions.replace(visit.app, lambda: handler(ask))
            return await self._sessions.call(lambda: _respond(request, ask, done))

        self.router.add_route(path, answer, methods=["POST"])

    def open(self, path: str, show: Callable[[Request], Page]) -> None:
        """A page for whoever asks, logged in or not."""

        async def answer(request: Request) -> Response:
            return await self._sessions.call(lambda: _show_open(request, show(request)))

        self.router.add_route(path, answer, methods=["GET"])

    def show_error(
        self, request: Request, status: int, kind: str, message: str, hint: str
    ) -> Response:
        """A page that says what happened and what to do."""
        values = {"status": status, "kind": kind, "message": message, "hint": hint}
        return _show_open(request, Page("error.html", values, status))

    async def _answer(self, request: Request, ask: Ask, handler: Handler) -> Response:
        def work() -> tuple[Answer, Response]:
            seq = None if ask.is_part else ask.app.overview.find_latest_change()
            answer = handler(ask)
            return answer, _respond(request, ask, answer, seq)

        answer, response = await self._sessions.call(work)
        if isinstance(answer, Page) and answer.after is not None:
            response.background = BackgroundTask(self._sessions.call, answer.after)
        return response


def _ask(request: Request, visit: Visit, form: dict[str, str]) -> Ask:
    query = request.query_params
    return Ask(
        visit=visit,
        path=request.url.path,
        names={name: str(value) for name, value in request.path_params.items()},
        query=dict(query),
        form=form,
        lists={name: query.getlist(name) for name in query},
        is_part=request.headers.get("hx-request-type") == "partial",
    )


def _show_open(request: Request, page: Page) -> Response:
    """A page that holds no secret; a long one is sent packed."""
    frame = {"theme": _theme(request), "path": request.url.path}
    response = _html(render(page.template, frame | dict(page.values)), page.status)
    body = bytes(response.body)
    if len(body) > PACKED and "gzip" in request.headers.get("accept-encoding", ""):
        response.body = gzip.compress(body, 6)
        response.headers["Content-Length"] = str(len(response.body))
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
    return response


def _respond(request: Request, ask: Ask, answer: Answer, seq: int | None = None) -> Response:
    """Send what a handler answered; `seq` is the last change before it looked."""
    if isinstance(answer, Redirect):
        return _redirect(answer)
    if isinstance(answer, Download):
        return _download(answer)
    html = render(answer.template, _frame(request, ask) | {"seq": seq} | dict(answer.values))
    return _html(html, answer.status, answer)


def _frame(request: Request, ask: Ask) -> dict[str, Any]:
    """What every page shows around its own matter."""
    app = ask.app
    return {
        "ask": ask,
        "visit": ask.visit,
        "theme": _theme(request),
        "zone": app.zone,
        "now": app.clock.now(),
        "waiting": 0 if ask.is_part else app.pending.count(),
        "one_bank": not ask.is_part and has_one_bank(app),
        "carried": ask.carried,
        "about": None if ask.is_part else find_about(ask),
        "is_narrowed": ask.path in NARROWED,
        "path": ask.path,
        "here": _address(ask, ask.query),
        "unchosen": _address(ask, {**ask.query, "entity": ""}),
    }


def _address(ask: Ask, fields: Mapping[str, str]) -> str:
    told = urlencode({name: value for name, value in fields.items() if value})
    return f"{ask.path}?{told}" if told else ask.path


def find_about(ask: Ask) -> Entity | None:
    """The entity that was chosen, for every page to say so; none if it is gone."""
    number = ask.number("entity")
    try:
        return ask.app.entities.get(f"entity:{number}") if number else None
    except NotFound:
        return None


def has_one_bank(app: App) -> bool:
    """Whether all conversations are in one bank: then nobody need be told which."""
    return sum(bank.sessions > 0 for bank in app.conversations.list_banks()) < 2


def _html(html: str, status: int, page: Page | None = None) -> Response:
    hashes = "".join(f" '{each}'" for each in page.extra_styles) if page else ""
    headers = {
        "Content-Security-Policy": _POLICY.format(styles=hashes),
        "Cache-Control": "no-store",
        "Vary": "HX-Request-Type",
        "Referrer-Policy": "same-origin",  # under a stricter one, forms come from the origin "null"
    }
    return HTMLResponse(html, status, headers)


def _redirect(answer: Redirect) -> Response:
    response = RedirectResponse(answer.to, 303)
    for name, value in answer.cookies.items():
        response.set_cookie(name, value, max_age=31_536_000, httponly=True, samesite="strict")
    return response


def _download(answer: Download) -> Response:
    removed = BackgroundTask(answer.file.unlink, missing_ok=True)
    return FileResponse(
        answer.file, media_type=answer.media_type, filename=answer.name, background=removed
    )


def _theme(request: Request) -> str:
    chosen = request.cookies.get(THEME, "")
    return chosen if chosen in THEMES else ""


async def _send_static(request: Request) -> Response:
    asset = find_asset(request.url.path)
    if asset is None:
        raise NotFound("There is no such file.", "Reload the page: Hermes was brought up to date.")
    return send_asset(asset, request.headers.get("accept-encoding", ""))
