"""Hearing of changes by LISTEN: a hint above polling, which a broken connection only delays."""

import threading
from collections.abc import Callable

import psycopg

from hermes.store.postgres.server import Server, connect
from hermes.store.postgres.writer import CHANNEL

_WAIT_S = 0.5
_AGAIN_S = 1.0


class Listener:
    """Tells of the number of the last change of a profile, from a thread of its own.

    0 is told where changes may have been missed.
    """

    def __init__(self, server: Server, profile: int, on_change: Callable[[int], None]) -> None:
        self._server = server
        self._prefix = f"{profile}:"
        self._on_change = on_change
        self._stopped = threading.Event()
        self.ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hermes-listen", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._listen()
            except psycopg.OperationalError:  # the server is away: what was missed is polled for
                self._stopped.wait(_AGAIN_S)

    def _listen(self) -> None:
        raw = connect(self._server)
        try:
            raw.execute(f"LISTEN {CHANNEL}")
            if self.ready.is_set():
                self._on_change(0)  # the connection was away: something may have been missed
            self.ready.set()
            while not self._stopped.is_set():
                for note in raw.notifies(timeout=_WAIT_S):
                    if note.payload.startswith(self._prefix):
                        self._on_change(int(note.payload.removeprefix(self._prefix)))
                    if self._stopped.is_set():
                        return
        finally:
            raw.close()
