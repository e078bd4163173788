"""The daemon: one process a profile that works in the background until it is told to stop.

Here is the process only: its lock, its files, its signals, its log. What it does is the App's.
"""

import contextlib
import fcntl
import json
import logging
import os
import secrets
import signal
import socket
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from hermes import __version__
from hermes.app import App, open_app
from hermes.clock import SystemClock
from hermes.config.files import FILE_MODE, write_atomic
from hermes.config.paths import ProfilePaths, ensure_layout
from hermes.config.running import damage_file, lock_file, pid_file, token_file
from hermes.errors import Conflict, Corrupt, HermesError
from hermes.server.http.listen import Listening, listening
from hermes.server.launch import READY_FD, Profile, already_running
from hermes.server.logs import write_log
from hermes.server.shift import Shift

log = logging.getLogger("hermes.daemon")
LOCK_WAIT_S = 0.5
STOPPING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def run_daemon(profile: Profile) -> None:
    """Serve a profile until a signal comes; what runs is then brought to its end."""
    os.umask(0o077)
    with _reporting(profile) as ready, contextlib.ExitStack() as held:
        ensure_layout(profile.paths)
        held.enter_context(_holding(profile.paths))
        held.enter_context(write_log(profile.paths.logs, to_stderr=READY_FD not in profile.environ))
        signals = held.enter_context(_signals())
        app = held.enter_context(open_app(profile.paths, profile.environ, flags=profile.flags))
        _claim_database(app)
        app.health.expect_sound()
        shift = Shift(app, lambda: signal.raise_signal(signal.SIGTERM))
        place = held.enter_context(_listening(app))
        _greet(app)
        damage_file(profile.paths).unlink(missing_ok=True)
        held.enter_context(_doors(app, place, shift))
        ready()
        _work_until(signals, shift)
        log.info("stopped")


def _listening(app: App) -> contextlib.AbstractContextManager[Listening | None]:
    """The socket of the HTTP server, unless that is switched off: who calls early is queued."""
    return listening(app) if app.config.server.enabled else contextlib.nullcontext()


def _doors(
    app: App, place: Listening | None, shift: Shift
) -> contextlib.AbstractContextManager[object]:
    """The HTTP server on its socket; it ends before the App does."""
    if place is None:
        return contextlib.nullcontext()
    # FastAPI takes as long to load as all the rest: a store that cannot be opened is told before.
    from hermes.server.http.serve import serving  # noqa: PLC0415

    return serving(app, place, resting=shift.resting)


def _greet(app: App) -> None:
    log.info("Hermes %s serves profile %s, pid %d", __version__, app.paths.name, os.getpid())
    log.info("workspace/MEMORY.md has %d characters", len(app.daemon.read_seed()))
    found = app.daemon.status()
    log.info("%d jobs to do, %d dead", found.unfinished, found.dead)


def _work_until(signals: int, shift: Shift) -> None:
    """Let the worker work until a byte comes on `signals`: from a signal, or from its own end."""
    shift.begin()
    got = os.read(signals, 1)
    log.info("%s: finishing what runs", signal.Signals(got[0]).name)
    shift.end()
    if shift.failure is not None:
        raise shift.failure


@contextlib.contextmanager
def _signals() -> Iterator[int]:
    """A file that can be read once a signal asks the process to stop.

    The handlers themselves do nothing: almost nothing is safe to do in one.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = {number: signal.signal(number, lambda *_: None) for number in STOPPING}
    woken = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        yield reading
    finally:
        signal.set_wakeup_fd(woken)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(reading)
        os.close(writing)


@contextlib.contextmanager
def _holding(paths: ProfilePaths) -> Iterator[None]:
    """Be the one daemon of a profile, and say who is.

    The lock is never given back here: the system does it when the process is gone, which is what
    `hermes stop` waits for.
    """
    _lock(lock_file(paths), already_running(paths))
    pid_file(paths).unlink(missing_ok=True)  # of one that died
    try:
        write_atomic(pid_file(paths), f"{os.getpid()} {SystemClock().now()}\n")
        ensure_token(token_file(paths))
        yield
    finally:
        pid_file(paths).unlink(missing_ok=True)


def _claim_database(app: App) -> None:
    """Be the one daemon of a database file, whichever profile and home lead to it."""
    if app.config.memory.backend != "sqlite":
        return
    database = app.paths.resolve(app.config.memory.path, app.paths.database)
    taken = Conflict(
        f"A daemon already serves {database}, from another profile or home.",
        "Stop that one, or set memory.path to another file.",
    )
    _lock(database.with_name(database.name + ".daemon"), taken)


def _lock(file: Path, taken: Conflict) -> None:
    """Take a lock; whoever only looks whether a daemon runs holds it for an instant."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    handle = os.open(file, flags, FILE_MODE)
    give_up_s = time.monotonic() + LOCK_WAIT_S
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > give_up_s:
                os.close(handle)
                raise taken from None
            time.sleep(0.02)


def ensure_token(file: Path) -> None:
    """The token clients of the daemon show: made once, and kept."""
    if not file.exists():
        write_atomic(file, secrets.token_urlsafe(32) + "\n")


class _Ready:
    """Tells whoever started the daemon that it is ready, or why it is not."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._fd = int(environ[READY_FD]) if READY_FD in environ else None
        self._systemd = environ.get("NOTIFY_SOCKET", "")

    def __call__(self) -> None:
        self._tell({"pid": os.getpid()})
        if self._systemd:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
                notify.sendto(b"READY=1", self._systemd.replace("@", "\0", 1))

    def failed(self, error: HermesError) -> None:
        self._tell({"kind": error.kind, "message": error.message, "hint": error.hint})

    def _tell(self, said: Mapping[str, object]) -> None:
        if self._fd is None:
            return
        with contextlib.suppress(BrokenPipeError):  # whoever started us did not wait
            os.write(self._fd, json.dumps(said).encode() + b"\n")
        os.close(self._fd)
        self._fd = None


@contextlib.contextmanager
def _reporting(profile: Profile) -> Iterator[_Ready]:
    """Tells why it ends, whoever waits for it; of a damaged store also whoever looks later."""
    ready = _Ready(profile.environ)
    try:
        yield ready
    except Corrupt as error:
        write_atomic(damage_file(profile.paths), error.message + "\n")
        ready.failed(error)
        raise
    except HermesError as error:
        ready.failed(error)
        raise
