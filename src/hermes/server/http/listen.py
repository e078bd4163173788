"""The socket of the HTTP server: at the configured place before the server itself is loaded.

Nothing here imports the server: a client that calls while that is loaded waits in the queue.
"""

import errno
import ipaddress
import json
import logging
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hermes.app import App
from hermes.config.files import write_atomic
from hermes.config.model import Config
from hermes.config.running import address_file
from hermes.errors import Conflict, UserError
from hermes.server.http.certificate import read_names

log = logging.getLogger("hermes.http")
NEXT_PORTS = 15
BACKLOG = 2_048
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (places to listen on)


@dataclass(frozen=True, slots=True)
class Listening:
    """A socket that takes calls, its address, and the files it is encrypted with."""

    socket: socket.socket
    url: str
    cert_file: str | None = None
    key_file: str | None = None


@contextmanager
def listening(app: App) -> Iterator[Listening]:
    """Take calls at the place the settings name, and write down where that is."""
    paths = app.paths
    cert, key = _pair(app)
    names = (*certified_names(app), *app.config.server.allowed_hosts)
    bound = bind(app.config)
    try:
        host, port = bound.getsockname()[:2]
        scheme = "https" if cert else "http"
        url = _url(scheme, name_for(host, names) if cert else host, port)
        told = {"url": url, "here": _url(scheme, EVERYWHERE.get(host, host), port)}
        told |= _moved(app.config.server.port, port)
        write_atomic(address_file(paths), json.dumps(told) + "\n")
        yield Listening(bound, url, cert, key)
    finally:
        address_file(paths).unlink(missing_ok=True)
        bound.close()


def _moved(wanted: int, port: int) -> dict[str, str]:
    """What whoever starts the daemon is told where the port it is known by was taken."""
    if wanted in (0, port):
        return {}
    log.warning("port %d is taken by another program: serving on %d", wanted, port)
    return {"taken": str(wanted)}


def certified_names(app: App) -> Sequence[str]:
    """The names the configured certificate is for; none where there is no certificate."""
    cert, key = _pair(app)
    return read_names(cert, key) if cert and key else ()


def name_for(host: str, names: Sequence[str]) -> str:
    """What to call a server by that listens at `host`: a name its certificate proves.

    Where it listens everywhere, a name that others can use goes before those of this machine.
    """
    whole = [name for name in names if not name.startswith("*")]
    if host in whole:
        return host
    if host in EVERYWHERE:
        whole.sort(key=is_loopback)
        return next(iter(whole), "localhost")
    return next(iter(whole), host)


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


def _pair(app: App) -> tuple[str | None, str | None]:
    """The files of the certificate and of its key."""
    settings, paths = app.config.server, app.paths
    cert = _file(paths.resolve(settings.tls_cert, paths.root), settings.tls_cert)
    return cert, _file(paths.resolve(settings.tls_key, paths.root), settings.tls_key)


def _file(path: Path, setting: str | None) -> str | None:
    if setting is None:
        return None
    if not path.is_file():
        raise UserError(f"There is no file {path}.", "See server.tlsCert and server.tlsKey.")
    return str(path)


def _url(scheme: str, host: str, port: int) -> str:
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
