"""Recording for many clients at once: turns that arrive while a commit is under way share the next.

Each is acknowledged after it is on disk. One that cannot be kept fails alone.
"""

import asyncio
from collections.abc import Sequence
from functools import partial

from hermes.app import App
from hermes.errors import HermesError
from hermes.server.http.crossing import Crossing
from hermes.server.http.standstill import Standstill
from hermes.types import Recorded, Turn

MOST_TOGETHER = 128
Waiting = list[tuple[Turn, "asyncio.Future[Recorded]"]]


class Recorder:
    """The turns that wait, by profile; lives on one event loop."""

    def __init__(self, crossing: Crossing, standstill: Standstill) -> None:
        self._crossing = crossing
        self._standstill = standstill
        self._waiting: dict[str, Waiting] = {}
        self._running: set[asyncio.Task[None]] = set()

    async def record(self, app: App, turn: Turn) -> Recorded:
        """Keep one turn; on return it is on disk."""
        future: asyncio.Future[Recorded] = asyncio.get_running_loop().create_future()
        waiting = self._waiting.get(app.paths.name)
        if waiting is None:
            self._waiting[app.paths.name] = [(turn, future)]
            task = asyncio.create_task(self._keep_all(app))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        else:
            waiting.append((turn, future))
        return await future

    async def _keep_all(self, app: App) -> None:
        """No store is replaced while turns wait, though whoever sent them may have gone."""
        with self._standstill.staying():
            await self._drain(app)

    async def _drain(self, app: App) -> None:
        """Keep what waits until nothing does."""
        name = app.paths.name
        while waiting := self._waiting[name]:
            taken, self._waiting[name] = waiting[:MOST_TOGETHER], waiting[MOST_TOGETHER:]
            turns = [turn for turn, _ in taken]
            try:
                kept = await self._crossing.call(partial(_keep, app, turns))
            except BaseException as error:
                _fail([*taken, *self._waiting.pop(name)], error)
                raise
            for (_, future), outcome in zip(taken, kept, strict=True):
                _settle(future, outcome)
        del self._waiting[name]


def _keep(app: App, turns: Sequence[Turn]) -> Sequence[Recorded | HermesError]:
    """Receipts for all of them, or for each its own receipt or failure."""
    try:
        return app.conversations.record(turns)
    except HermesError as error:
        if len(turns) == 1:
            return [error]
    return [_keep(app, [turn])[0] for turn in turns]


def _settle(future: "asyncio.Future[Recorded]", outcome: Recorded | HermesError) -> None:
    if future.done():  # whoever waited has gone; the turn is kept all the same
        return
    if isinstance(outcome, HermesError):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)


def _fail(waiting: Waiting, error: BaseException) -> None:
    for _, future in waiting:
        if not future.done():
            future.set_exception(error)
