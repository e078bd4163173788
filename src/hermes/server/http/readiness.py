"""Whether work may be sent here: all routes are there, and the store answers.

Anyone may ask: so at most one question to the store is under way, on a thread of its own, however
many ask and however long the store is silent; and the answer holds nothing of where it lies.
"""

import asyncio
import logging
from collections.abc import Callable

from hermes.errors import HermesError
from hermes.server.http.crossing import Crossing
from hermes.server.http.standstill import Standstill

log = logging.getLogger(__name__)
WAIT_S = 1.5


class Readiness:
    """Asks a store, by `ask`, which returns once it has answered; lives on one event loop."""

    def __init__(
        self,
        ask: Callable[[], object],
        standstill: Standstill,
        *,
        lacking: Callable[[], str] = str,
        wait_s: float = WAIT_S,
    ) -> None:
        self._ask_store = ask
        self._standstill = standstill
        self._lacking = lacking  # what the server itself lacks, "" for nothing
        self._wait_s = wait_s
        self._crossing = Crossing(1)
        self._asking: asyncio.Task[str] | None = None

    async def find_reason(self) -> str:
        """Why no work can be done now; "" where the store answers, within `wait_s` either way."""
        if lacking := self._lacking():
            return lacking
        if self._standstill.is_shut:
            return "A backup is being restored."
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        asking = self._asking
        done, _ = await asyncio.wait({asking}, timeout=self._wait_s)
        if not done:
            return f"The store has not answered within {self._wait_s:g} seconds."
        error = asking.exception()
        if error is not None:  # none that the store knows of: whoever asks is told, and the log why
            log.error("The store could not be asked whether it is ready", exc_info=error)
            return "The store cannot be asked."
        return asking.result()

    async def _ask(self) -> str:
        with self._standstill.staying():  # nobody replaces a store that is being asked
            try:
                await self._crossing.call(self._ask_store)
            except HermesError as error:
                return f"The store cannot be read ({error.kind})."
        return ""
