"""The feed of changes where the store fails for a while: whoever listens goes on listening."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hermes.app import App
from hermes.errors import Unavailable
from hermes.server.http.changes import Feed
from hermes.server.http.crossing import Crossing
from hermes.server.http.standstill import Standstill
from hermes.store.base import Change


class AwayForAWhile:
    """A store that cannot be read the first times, and then has one change."""

    def __init__(self, failures: int, error: Exception) -> None:
        self.failures = failures
        self.error = error

    def read(self, work: Any) -> list[Change]:
        self.failures -= 1
        if self.failures >= 0:
            raise self.error
        return [Change(seq=1, kind="fact", op="add", first=1, last=1)]


@pytest.mark.parametrize(
    "error", [Unavailable("PostgreSQL does not answer."), ZeroDivisionError("a mistake of ours")]
)
def test_listeners_outlive_a_store_that_was_away(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    store = AwayForAWhile(2, error)
    app = SimpleNamespace(store=store, overview=SimpleNamespace(find_latest_change=lambda: 0))

    async def scene() -> Change | None:
        crossing = Crossing()
        feed = Feed(cast(App, app), crossing, Standstill(crossing))
        listening = feed.listen(None)
        try:
            return await asyncio.wait_for(anext(listening), 12)
        finally:
            await listening.aclose()  # type: ignore[attr-defined]
            await feed.close()

    change = asyncio.run(scene())
    assert change is not None
    assert change.seq == 1
    assert caplog.text.count("changes cannot be read") == 1
    assert str(error) in caplog.text
