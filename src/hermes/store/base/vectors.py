"""The contract for keeping vectors: rows of half precision, and the blocks of codes beside them.

The rows are the truth. Blocks are derived from them and may be missing at any time: whoever needs
one makes it from its rows. A store keeps bytes and numbers; what they mean is decided once, in
`store.vectors`, so that every store answers alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:  # what only keeps vectors needs no numpy
    import numpy as np
    import numpy.typing as npt

BLOCK_ROWS = 2_048
_LONG = 512  # dimensions: longer vectors are turned by a rotation that is quickly made
_SEED = 1_735_689_600


class VectorKind(IntEnum):
    """What a vector stands for; at most eight kinds fit beside the bank in a code."""

    MESSAGE = 0
    FACT = 1
    REFLECTION = 2
    SKILL = 3
    SUMMARY = 4


class ModelName(NamedTuple):
    """What tells the vectors of one model from those of another."""

    provider: str
    model: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """Vectors that may be compared: one model's. `next` is the number the next vector gets.

    `coding` counts how often the mean was set; blocks made with another are stale.
    """

    id: int
    provider: str
    model: str
    dimensions: int
    current: bool
    seed: int
    coding: int
    next: int
    mean: bytes | None = field(repr=False, default=None)

    @property
    def made_by(self) -> ModelName:
        return ModelName(self.provider, self.model, self.dimensions)


def new_seed(dimensions: int) -> int:
    """The seed of a new space, which also names the kind of its rotation; it is kept for good.

    It is the same in every memory, so that the same history gives the same answers in each.
    """
    return ~_SEED if dimensions > _LONG else _SEED


@dataclass(frozen=True, slots=True)
class PendingText:
    """Something that has no vector yet; `before` is the message it follows, `before_by` whose."""

    kind: VectorKind
    item: int
    bank: int
    text: str
    speaker: str = ""
    role: str = ""
    before: str = ""
    before_by: str = ""


@dataclass(frozen=True, slots=True)
class NewVector:
    """A vector to keep; a long text has several, one for each `part`, written together."""

    kind: VectorKind
    item: int
    bank: int
    row: bytes = field(repr=False)
    part: int = 0


@dataclass(frozen=True, slots=True)
class StoredVector:
    number: int
    kind: VectorKind
    item: int
    bank: int
    row: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Block:
    """The codes of the rows `number` * 2,048 and on; all parts little-endian, row by row."""

    number: int
    signs: bytes = field(repr=False)
    levels: bytes = field(repr=False)
    scales: bytes = field(repr=False)
    bases: bytes = field(repr=False)
    items: bytes = field(repr=False)
    tags: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class VectorChange:
    """Vectors `first`..`last` of a space were added or removed."""

    seq: int
    space: int
    first: int
    last: int
    removed: bool


@dataclass(frozen=True, slots=True)
class NearVector:
    """A vector near a question, and its true cosine."""

    number: int
    kind: VectorKind
    item: int
    cosine: float


class VectorSearch(Protocol):
    """The nearest found by the store itself, where no process should hold all codes."""

    def nearest(
        self,
        space: VectorSpace,
        query: npt.NDArray[np.float32],
        *,
        bank: int | None,
        kinds: Sequence[int] = (),
        limit: int,
        up_to: int | None = None,
    ) -> list[NearVector]:
        """The nearest of a bank (none: of all) and of some kinds (none: of all), best first; only
        of those numbered up to `up_to`, where that is given."""

    def cosines(
        self, space: VectorSpace, query: npt.NDArray[np.float32], numbers: Sequence[int]
    ) -> dict[int, float]:
        """The cosine of each vector that is there."""

    def list_items(
        self, space: int, bank: int, kind: VectorKind, *, first: int, end: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The numbers from `first` to before `end` that are of a bank and kind, and their items."""

    def is_whole(self, space: int) -> bool:
        """Whether every vector of a space can be found."""

    def is_swept(self, space: VectorSpace) -> bool:
        """Whether it is whole, with nothing left of earlier codings."""

    def sweep(self, space: VectorSpace, first: int) -> int | None:
        """Make what is missing of some numbers from `first`, drop what is stale; where to go on."""


