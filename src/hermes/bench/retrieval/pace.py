"""How far a run over many histories has come, and about how long it still takes."""

import time
from collections.abc import Callable

MINUTE_S = 60
HOUR_S = 60 * MINUTE_S


class Pace:
    """Preparing histories (recording, embedding) and asking them are timed apart: a group of them
    is prepared before the first of it is asked.
    """

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._total = total
        self._clock = clock
        self._since = clock()
        self._prepared = self._asked = 0
        self._preparing_s = self._asking_s = 0.0

    def prepare(self, histories: int) -> None:
        """So many more were prepared since the last call of either."""
        self._prepared += histories
        self._preparing_s += self._lap()

    def ask(self) -> None:
        """One more was asked since the last call of either."""
        self._asked += 1
        self._asking_s += self._lap()

    def tell(self) -> str:
        done = f"{self._asked:,} of {self._total:,} histories done"
        left_s = self._left_s()
        return done if left_s is None else f"{done}, about {_render_span(left_s)} left"

    def _left_s(self) -> float | None:
        """By what one took so far on average; None before there is one, and after the last."""
        if not self._asked or self._asked == self._total:
            return None
        to_prepare, to_ask = self._total - self._prepared, self._total - self._asked
        return (
            self._preparing_s / self._prepared * to_prepare + self._asking_s / self._asked * to_ask
        )

    def _lap(self) -> float:
        since, self._since = self._since, self._clock()
        return self._since - since


def _render_span(seconds: float) -> str:
    if seconds < MINUTE_S:
        return f"{max(1, round(seconds))} s"
    if seconds < 2 * HOUR_S:
        return f"{round(seconds / MINUTE_S)} min"
    return f"{seconds / HOUR_S:.1f} h"
