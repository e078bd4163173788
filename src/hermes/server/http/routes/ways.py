"""What the routes share: who may come in, how times are read, and how mistakes are documented."""

import re
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Security
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from starlette.requests import Request

from hermes.app import App
from hermes.app.tokens import Scope
from hermes.clock import EARLIEST_AT, LATEST_AT
from hermes.errors import UserError
from hermes.memory.banks import DEFAULT
from hermes.memory.recall.when import parse_when
from hermes.memory.transcript import parse_timestamp
from hermes.server.http.entry import Door, Entry
from hermes.wire.base import LARGEST, Problem

Json = dict[str, Any]
# By reference: given the model, FastAPI would make a validator of it for each of 900 failures,
# which took as long as all else at the start of the daemon. `describe_failures` adds the model.
_PROBLEM = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"description": told, "content": _PROBLEM}
    for status, told in {
        400: "What was asked cannot be done so.",
        401: "No token, or none that is known.",
        403: "The token may not do this.",
        404: "There is no such thing.",
        409: "It changed, or is held by someone else.",
        413: "The body is too long.",
        415: "The body is not JSON.",
        422: "The request does not fit its shape.",
        429: "Too many wrong tokens.",
        503: "Not now; try again.",
    }.items()
}


def new_router(tag: str) -> APIRouter:
    """A router below /v1 whose routes all document the same failures."""
    return APIRouter(prefix="/v1", tags=[tag], responses=FAILURES)


def describe_failures(document: dict[str, Any]) -> None:
    """Add to an OpenAPI document the shape that its failures refer to."""
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    schemas["Problem"] = Problem.model_json_schema(mode="serialization")
    document["components"]["schemas"] = dict(sorted(schemas.items()))


def entry_of(request: Request) -> Entry:
    entry: Entry = request.app.state.entry
    return entry


# The scheme is only for the OpenAPI document: who is let in is decided by `Entry`.
_BEARER = HTTPBearer(
    auto_error=False, scheme_name="token", description="See `hermes token create`, or run/token."
)
_Shown = Annotated[object, Security(_BEARER)]


# asynchronous, so that FastAPI does not send each to a thread of its own
async def enter_reading(request: Request, _: _Shown) -> Door:
    door = await _admit(request, Scope.READ)
    bank = request.query_params.get("bank", DEFAULT)
    if bank not in ("", DEFAULT):  # an empty answer would hide a name that is misspelt
        await door.call(lambda: door.app.conversations.get_bank(bank))
    return door


async def enter_writing(request: Request, _: _Shown) -> Door:
    return await _admit(request, Scope.WRITE)


async def enter_owning(request: Request, _: _Shown) -> Door:
    return await _admit(request, Scope.OWNER)


async def _admit(request: Request, scope: Scope) -> Door:
    door = await entry_of(request).admit(request, scope)
    if request.query_params:
        _refuse_unknown(request)
    return door


def _refuse_unknown(request: Request) -> None:
    """A name that a route does not take would be ignored, and the answer be another than asked."""
    route = request.scope.get("route")
    if not isinstance(route, APIRoute):
        return
    known = {field.alias for field in get_flat_params(route.dependant)}
    wrong = [name for name in request.query_params if name not in known]
    if wrong:
        raise RequestValidationError(
            [{"type": "extra_forbidden", "loc": ("query", name[:80])} for name in wrong]
        )


Reading = Annotated[Door, Depends(enter_reading)]
Writing = Annotated[Door, Depends(enter_writing)]
Owning = Annotated[Door, Depends(enter_owning)]

InBank = Annotated[str, Query(alias="bank", max_length=200, description="Only in this bank.")]
At = Annotated[
    str | None,
    Query(max_length=40, description="ISO 8601.", examples=["2026-01-05T09:00:00Z"]),
]
_MOMENT = re.compile(r"[\d-]+[T ]\d\d:?\d.*|[0-9]{9,}(?:\.\d+)?")
AfterId = Annotated[int, Query(ge=0, le=LARGEST)]


def parse_at(text: str | None) -> int | None:
    """A time as it came, in milliseconds; UserError if it is none we can keep."""
    if text is None:
        return None
    at = parse_timestamp(text)
    if not EARLIEST_AT <= at <= LATEST_AT:
        raise UserError(f"{text[:40]!r} is not between 1900 and 2100.", "Give ISO 8601.")
    return at


def parse_as_of(text: str | None, app: App) -> int | None:
    """The last moment of a time told in words or as a day, as the CLI reads it; a moment itself."""
    if text is None or _MOMENT.fullmatch(text.strip()):
        return parse_at(text)
    return parse_when(text, app.clock.now(), zone=app.zone.key).end_at - 1
