"""A database in a place that may not be written: how it is read all the same, or why it cannot be.

A database with a write-ahead log is read through a file that SQLite makes beside it. Where nothing
can be made, one whose log is folded in can be read as it lies; one whose log still holds something
only while the files beside it are there.
"""

import os
from pathlib import Path

import apsw

from hermes.errors import Unavailable

FLAGS = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


def find_seal(path: Path) -> str | None:
    """Why nothing can be made beside `path`; None where it can, or where there is no folder."""
    folder = path.parent
    if not folder.is_dir() or os.access(folder, os.W_OK):  # asks the file system, also for root
        return None
    if os.statvfs(folder).f_flag & os.ST_RDONLY:
        return f"{folder} is on a read-only file system"
    return f"you may not write to the folder {folder}"


def sealed_address(path: Path) -> str:
    """How SQLite is told to read the file; as unchanging only where no one has a log of it."""
    log, shared = Path(f"{path}-wal"), Path(f"{path}-shm")
    is_open = log.exists() and (log.stat().st_size > 0 or shared.exists())
    return f"{path.absolute().as_uri()}?{'mode=ro' if is_open else 'immutable=1'}"


def refuse_sealed(path: Path, reason: str, error: apsw.Error) -> Unavailable:
    """The error of a database that cannot be used, by what is in its way."""
    if isinstance(error, apsw.ReadOnlyError) or not path.exists():
        return Unavailable(
            f"Nothing can be kept in {path}: {reason}.",
            "What is there can be read. To write, make the place writable, or copy the home to one "
            "that is and set HERMES_HOME.",
        )
    return Unavailable(
        f"{path} cannot be read: {reason}, and {path.name}-wal holds changes that SQLite reads "
        f"through {path.name}-shm, which it would have to make ({error}).",
        "Copy the home to a place that can be written and set HERMES_HOME, or run a command once "
        "as who may write: that folds the changes in.",
    )
