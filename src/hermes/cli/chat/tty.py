"""What is typed or pasted while an answer is drawn: not written into it, and taken as it came."""

import os
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


@contextmanager
def marked_pastes() -> Iterator[None]:
    """While it lasts, the terminal marks what is pasted, also where there is no prompt yet."""
    mark_pastes(on=True)
    try:
        yield
    finally:
        mark_pastes(on=False)


def mark_pastes(*, on: bool) -> None:
    """Have the terminal say where a paste begins and ends.

    The prompt does so for itself and stops when it ends. What is pasted then waits for the next
    one, which without the marks would take each line for a message.
    """
    if os.environ.get("TERM", "dumb") != "dumb":
        sys.stdout.write("\x1b[?2004h" if on else "\x1b[?2004l")
        sys.stdout.flush()
