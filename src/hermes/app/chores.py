"""Small things the daemon does now and then: give a model's memory back, verify the log."""

from __future__ import annotations

import ctypes
import logging
from typing import TYPE_CHECKING

from hermes.memory.events import Verdict
from hermes.store.base import Store

if TYPE_CHECKING:
    from hermes.app.root import App

log = logging.getLogger("hermes.daemon")


class ReleaseModel:
    """Gives back the memory of a bundled model that was not used for a while."""

    every_s = 30.0

    def __init__(self, app: App) -> None:
        self._app = app

    def run(self, store: Store, now: int) -> None:
        for name in ("embedder", "comparer"):
            model = self._app.__dict__.get(name)  # one that was never opened stays so
            if model is not None and model.release_if_idle(now):
                _trim()
                log.info("gave back the memory of the %s", name)


def _trim() -> None:
    """Have the C library give freed memory back to the system: half of what a model leaves."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it, others need no asking
    if trim is not None:
        trim(0)


class VerifyLog:
    """Verifies what was added to the log of events, and moves its anchor on."""

    every_s = 600.0

    def __init__(self, app: App) -> None:
        self._app = app
        self._last: Verdict | None = None

    def run(self, store: Store, now: int) -> None:
        verdict = self._app.events.verify_new()
        if not verdict.is_sound and verdict != self._last:
            log.error("the log of events is not what was written: %s", verdict.problem)
        self._last = verdict
