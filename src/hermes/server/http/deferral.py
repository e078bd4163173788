"""Routes that can wait: loaded once the server answers, or by the first request that needs one.

Until then they are one route that takes what no other takes. It loads them on a thread, puts them
in its own place, and has the request find its way anew. Routes that cannot be loaded are not tried
again: the log says why at once, readiness says so, and whoever asks for one is told.
"""

import logging
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from hermes.errors import Unavailable
from hermes.server.http.crossing import Crossing

log = logging.getLogger("hermes.http")
Load = Callable[[], Sequence[APIRouter]]


class LateRoutes(BaseRoute):
    """Stands at the end of `api`'s routes for those that `load` gives."""

    path = ""

    def __init__(self, api: FastAPI, load: Load, crossing: Crossing) -> None:
        self._api = api
        self._load = load
        self._crossing = crossing
        self._lock = threading.Lock()
        self._loaded: Sequence[APIRouter] | None = None
        self.lacking = ""  # why there are no more routes than the first, for anyone to read
        api.router.routes.append(self)

    async def settle(self) -> None:
        """Load the routes and put them in place; done once, whoever asks."""
        routers = await self._crossing.call(self._load_once)
        self._put(routers)

    def settle_now(self) -> None:
        """The same for who cannot wait for a thread: the description of all routes."""
        self._put(self._load_once())

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return (Match.FULL if scope["type"] == "http" else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.settle()
        anew: Callable[[Scope, Receive, Send], Awaitable[Any]] = self._api.router.app
        await anew(scope, receive, send)

    def _load_once(self) -> Sequence[APIRouter]:
        with self._lock:
            if self._loaded is None and not self.lacking:
                self._try_load()
        if self._loaded is None:
            hint = "See the daemon's log, logs/daemon.log of the profile, then start it again."
            raise Unavailable(self.lacking, hint)
        return self._loaded

    def _try_load(self) -> None:
        try:
            self._loaded = self._load()
        except Exception as error:  # whatever it is: the first routes go on, and must tell of it
            log.error("the routes could not be loaded", exc_info=error)
            self.lacking = f"The routes could not be loaded ({type(error).__name__})."

    def _put(self, routers: Sequence[APIRouter]) -> None:
        """Only by the thread that looks through the routes, or before there is one."""
        if self not in self._api.router.routes:
            return
        self._api.router.routes.remove(self)
        for router in routers:
            self._api.include_router(router)
