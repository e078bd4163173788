"""What every request passes before anything else sees it: Host, Origin, size, type and time.

A web page the person visits can send requests to this machine. It cannot choose the Host and Origin
of them, so these two lists keep it out; tokens and cookies come after.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hermes.errors import HermesError, Refused, Unavailable, UserError
from hermes.server.http.failures import render_failure
from hermes.server.http.standstill import Standstill

UNSAFE_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
PROBES = ("/healthz", "/readyz")  # asked by address, and telling nothing that is anybody's
API = "/v1/"
JSON = "application/json"
BYTES = "application/octet-stream"
TYPES = {  # of files that are sent; none of them can come from a form of another page
    "/v1/import": (JSON, "application/gzip", "application/zstd", BYTES),
    "/v1/sessions/import": ("application/x-ndjson", "application/jsonl", JSON, BYTES),
}
LONG = (
    *("/v1/changes", "/v1/export", "/v1/import", "/v1/sessions/import"),
    *("/v1/backups", "/v1/erase", "/v1/compact", "/v1/doctor", "/v1/extract", "/v1/reindex"),
    *("/v1/reset", "/mcp", "/care", "/health"),
)
OFFERED = (
    "authorization, content-type, x-csrf-token, last-event-id, mcp-session-id, mcp-protocol-version"
)
SAFE_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}

_SAFE = [(name.encode(), value.encode()) for name, value in SAFE_HEADERS.items()]


class WrongHost(HermesError):
    http_status = 421


class TooLong(HermesError):
    http_status = 413


class WrongType(HermesError):
    http_status = 415


class TooSlow(HermesError):
    http_status = 408


@dataclass(frozen=True, slots=True)
class Limits:
    """Who may call, and how much."""

    hosts: frozenset[str]
    origins: frozenset[str]
    body_bytes: int
    import_bytes: int
    timeout_s: float


Seen = Callable[[Scope, int, float], None]


class Gate:
    """The outermost layer; `on_end` is told of each answer: its scope, status and seconds."""

    def __init__(
        self, app: ASGIApp, limits: Limits, standstill: Standstill, *, on_end: Seen
    ) -> None:
        self._app = app
        self._limits = limits
        self._standstill = standstill
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _Body(receive, scope, self._limits)
        answer = _Answer(send, _shared_with(scope, self._limits), body)
        began_s = time.perf_counter()
        try:
            await self._pass(scope, body, answer)
        finally:
            self._on_end(scope, answer.status, time.perf_counter() - began_s)

    async def _pass(self, scope: Scope, body: _Body, answer: _Answer) -> None:
        try:
            headers = Headers(scope=scope)
            if scope["path"] not in PROBES:
                check_host(headers, self._limits)
            check_origin(scope, headers, self._limits)
            if _is_preflight(scope, headers):
                await Response(status_code=204)(scope, body, answer)
                return
            check_body(scope, headers, self._limits)
            await self._run(scope, body, answer)
            if body.failure is not None:
                raise body.failure
        except ClientDisconnect:
            return  # nobody is there to be told
        except HermesError as error:
            body.failure = None
            if answer.status:
                raise
            await render_failure(error, scope)(scope, body, answer)

    async def _run(self, scope: Scope, body: _Body, answer: _Answer) -> None:
        if is_listening(scope):
            await self._app(scope, body, answer)
            return
        limit_s = None if may_take_long(scope["path"]) else self._limits.timeout_s
        try:
            async with asyncio.timeout(limit_s), self._standstill.using():
                await self._app(scope, body, answer)
        except TimeoutError:
            if answer.status or limit_s is None:
                raise
            what = f"This took longer than {limit_s:g} seconds."
            raise Unavailable(what, "It may still be done: look, then try again.") from None


class _Body:
    """The request's body, cut off where it grows too long or comes too slowly.

    All of it must come within `timeout_s`; of an upload each piece must.
    """

    def __init__(self, receive: Receive, scope: Scope, limits: Limits) -> None:
        self._receive = receive
        self._most = self._left = _most_bytes(scope, limits)
        self._timeout_s = limits.timeout_s
        self._by_piece = scope["path"] in TYPES
        self._is_timed = scope["path"].startswith(LONG)  # others are, as a whole
        self._until_s = time.monotonic() + limits.timeout_s
        self.failure: HermesError | None = None  # what reading it ended with

    async def __call__(self) -> Message:
        message = await (self._receive_soon() if self._is_timed else self._receive())
        self._left -= len(message.get("body", b""))
        self._is_timed = self._is_timed and message.get("more_body", False)
        if self._left < 0:
            self.failure = too_long(self._most)
            raise self.failure
        return message

    async def _receive_soon(self) -> Message:
        left_s = self._timeout_s if self._by_piece else self._until_s - time.monotonic()
        try:
            async with asyncio.timeout(max(left_s, 0.0)):
                return await self._receive()
        except TimeoutError:
            self.failure = TooSlow("The body came too slowly.", "Send it again, at once.")
            raise self.failure from None


def may_take_long(path: str) -> bool:
    """Whether an answer may take as long as it takes: also one conversation, however long it is."""
    return path.startswith(LONG) or (path.startswith("/v1/sessions/") and path.endswith("/export"))


def is_listening(scope: Scope) -> bool:
    """Whether a request only waits for news, and looks at the store now and then.

    Whether we are ready must be told at once, also while a store is replaced.
    """
    path: str = scope["path"]
    if path.startswith("/v1/changes") or path == "/readyz":
        return True
    return path == "/mcp" and scope["method"] == "GET"


class _Answer:
    """The response on its way out, with the headers every one of ours has."""

    def __init__(self, send: Send, more: list[tuple[bytes, bytes]], body: _Body) -> None:
        self._send = send
        self._more = more
        self._body = body
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if self._body.failure is not None and not self.status:
            return  # what the framework says of it is wrong: the gate will say it
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = list(message.get("headers", ()))
            set_before = {name for name, _ in headers}
            headers += [pair for pair in _SAFE if pair[0] not in set_before]
            headers += self._more
            message["headers"] = headers
        await self._send(message)


def check_host(headers: Headers, limits: Limits) -> None:
    """WrongHost unless the client called us by a name that is ours."""
    if _host_name(headers.get("host", "")) not in limits.hosts:
        raise WrongHost("This server does not go by that name.", "See server.allowedHosts.")


def check_origin(scope: Scope, headers: Headers, limits: Limits) -> None:
    """Refused if a page of another origin asks."""
    origin = headers.get("origin")
    if origin is not None and not _is_ours(origin, scope, headers) and origin not in limits.origins:
        raise Refused("This page may not call Hermes.", "See server.allowedOrigins.")
    told = headers.get("sec-fetch-site", "none")
    if origin is None and told == "cross-site" and scope["method"] in UNSAFE_METHODS:
        raise Refused("This page may not call Hermes.", "See server.allowedOrigins.")


def check_body(scope: Scope, headers: Headers, limits: Limits) -> None:
    """TooLong for a length that says so, WrongType for a write that is not JSON."""
    length = headers.get("content-length", "0")
    most = _most_bytes(scope, limits)
    if not length.isascii() or not length.isdigit():
        raise UserError("The Content-Length is no number.", "Send the length in bytes.")
    if len(length) > 18 or int(length) > most:
        raise too_long(most)
    path, has_body = scope["path"], int(length) > 0 or "transfer-encoding" in headers
    if scope["method"] in UNSAFE_METHODS and has_body and path.startswith(API):
        check_type(headers.get("content-type", ""), TYPES.get(path, (JSON,)))


def check_type(content_type: str, known: Sequence[str]) -> None:
    """WrongType unless a body says that it is of a known type."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind in known:
        return
    what = "This file" if BYTES in known else "The body"
    hint = f"Send `Content-Type: {known[0]}`."
    if len(known) > 1:
        hint = f"{hint[:-1]}, or {', '.join(known[1:])}."
    told = f"is {kind[:80]}" if kind else "does not say of what type it is"
    raise WrongType(f"{what} {told}, and that is not taken here.", hint)


