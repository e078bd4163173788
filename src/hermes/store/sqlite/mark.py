"""The high-water mark: the last change known to be on disk, kept outside the database.

A write-ahead log that is cut off or swapped for an older copy leaves a database that looks sound
and has forgotten acknowledged writes. The mark, a small file beside it, remembers how far it had
come. It is written now and then, without a flush: it may lag behind, and never runs ahead.
"""

import os
import threading
import time
from pathlib import Path

from hermes.errors import Corrupt

SAVE_EVERY_S = 1.0


class HighWaterMark:
    def __init__(self, file: Path, seq: int) -> None:
        self._file = file
        self._seq = seq
        self._saved = seq
        self._saved_s = time.monotonic()
        self._lock = threading.Lock()

    @classmethod
    def open(cls, database: Path, seq: int) -> "HighWaterMark":
        """The mark beside `database`, which is at `seq`; Corrupt if it had been further."""
        file = mark_file(database)
        seen = _load(file)
        if seen > seq:
            raise Corrupt(
                f"{database} ends at change {seq}, but change {seen} had been acknowledged: "
                "its write-ahead log was cut off, or an older copy was put in its place.",
                f"Bring back the newer files or a backup; to accept the loss, delete {file}.",
            )
        return cls(file, seq)

    def raise_to(self, seq: int) -> None:
        with self._lock:
            self._seq = max(self._seq, seq)
            due = time.monotonic() - self._saved_s >= SAVE_EVERY_S
        if due:
            self.save()

    def save(self) -> None:
        with self._lock:
            if self._seq > self._saved:
                _save(self._file, self._seq)
                self._saved = self._seq
            self._saved_s = time.monotonic()


def mark_file(database: Path) -> Path:
    return database.with_name(database.name + ".mark")


def refuse_to_begin_anew(database: Path) -> None:
    """Corrupt where a database is gone or empty that had acknowledged something."""
    seen = _load(mark_file(database))
    there = database.is_file()
    if seen and not (there and database.stat().st_size):
        raise Corrupt(
            f"{database} is {'empty' if there else 'missing'}, but change {seen} had been "
            "acknowledged in it.",
            "Bring it back, or restore a backup (`hermes backup list`); to begin anew, "
            f"delete {mark_file(database)}.",
        )


def _save(file: Path, seq: int) -> None:
    """Put `seq` on file in one step, under a name that no other process uses meanwhile.

    A mark that cannot be written stays behind, which is safe: the write it stands for is kept.
    """
    new = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        new.write_text(f"{seq}\n", "ascii")
        new.chmod(0o600)
        if _load(file) < seq:  # another process may have come further
            new.replace(file)
        else:
            new.unlink()
    except OSError:
        new.unlink(missing_ok=True)


def _load(file: Path) -> int:
    try:
        return int(file.read_text("ascii"))
    except (FileNotFoundError, ValueError):
        return 0
