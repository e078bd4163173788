"""Changes as they happen, for pages and programs that stay connected.

One poller a profile reads the store's change sequence, which every process writes to, and wakes all
who listen: a thousand listeners cost one query a moment, and none costs nothing.
"""

import asyncio
import json
import logging
from collections import deque
from collections.abc import AsyncIterator

from hermes.app import App
from hermes.errors import HermesError
from hermes.server.http.crossing import Crossing
from hermes.server.http.standstill import Standstill
from hermes.store.base import Change

log = logging.getLogger("hermes.http")
POLL_S = 0.5
BEAT_S = 15.0
REMEMBERED = 2_000
PAGE = 500


class Feed:
    """The changes of one profile."""

    def __init__(self, app: App, crossing: Crossing, standstill: Standstill) -> None:
        self._app = app
        self._crossing = crossing
        self._standstill = standstill
        self._woken = asyncio.Condition()
        self._recent: deque[Change] = deque(maxlen=REMEMBERED)
        self._latest = 0
        self._listeners = 0
        self._poller: asyncio.Task[None] | None = None
        self._closed = False

    async def latest(self) -> int:
        async with self._standstill.using():
            return await self._crossing.call(self._app.overview.find_latest_change)

    async def listen(self, since: int | None) -> AsyncIterator[Change | None]:
        """Changes after `since` (from now on if unset); None every while, as a sign of life."""
        seq = await self.latest() if since is None else since
        self._listeners += 1
        self._start(seq)
        try:
            while not self._closed:
                found = await self._after(seq)
                for change in found:
                    yield change
                    seq = change.seq
                if not found and not await self._wait(seq):
                    yield None
        finally:
            self._listeners -= 1

    async def close(self) -> None:
        self._closed = True
        if self._poller is not None:
            self._poller.cancel()
        async with self._woken:
            self._woken.notify_all()

    def _start(self, seq: int) -> None:
        if self._poller is None or self._poller.done():
            self._latest = max(self._latest, seq)
            self._recent.clear()
            self._poller = asyncio.create_task(self._poll())

    async def _poll(self) -> None:
        """Read what is new; while the store cannot be read, those who listen stay and wait."""
        is_read = True
        while self._listeners and not self._closed:
            found: list[Change] = []
            try:
                found, is_read = await self._read(self._latest), True
            except HermesError as error:
                if is_read:
                    log.warning("changes cannot be read: %s", error.message)
                is_read = False
            except Exception as error:  # a mistake of ours: all who listen would wait for nothing
                if is_read:
                    log.error("changes cannot be read", exc_info=error)
                is_read = False
            if found:
                self._recent.extend(found)
                self._latest = found[-1].seq
                async with self._woken:
                    self._woken.notify_all()
            await asyncio.sleep(POLL_S)

    async def _after(self, seq: int) -> list[Change]:
        if self._recent and self._recent[0].seq <= seq + 1:
            return [change for change in self._recent if change.seq > seq]
        return await self._read(seq) if seq < self._latest else []

    async def _read(self, seq: int) -> list[Change]:
        async with self._standstill.using():
            return await self._crossing.call(
                lambda: self._app.store.read(lambda tx: tx.changes.since(seq, PAGE))
            )

    async def _wait(self, seq: int) -> bool:
        """Whether something came within a beat."""
        try:
            async with asyncio.timeout(BEAT_S), self._woken:
                await self._woken.wait_for(lambda: self._closed or self._latest > seq)
        except TimeoutError:
            return False
        return True


class Feeds:
    """The feeds of all profiles that are listened to."""

    def __init__(self, crossing: Crossing, standstill: Standstill) -> None:
        self._crossing = crossing
        self._standstill = standstill
        self._feeds: dict[str, Feed] = {}

    def of(self, app: App) -> Feed:
        name = app.paths.name
        if name not in self._feeds:
            self._feeds[name] = Feed(app, self._crossing, self._standstill)
        return self._feeds[name]

    async def forget(self, app: App) -> None:
        """End the feed of a profile whose store was replaced: its sequence is another one."""
        feed = self._feeds.pop(app.paths.name, None)
        if feed is not None:
            await feed.close()

    async def close(self) -> None:
        for feed in self._feeds.values():
            await feed.close()


async def render_events(feed: Feed, since: int | None) -> AsyncIterator[str]:
    """A feed as server-sent events; a mark from before a restore that lies ahead counts as now."""
    latest = await feed.latest()
    seq = latest if since is None else min(since, latest)
    yield f"event: hello\ndata: {json.dumps({'seq': seq})}\n\n"
    async for change in feed.listen(seq):
        yield ": alive\n\n" if change is None else _event(change)


def _event(change: Change) -> str:
    told = {
        "seq": change.seq,
        "kind": change.kind,
        "op": change.op,
        "first": change.first,
        "last": change.last,
    }
    return f"id: {change.seq}\nevent: change\ndata: {json.dumps(told)}\n\n"
