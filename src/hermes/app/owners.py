"""Who works on jobs, by the name that stands in the store, and whether that one is still there."""

import os
import re
import socket

from hermes.config.paths import ProfilePaths
from hermes.config.running import find_daemon

_COMMAND = re.compile(r"run@(?P<host>.+):(?P<pid>[0-9]{1,9})")


def daemon_owner() -> str:
    """The daemon of this machine: there is one, so whoever is it now takes over from the last."""
    return f"daemon@{socket.gethostname()}"


def command_owner() -> str:
    """This process, working off jobs without a daemon."""
    return f"run@{socket.gethostname()}:{os.getpid()}"


def is_gone(owner: str, paths: ProfilePaths) -> bool:
    """Whether it is known that a worker has ended; one on another machine is not known about."""
    if owner == daemon_owner():
        return find_daemon(paths) is None
    found = _COMMAND.fullmatch(owner)
    return found is not None and found["host"] == socket.gethostname() and not _lives(found["pid"])


def _lives(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
