"""Hearing of changes by LISTEN: a hint above polling, which a broken connection only delays.

Who listens is known to the others by a lock that any number may hold.
"""

import threading
from collections.abc import Callable
from contextlib import suppress

import psycopg

from hermes.store.postgres.connection import Connection
from hermes.store.postgres.server import Server, connect
from hermes.store.postgres.standing import LOCK_SPACE
from hermes.store.postgres.writer import CHANNEL

_WAIT_S = 0.5
_AGAIN_S = 1.0
_CLOSE_S = 2.0
_PRESENCE = LOCK_SPACE + 1
_PRESENT = f"""SELECT DISTINCT coalesce(a.application_name, '') FROM pg_locks l
  LEFT JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.locktype = 'advisory' AND l.classid = {_PRESENCE} AND l.objid = ?::int8::oid
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ORDER BY 1"""


class Listener:
    """Tells of the number of the last change of a profile, from a thread of its own.

    0 is told where changes may have been missed.
    """

    def __init__(
        self, server: Server, profile: int, on_change: Callable[[int], None], who: str = ""
    ) -> None:
        self._server = server
        self._profile = profile
        self._who = who
        self._prefix = f"{profile}:"
        self._on_change = on_change
        self._stopped = threading.Event()
        self.ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hermes-listen", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stopped.set()
        self._thread.join(_CLOSE_S)  # connecting may take longer; it ends by itself then

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._listen()
            except psycopg.Error:  # the server is away: what was missed is polled for
                self._stopped.wait(_AGAIN_S)

    def _listen(self) -> None:
        raw = connect(self._server)
        try:
            raw.execute("SELECT set_config('application_name', %s, false)", (self._who,))
            raw.execute(f"SELECT pg_advisory_lock_shared({_PRESENCE}, {self._profile})".encode())
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
            with suppress(psycopg.Error):  # gone at once, not once the server notices
                raw.execute("SELECT pg_advisory_unlock_all()")
            raw.close()


def list_listeners(connection: Connection, profile: int) -> list[str]:
    """Who listens to a profile now, by the names they gave: as much as the server shows of them."""
    return [str(name) for (name,) in connection.execute(_PRESENT, (profile,))]