def too_long(most: int) -> TooLong:
    return TooLong(f"The body is longer than {most:,} bytes.", "Send less at once.")


def _most_bytes(scope: Scope, limits: Limits) -> int:
    return limits.import_bytes if scope["path"] in TYPES else limits.body_bytes


def _host_name(host: str) -> str:
    """A Host header without its port."""
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()


def _is_ours(origin: str, scope: Scope, headers: Headers) -> bool:
    """Whether an origin is this server itself, by the name it was called by."""
    return origin.lower() == f"{scope['scheme']}://{headers.get('host', '').lower()}"


def _is_preflight(scope: Scope, headers: Headers) -> bool:
    return scope["method"] == "OPTIONS" and "access-control-request-method" in headers


def _shared_with(scope: Scope, limits: Limits) -> list[tuple[bytes, bytes]]:
    """The headers that let a page of an allowed origin read the answer."""
    if not limits.origins:
        return []
    origin = Headers(scope=scope).get("origin", "")
    shared = {"vary": "Origin"}
    if origin in limits.origins:
        shared |= {
            "access-control-allow-origin": origin,
            "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
            "access-control-allow-headers": OFFERED,
            "access-control-expose-headers": "mcp-session-id",
            "access-control-max-age": "600",
        }
    return [(name.encode(), value.encode("latin-1")) for name, value in shared.items()]
