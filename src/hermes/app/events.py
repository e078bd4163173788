"""What can be done with the log of events: add, read, verify."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from hermes.memory.anchor import Anchor, anchor_file, verify_all, verify_new
from hermes.memory.events import Verdict, add_event
from hermes.memory.facts.reference import kept_ref
from hermes.store.base.events import EventFilter
from hermes.types import Event, EventKind

if TYPE_CHECKING:
    from hermes.app.root import App

SEARCHED = 20_000
Events = list[Event]


class EventActions:
    def __init__(self, app: App) -> None:
        self._app = app

    @cached_property
    def _anchor(self) -> Anchor:
        database = self._app.paths.resolve(self._app.config.memory.path, self._app.paths.database)
        return Anchor(anchor_file(database))

    def record(
        self,
        kind: EventKind,
        summary: str,
        *,
        details: Mapping[str, object] | None = None,
        ref: str = "",
    ) -> Event:
        """Add a line; on return it is on disk."""
        now = self._app.clock.now()
        return self._app.store.write(
            lambda tx: add_event(tx, kind, summary, now=now, details=details, ref=ref)
        )

    def list(self, wanted: EventFilter, limit: int = 50) -> Events:
        """Newest first; a fact may be named in any form."""
        asked = replace(wanted, ref=kept_ref(wanted.ref))
        return self._app.store.read(lambda tx: tx.events.list(asked, limit))

    def search(self, words: str, wanted: EventFilter, limit: int = 50) -> Events:
        """Lines that hold all of the words, newest first, among the newest that are wanted."""
        asked = words.casefold().split()
        found = (event for event in self.list(wanted, SEARCHED) if _holds(event, asked))
        return list(islice(found, limit))

    def verify(self, *, accept: bool = False) -> Verdict:
        """Read the whole log and say whether it is what was written; `accept` a shorter one."""
        return verify_all(self._app.store, self._anchor, accept=accept)

    def verify_new(self) -> Verdict:
        """Verify what came since the last time."""
        return verify_new(self._app.store, self._anchor)


def _holds(event: Event, words: Sequence[str]) -> bool:
    text = f"{event.kind} {event.summary} {event.ref} {dict(event.details)}".casefold()
    return all(word in text for word in words)
