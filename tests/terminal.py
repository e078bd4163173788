"""A program in a terminal of its own, typed at by a test."""

import os
import pty
import select
import subprocess
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE_S = 60
SIZE = (40, 100)  # rows and columns


class Terminal:
    """Runs a program on a pseudo-terminal; `shown` is all it wrote so far."""

    def __init__(self, workdir: Path, argv: Sequence[str]) -> None:
        self._workdir = workdir
        self._argv = argv
        self.shown = ""
        self._read = 0

    def __enter__(self) -> Self:
        self._master, end = pty.openpty()
        termios.tcsetwinsize(end, SIZE)
        environ = {**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self._program = subprocess.Popen(
            self._argv, cwd=self._workdir, stdin=end, stdout=end, stderr=end, env=environ
        )
        os.close(end)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._program.kill()
        self._program.wait()
        os.close(self._master)

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def type_after(self, text: str, keys: str) -> None:
        """Type once `text` is shown, later than what was waited for before."""
        deadline = time.monotonic() + PATIENCE_S
        while (place := self.shown.find(text, self._read)) < 0:
            assert self._take(deadline), f"{text!r} was never shown:\n{self.shown}"
        self._read = place + len(text)
        self.type(keys)

    def wait(self) -> int:
        """The program's exit code."""
        deadline = time.monotonic() + PATIENCE_S
        while self._take(deadline):
            pass
        return self._program.wait(PATIENCE_S)

    def _take(self, deadline: float) -> bool:
        """Read what is shown next; False at the end, or when it took too long."""
        left = max(0.0, deadline - time.monotonic())
        if not select.select([self._master], [], [], left)[0]:
            return False
        try:
            piece = os.read(self._master, 65_536)
        except OSError:  # the program has left the terminal
            return False
        self.shown += piece.decode(errors="replace")
        return bool(piece)
