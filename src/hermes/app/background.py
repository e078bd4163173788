"""Indexing beside the program that records, where no daemon does it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from hermes.errors import HermesError

logger = logging.getLogger(__name__)
RETRY_S = 30.0


class Background:
    """Runs `work` on a thread of its own whenever it is woken, until it is closed."""

    def __init__(self, work: Callable[[Callable[[], bool]], object], name: str) -> None:
        self._work = work
        self._wanted = threading.Event()
        self._closing = threading.Event()
        self._idle = threading.Event()
        self._idle.set()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.trouble: HermesError | None = None

    def wake(self) -> None:
        """Say that there is something to do; returns at once."""
        self._idle.clear()
        self._wanted.set()
        if not self._thread.is_alive() and not self._closing.is_set():
            self._thread.start()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until all that was asked for is done; False if it took too long."""
        return self._idle.wait(timeout_s)

    def close(self) -> None:
        self._closing.set()
        self._wanted.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while self._wanted.wait() and not self._closing.is_set():
            self._wanted.clear()
            try:
                self._work(self._closing.is_set)
                self.trouble = None
            except HermesError as error:
                self.trouble = error
                logger.warning("%s: %s %s", self._thread.name, error.message, error.hint)
                self._closing.wait(RETRY_S)
            if not self._wanted.is_set():
                self._idle.set()
