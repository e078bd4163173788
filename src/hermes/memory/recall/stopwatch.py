"""How long the steps of a recall take, and how long it may still take."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stopwatch:
    """Laps of one question, and how long it may still take.

    What another thread does `beside` them, and holds them up by, is booked under its own name.
    """

    def __init__(
        self, deadline_ms: int | None, read_s: Callable[[], float] = time.perf_counter
    ) -> None:
        self._read_s = read_s
        self._start = self._last = read_s()
        self._deadline_ms = deadline_ms
        self._laps: dict[str, tuple[float, float]] = {}
        self._beside: dict[str, tuple[float, float]] = {}

    @property
    def has_deadline(self) -> bool:
        return self._deadline_ms is not None

    def lap(self, name: str) -> None:
        now = self._read_s()
        self._laps[name] = (self._last, now)
        self._last = now

    @contextmanager
    def beside(self, name: str) -> Iterator[None]:
        start = self._read_s()
        yield
        self._beside[name] = (start, self._read_s())

    def laps(self) -> dict[str, float]:
        """Milliseconds by name, none counted twice; `total` is all of them and what lay between."""
        beside = dict(self._beside)
        own = {
            name: end - start - sum(_shared((start, end), each) for each in beside.values())
            for name, (start, end) in self._laps.items()
        }
        booked = {name: end - start for name, (start, end) in beside.items()}
        spent = {**booked, **own, "total": self._read_s() - self._start}
        return {name: round(seconds * 1000, 2) for name, seconds in spent.items()}

    def left_ms(self, most: float = 60_000.0) -> float:
        if self._deadline_ms is None:
            return most
        spent = (self._read_s() - self._start) * 1000
        return min(most, max(0.0, self._deadline_ms - spent))


def _shared(one: tuple[float, float], other: tuple[float, float]) -> float:
    return max(0.0, min(one[1], other[1]) - max(one[0], other[0]))
