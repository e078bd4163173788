"""The HTTP server inside the daemon: its socket, its thread, and an orderly end."""

import errno
import ipaddress
import json
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from hermes.app import App
from hermes.config.files import write_atomic
from hermes.config.model import Config
from hermes.config.running import address_file
from hermes.errors import Conflict, Unavailable, UserError
from hermes.server.http.api import create_api

log = logging.getLogger("hermes.http")
DRAIN_S = 10
NEXT_PORTS = 15
BACKLOG = 2_048


class _Server(uvicorn.Server):
    """Uvicorn that ends streams before it waits for connections to close."""

    def __init__(self, config: uvicorn.Config, api: FastAPI) -> None:
        super().__init__(config)
        self._api = api
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._api.state.feeds.close()
        await super().shutdown(sockets)


@contextmanager
def serving(app: App) -> Iterator[str]:
    """Serve a profile's doors; yields their address. At the end what runs is answered first."""
    bound = bind(app.config)
    server = _new_server(app)
    thread = threading.Thread(target=server.run, args=([bound],), name="hermes-http")
    url = _url(bound, is_tls=app.config.server.tls_cert is not None)
    thread.start()
    try:
        _wait_until_ready(server, thread)
        write_atomic(address_file(app.paths), json.dumps({"url": url}) + "\n")
        log.info("serving %s", url)
        yield url
    finally:
        address_file(app.paths).unlink(missing_ok=True)
        server.should_exit = True
        thread.join()


def bind(config: Config) -> socket.socket:
    """A socket at the configured place; the next free port where none was chosen."""
    settings = config.server
    if not is_loopback(settings.host) and settings.tls_cert is None:
        raise UserError(
            f"server.host {settings.host!r} can be reached from elsewhere, without encryption.",
            "Set server.tlsCert and server.tlsKey, or serve on 127.0.0.1.",
        )
    is_chosen = "port" in settings.model_fields_set
    ports = [settings.port] if is_chosen else range(settings.port, settings.port + NEXT_PORTS + 1)
    for port in ports:
        bound = _bind(settings.host, port)
        if bound is not None:
            return bound
    raise Conflict(
        f"Port {settings.port} of {settings.host} is taken by another program.",
        "Set server.port to a free one, or server.enabled to false.",
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _bind(host: str, port: int) -> socket.socket | None:
    try:
        family, kind, proto, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        hint = "Give an address of this machine, such as 127.0.0.1."
        raise UserError(f"server.host {host!r} is no address: {error.strerror}", hint) from error
    bound = socket.socket(family, kind, proto)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(where)
        bound.listen(BACKLOG)
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            return None
        hint = "Give an address of this machine, and a port it may use."
        raise UserError(f"Cannot listen on {host}:{port}: {error.strerror}", hint) from error
    return bound


def _new_server(app: App) -> _Server:
    settings, paths = app.config.server, app.paths
    api = create_api(app)
    config = uvicorn.Config(
        api,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        backlog=BACKLOG,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=DRAIN_S,
        ssl_certfile=_file(paths.resolve(settings.tls_cert, paths.root), settings.tls_cert),
        ssl_keyfile=_file(paths.resolve(settings.tls_key, paths.root), settings.tls_key),
    )
    return _Server(config, api)


def _file(path: Path, setting: str | None) -> str | None:
    if setting is None:
        return None
    if not path.is_file():
        raise UserError(f"There is no file {path}.", "See server.tlsCert and server.tlsKey.")
    return str(path)


def _wait_until_ready(server: _Server, thread: threading.Thread) -> None:
    while not server.ready.wait(0.05):
        if not thread.is_alive():
            raise Unavailable("The HTTP server ended at once.", "See logs/daemon.out.")


def _url(bound: socket.socket, *, is_tls: bool) -> str:
    host, port = bound.getsockname()[:2]
    named = f"[{host}]" if ":" in host else host
    return f"{'https' if is_tls else 'http'}://{named}:{port}"
