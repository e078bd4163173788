"""A timer for tests, which rings when it is told to."""

from collections.abc import Callable

from hermes.embed.idle_model import Cancel


class Timer:
    """Remembers what was asked of it; only the last one asked for can still ring."""

    def __init__(self) -> None:
        self.delays_s: list[float] = []
        self._work: Callable[[], None] | None = None

    def __call__(self, delay_s: float, work: Callable[[], None]) -> Cancel:
        self.delays_s.append(delay_s)
        self._work = work
        return self._cancel

    @property
    def is_set(self) -> bool:
        return self._work is not None

    def ring(self) -> None:
        work, self._work = self._work, None
        assert work is not None
        work()

    def _cancel(self) -> None:
        self._work = None
