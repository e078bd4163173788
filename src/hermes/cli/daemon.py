"""`hermes start`, `stop`, `restart`: the daemon of a profile."""

import sys
from contextlib import suppress
from typing import Annotated

import typer

from hermes.cli.context import invocation
from hermes.cli.options import AsJson
from hermes.cli.render import aside, tell
from hermes.config.running import find_address, find_taken_port
from hermes.errors import NotFound
from hermes.server.launch import STOP_WAIT_S, Profile, start_daemon, stop_daemon
from hermes.server.logs import log_file

Force = Annotated[
    bool, typer.Option("--force", help="End it at once; what it was doing begins anew later.")
]
Timeout = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", min=0, help="How long to wait for its end.")
]


def start(
    foreground: Annotated[
        bool, typer.Option("--foreground", help="Stay here, for systemd, launchd or a terminal.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Start the daemon: it indexes, extracts facts, gives space back, and stays."""
    profile = _profile()
    if foreground:
        _stay(profile)
        return
    _make_key(profile)
    running = start_daemon(profile)
    url = find_address(profile.paths)
    told = {"profile": profile.paths.name, "pid": running.pid, "log": log_file(profile.paths.logs)}
    where = f"at {url}" if url else "without HTTP (server.enabled is false)"
    text = f"the daemon serves profile {profile.paths.name} {where}, pid {running.pid}"
    tell(text, as_json=as_json, **told, url=url)
    _tell_taken(profile)
    aside(f"its log is {log_file(profile.paths.logs)}")


def _tell_taken(profile: Profile) -> None:
    port = find_taken_port(profile.paths)
    if port is not None:
        insist = f"hermes config set server.port {port}"
        aside(f"port {port} is taken by another program, so it took the next free one")
        aside(f"to have that port or none: `{insist}`, then `hermes restart`")


def stop(force: Force = False, timeout_s: Timeout = STOP_WAIT_S, as_json: AsJson = False) -> None:
    """Stop the daemon once it has finished the step it is at; none running is no error."""
    paths = invocation().paths
    try:
        pid = stop_daemon(paths, force=force, wait_s=timeout_s)
    except NotFound as none:
        tell(f"{none.message} There is nothing to stop.", as_json=as_json, ended=None)
    else:
        tell(f"the daemon, pid {pid}, has ended", as_json=as_json, ended=pid)


def restart(
    force: Force = False, timeout_s: Timeout = STOP_WAIT_S, as_json: AsJson = False
) -> None:
    """Stop the daemon if one runs, and start it anew."""
    with suppress(NotFound):
        pid = stop_daemon(invocation().paths, force=force, wait_s=timeout_s)
        aside(f"the daemon, pid {pid}, has ended")
    start(as_json=as_json)


def _profile() -> Profile:
    called = invocation()
    return Profile(called.paths, called.environ, called.flags)


def _stay(profile: Profile) -> None:
    from hermes.server.daemon import run_daemon  # noqa: PLC0415 (all that the daemon works with)

    if sys.stderr.isatty():
        _make_key(profile)
    run_daemon(profile)


def _make_key(profile: Profile) -> None:
    """A new memory's recovery key is shown here, by a process someone looks at."""
    if list(profile.paths.keys.glob("*")):
        return
    from hermes.cli.opening import opened  # noqa: PLC0415 (takes longer than all the rest)

    with opened():
        pass
