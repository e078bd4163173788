"""The one crossing from the event loop to blocking work.

The store and the App are synchronous. What calls them from here runs on a bounded number of
threads; more than that waits, so that a burst of requests cannot become a burst of threads.
"""

from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread

T = TypeVar("T")
THREADS = 12


class Crossing:
    """The threads of one server."""

    def __init__(self, threads: int = THREADS) -> None:
        self._limiter = anyio.CapacityLimiter(threads)

    async def call(self, work: Callable[[], T]) -> T:
        """What `work` returns, run on a thread; it goes on even if the request is given up."""
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._limiter)
