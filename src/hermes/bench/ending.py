"""Being told to end: a run that is ended removes what it made for itself, as by Ctrl-C."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDED = 128 + signal.SIGTERM


@contextmanager
def ending_tidily() -> Iterator[None]:
    """SIGTERM leaves every block on its way out; it would end the process where it stands."""
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(_number: int, _frame: FrameType | None) -> None:
    sys.exit(ENDED)
