"""Starting and stopping a daemon from outside of it.

Nothing here imports what the daemon works with: whoever starts it should not wait for that twice.
"""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hermes.config.paths import ProfilePaths, ensure_layout
from hermes.config.running import Running, find_daemon
from hermes.errors import Conflict, Corrupt, HermesError, NotFound, Unavailable, UserError
from hermes.server.logs import log_file

READY_FD = "HERMES_READY_FD"
START_WAIT_S = 30.0
END_WAIT_S = 30.0  # for one that has said why it cannot go on
STOP_WAIT_S = 60.0
POLL_S = 0.02
_KINDS: dict[str, type[HermesError]] = {
    kind.__name__: kind for kind in (Conflict, Corrupt, NotFound, Unavailable, UserError)
}


@dataclass(frozen=True, slots=True)
class Profile:
    """Which profile to serve, and with which settings."""

    paths: ProfilePaths
    environ: Mapping[str, str]
    flags: Mapping[str, str]


def already_running(paths: ProfilePaths) -> Conflict:
    running = find_daemon(paths)
    pid = f" (pid {running.pid})" if running and running.pid else ""
    return Conflict(
        f"A daemon already serves profile {paths.name}{pid}.",
        "Stop it with `hermes stop`, or use `hermes restart`.",
    )


def daemon_command(profile: Profile) -> list[str]:
    """The command that serves a profile in the foreground."""
    settings = [
        part for key, value in profile.flags.items() for part in ("--set", f"{key}={value}")
    ]
    home = ["--home", str(profile.paths.home.root), "--profile", profile.paths.name]
    return [sys.executable, "-m", "hermes", *home, *settings, "start", "--foreground"]


def start_daemon(profile: Profile) -> Running:
    """Start a daemon in the background; returns once it is ready, or raises why it is not."""
    if find_daemon(profile.paths) is not None:
        raise already_running(profile.paths)
    ensure_layout(profile.paths)  # a home that holds settings only has no folder for its log
    reading, writing = os.pipe()
    try:
        process = _spawn(profile, writing)
    finally:
        os.close(writing)
    try:
        said = _read_line(reading, START_WAIT_S)
    finally:
        os.close(reading)
    if said is None:
        raise Unavailable(
            f"The daemon (pid {process.pid}) is not ready after {START_WAIT_S:g} seconds.",
            f"It may still come up: see `hermes status` and {log_file(profile.paths.logs)}.",
        )
    running = find_daemon(profile.paths) if "pid" in said else None
    if running is None:
        raise _failure(process, profile.paths, said)
    return running


def stop_daemon(paths: ProfilePaths, *, force: bool = False, wait_s: float = STOP_WAIT_S) -> int:
    """Have the daemon finish what runs and end; its pid. NotFound if none runs."""
    running = find_daemon(paths)
    if running is None or not running.pid:  # none, or one in its last or first instant
        raise NotFound(f"No daemon serves profile {paths.name}.", "Start one with `hermes start`.")
    os.kill(running.pid, signal.SIGKILL if force else signal.SIGTERM)
    give_up_s = time.monotonic() + wait_s
    while find_daemon(paths) is not None:
        if time.monotonic() > give_up_s:
            raise Unavailable(
                f"The daemon (pid {running.pid}) has not ended after {wait_s:g} seconds.",
                "See `hermes jobs list`; `hermes stop --force` ends it at once, losing nothing.",
            )
        time.sleep(POLL_S)
    return running.pid


def _spawn(profile: Profile, writing: int) -> "subprocess.Popen[bytes]":
    """The daemon, in a session of its own; what it says beside its log goes to a file."""
    environ = {**profile.environ, READY_FD: str(writing)}
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    out = os.open(_out_file(profile.paths), flags, 0o600)
    try:
        return subprocess.Popen(  # noqa: S603 (our own program, no shell)
            daemon_command(profile),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            cwd=profile.paths.root,
            env=environ,
            pass_fds=(writing,),
            start_new_session=True,
        )
    finally:
        os.close(out)


def _out_file(paths: ProfilePaths) -> Path:
    return paths.logs / "daemon.out"


def _read_line(handle: int, wait_s: float) -> dict[str, str] | None:
    """What the daemon says of itself: nothing if it ended without a word, None if it is slow."""
    give_up_s = time.monotonic() + wait_s
    said = b""
    while not said.endswith(b"\n"):
        left = give_up_s - time.monotonic()
        if left <= 0 or not select.select([handle], [], [], left)[0]:
            return None
        piece = os.read(handle, 4096)
        if not piece:
            return {}
        said += piece
    found: dict[str, str] = json.loads(said)
    return found


def _failure(
    process: "subprocess.Popen[bytes]", paths: ProfilePaths, said: dict[str, str]
) -> HermesError:
    code = process.wait(timeout=END_WAIT_S)
    if "message" in said:
        return _KINDS.get(said["kind"], HermesError)(said["message"], said["hint"])
    last = _out_file(paths).read_text("utf-8", errors="replace").strip().splitlines()[-1:]
    reason = f": {last[0]}" if last else ""
    return Unavailable(
        f"The daemon ended at once, with code {code}{reason}",
        f"See {_out_file(paths)} and {log_file(paths.logs)}.",
    )
