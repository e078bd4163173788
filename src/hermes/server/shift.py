"""The daemon's worker on its thread, which can rest while the store it works on is replaced."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hermes.app import App
from hermes.errors import HermesError
from hermes.jobs.worker import Worker

log = logging.getLogger("hermes.daemon")


class Shift:
    """Works until it is ended; `on_end` is called when it ended by itself, `failure` says why."""

    def __init__(self, app: App, on_end: Callable[[], None]) -> None:
        self._app = app
        self._on_end = on_end
        self._lock = threading.RLock()
        self._is_over = False
        self._worker = app.jobs.daemon_worker()
        self._thread: threading.Thread | None = None
        self.failure: HermesError | None = None

    def begin(self) -> None:
        with self._lock:
            if not self._is_over:
                work = (self._worker,)
                self._thread = threading.Thread(target=self._work, args=work, name="hermes-worker")
                self._thread.start()

    def end(self) -> None:
        """Let what runs come to its end; nothing is begun any more."""
        with self._lock:
            self._is_over = True
            self._stop()

    @contextmanager
    def resting(self, app: App) -> Iterator[None]:
        """Let go of the store of `app`, if it is the one worked on, and take it up again after."""
        if app is not self._app:
            yield
            return
        with self._lock:
            log.info("resting while the store is replaced")
            self._stop()
            try:
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

    def _stop(self) -> None:
        self._worker.stop()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _work(self, worker: Worker) -> None:
        try:
            worker.run()
        except HermesError as error:
            self._fail(error)

    def _fail(self, error: HermesError) -> None:
        log.error("%s %s", error.message, error.hint)
        self.failure = error
        self._on_end()
