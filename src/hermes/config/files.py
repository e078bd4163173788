"""Files that only their owner may read, replaced whole or not at all.

Every write of Hermes inside the home goes through here. Nothing here knows what the files mean.
"""

import contextlib
import fcntl
import os
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from hermes.errors import Conflict, Refused, UserError

DIR_MODE = 0o700
FILE_MODE = 0o600
LOCK_WAIT_S = 10.0
LOCK_RETRY_S = 0.02


def inside(root: Path, *parts: str) -> Path:
    """The path `parts` name below `root`; refuses to leave it, and to go through a link."""
    path = root
    for part in "/".join(parts).split("/"):
        if part in ("", ".", "..") or "\x00" in part or "\\" in part:
            raise Refused(
                f"{'/'.join(parts)!r} is not a path inside {root}",
                "Use a plain name, without '..', '//' or backslashes.",
            )
        path = path / part
    refuse_links(root, path)
    return path


def refuse_links(root: Path, path: Path) -> None:
    """Raise if `path`, or a folder between it and `root`, is a symbolic link."""
    if not path.is_relative_to(root) or ".." in path.parts:
        raise Refused(f"{path} is outside {root}", "Keep Hermes' own files inside its home.")
    current = root
    for part in path.relative_to(root).parts:
        current = current / part
        if current.is_symlink():
            raise Refused(
                f"{current} is a symbolic link",
                "Replace it by the file or folder it points to; the home itself may be a link.",
            )


def list_links(root: Path) -> list[Path]:
    """Every symbolic link below `root`, however deep."""
    found = []
    for folder, dirs, files in os.walk(root, followlinks=False):
        found += [p for name in (*dirs, *files) if (p := Path(folder, name)).is_symlink()]
    return sorted(found)


def make_private_dir(path: Path) -> None:
    """Make `path` a folder only its owner may enter, whatever the umask."""
    try:
        path.mkdir(mode=DIR_MODE, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise UserError(f"{path} is in the way: not a folder", "Move that file away.") from error
    set_mode(path, DIR_MODE)


def set_mode(path: Path, mode: int) -> None:
    """Give `path` exactly `mode`; a file that is not there is left so."""
    try:
        if stat.S_IMODE(path.lstat().st_mode) != mode:
            path.chmod(mode)
    except FileNotFoundError:
        return
    except PermissionError as error:
        raise UserError(
            f"{path} belongs to another user, so it cannot be kept private",
            "Take it over with chown, or choose another home with HERMES_HOME.",
        ) from error


def is_private(path: Path) -> bool:
    """Whether no one but the owner may read or write `path`."""
    return not path.stat().st_mode & 0o077


def write_atomic(path: Path, text: str) -> None:
    """Replace `path` by `text`: after a power cut the old file is there or the new one."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        write_new(draft, text)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync_dir(path.parent)


def write_new(path: Path, text: str) -> None:
    """Write a file that must not exist yet, 0600 and on the disk when this returns."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, FILE_MODE)
    with os.fdopen(handle, "wb") as file:
        os.fchmod(handle, FILE_MODE)
        file.write(text.encode())
        file.flush()
        os.fsync(handle)


def sync_dir(path: Path) -> None:
    """Make the names in a folder durable."""
    _sync(path, os.O_DIRECTORY)


def sync_file(path: Path) -> None:
    """Make what a file holds durable."""
    _sync(path, os.O_NOFOLLOW)


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, os.O_RDONLY | flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def locked(path: Path, wait_s: float = LOCK_WAIT_S) -> Iterator[None]:
    """Hold the lock file `path` alone among processes; the system lets go of it if we die.

    Whoever holds it may remove it: who waited for a file that is gone waits for the next one.
    """
    give_up_at = time.monotonic() + wait_s
    handle = _open_locked(path, wait_s, give_up_at)
    while not _is_at(handle, path):
        os.close(handle)
        handle = _open_locked(path, wait_s, give_up_at)
    try:
        yield
    finally:
        os.close(handle)


def _open_locked(path: Path, wait_s: float, give_up_at: float) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, FILE_MODE)
    try:
        _wait_for_lock(handle, path, wait_s, give_up_at)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _is_at(handle: int, path: Path) -> bool:
    """Whether an open file is still the one its name leads to."""
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except FileNotFoundError:
        return False


def _wait_for_lock(handle: int, path: Path, wait_s: float, give_up_at: float) -> None:
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= give_up_at:
                raise Conflict(
                    f"another process has held {path.name} for {wait_s:g} s",
                    "Wait for the other hermes command to end, or stop it.",
                ) from None
            time.sleep(LOCK_RETRY_S)
