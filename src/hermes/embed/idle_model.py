"""A model that is loaded on first use and given back when idle; safe to share between threads.

It sees to that itself, by a timer that runs only while it is loaded: whoever opens a model, a
daemon, a chat or a program of somebody, need not know of it.
"""

import logging
import os
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from hermes.clock import SECOND_MS, Clock
from hermes.errors import Unavailable

log = logging.getLogger(__name__)

M = TypeVar("M")
T = TypeVar("T")
Cancel = Callable[[], None]
StartTimer = Callable[[float, Callable[[], None]], Cancel]


def start_timer(delay_s: float, work: Callable[[], None]) -> Cancel:
    """Have something done a while later, on a thread that keeps no program from ending."""
    timer = threading.Timer(delay_s, work)
    timer.daemon = True
    timer.name = "hermes-idle"
    timer.start()
    return timer.cancel


class Idling(Generic[M]):
    """Holds what `load` gives while it is in use; `name` is what is said of it when closed."""

    def __init__(
        self,
        name: str,
        load: Callable[[], M],
        clock: Clock,
        idle_s: float,
        *,
        timer: StartTimer = start_timer,
    ) -> None:
        self._name = name
        self._start_timer = timer
        self._cancel: Cancel = _do_nothing
        self._looked_after_by = 0
        self._load = load
        self._clock = clock
        self._idle_ms = round(idle_s * SECOND_MS)
        self._lock = threading.Condition()
        self._runs = 0
        self._model: M | None = None
        self._used_at = 0
        self._closed = False

    @property
    def is_loaded(self) -> bool:
        return self._model is not None

    @property
    def is_busy(self) -> bool:
        return self._runs > 0

    def find(self) -> M | None:
        """The model if it is loaded; it counts as used."""
        self._used_at = self._clock.now()
        return self._model

    def use(self, work: Callable[[M], T]) -> T:
        """Do something with the model, loaded if need be."""
        done = self.run(lambda: work(self._get()))
        self._used_at = self._clock.now()
        return done

    def run(self, work: Callable[[], T]) -> T:
        """Do something that `close` waits for."""
        with self._lock:
            if self._closed:
                raise Unavailable(f"The {self._name} is closed.", "Open it again.")
            if self._model is not None and self._looked_after_by != os.getpid():
                self._look_after(self._idle_ms)  # a fork has the model, but not the timer
            self._runs += 1
        try:
            return work()
        finally:
            with self._lock:
                self._runs -= 1
                self._lock.notify_all()

    def close(self) -> None:
        """Wait for what is under way, which may yet load the model: the runtime may not outlive the
        interpreter.
        """
        with self._lock:
            self._closed = True
            self._lock.wait_for(lambda: self._runs == 0)
            self._model = None
            self._cancel()

    def _get(self) -> M:
        with self._lock:
            if self._model is None:
                self._model = self._load()
                self._look_after(self._idle_ms)
            self._used_at = self._clock.now()
            return self._model

    def _look_after(self, wait_ms: int) -> None:
        self._looked_after_by = os.getpid()
        self._cancel = self._start_timer(wait_ms / SECOND_MS, self._release_if_idle)

    def _release_if_idle(self) -> None:
        with self._lock:
            if self._model is None:
                return
            left_ms = self._used_at + self._idle_ms - self._clock.now()
            if left_ms > 0 or self._runs:
                wait_ms = left_ms if 0 < left_ms < self._idle_ms else self._idle_ms
                self._look_after(wait_ms)  # clocks may be set back
                return
            self._model = None
        _trim()
        log.info("gave back the memory of the %s", self._name)


def _do_nothing() -> None: ...


def _trim() -> None:
    """Have the C library give freed memory back to the system: half of what a model leaves."""
    import ctypes  # noqa: PLC0415 - seldom needed

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it, others need no asking
    if trim is not None:
        trim(0)
