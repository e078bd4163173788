"""HTTP clients that read no more than they were allowed to, and name every break.

The library is loaded when the first client is opened, not before.
"""

import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict
from urllib.parse import urlsplit

from hermes.net.faults import Endpoint, EndpointError, Fault, build_error
from hermes.net.read import read_break, read_status

if TYPE_CHECKING:
    import httpx2

ERROR_BYTES = 65_536
CONNECT_S = 10.0


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """The limits and headers of a client."""

    connect_s: float = CONNECT_S
    idle_s: float = 120.0
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


class _ClientArguments(TypedDict):
    timeout: "httpx2.Timeout"
    headers: Mapping[str, str]
    verify: ssl.SSLContext | bool
    trust_env: bool


def open_client(endpoint: Endpoint, options: ClientOptions) -> "httpx2.Client":
    import httpx2  # noqa: PLC0415 - a seventh of a second to import

    return httpx2.Client(**_arguments(endpoint, options))


def open_async_client(endpoint: Endpoint, options: ClientOptions) -> "httpx2.AsyncClient":
    import httpx2  # noqa: PLC0415 - a seventh of a second to import

    return httpx2.AsyncClient(**_arguments(endpoint, options))


def _arguments(endpoint: Endpoint, options: ClientOptions) -> _ClientArguments:
    import httpx2  # noqa: PLC0415 - a seventh of a second to import

    return {
        "timeout": httpx2.Timeout(options.idle_s, connect=options.connect_s),
        "headers": options.headers,
        "verify": _verification(endpoint.url),
        "trust_env": not is_loopback(endpoint.url),
    }


def _verification(url: str) -> ssl.SSLContext | bool:
    """For plain http a context that trusts nobody: reading the system's certificates is slow."""
    is_plain = url.lower().startswith("http://")
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_plain else True


def is_loopback(url: str) -> bool:
    """Whether the server is this machine, which no proxy should stand before."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return host in {"localhost", "::1", "0.0.0.0"} or host.startswith("127.")  # noqa: S104 - compared


@contextmanager
def breaks_named(endpoint: Endpoint) -> Iterator[None]:
    """Turn every break of the network inside the block into an `EndpointError`."""
    import httpx2  # noqa: PLC0415 - loaded already by the client in use

    try:
        yield
    except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as error:
        raise read_break(error, endpoint) from error


def read_body(response: "httpx2.Response", limit: int, endpoint: Endpoint) -> bytes:
    """The whole body of a good reply, never more than `limit` bytes; an error for any other."""
    body = bytearray()
    for piece in response.iter_bytes():
        body += piece
        if _is_full(response, body, limit, endpoint):
            break
    _require_success(response, bytes(body), endpoint)
    return bytes(body)


async def read_body_async(response: "httpx2.Response", limit: int, endpoint: Endpoint) -> bytes:
    """As `read_body`, for a reply read on the event loop."""
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if _is_full(response, body, limit, endpoint):
            break
    _require_success(response, bytes(body), endpoint)
    return bytes(body)


def _is_full(response: "httpx2.Response", body: bytearray, limit: int, endpoint: Endpoint) -> bool:
    if response.status_code != 200:
        return len(body) >= ERROR_BYTES
    if len(body) > limit:
        raise too_large(limit, endpoint)
    return False


def too_large(limit: int, endpoint: Endpoint) -> EndpointError:
    return build_error(Fault.TOO_LARGE, endpoint, f"more than {limit:,} bytes")


def _require_success(response: "httpx2.Response", body: bytes, endpoint: Endpoint) -> None:
    if response.status_code != 200:
        raise read_status(response.status_code, response.headers, body, endpoint)
