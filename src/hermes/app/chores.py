"""What the daemon does now and then: verify the log."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from hermes.memory.events import Verdict
from hermes.store.base import Store

if TYPE_CHECKING:
    from hermes.app.root import App

log = logging.getLogger("hermes.daemon")


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
