"""The shortest way for the busiest request: one turn, `POST /v1/turns`.

It does what the route of the same path says, without what a framework does for every route: many
agents record all the time, and each request costs what it costs on one core. The gate stands before
it as before all others, and errors end there.
"""

from __future__ import annotations

import json
from types import SimpleNamespace

from pydantic import ValidationError
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Asked

from hermes.app.shapes import recorded_shape
from hermes.app.tokens import Scope
from hermes.errors import UserError
from hermes.server.http.entry import Entry
from hermes.server.http.failures import name_fields, tell_mistakes
from hermes.server.http.recording import Recorder
from hermes.server.http.routes.talk import parse_turn
from hermes.wire.talk import NewTurn

PATH = "/v1/turns"
_ROUTE = SimpleNamespace(path=PATH)  # by which answers are counted


class Unfit(UserError):
    """A body that does not fit its shape."""

    http_status = 422


class TurnsFirst:
    """Records a turn by itself, and passes everything else on."""

    def __init__(self, app: ASGIApp, entry: Entry, recorder: Recorder) -> None:
        self._app = app
        self._entry = entry
        self._recorder = recorder

    async def __call__(self, scope: Asked, receive: Receive, send: Send) -> None:
        if scope.get("path") != PATH or scope.get("method") != "POST":
            await self._app(scope, receive, send)
            return
        scope["route"] = _ROUTE
        door = await self._entry.admit(HTTPConnection(scope), Scope.WRITE)
        turn = parse_turn(parse_body(await _read(receive)))
        receipt = await self._recorder.record(door.app, turn)
        content = json.dumps(recorded_shape(receipt)).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(content)).encode()),
        ]
        await send({"type": "http.response.start", "status": 201, "headers": headers})
        await send({"type": "http.response.body", "body": content})


def parse_body(content: bytes) -> NewTurn:
    """The turn a body holds; Unfit says field by field what is wrong with it."""
    try:
        return NewTurn.model_validate_json(content)
    except ValidationError as error:
        raise Unfit(tell_mistakes(error.errors(), skip=0), name_fields(NewTurn)) from error


async def _read(receive: Receive) -> bytes:
    parts = []
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)
