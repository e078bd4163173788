"""The HTTP server inside the daemon: its thread, and an orderly end."""

import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import uvicorn
from fastapi import FastAPI

from hermes.app import App
from hermes.errors import Unavailable
from hermes.server.http.api import create_api
from hermes.server.http.listen import BACKLOG, Listening, listening
from hermes.server.http.patience import HEAD_S, patient_protocol
from hermes.server.http.standstill import no_rest

log = logging.getLogger("hermes.http")
DRAIN_S = 10
MOST_CONNECTIONS = 4_096


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
def serving(
    app: App,
    place: Listening | None = None,
    *,
    api: FastAPI | None = None,
    resting: Callable[[App], AbstractContextManager[None]] = no_rest,
    head_s: float = HEAD_S,
) -> Iterator[str]:
    """Serve a profile's doors, on a socket of their own if none is given; yields their address.

    At the end what runs is answered first. `resting` has whoever else uses a store let go of it
    while it is replaced.
    """
    with nullcontext(place) if place else listening(app) as taken:
        server = _new_server(api or create_api(app, resting), taken, head_s)
        thread = threading.Thread(target=server.run, args=([taken.socket],), name="hermes-http")
        thread.start()
        try:
            _wait_until_ready(server, thread)
            log.info("serving %s", taken.url)
            yield taken.url
        finally:
            server.should_exit = True
            thread.join()


def _new_server(api: FastAPI, place: Listening, head_s: float) -> _Server:
    config = uvicorn.Config(
        api,
        log_config=None,
        access_log=False,
        server_header=False,
        http=patient_protocol(head_s),
        ws="none",
        backlog=BACKLOG,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=DRAIN_S,
        ssl_certfile=place.cert_file,
        ssl_keyfile=place.key_file,
    )
    return _Server(config, api)


def _wait_until_ready(server: _Server, thread: threading.Thread) -> None:
    while not server.ready.wait(0.05):
        if not thread.is_alive():
            raise Unavailable("The HTTP server ended at once.", "See logs/daemon.out.")
