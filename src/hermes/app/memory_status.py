"""What memory is made of, in numbers: the table of `hermes memory status --verbose`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.app.embedding import find_space
from hermes.app.shapes import Json, time_shape
from hermes.clock import to_datetime
from hermes.counted import many
from hermes.embed.base import Space
from hermes.jobs.tasks import vacuum
from hermes.memory.compress.ages import find_compression
from hermes.memory.indexing import count_backlog
from hermes.store.base import Tx
from hermes.store.base.vectors import VectorKind

if TYPE_CHECKING:
    from hermes.app.root import App


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """Counts, sizes and last times; a time is None for what never happened."""

    raw: int
    compressed: int
    facts: int
    reflections: int
    message_vectors: int
    fact_vectors: int
    size_bytes: int
    last_vacuum_at: int | None
    last_compression_at: int | None
    backlog: int  # texts that wait for a vector

    @property
    def episodes(self) -> int:
        return self.raw + self.compressed


def read_memory_status(app: App) -> MemoryStatus:
    """The numbers of all banks together."""
    size, wanted = app.store.status().size_bytes, find_space(app)
    return app.store.read(lambda tx: _read(tx, size, wanted))


def render_memory_status(status: MemoryStatus, *, in_full: bool = True) -> list[str]:
    """The table as the specification writes it, or its head; then what waits, if anything does."""
    head = [
        f"Episodes: {status.episodes} (raw: {status.raw}, compressed: {status.compressed})",
        f"Facts: {status.facts}",
        f"Reflections: {status.reflections}",
    ]
    rest = [
        f"Embeddings: {status.message_vectors} episode + {status.fact_vectors} fact vectors",
        f"DB size: {status.size_bytes / 1e6:.1f} MB",
        f"Last vacuum: {_day(status.last_vacuum_at)}",
        f"Last compression: {_day(status.last_compression_at)}",
    ]
    return [*head, *(rest if in_full else ()), *_backlog(status.backlog)]


def _backlog(count: int) -> list[str]:
    if not count:
        return []
    wait = "waits" if count == 1 else "wait"
    return [f"Backlog: {many(count, 'text')} {wait} for a vector (`hermes status`)"]


def memory_status_shape(status: MemoryStatus) -> Json:
    return {
        "episodes": {
            "total": status.episodes,
            "raw": status.raw,
            "compressed": status.compressed,
        },
        "facts": status.facts,
        "reflections": status.reflections,
        "vectors": {"episodes": status.message_vectors, "facts": status.fact_vectors},
        "size_bytes": status.size_bytes,
        "backlog": status.backlog,
        "last_vacuum_at": time_shape(status.last_vacuum_at),
        "last_compression_at": time_shape(status.last_compression_at),
    }


def _read(tx: Tx, size: int, wanted: Space | None) -> MemoryStatus:
    episodes = tx.summaries.count_episodes()
    space = tx.vectors.find_current()
    vectors = tx.summaries.count_vectors(space.id) if space is not None else {}
    tidied = tx.jobs.find_last(vacuum.KIND)
    return MemoryStatus(
        raw=episodes.raw,
        compressed=episodes.compressed,
        facts=tx.facts.count(),
        reflections=tx.reflections.count(),
        message_vectors=vectors.get(VectorKind.MESSAGE, 0),
        fact_vectors=vectors.get(VectorKind.FACT, 0),
        size_bytes=size,
        last_vacuum_at=tidied.finished_at if tidied is not None else None,
        last_compression_at=find_compression(tx),
        backlog=count_backlog(tx, wanted),
    )


def _day(at: int | None) -> str:
    return "never" if at is None else f"{to_datetime(at):%Y-%m-%d}"
