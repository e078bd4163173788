"""The daemon's log file: only its owner reads it, and it never grows beyond a few megabytes."""

import contextlib
import logging
import os
from collections.abc import Iterator
from logging.handlers import RotatingFileHandler
from pathlib import Path

from hermes.clock import render_time
from hermes.config.files import FILE_MODE

MAX_BYTES = 5_000_000
KEPT = 4


def log_file(logs: Path) -> Path:
    return logs / "daemon.log"


@contextlib.contextmanager
def write_log(logs: Path, *, to_stderr: bool) -> Iterator[None]:
    """Send what Hermes logs to `logs/daemon.log`, and to stderr where someone listens."""
    handlers: list[logging.Handler] = [_file_handler(log_file(logs))]
    if to_stderr:
        handlers.append(logging.StreamHandler())
    root = logging.getLogger("hermes")
    level = root.level
    root.setLevel(logging.INFO)
    for handler in handlers:
        handler.setFormatter(_Format())
        root.addHandler(handler)
    try:
        yield
    finally:
        root.setLevel(level)
        for handler in handlers:
            root.removeHandler(handler)
            handler.close()


def _file_handler(file: Path) -> logging.Handler:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    os.close(os.open(file, flags, FILE_MODE))
    return RotatingFileHandler(file, maxBytes=MAX_BYTES, backupCount=KEPT, encoding="utf-8")


class _Format(logging.Formatter):
    """`2026-01-05T09:00:00Z INFO daemon: text`, in UTC."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        return render_time(round(record.created * 1000))

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).replace(" hermes.", " ", 1)
