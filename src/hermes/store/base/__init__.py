"""What every store promises. Memory is written against these protocols and knows no driver.

A store is synchronous. `write` takes a function of a transaction: the function may run more than
once (a group is replayed when one of its members fails), so it must have no effect but through the
transaction it is given, and it must never wait for a network.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol, TypeVar

from hermes.store.base.backup import Copies
from hermes.store.base.conversations import Banks, Conversations, SessionFilter
from hermes.store.base.entities import Entities
from hermes.store.base.erase import Erasures, Purges
from hermes.store.base.events import Events
from hermes.store.base.extractions import Extractions
from hermes.store.base.facts import FactChange, FactFilter, Facts
from hermes.store.base.jobs import Jobs
from hermes.store.base.notes import Notes
from hermes.store.base.overview import Overview
from hermes.store.base.pending import HeldWrite, Pending
from hermes.store.base.portable import Portable, Staging
from hermes.store.base.recall import RecallQueries
from hermes.store.base.reflections import Reflections
from hermes.store.base.spending import Spending, SpendingLine
from hermes.store.base.summaries import Summaries
from hermes.store.base.texts import Postings, TextIndex
from hermes.store.base.tidying import Tidied, Watch
from hermes.store.base.vectors import Vectors
from hermes.types import Recorded, Turn

T = TypeVar("T")

__all__ = [
    "Banks",
    "Change",
    "Conversations",
    "Entities",
    "Events",
    "Extractions",
    "FactChange",
    "FactFilter",
    "Facts",
    "Finding",
    "HeldWrite",
    "Jobs",
    "Notes",
    "Overview",
    "Pending",
    "Postings",
    "RecallQueries",
    "Recording",
    "Reflections",
    "SessionFilter",
    "Spending",
    "SpendingLine",
    "Store",
    "StoreStatus",
    "Summaries",
    "TextIndex",
    "Tx",
    "Vectors",
]


@dataclass(frozen=True, slots=True)
class Change:
    """A line of the change sequence: rows `first`..`last` of `kind` were `op`-ed."""

    seq: int
    kind: str
    first: int
    last: int
    op: str


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """What a person may want to know of a store at a glance."""

    backend: str
    location: str
    schema: int
    encrypted: bool
    size_bytes: int
    seq: int
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of a check: `ok`, `warning` or `failed`, what was seen, what to do."""

    level: str
    part: str
    message: str
    hint: str = ""


class Changes(Protocol):
    def latest(self) -> int:
        """The number of the last change, 0 in a new store."""

    def since(self, seq: int, limit: int = 10_000) -> list[Change]:
        """Changes after `seq`, oldest first."""

    def record(self, kind: str, first: int, last: int, op: str) -> int:
        """Append to the sequence; the number given to this change."""


class Tx(Protocol):
    """One consistent view of the store; inside `write` it may change it."""

    @property
    def conversations(self) -> Conversations: ...
    @property
    def banks(self) -> Banks: ...
    @property
    def texts(self) -> TextIndex: ...
    @property
    def vectors(self) -> Vectors: ...
    @property
    def recall(self) -> RecallQueries: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def events(self) -> Events: ...
    @property
    def extractions(self) -> Extractions: ...
    @property
    def facts(self) -> Facts: ...
    @property
    def entities(self) -> Entities: ...
    @property
    def pending(self) -> Pending: ...
    @property
    def notes(self) -> Notes: ...
    @property
    def reflections(self) -> Reflections: ...
    @property
    def spending(self) -> Spending: ...
    @property
    def summaries(self) -> Summaries: ...
    @property
    def erasures(self) -> Erasures: ...
    @property
    def portable(self) -> Portable: ...
    @property
    def overview(self) -> Overview: ...
    @property
    def changes(self) -> Changes: ...


@dataclass(frozen=True, slots=True)
class Recording:
    """A change that records turns: by far the commonest, so a store may run several as one."""

    turns: Sequence[Turn]
    now: int

    def __call__(self, tx: Tx) -> list[Recorded]:
        return tx.conversations.record(self.turns, self.now)


class Store(Copies, Purges, Staging, Protocol):
    @property
    def is_shared(self) -> bool:
        """Whether several homes may work with it at once: it then keeps their notes."""

    def write(self, change: Callable[[Tx], T]) -> T:
        """Run `change` in a transaction and return its result once it is durable."""

    def submit(self, change: Callable[[Tx], T]) -> "Future[T]":
        """As `write`, without waiting: the future is done once the change is durable."""

    def read(self, query: Callable[[Tx], T]) -> T:
        """Run `query` on one consistent snapshot."""

    def status(self) -> StoreStatus: ...

    def check(self) -> list[Finding]:
        """Read everything there is, and say what is wrong with it."""

    def tidy(self, watch: Watch) -> Tidied:
        """Give space back and keep indexes quick, without holding writers up."""

    def close(self) -> None:
        """Finish what was acknowledged and let go; a closed store refuses work."""
