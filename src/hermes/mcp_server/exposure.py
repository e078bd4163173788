"""What a client was shown, as far as it matters: the least trusted text of it.

What it writes after that is worth no more. Over stdio a client is a process. Over HTTP it is
whoever holds a token, and is taken for a new conversation after an hour without a word.
"""

import time
from collections.abc import Callable

from hermes.types import Trust

QUIET_S = 3_600.0


class Shown:
    """The lowest trust shown to one client."""

    def __init__(
        self, quiet_s: float = float("inf"), now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._quiet_s = quiet_s
        self._now_s = now_s
        self._trust = Trust.MEDIUM
        self._heard_s = now_s()

    @property
    def trust(self) -> Trust:
        """The most that what the client writes now is worth."""
        self._hear()
        return self._trust

    def note(self, trust: Trust) -> None:
        """The client sees a text of this trust."""
        self._hear()
        self._trust = min(self._trust, trust)

    def _hear(self) -> None:
        now_s = self._now_s()
        if now_s - self._heard_s > self._quiet_s:
            self._trust = Trust.MEDIUM
        self._heard_s = now_s
