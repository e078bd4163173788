"""The one crossing from the event loop to blocking work.

The store and the App are synchronous. What calls them from here runs on a bounded number of
threads; more than that waits, so that a burst of requests cannot become a burst of threads.
"""

import threading
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
        self._lock = threading.Lock()
        self.running = 0  # those included whose request was given up

    async def call(self, work: Callable[[], T]) -> T:
        """What `work` returns, run on a thread; it goes on even if the request is given up."""

        def counted() -> T:
            with self._lock:
                self.running += 1
            try:
                return work()
            finally:
                with self._lock:
                    self.running -= 1

        return await anyio.to_thread.run_sync(
            counted, abandon_on_cancel=True, limiter=self._limiter
        )
