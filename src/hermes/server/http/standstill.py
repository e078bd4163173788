"""Standing still: while a store is replaced, nobody may be using it.

Whoever replaces the store lets the worker rest, then waits until the requests that were there are
answered; so far everybody is served. Then the door is shut: those that come wait, and go on with
the new store. The thread that replaces opens it again, even if whoever asked for it has gone. Lives
on one event loop.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TypeVar

from hermes.app import App
from hermes.errors import Conflict, Unavailable
from hermes.server.http.crossing import Crossing

T = TypeVar("T")
QUIET_S = 30.0
SHUT_S = 5.0  # how long others may wait at the door before the store is replaced
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
        self._inside: set[_Using] = set()
        self._callers = 0  # of those inside, who wait for a store to be replaced
        self._stays = 0
        self._moving: asyncio.Event | None = None  # there while everything stands still
        self._replacing = threading.Lock()

    @property
    def is_shut(self) -> bool:
        """Whether a store is being replaced just now."""
        return self._moving is not None

    def using(self) -> "_Using":
        """Use stores; waits while one is being replaced."""
        return _Using(self)

    @contextmanager
    def staying(self) -> Iterator[None]:
        """Go on using stores for one who uses them and may leave; never waits at the door."""
        self._stays += 1
        try:
            yield
        finally:
            self._stays -= 1

    async def enter(self, use: "_Using") -> None:
        while self._moving is not None:
            await self._moving.wait()
        self._inside.add(use)

    def leave(self, use: "_Using") -> None:
        self._inside.discard(use)

    async def replace(self, app: App, work: Callable[[], T], *, quiet_s: float = QUIET_S) -> T:
        """What `work` returns, which replaces the store of `app`; called by one who uses it."""
        loop = asyncio.get_running_loop()
        self._callers += 1
        try:
            return await self._crossing.call(lambda: self._replace(app, work, loop, quiet_s))
        finally:
            self._callers -= 1

    def _replace(
        self, app: App, work: Callable[[], T], loop: asyncio.AbstractEventLoop, quiet_s: float
    ) -> T:
        """On its thread, to the end, whoever gives up meanwhile."""
        if not self._replacing.acquire(blocking=False):
            raise Conflict("Another restore is under way.", "Wait for it, then look.")
        try:
            with self._resting(app):
                asyncio.run_coroutine_threadsafe(self._stand_still(quiet_s), loop).result()
                try:
                    return work()
                finally:
                    with suppress(RuntimeError):  # the loop has ended: nobody waits
                        loop.call_soon_threadsafe(self._go_on)
        finally:
            self._replacing.release()

    async def _stand_still(self, quiet_s: float) -> None:
        """Shut the door once who is inside now has left; return when nobody uses a store."""
        present, is_still = frozenset(self._inside), False
        try:
            async with asyncio.timeout(quiet_s):
                while len(present & self._inside) > self._callers:  # noqa: ASYNC110 (see below)
                    await asyncio.sleep(LOOK_S)
            self._moving = asyncio.Event()
            async with asyncio.timeout(SHUT_S):
                while self._is_used():  # noqa: ASYNC110 (threads end, too)
                    await asyncio.sleep(LOOK_S)
            is_still = True
        except TimeoutError:
            told = "Something else still runs, such as an export or an import."
            raise Unavailable(told, "Nothing was restored. Try again when it is done.") from None
        finally:
            if not is_still:
                self._go_on()

    def _is_used(self) -> bool:
        """Whether anybody but the callers uses a store, even for someone who has gone."""
        replacing = 1  # thread, which waits for this
        is_entered = len(self._inside) > self._callers
        return is_entered or self._stays > 0 or self._crossing.running > replacing

    def _go_on(self) -> None:
        moving, self._moving = self._moving, None
        if moving is not None:
            moving.set()


class _Using:
    """One use of the stores; a class, as every request passes here."""

    __slots__ = ("_still",)

    def __init__(self, still: Standstill) -> None:
        self._still = still

    async def __aenter__(self) -> None:
        await self._still.enter(self)

    async def __aexit__(self, *_: object) -> None:
        self._still.leave(self)
