"""The feed of changes where the store fails for a while: whoever listens goes on listening."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from hermes.app import App
from hermes.errors import Unavailable
from hermes.server.http.changes import Feed
from hermes.server.http.crossing import Crossing
from hermes.server.http.standstill import Standstill
from hermes.store.base import Change


class AwayForAWhile:
    """A store that cannot be read the first times, and then has one change."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    def read(self, work: Any) -> list[Change]:
        self.failures -= 1
        if self.failures >= 0:
            raise Unavailable("PostgreSQL does not answer.")
        return [Change(seq=1, kind="fact", op="add", first=1, last=1)]


def test_listeners_outlive_a_store_that_was_away() -> None:
    app = SimpleNamespace(
        store=AwayForAWhile(2), overview=SimpleNamespace(find_latest_change=lambda: 0)
    )

    async def scene() -> Change | None:
        crossing = Crossing()
        feed = Feed(cast(App, app), crossing, Standstill(crossing))
        listening = feed.listen(None)
        try:
            return await asyncio.wait_for(anext(listening), 60)
        finally:
            await listening.aclose()  # type: ignore[attr-defined]
            await feed.close()

    change = asyncio.run(scene())
    assert change is not None
    assert change.seq == 1
