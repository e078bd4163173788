"""A few threads that nobody has to wait for.

The standard pool is joined when the program ends, so that one request nobody answers would keep
the program from ending. What runs here when the program ends is left behind.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class Threads:
    """Runs what it is given on at most `most` threads; closing it waits for none of them."""

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._name = name
        self._waiting: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._lock = threading.Lock()
        self._count = 0

    def submit(self, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        self._waiting.put((future, work))
        if not self._idle.acquire(blocking=False):
            self._start()
        return future

    def close(self) -> None:
        """Let every thread end with what it is doing; what waits for one is cancelled."""
        with suppress(Empty):
            while (given := self._waiting.get_nowait()) is not None:
                given[0].cancel()
        for _ in range(self._count):
            self._waiting.put(None)

    def _start(self) -> None:
        with self._lock:
            if self._count == self._most:
                return
            self._count += 1
            name = f"{self._name}_{self._count}"
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def _run(self) -> None:
        while (given := self._waiting.get()) is not None:
            fulfil(*given)
            self._idle.release()


def fulfil(future: "Future[T]", work: Callable[[], T]) -> None:
    """Do a work on this thread, for whoever waits for its result."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work())
    except BaseException as error:  # whatever it is, whoever waits for the result is told
        future.set_exception(error)
