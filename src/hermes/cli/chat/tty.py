"""Keeps what is typed while an answer is drawn from being written into it."""

import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet() -> Iterator[None]:
    """While it lasts, the terminal echoes nothing, not even ^C; keys are not lost."""
    if not sys.stdin.isatty():
        yield
        return
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    silent = [*before[:3], before[3] & ~(termios.ECHO | termios.ECHOCTL), *before[4:]]
    termios.tcsetattr(handle, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)
