"""Small secret files that come into being whole, once, and are never overwritten.

Several processes may open a new home at the same moment; whichever links its file first has made
the key for all of them. Knows paths and bytes, not what the bytes open.
"""

import errno
import os
import secrets
import stat
from pathlib import Path

from hermes.errors import Conflict, Corrupt, Refused, Unavailable

_PRIVATE = 0o600
_LONGEST = 64 * 1024
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


def create_once(path: Path, content: bytes) -> bool:
    """Write a private file that must not exist yet; False when another was first."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        _write_new(draft, content)
        is_first = _link_once(draft, path, content)
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be written: {error.strerror}.",
            "Check the directory's owner, permissions and free space.",
        ) from error
    finally:
        draft.unlink(missing_ok=True)
    _sync_directory(path.parent)
    return is_first


def load_private(path: Path, *, is_chosen: bool = False) -> bytes | None:
    """The bytes of a private file, or None; a link or a file others can read is refused.

    `is_chosen` marks a path the person named themselves: it may be a link, as mounted secrets are,
    and its group may read it.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if is_chosen else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(path, error) from error
    try:
        _check_mode(path, os.fstat(descriptor).st_mode, 0o007 if is_chosen else 0o077)
        return os.read(descriptor, _LONGEST)
    finally:
        os.close(descriptor)


def expect_length(path: Path, content: bytes, length: int) -> bytes:
    """The content, if it has the length it was written with."""
    if len(content) != length:
        raise Corrupt(
            f"The key file {path} has {len(content)} bytes instead of {length}.",
            "Put the original file back, or restore it from the recovery key.",
        )
    return content


def expect_same(path: Path, content: bytes, kept: bytes | None) -> None:
    """Refuse to put another content in the place of one that is kept."""
    if kept is not None and kept != content:
        raise Conflict(
            f"{path} already holds a different key.",
            "Move that file away first if it is really the wrong one; it is never overwritten.",
        )


def _link_once(draft: Path, path: Path, content: bytes) -> bool:
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return _write_once(path, content)
    return True


def _write_once(path: Path, content: bytes) -> bool:
    """For file systems without links: exclusive, though a racing reader may see it half-written."""
    try:
        _write_new(path, content)
    except FileExistsError:
        return False
    return True


def _write_new(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _PRIVATE)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, _PRIVATE)
        file.write(content)
        file.flush()
        os.fsync(descriptor)


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _check_mode(path: Path, mode: int, open_to: int) -> None:
    if not stat.S_ISREG(mode):
        raise Refused(
            f"{path} is not a plain file.", "Point memory.keyPath to the key file itself."
        )
    if stat.S_IMODE(mode) & open_to:
        raise Refused(
            f"The key file {path} can be read by others (mode {stat.S_IMODE(mode):04o}).",
            f"Run: chmod 600 {path}",
        )


def _unreadable(path: Path, error: OSError) -> Refused | Unavailable:
    if error.errno == errno.ELOOP:
        return Refused(
            f"The key file {path} is a symbolic link.",
            "Links inside the home are refused; name the real place with memory.keyPath.",
        )
    return Unavailable(
        f"The key file {path} cannot be read: {error.strerror}.",
        "Check its owner and permissions.",
    )
