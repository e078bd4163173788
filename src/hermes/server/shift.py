"""The daemon's worker on its thread, which can rest while the store it works on is replaced."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hermes.app import App
from hermes.app.following import Follower
from hermes.errors import HermesError, Unavailable
from hermes.jobs.worker import Worker

log = logging.getLogger("hermes.daemon")
REST_S = 15.0  # less than a worker waits for its jobs: none may be left with a store that goes


class Shift:
    """Works until it is ended; `on_end` is called when it ended by itself, `failure` says why."""

    def __init__(self, app: App, on_end: Callable[[], None]) -> None:
        self._app = app
        self._on_end = on_end
        self._lock = threading.RLock()
        self._is_over = False
        self._worker = app.jobs.daemon_worker()
        self._threads: list[threading.Thread] = []
        self._follower: Follower | None = None
        self.failure: HermesError | None = None

    def begin(self) -> None:
        with self._lock:
            if not self._is_over:
                work = (self._worker,)
                thread = threading.Thread(target=self._work, args=work, name="hermes-worker")
                self._threads.append(thread)
                thread.start()
                self._follower = self._app.notes.follow()

    def end(self) -> None:
        """Let what runs come to its end; nothing is begun any more."""
        with self._lock:
            self._is_over = True
            self._stop()

    @contextmanager
    def resting(self, app: App, rest_s: float = REST_S) -> Iterator[None]:
        """Let go of the store of `app`, if it is the one worked on, and take it up again after.

        Unavailable if a job does not stop within `rest_s`; the work then goes on.
        """
        if app is not self._app:
            yield
            return
        with self._lock:
            log.info("resting while the store is replaced")
            try:
                if not self._stop(rest_s):
                    told = "A job is at a step that takes long, such as asking a model."
                    raise Unavailable(told, "Nothing was restored. Try again when it is done.")
                yield
            finally:
                self._begin_anew()

    def _begin_anew(self) -> None:
        if self._is_over:
            return
        try:
            self._worker = self._app.jobs.daemon_worker()
        except HermesError as error:
            self._fail(error)
            raise
        self.begin()

    def _stop(self, wait_s: float | None = None) -> bool:
        """Have the worker end; whether it did within `wait_s`."""
        self._worker.stop()
        if self._follower is not None:
            self._follower.close()
            self._follower = None
        give_up_s = None if wait_s is None else time.monotonic() + wait_s
        for thread in self._threads:
            thread.join(None if give_up_s is None else max(0.0, give_up_s - time.monotonic()))
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        return not self._threads

    def _work(self, worker: Worker) -> None:
        try:
            worker.run()
        except HermesError as error:
            self._fail(error)

    def _fail(self, error: HermesError) -> None:
        log.error("%s %s", error.message, error.hint)
        self.failure = error
        self._on_end()
