"""The notes of a home follow while its daemon runs: a change in another home is here at once."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, cast

from hermes.app.sharing import follow_quietly, shares, this_home
from hermes.store.base import Store

if TYPE_CHECKING:
    from hermes.app.root import App

POLL_S = 5.0  # an edit by hand is no change of the store: files are looked at now and then
_SHOWN = 54  # characters of a home's name
CLOSE_S = 2.0
PAUSE_S = 0.2  # between two looks, however much is written meanwhile


class _Listening(Protocol):
    def close(self) -> None: ...


class _Telling(Store, Protocol):
    def listen(self, on_change: Callable[[int], None], who: str = "") -> _Listening: ...
    def list_listeners(self) -> list[str]: ...


class Follower:
    """Follows on a thread of its own until it is closed."""

    def __init__(self, app: App, store: _Telling) -> None:
        self._app = app
        self._store = store
        self._stopped = threading.Event()
        self._woken = threading.Event()
        self._listener = store.listen(lambda _: self._woken.set(), _name(app))
        self._thread = threading.Thread(target=self._run, name="hermes-notes", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stopped.set()
        self._woken.set()
        self._listener.close()
        self._thread.join(CLOSE_S)  # it may wait for a server that is away: closing ends that

    def _run(self) -> None:
        while not self._stopped.is_set():
            follow_quietly(self._app, self._store)
            self._stopped.wait(PAUSE_S)
            self._woken.wait(POLL_S)
            self._woken.clear()


def open_follower(app: App) -> Follower | None:
    """None where one home alone has the notes."""
    return Follower(app, cast(_Telling, app.store)) if shares(app) else None


def list_other_daemons(app: App) -> list[str]:
    """The homes of this profile whose daemons are connected, but for this one."""
    if not shares(app):
        return []
    listening = cast(_Telling, app.store).list_listeners()
    return [name.partition(" ")[2] or "unnamed" for name in listening if name != _name(app)]


def _name(app: App) -> str:
    """This home as the server shows it: 63 bytes, of plain characters; a digest tells it apart."""
    name = this_home(app).name
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
    return f"{digest[:8]} {name.encode('ascii', 'replace').decode()[-_SHOWN:]}"
