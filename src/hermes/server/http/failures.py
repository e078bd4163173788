"""Errors as answers: one shape, `{error, message, hint}`, and nothing of where our files lie."""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Scope

from hermes.errors import HermesError

log = logging.getLogger("hermes.http")
PathText = re.compile(r"(?<![\w.:/~-])/(?:[\w.@+~-]+/)*[\w.@+~-]+")
ErrorPage: TypeAlias = Callable[[Request, int, str, str, str], Response]
_WHAT = {
    404: ("NotFound", "There is nothing here.", "See /v1/openapi.json for what there is."),
    405: ("UserError", "This cannot be done here.", "See /v1/openapi.json for the methods."),
}
_INSIDE = "Something went wrong inside Hermes."
_LOOK = "See the daemon's log, logs/daemon.log of the profile."


def install_failures(api: FastAPI, page: ErrorPage | None = None) -> None:
    """Have every error answered by us; `page` shows those of the dashboard."""

    async def ours(request: Request, error: Exception) -> Response:
        if not isinstance(error, HermesError):
            raise error
        return render_failure(error, request.scope, page)

    async def invalid(request: Request, error: Exception) -> Response:
        told = error.errors() if isinstance(error, RequestValidationError) else []
        told_text = tell_mistakes(told, skip=1)
        is_body = any(each.get("loc", ("",))[0] == "body" for each in told)
        hint = name_fields(_body_of(request.scope.get("route")) if is_body else None)
        return JSONResponse(_problem("Unfit", told_text, hint), 422)

    async def plain(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        kind, message, hint = _WHAT.get(status, ("UserError", "This cannot be done.", ""))
        return _answer(request.scope, status, (kind, message, hint), page)

    async def broken(request: Request, error: Exception) -> Response:
        log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return _answer(request.scope, 500, ("HermesError", _INSIDE, _LOOK), page)

    api.add_exception_handler(HermesError, ours)
    api.add_exception_handler(RequestValidationError, invalid)
    api.add_exception_handler(HTTPException, plain)
    api.add_exception_handler(Exception, broken)


def render_failure(error: HermesError, scope: Scope, page: ErrorPage | None = None) -> Response:
    """An error of ours as an answer: what is the caller's affair, not where our files lie."""
    status = error.http_status
    told = (error.kind, without_paths(error.message), without_paths(error.hint))
    if status == 500:
        log.error("%s: %s %s", error.kind, error.message, error.hint)
        told = (error.kind, _INSIDE, _LOOK)
    answer = _answer(scope, status, told, page)
    if status == 401:
        answer.headers["www-authenticate"] = 'Bearer realm="hermes"'
    wait_s = getattr(error, "wait_s", None)
    if wait_s is not None:
        answer.headers["retry-after"] = str(int(wait_s) + 1)
    return answer


def without_paths(text: str) -> str:
    """A text without the absolute paths in it; addresses of our own stay."""
    return PathText.sub(lambda found: found[0] if found[0].startswith("/v1/") else "…", text)


def _answer(
    scope: Scope, status: int, told: tuple[str, str, str], page: ErrorPage | None
) -> Response:
    kind, message, hint = told
    if _wants_json(scope):
        return JSONResponse(_problem(kind, message, hint), status)
    return (page or plain_page)(Request(scope), status, kind, message, hint)


def plain_page(request: Request, status: int, kind: str, message: str, hint: str) -> Response:
    """An error as a page where there is no dashboard, or none yet."""
    text = f"<!doctype html><title>Hermes</title><h1>{html.escape(message)}</h1>"
    return HTMLResponse(f"{text}<p>{html.escape(hint)}</p>", status)


def _wants_json(scope: Scope) -> bool:
    headers = dict(scope["headers"])
    is_page = not scope["path"].startswith(("/v1/", "/mcp", "/metrics", "/healthz", "/readyz"))
    asked = headers.get(b"accept", b"").startswith(b"application/json")
    return not is_page or asked or headers.get(b"hx-request") == b"true"


def _problem(kind: str, message: str, hint: str) -> dict[str, str]:
    return {"error": kind, "message": message, "hint": hint}


def name_fields(body: object) -> str:
    """What to do about a body that does not fit: the fields it may have, and must have."""
    if not (isinstance(body, type) and issubclass(body, BaseModel)):
        return "See /v1/openapi.json."
    names = [
        f"{field.alias or name}{' (must be there)' if field.is_required() else ''}"
        for name, field in body.model_fields.items()
    ]
    return f"The body's fields are {', '.join(names)}: see /v1/openapi.json."


def _body_of(route: object) -> object:
    field = route.body_field if isinstance(route, APIRoute) else None
    return field.field_info.annotation if field is not None else None


def tell_mistakes(errors: Sequence[Any], *, skip: int) -> str:
    """What is wrong with a request, field by field, without what was sent.

    `skip` is how many parts of a place say nothing to the caller ("body", "query").
    """
    told = [_tell_mistake(each, skip) for each in errors[:5]]
    return "; ".join(told) or "The request cannot be read."


def _tell_mistake(mistake: Any, skip: int) -> str:
    places, said = mistake.get("loc", ())[skip:], mistake.get("msg", "wrong")
    if mistake.get("type") == "json_invalid" and places:
        cause = mistake.get("ctx", {}).get("error", said)
        return f"the body is no JSON: {cause}, at character {places[0]}"
    if mistake.get("type") == "extra_forbidden":
        said = "there is no such field"
    return f"{'.'.join(str(part) for part in places) or 'the body'}: {said}"
