"""Standing still: while a store is replaced, nobody may be using it.

Requests are counted as they come in. Whoever replaces the store waits until the others are
answered; those that come meanwhile wait at the door, and go on with the new one. Lives on one event
loop.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

from hermes.app import App
from hermes.errors import Conflict, Unavailable
from hermes.server.http.crossing import Crossing

T = TypeVar("T")
QUIET_S = 30.0
LOOK_S = 0.02


def no_rest(_: App) -> AbstractContextManager[None]:
    """What a server rests that has no worker beside it."""
    return nullcontext()


class Standstill:
    """Who uses the stores of a server; `resting` has the daemon's worker rest meanwhile."""

    def __init__(
        self, crossing: Crossing, resting: Callable[[App], AbstractContextManager[None]] = no_rest
    ) -> None:
        self._crossing = crossing
        self._resting = resting
        self._users = 0
        self._moving: asyncio.Event | None = None  # there while everything stands still

    def using(self) -> "_Using":
        """Use stores; waits while one is being replaced."""
        return _Using(self)

    async def enter(self) -> None:
        while self._moving is not None:
            await self._moving.wait()
        self._users += 1

    def leave(self) -> None:
        self._users -= 1

    async def replace(self, app: App, work: Callable[[], T], *, quiet_s: float = QUIET_S) -> T:
        """What `work` returns, which replaces the store of `app`; called by one who uses it."""
        if self._moving is not None:
            raise Conflict("Another restore is under way.", "Wait for it, then look.")
        self._moving = asyncio.Event()
        try:
            await self._wait_until_quiet(quiet_s)
            return await self._crossing.call(lambda: self._replace(app, work))
        finally:
            moving, self._moving = self._moving, None
            moving.set()

    def _replace(self, app: App, work: Callable[[], T]) -> T:
        with self._resting(app):
            return work()

    async def _wait_until_quiet(self, quiet_s: float) -> None:
        """Until nobody but the caller uses a store, not even for someone who has gone."""
        try:
            async with asyncio.timeout(quiet_s):
                while self._users > 1 or self._crossing.running:  # noqa: ASYNC110 (threads end, too)
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            told = "Something else still runs, such as an export or an import."
            raise Unavailable(told, "Nothing was restored. Try again when it is done.") from None


class _Using:
    """One use of the stores; a class, as every request passes here."""

    __slots__ = ("_still",)

    def __init__(self, still: Standstill) -> None:
        self._still = still

    async def __aenter__(self) -> None:
        await self._still.enter()

    async def __aexit__(self, *_: object) -> None:
        self._still.leave()
