"""How long the steps of a recall take, and how long it may still take."""

import time


class Stopwatch:
    """Laps of one question, and how long it may still take."""

    def __init__(self, deadline_ms: int | None) -> None:
        self._start = self._last = time.perf_counter()
        self._deadline_ms = deadline_ms
        self._laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self._laps[name] = round((now - self._last) * 1000, 2)
        self._last = now

    def laps(self) -> dict[str, float]:
        return {**self._laps, "total": round((time.perf_counter() - self._start) * 1000, 2)}

    def left_ms(self, most: float = 60_000.0) -> float:
        if self._deadline_ms is None:
            return most
        spent = (time.perf_counter() - self._start) * 1000
        return min(most, max(0.0, self._deadline_ms - spent))
