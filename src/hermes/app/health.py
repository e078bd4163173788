"""What state Hermes is in: `status` at a glance, `doctor` part by part."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hermes import __version__
from hermes.app.doctor import check_database, inner_checks, outer_checks, run_checks
from hermes.app.embedding import find_space
from hermes.clock import HOUR_MS
from hermes.embed.base import NONE
from hermes.memory.indexing import count_backlog, find_share_embedded
from hermes.memory.spaces import advise_moved, find_moved, find_used, tell_moved
from hermes.store.base import Finding, StoreStatus, Tx

if TYPE_CHECKING:
    from hermes.app.root import App
    from hermes.embed.base import Space

READ_AT_START_BYTES = 32 << 20  # half a second


@dataclass(frozen=True, slots=True)
class Status:
    """Hermes at a glance: `backlog` texts wait for a vector, a share of `embedded` has one."""

    version: str
    home: str
    profile: str
    store: StoreStatus
    banks: int
    embeddings: str
    backlog: int
    embedded: float
    extraction: str
    refused: int = 0  # texts that the model gave no vector
    moved: str = ""  # that the memory was moved to another model than the configured one
    space: str = ""  # the configured model, as far as it is known; nothing for none
    used: str = ""  # the model whose vectors recall uses, where that is another


class HealthActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def status(self) -> Status:
        config = self._app.config
        light, wanted = config.light_model, find_space(self._app)
        self._app.memory.notice_lost(rest_ms=HOUR_MS)
        backlog = self._app.store.read(lambda tx: count_backlog(tx, wanted))
        embedded = self._app.store.read(lambda tx: find_share_embedded(tx, backlog))
        return Status(
            version=__version__,
            home=str(self._app.paths.home.root),
            profile=self._app.paths.name,
            store=self._store(),
            banks=len(self._app.conversations.list_banks()),
            embeddings=config.memory.embeddings.provider,
            backlog=backlog,
            embedded=embedded,
            extraction="rules" if light.provider == "none" else f"model {light.model}",
            refused=self._app.memory.count_refused(),
            moved=self._app.store.read(lambda tx: _tell_moved(tx, wanted)),
            space="" if wanted is None or wanted.provider == NONE else str(wanted),
            used=self._app.store.read(lambda tx: str(find_used(tx, wanted) or "")),
        )

    def _store(self) -> StoreStatus:
        found, absent = self._app.store.status(), self._app.absent
        return replace(found, location=str(absent), size_bytes=0) if absent else found

    def ask_store(self) -> None:
        """Return once the store has answered the smallest question; raises what it raises."""
        self._app.store.read(lambda tx: tx.changes.latest())

    def expect_sound(self) -> None:
        """Corrupt if a page of the store cannot be trusted; a large one is left to `doctor`."""
        kept = self._app.store.status()
        if kept.backend == "sqlite" and kept.size_bytes <= READ_AT_START_BYTES:
            check_database(self._app)

    def doctor(self) -> list[Finding]:
        """Check every part; each finding says what to do if it is not ok."""
        return run_checks(outer_checks(self._app.paths) | inner_checks(self._app))


def _tell_moved(tx: Tx, wanted: Space | None) -> str:
    moved = find_moved(tx, wanted)
    if moved is None or wanted is None:
        return ""
    return f"{tell_moved(moved, wanted)}: {advise_moved(moved, wanted)}"
