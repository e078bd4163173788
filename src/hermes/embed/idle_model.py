"""A model that is loaded on first use and given back when idle; safe to share between threads."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from hermes.clock import SECOND_MS, Clock
from hermes.errors import Unavailable

M = TypeVar("M")
T = TypeVar("T")


class Idling(Generic[M]):
    """Holds what `load` gives while it is in use; `name` is what is said of it when closed."""

    def __init__(self, name: str, load: Callable[[], M], clock: Clock, idle_s: float) -> None:
        self._name = name
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
            self._runs += 1
        try:
            return work()
        finally:
            with self._lock:
                self._runs -= 1
                self._lock.notify_all()

    def release_if_idle(self, now: int) -> bool:
        with self._lock:
            if self._model is None or now - self._used_at < self._idle_ms:
                return False
            self._model = None  # a run under way keeps its own reference
            return True

    def close(self) -> None:
        """Wait for what is under way, too: the runtime may not outlive the interpreter."""
        with self._lock:
            self._closed = True
            self._model = None
            self._lock.wait_for(lambda: self._runs == 0)

    def _get(self) -> M:
        with self._lock:
            if self._model is None:
                self._model = self._load()
            self._used_at = self._clock.now()
            return self._model
