"""Asking for the recovery key as it was shown: on two lines, or as it was written down."""

import sys

import typer

from hermes.guard.recovery import KEY_LETTERS


def ask_recovery_key() -> str:
    """What a person types, or what comes in on standard input, up to a whole key."""
    written = _next_line(shown="Recovery key")
    while 0 < _letters(written) < KEY_LETTERS and _goes_on(written):
        more = _next_line(shown="Recovery key, next line")
        if not more.strip():
            break
        written += more
    return written


def _next_line(*, shown: str) -> str:
    if sys.stdin.isatty():
        return str(typer.prompt(shown, hide_input=True, err=True, default="", show_default=False))
    while line := sys.stdin.readline():
        if line.strip():
            return line
    return ""


def _goes_on(written: str) -> bool:
    """A person who has typed a whole line is asked for another only if a dash promises it."""
    return not sys.stdin.isatty() or written.rstrip().endswith("-")


def _letters(text: str) -> int:
    return sum(char.isalnum() for char in text)
