"""Whether a daemon runs for a profile.

The daemon holds a lock on a file in `run/` for as long as it lives; the system lets go of it when
the daemon dies, however it dies. The file with its pid is for people and for `hermes stop`: on its
own it proves nothing.
"""

import fcntl
import json
import os
from dataclasses import dataclass
from pathlib import Path

from hermes.clock import SECOND_MS
from hermes.config.files import FILE_MODE
from hermes.config.paths import ProfilePaths


@dataclass(frozen=True, slots=True)
class Running:
    """A daemon that is alive; `pid` is 0 in the moment before it has written it down."""

    pid: int
    started_at: int


def lock_file(paths: ProfilePaths) -> Path:
    return paths.run / "daemon.lock"


def pid_file(paths: ProfilePaths) -> Path:
    return paths.run / "daemon.pid"


def token_file(paths: ProfilePaths) -> Path:
    return paths.run / "token"


def address_file(paths: ProfilePaths) -> Path:
    """Where the daemon says at which address it serves; there only while it does."""
    return paths.run / "http.json"


def find_address(paths: ProfilePaths) -> str | None:
    """Where a daemon serves over HTTP, or None; what a dead one left behind does not count."""
    try:
        told = json.loads(address_file(paths).read_text("utf-8"))
        url = str(told["url"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
    return url if _is_locked(lock_file(paths)) else None


def find_taken_port(paths: ProfilePaths) -> int | None:
    """The port a daemon would serve on, where another program has it; None where it does."""
    try:
        told = json.loads(address_file(paths).read_text("utf-8"))
        return int(told["taken"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def find_daemon(paths: ProfilePaths) -> Running | None:
    """The daemon of a profile, or None; a pid file left behind by a dead one does not count."""
    if not _is_locked(lock_file(paths)):
        return None
    try:
        pid, started_at = pid_file(paths).read_text("ascii").split()
        return Running(int(pid), int(started_at))
    except (FileNotFoundError, ValueError):
        return Running(0, 0)


def is_outdated(paths: ProfilePaths, daemon: Running) -> bool:
    """Whether the settings were written after a daemon read them."""
    if not daemon.started_at:
        return False
    files = [file for file in (paths.config_file, paths.env_file) if file.exists()]
    return any(file.stat().st_mtime * SECOND_MS > daemon.started_at for file in files)


def damage_file(paths: ProfilePaths) -> Path:
    """What the last daemon said of a store it could not go on with."""
    return paths.run / "damage.txt"


def find_damage(paths: ProfilePaths) -> str:
    """Why the last daemon could not go on with its store; empty where it could."""
    try:
        return damage_file(paths).read_text("utf-8").strip()
    except FileNotFoundError:
        return ""


def was_cut_short(paths: ProfilePaths) -> bool:
    """Whether the last daemon ended without a word: a kill, or a power cut, leaves its pid file."""
    return pid_file(paths).exists() and not _is_locked(lock_file(paths))


def _is_locked(file: Path) -> bool:
    try:
        handle = os.open(file, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, FILE_MODE)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
