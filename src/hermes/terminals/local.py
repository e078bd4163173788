"""Commands as processes of this machine, each with its children in a group of its own.

A command does not outlive the program that runs it, however that ends. A watcher reads a pipe that
nobody but the program holds: first the number of the command's group, then a word that all is well.
Where the pipe ends without it, the program is gone, and the watcher kills the group.
"""

import asyncio
import codecs
import contextlib
import os
import resource
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field

from hermes.errors import UserError
from hermes.interrupts import see_through
from hermes.terminals.base import Command, Finished

STOP_WAIT_S = 2.0
"""How long a command may tidy up after it was told to stop."""
LINGER_S = 0.5
"""How long output is awaited after the command ended: a child it left behind may hold the pipe."""
_PIECE = 65_536
_WATCH = """\
read -r group && [ "$group" ] || exit 0
read -r word || kill -KILL -"$group"
"""
_BEGIN = 'echo $$; read -r word || exit; exec "$0" -c "$1" </dev/null >&2'
"""Tells the watcher the group, waits until its limits are set, then becomes the shell of the
command. The watcher's pipe comes as output and the word to begin as input, as a shell numbers files
by one digit only; the command gets neither."""


@dataclass(slots=True)
class _Output:
    """The first and the last bytes of an output of any length."""

    limit: int
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    dropped: int = 0

    def add(self, piece: bytes) -> None:
        room = self.limit // 2 - len(self.head)
        self.head += piece[: max(0, room)]
        self.tail += piece[max(0, room) :]
        if (over := len(self.tail) - self.limit // 2) > 0:
            del self.tail[:over]
            self.dropped += over

    def render(self) -> str:
        if not self.dropped:
            return bytes(self.head + self.tail).decode("utf-8", "replace")
        cut = f"\n[… {self.dropped:,} bytes left out …]\n"
        head, tail = (bytes(part).decode("utf-8", "replace") for part in (self.head, self.tail))
        return head + cut + tail


class LocalTerminal:
    """Runs commands by a shell of this machine."""

    def __init__(self, shell: str = "/bin/sh") -> None:
        self._shell = shell

    async def run(
        self, command: Command, on_output: Callable[[str], None] | None = None
    ) -> Finished:
        started = time.monotonic()
        output = _Output(command.max_output_bytes)
        async with _watched(self._shell) as lifeline, _pipe(output, on_output) as inlet:
            process = await self._start(command, inlet, lifeline)
            try:
                code = await _wait(process, command.timeout_s)
            finally:
                await _stop(process)
        return Finished(code, output.render(), time.monotonic() - started, output.dropped)

    async def _start(
        self, command: Command, inlet: int, lifeline: int
    ) -> asyncio.subprocess.Process:
        outlet, gate = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                self._shell,
                "-c",
                _BEGIN,
                self._shell,
                command.line,
                cwd=command.workdir,
                env=dict(command.environ),
                stdin=outlet,
                stdout=lifeline,
                stderr=inlet,
                start_new_session=True,
            )
            _limit(process.pid, command.limits)
            with contextlib.suppress(BrokenPipeError):  # somebody ended it at once
                os.write(gate, b"\n")
            return process
        except (OSError, ValueError) as error:
            raise _not_started(error, f"the folder {command.workdir} and {self._shell}") from error
        finally:
            for end in (inlet, outlet, gate):
                os.close(end)


def _limit(pid: int, limits: Mapping[int, int]) -> None:
    """Set hard limits of a process that waits; one that is lower already stays as it is."""
    if sys.platform == "linux":
        for name, value in limits.items():
            with contextlib.suppress(OSError, ValueError):  # lower already, or not ours to set
                resource.prlimit(pid, name, (value, value))


@contextlib.asynccontextmanager
async def _watched(shell: str) -> AsyncIterator[int]:
    """The end of the watcher's pipe that keeps a command alive.

    What a command that ended left running on purpose goes on: then all is well, too.
    """
    outlet, inlet = os.pipe()
    try:
        watcher = await _start_watcher(shell, outlet)
        try:
            yield inlet
        finally:
            with contextlib.suppress(BrokenPipeError):  # somebody ended the watcher
                os.write(inlet, b"\n")
            await see_through(watcher.wait())
    finally:
        os.close(inlet)


async def _start_watcher(shell: str, outlet: int) -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            *(shell, "-c", _WATCH),
            cwd="/",
            env={},
            stdin=outlet,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise _not_started(error, shell) from error
    finally:
        os.close(outlet)


def _not_started(error: Exception, what: str) -> UserError:
    return UserError(f"the command could not be started: {error}", f"Check {what}.")


@contextlib.asynccontextmanager
async def _pipe(output: _Output, on_output: Callable[[str], None] | None) -> AsyncIterator[int]:
    """The end of a pipe for the command, which closes it; what comes through goes to `output`.

    The pipe is ours, not the process's: a child left behind may keep it open, and must not keep us.
    """
    outlet, inlet = os.pipe()
    stream = asyncio.StreamReader()
    try:
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(outlet, "rb", 0)
        )
    except BaseException:  # interrupted: nobody else closes it
        os.close(inlet)
        raise
    reader = asyncio.create_task(_read(stream, output, on_output))
    try:
        yield inlet
    finally:
        try:
            await asyncio.wait({reader}, timeout=LINGER_S)
        finally:
            reader.cancel()
            transport.close()
        with contextlib.suppress(asyncio.CancelledError):
            await reader


async def _read(
    stream: asyncio.StreamReader, output: _Output, on_output: Callable[[str], None] | None
) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while piece := await stream.read(_PIECE):
        output.add(piece)
        if on_output is not None and (text := decoder.decode(piece)):
            on_output(text)


async def _wait(process: asyncio.subprocess.Process, timeout_s: float) -> int | None:
    try:
        return await asyncio.wait_for(process.wait(), timeout_s)
    except TimeoutError:
        return None


async def _stop(process: asyncio.subprocess.Process) -> None:
    """End a command that still runs, and whatever it started: asked first, then made to."""
    if process.returncode is not None:
        return
    try:
        _signal(process.pid, signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), STOP_WAIT_S)
    finally:
        _signal(process.pid, signal.SIGKILL)  # the shell may be gone, and a child of it not
        await see_through(process.wait())


def _signal(group: int, sign: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, sign)