class Vectors(Protocol):
    def find_search(self) -> VectorSearch | None:
        """The store's own search; none where it leaves that to codes in memory."""

    def list_spaces(self) -> list[VectorSpace]:
        """Every space that is in use or being filled, oldest first."""

    def get_space(self, space: int) -> VectorSpace: ...

    def find_current(self) -> VectorSpace | None:
        """The space recall uses; none before the first."""

    def ensure_space(self, provider: str, model: str, dimensions: int, now: int) -> VectorSpace:
        """The space of a model, made when it is new; the first ever made is current at once.

        Vectors of a space that is no more are left to `drop_retired`: nobody knows whose they are.
        """

    def make_current(self, space: int) -> None:
        """Let recall use a space from now on; every other is retired, and its model left."""

    def list_left(self) -> list[ModelName]:
        """The models that were left for others, and of which no space was asked for since."""

    def set_mean(self, space: int, mean: bytes) -> VectorSpace:
        """Give a space the mean its codes are made around; earlier blocks become stale."""

    def list_pending(self, space: int, limit: int) -> list[PendingText]:
        """What has no vector in a space, oldest first, kind by kind."""

    def count_pending(self, space: int) -> int: ...

    def pass_over(self, space: int, kind: VectorKind, items: Sequence[int]) -> None:
        """Note that these, and new ones up to the last, are done, with a vector or without."""

    def ask_again(self, kind: VectorKind, items: Sequence[int]) -> None:
        """Have items embedded in every space that has passed them over already."""

    def list_lost(
        self, space: int, kind: VectorKind, *, after: int, limit: int
    ) -> list[PendingText]:
        """What of a kind was passed over, has no vector and waits for none, by rising numbers: what
        needs none, and what has lost its own behind the back of the store.
        """

    def wait_again(self, space: int, kind: VectorKind, items: Sequence[int]) -> None:
        """Have items that were passed over embedded in one space."""

    def refuse(self, space: int, kind: VectorKind, items: Sequence[int]) -> None:
        """Note that the model of a space gave items no vector: they were passed over, and wait
        until they are to be tried again.
        """

    def retry_refused(self, space: int) -> None:
        """Let what was refused a vector wait for one like everything else."""

    def count_refused(self, space: int) -> int: ...

    def find_reach(self, space: int, kind: VectorKind, bank: int, up_to: int) -> tuple[int, int]:
        """Up to which number a kind was seen to, and how many of a bank up to there, and up to
        `up_to`, have no vector and should: they wait again, or were refused.
        """

    def add(self, space: int, vectors: Sequence[NewVector]) -> VectorSpace:
        """Keep vectors of items that still exist and lack that part; the space as it is then."""

    def forget(self, kind: VectorKind, item: int) -> None:
        """Remove an item's vectors from every space, and the blocks that hold its codes."""

    def list_rows(self, space: int, first: int, last: int) -> list[StoredVector]:
        """Rows numbered `first`..`last`, in order; removed ones are left out."""

    def get_rows(self, space: int, numbers: Sequence[int]) -> dict[int, bytes]:
        """The rows that exist among `numbers`."""

    def find_numbers(self, space: int, kind: VectorKind, items: Sequence[int]) -> dict[int, int]:
        """The number of each item's vector, by item; of several, the first part's."""

    def iter_blocks(self, space: int, coding: int) -> Iterator[Block]:
        """Blocks made with `coding`, in order; there may be gaps."""

    def list_blocks(self, space: int, coding: int) -> list[int]:
        """The numbers of those blocks."""

    def put_block(self, space: int, coding: int, block: Block) -> None: ...

    def drop_stale_blocks(self, space: int, coding: int) -> None:
        """Remove blocks made with another coding."""

    def list_changes(self, seq: int) -> list[VectorChange]:
        """Additions and removals after `seq`, oldest first."""

    def find_bank(self, name: str) -> int | None:
        """The number that stands for a bank in vectors."""

    def repack(self, space: int) -> VectorSpace | None:
        """Where most numbers of the space in use are of vectors that are gone: the same vectors in
        a space of their own, numbered anew and in use at once; the old one is retired.
        """

    def has_retired(self) -> bool:
        """Whether retired spaces are still to be removed."""

    def drop_retired(self, limit: int) -> None:
        """Remove up to `limit` vectors of a retired space, and the space after the last."""
