"""Indexing beside the program that records, where no daemon does it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from hermes.errors import HermesError, Unavailable

logger = logging.getLogger(__name__)
RETRY_S = 30.0
LONGEST_S = 600.0  # between tries of what fails again and again, where nobody asks for it
CLOSING_S = 5.0  # for what is under way; a request nobody answers may take minutes


class Background:
    """Runs `work` on a thread of its own whenever it is woken, until it is closed.

    What fails is tried again by itself, less and less often, and no sooner than after `pause_s`
    even if it is woken. With `delay_s` it lets whoever woke it finish first: threads of one program
    slow each other.
    """

    def __init__(
        self,
        work: Callable[[Callable[[], bool]], object],
        name: str,
        *,
        pause_s: float = RETRY_S,
        delay_s: float = 0.0,
        closing_s: float = CLOSING_S,
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
    ) -> None:
        self._work = work
        self._delay_s = delay_s
        self._pause_s = pause_s
        self._closing_s = closing_s
        self._wait_for = wait
        self._lock = threading.Lock()
        self._wanted = threading.Event()
        self._closing = threading.Event()
        self._idle = threading.Event()
        self._idle.set()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._is_left = False
        self.trouble: HermesError | None = None

    def wake(self) -> None:
        """Say that there is something to do; returns at once."""
        with self._lock:
            if self._closing.is_set():
                return
            self._idle.clear()
            self._wanted.set()
            if self._thread.ident is None:
                self._thread.start()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until all that was asked for was tried; False if it failed or took too long."""
        return self._idle.wait(timeout_s) and self.trouble is None

    def close(self) -> None:
        """End after what is under way, which is left behind if it takes too long."""
        with self._lock:
            self._closing.set()
            self._wanted.set()
        if self._thread.is_alive():
            self._thread.join(self._closing_s)
            self._is_left = self._thread.is_alive()

    def _run(self) -> None:
        failures = 0
        while self._has_work(failures):
            self.trouble = self._attempt()
            failures = 0 if self.trouble is None else failures + 1
            with self._lock:
                if not self._wanted.is_set():
                    self._idle.set()
        self._idle.set()

    def _has_work(self, failures: int) -> bool:
        """Wait for something to do; False when it is closed, which may come at any moment here."""
        if failures:
            gap_s = min(LONGEST_S, self._pause_s * 2 ** min(failures - 1, 10))
            self._wait_for(self._closing, self._pause_s)
            self._wait_for(self._wanted, max(0.0, gap_s - self._pause_s))
        else:
            self._wanted.wait()
        self._wait_for(self._closing, self._delay_s)
        with self._lock:
            self._wanted.clear()
            return not self._closing.is_set()

    def _attempt(self) -> HermesError | None:
        """Work once, whatever comes of it: the thread must outlive a library that blew up."""
        try:
            self._work(self._closing.is_set)
        except HermesError as error:
            if self._is_left:
                return None  # what it worked with is closed
            logger.warning("%s: %s %s", self._thread.name, error.message, error.hint)
            return error
        except Exception as error:
            if self._is_left:
                return None
            logger.exception("%s failed", self._thread.name)
            what = f"{self._thread.name} failed: {type(error).__name__}: {error}"
            return Unavailable(what, "It is tried again by itself.")
        return None
