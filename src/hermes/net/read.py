"""From what an endpoint sent, or how the call broke, to the fault it means.

Servers agree on little here, so this reads status, headers and body together.
"""

import json
import math
import os
import socket
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from hermes.clock import SystemClock, to_datetime
from hermes.net.faults import Endpoint, EndpointError, Fault, build_error

SAID_CHARS = 300

_NO_MODEL = ("not found", "does not exist", "not exist", "unknown model", "invalid model")
_NO_MODEL_CODES = ("model_not_found", "not_a_valid_model", "is not a valid model")
_NO_CREDIT = ("insufficient_quota", "credit balance", "insufficient credit", "billing")
_BAD_KEY = ("api key not valid", "invalid api key", "incorrect api key", "invalid_api_key")
_TOO_LONG = (
    "context length",
    "context_length",
    "context window",
    "context size",
    "maximum context",
    "prompt is too long",
    "too many tokens",
    "input is too long",
    "input is too large to process",  # llama.cpp, with status 500
)
# Ollama's words for a model that gave NaN: it fails on some texts, and does so each time.
_NO_NUMBER = ("unsupported value: nan", "unsupported value: +inf", "unsupported value: -inf")
_SERVER_STATUS = frozenset({409, 425})


def read_status(
    status: int, headers: Mapping[str, str], body: bytes, endpoint: Endpoint
) -> EndpointError:
    """The error of a reply whose status is not 200."""
    said = read_said(body)
    fault = _fault_of(status, _flatten(body), endpoint)
    if fault is Fault.BAD_URL and 300 <= status < 400:
        said = f"redirects to {headers.get('location', 'elsewhere')}"
    now = to_datetime(SystemClock().now())
    wait = parse_retry_after(headers, now) if fault in _WAITING else None
    return build_error(fault, endpoint, said or f"HTTP {status}", retry_after_s=wait)


_WAITING = frozenset({Fault.BUSY, Fault.SERVER, Fault.SLOW})


def _fault_of(status: int, text: str, endpoint: Endpoint) -> Fault:
    if status == 401:
        return Fault.WRONG_KEY if endpoint.secret else Fault.NO_KEY
    if status == 402 or (status in {400, 403, 429} and _mentions(text, _NO_CREDIT)):
        return Fault.NO_CREDIT
    if status in {403, 429}:
        return Fault.FORBIDDEN if status == 403 else Fault.BUSY
    if status in {408, 504}:
        return Fault.SLOW
    if status >= 500 or status in _SERVER_STATUS:
        return _fault_of_server(text)
    if status < 400:
        return Fault.BAD_URL
    return _fault_of_request(status, text)


def _fault_of_server(text: str) -> Fault:
    """What is wrong with a server that blames itself, also for what comes of the request."""
    if _mentions(text, _NO_NUMBER):
        return Fault.NO_DIRECTION
    return Fault.TOO_LONG if _mentions(text, _TOO_LONG) else Fault.SERVER


def _fault_of_request(status: int, text: str) -> Fault:
    """What is wrong with a request that the server blames on us."""
    if _mentions(text, _BAD_KEY):
        return Fault.WRONG_KEY
    if status == 413 or _mentions(text, _TOO_LONG):
        return Fault.TOO_LONG
    if _mentions(text, _NO_MODEL_CODES) or ("model" in text and _mentions(text, _NO_MODEL)):
        return Fault.UNKNOWN_MODEL
    return Fault.BAD_URL if status in {404, 405} else Fault.REJECTED


def _mentions(text: str, phrases: tuple[str, ...]) -> bool:
    return any(phrase in text for phrase in phrases)


def _flatten(body: bytes) -> str:
    return body[:65_536].decode("utf-8", "replace").lower()


def read_said(body: bytes) -> str:
    """The sentence in an error body: JSON of several shapes, or the start of plain text."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        text = body[:2_000].decode("utf-8", "replace").strip()
        return "a web page, not an API" if is_html(text) else _shorten(text)
    return _shorten(find_sentence(value))


def find_sentence(value: object, depth: int = 5) -> str:
    """The human sentence in an error value, wherever, not too deep, this server put it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, dict) or depth == 0:
        return value if isinstance(value, str) else ""
    for name in ("error", "message", "msg", "detail", "type"):
        if sentence := find_sentence(value.get(name), depth - 1):
            return sentence
    return ""


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SAID_CHARS else text[: SAID_CHARS - 1] + "…"


def is_html(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n").lower().startswith(("<!doctype", "<html", "<head", "<?xml"))


def parse_object(body: bytes, endpoint: Endpoint) -> dict[str, object]:
    """A JSON object, or the error of an endpoint that sent something else."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        text = body[:200].decode("utf-8", "replace")
        said = "a web page, not an API" if is_html(text) else "not JSON"
        raise build_error(Fault.GARBLED, endpoint, said) from None
    if not isinstance(value, dict):
        raise build_error(Fault.GARBLED, endpoint, "JSON, but not an object")
    return value


def parse_retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to wait as the server asks: a number, milliseconds, or a date."""
    if (ms := _number(headers.get("retry-after-ms", ""))) is not None:
        return ms / 1000
    text = headers.get("retry-after", "").strip()
    if (seconds := _number(text)) is not None:
        return seconds
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None


def read_break(error: BaseException, endpoint: Endpoint) -> EndpointError:
    """The error of a call that broke before, or during, the reply."""
    import httpx2  # noqa: PLC0415 - heavy, and loaded already when a call broke

    for kinds, fault, said in (
        ((httpx2.TimeoutException, TimeoutError), Fault.SLOW, "no answer in time"),
        ((httpx2.UnsupportedProtocol, httpx2.InvalidURL), Fault.BAD_URL, str(error)),
        ((httpx2.LocalProtocolError,), Fault.REJECTED, "a header, or the key, cannot be sent"),
        ((httpx2.SSEError,), Fault.TOO_LARGE, str(error)),
        ((httpx2.DecodingError,), Fault.GARBLED, str(error)),
    ):
        if isinstance(error, kinds):
            return build_error(fault, endpoint, said)
    is_cut = isinstance(error, httpx2.RemoteProtocolError | httpx2.ReadError)
    return _read_network_break(error, endpoint, is_cut=is_cut)


def _read_network_break(error: BaseException, endpoint: Endpoint, *, is_cut: bool) -> EndpointError:
    """What the system said, behind what the library made of it."""
    causes = tuple(_causes(error))
    if found := next((c for c in causes if isinstance(c, ssl.SSLError)), None):
        return build_error(Fault.TLS, endpoint, _reason(found))
    if any(isinstance(c, socket.gaierror) for c in causes):
        return build_error(Fault.NO_HOST, endpoint)
    if is_cut:
        return build_error(Fault.TRUNCATED, endpoint, "the connection closed early")
    return build_error(Fault.NO_CONNECTION, endpoint, _last_reason(causes))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and everything behind it, groups opened: the cause is rarely on top."""
    seen: set[int] = set()
    queue: list[BaseException | None] = [error]
    while queue:
        current = queue.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        queue += [current.__cause__, current.__context__]
        if isinstance(current, BaseExceptionGroup):
            queue += current.exceptions


def _reason(error: ssl.SSLError) -> str:
    return getattr(error, "verify_message", "") or error.reason or str(error)


def _last_reason(causes: tuple[BaseException, ...]) -> str:
    named = [os.strerror(c.errno) for c in causes if isinstance(c, OSError) and c.errno]
    return named[-1] if named else str(causes[0])
