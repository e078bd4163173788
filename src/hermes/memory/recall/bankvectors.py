"""The vectors of one bank's messages, found by place in its outline.

The index numbers vectors in the order they were made; recall thinks in messages. This ties the two
together, once a vector, so that a question costs no lookups. A long message has several vectors,
numbered one after the other; it is as near as the nearest of them.

What nearness is measured against, the background, is the bank's own: what is said in another one
changes nothing here. It is that of the first so many messages, a number that goes by how many there
are, so that every process measures the same. How far cosines scatter belongs to the model, where
that is known: one bank's scatter tells no better what is near in it.
"""

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from hermes.memory.recall.outline import Floats, Outline, Positions, rising_with_back
from hermes.memory.recall.passage import model_of
from hermes.store.base import Tx
from hermes.store.base.vectors import VectorKind, VectorSpace
from hermes.store.vectors.chunk import Scope
from hermes.store.vectors.coding import unpack_rows
from hermes.store.vectors.instore import Asked, Searched
from hermes.types import Role

UNKNOWN = -1
SAMPLE = 256
# Where the cosines of a model lie, until there is enough to measure, and how far they scatter.
TYPICAL = {"e5-small-int8": (0.79, 0.03)}
TYPICAL_COUNTS_AS = 300  # messages: what a small bank is about says little of what is near in it
GROWTH_BITS = 4  # of how many messages there are: it is measured anew with an eighth more at most
# Messages without a vector that are worth no word: a turn just recorded, with what its tools said,
# or one in a hundred; words find them meanwhile, and the newest are given anyway. Of a large bank
# that is many, and more than this are always told.
HANDFUL = 10
MANY = 100
UNKNOWN_SCATTER = 0.1  # of a model nothing is known of, until there is enough to measure
ENOUGH = 24  # messages
_SYSTEM = tuple(Role).index(Role.SYSTEM)
TELLING_BYTES = 4  # what is shorter may be blank, and have no vector for that


@dataclass(frozen=True, slots=True)
class Background:
    """What any question has in common with a bank: its mean; and how far cosines scatter."""

    mean: Floats
    scatter: float
    messages: int
    typical_centre: float | None = None

    def centre(self, query: Floats) -> float:
        """The question's cosine with the average of the bank."""
        measured = float(query @ self.mean)
        if self.typical_centre is None:
            return measured
        trust = _trust(self.messages)
        return trust * measured + (1 - trust) * self.typical_centre


@dataclass(slots=True)
class BankVectors:
    """Which vector each message of a bank has, as far as the index was looked at."""

    bank: int
    space: VectorSpace | None = None
    shelf: Searched | None = None
    seen: int = 0
    background: Background | None = None
    has_parts: bool = False
    lacking: int = 0
    _removed: int = 0
    _numbers: Positions = field(default_factory=lambda: np.empty(0, np.int64))
    _parts: npt.NDArray[np.int16] = field(default_factory=lambda: np.empty(0, np.int16))
    _tied: int = 0  # messages that have a vector
    _counted: Positions | None = None

    def catch_up(self, tx: Tx, space: VectorSpace, shelf: Searched, outline: Outline) -> None:
        """Take in vectors and messages that are new since the last question."""
        if shelf is not self.shelf or shelf.removed != self._removed:
            self.space, self.shelf, self.seen, self.background = space, shelf, 0, None
            self._removed = shelf.removed
            self._numbers, self._parts = np.empty(0, np.int64), np.empty(0, np.int16)
            self.has_parts, self._tied = False, 0
        self._make_room(outline.count)
        # The shelf may be ahead of this transaction, and so of the outline: another thread's newer
        # view filled it. What it has more is left for a question that sees the messages too.
        rows = min(shelf.rows, tx.vectors.get_space(space.id).next)
        if rows > self.seen:
            self._tie(outline, *shelf.list_messages(tx, self.bank, first=self.seen, end=rows))
            self.seen = rows
        self._count_lacking(tx, space, outline)
        if rows:
            self._measure(tx, space)

    def tell_lacking(self, tx: Tx, outline: Outline, *, from_first: bool = False) -> str:
        """How many messages have no vector, where that is more than a handful, or any at all."""
        most = 0 if from_first else min(MANY, max(HANDFUL, outline.count // 100))
        if self.space is None or self.lacking <= most:
            return ""
        self._count_lacking(tx, self.space, outline)  # what is passed over changes nothing else
        if self.lacking <= most:
            return ""
        return f"{self.lacking} of {outline.count} messages have no vector yet"

    def _count_lacking(self, tx: Tx, space: VectorSpace, outline: Outline) -> None:
        """The messages not seen to yet, and those that wait again or were refused."""
        kind, last = VectorKind.MESSAGE, outline.last_id
        reached, lacking = tx.vectors.find_reach(space.id, kind, self.bank, last)
        seen = int(outline.find(np.array([reached + 1]))[0]) if outline.count else 0
        without = self._numbers[:seen] == UNKNOWN
        if outline.has_gaps:  # what lacks one may be what was said between
            lacking = min(lacking, int(without.sum()))
        lost = without & (outline.column("roles")[:seen] != _SYSTEM)
        lost &= outline.column("sizes")[:seen] >= TELLING_BYTES
        self.lacking = max(lacking, int(lost.sum())) + outline.count - seen

    @property
    def has_any(self) -> bool:
        """Whether any message has a vector."""
        return self._tied > 0

    def numbers(self, places: Positions) -> tuple[Positions, Positions]:
        """The first vector of each message and how many there are, the others being next to it.

        A message that came in meanwhile has none yet.
        """
        parts, numbers = self._parts, self._numbers  # which another thread may let grow, parts last
        inside = places < len(parts)
        if inside.all():
            return numbers[places], parts[places].astype(np.int64)
        at = np.where(inside, places, 0)
        counts = np.where(inside, parts[at], 0).astype(np.int64)
        return np.where(inside, numbers[at], UNKNOWN), counts

    @property
    def counted(self) -> Positions | None:
        """The numbers that may be found, rising, where not every one of the bank's may be."""
        return self._counted

    def pick(self, tx: Tx, places: Positions, count: int) -> "BankVectors":
        """The vectors of some of the first `count` messages, with the background of the time when
        there were no others in the bank."""
        self._make_room(count)  # none was caught up with where there is no vector yet
        numbers, parts = self._numbers[places], self._parts[places]
        counted = _spread(numbers, parts)
        # That all lack one is the most that can be; how many do is counted where it is told.
        picked = replace(
            self, lacking=len(places), _numbers=numbers, _parts=parts, _counted=counted
        )
        picked.has_parts = bool(len(parts)) and int(parts.max()) > 1
        picked._tied = int((numbers != UNKNOWN).sum())
        picked.background = None
        if self.space is not None and self.background is not None:
            picked._measure(tx, self.space)
        return picked

    def _measure(self, tx: Tx, space: VectorSpace) -> None:
        """The background of the first so many messages, unless it is known."""
        first = so_many(self._tied)
        if self.background is None or self.background.messages != first:
            known = np.flatnonzero(self._numbers != UNKNOWN)[:first]
            sample = sample_of(self._numbers[known], self._parts[known].astype(np.int64))
            self.background = _measure(tx, space, sample, first)

    def _make_room(self, count: int) -> None:
        """A place for each message, with room to spare: most turns copy nothing then."""
        if count > len(self._numbers):
            missing = count + count // 8 - len(self._numbers)
            self._numbers = np.r_[self._numbers, np.full(missing, UNKNOWN, np.int64)]
            self._parts = np.r_[self._parts, np.zeros(missing, np.int16)]

    def _tie(self, outline: Outline, numbers: Positions, items: Positions) -> None:
        places = outline.find(items)
        known = places < outline.count
        known[known] = outline.take("ids", places[known]) == items[known]
        places, numbers = places[known], numbers[known]
        if not len(places):
            return
        starts = np.flatnonzero(np.r_[True, places[1:] != places[:-1]])
        parts = np.diff(np.r_[starts, len(places)])
        self._tied += int((self._numbers[places[starts]] == UNKNOWN).sum())
        self._numbers[places[starts]] = numbers[starts]
        self._parts[places[starts]] = parts
        self.has_parts = self.has_parts or int(parts.max()) > 1


def _spread(firsts: Positions, parts: npt.NDArray[np.int16]) -> Positions:
    """The numbers of all vectors of some messages, rising."""
    known = firsts != UNKNOWN
    firsts, counts = firsts[known], parts[known].astype(np.int64)
    starts = np.cumsum(counts) - counts
    return np.sort(np.repeat(firsts - starts, counts) + np.arange(int(counts.sum())))


def so_many(messages: int) -> int:
    """Of how many of the first messages the background is measured: most of them, and of the same
    until an eighth more is there."""
    spare: int = max(0, messages.bit_length() - GROWTH_BITS)
    return messages >> spare << spare


def _trust(messages: int) -> float:
    """How much of what is measured counts, beside what is typical of the model."""
    return messages / (messages + TYPICAL_COUNTS_AS)


def sample_of(firsts: Positions, parts: Positions) -> Positions:
    """The numbers of some vectors, spread over all those of some messages."""
    if not len(firsts):
        return firsts
    ends = np.cumsum(parts)
    spread = np.unique(np.linspace(0, ends[-1] - 1, SAMPLE).astype(np.int64))
    owners = np.searchsorted(ends, spread, "right")
    numbers: Positions = firsts[owners] + spread - (ends - parts)[owners]
    return numbers


def _measure(tx: Tx, space: VectorSpace, sample: Positions, messages: int) -> Background:
    """The background of so many messages, from a sample of their vectors.

    Facts are left out: they resemble each other, and many of them would make every message look
    less near than it is.
    """
    centre, scatter = TYPICAL.get(model_of(space.model), (None, UNKNOWN_SCATTER))
    found = list(tx.vectors.get_rows(space.id, sample.tolist()).values()) if len(sample) else []
    if not found:
        return Background(np.zeros(space.dimensions, np.float32), scatter, messages, centre)
    rows = unpack_rows(found, space.dimensions)
    if centre is None and len(rows) > ENOUGH:
        pairs = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
        scatter = max(1e-4, float(pairs.std()))
    return Background(rows.mean(axis=0), scatter, messages, centre)


@dataclass(frozen=True, slots=True)
class AskedVectors:
    """The vectors of a bank, compared with one question."""

    bank: BankVectors
    asked: Asked
    outline: Outline
    centre: float
    scatter: float

    def nearest(self, limit: int) -> tuple[Positions, Floats]:
        """Places and cosines of the nearest messages, best first."""
        # All kinds: telling them apart row by row costs more.
        scope = Scope(self.bank.bank, numbers=self.bank.counted)
        spare = limit if self.bank.has_parts else limit // 4
        numbers, cosines = self.asked.search(scope, limit + spare)
        said = self.asked.kinds(numbers) == int(VectorKind.MESSAGE)
        numbers, cosines = numbers[said], cosines[said]
        ids = self.asked.items(numbers)
        places = self.outline.find(ids)
        known = places < self.outline.count
        known[known] = self.outline.take("ids", places[known]) == ids[known]
        places, cosines = places[known], cosines[known]
        if self.bank.has_parts:  # the best of each message
            first = np.sort(np.unique(places, return_index=True)[1])
            places, cosines = places[first], cosines[first]
        return places[:limit], cosines[:limit]

    def cosines(self, places: Positions) -> Floats:
        """The cosine with each message, NaN where it has no vector yet."""
        firsts, parts = self.bank.numbers(places)
        if not self.bank.has_parts:  # a message may be asked for as several others' neighbour
            numbers, back = rising_with_back(firsts)
            known = int(np.searchsorted(numbers, 0))  # `UNKNOWN` is before all others
            estimated = np.full(len(numbers), np.nan, np.float32)
            estimated[known:] = self.asked.estimate(numbers[known:])
            return estimated[back]
        found = np.full(len(places), np.nan, np.float32)
        known = firsts != UNKNOWN
        firsts, parts = firsts[known], parts[known]
        if not len(firsts):
            return found
        starts = np.cumsum(parts) - parts
        numbers = np.repeat(firsts - starts, parts) + np.arange(int(parts.sum()))
        order = np.argsort(numbers)
        estimated = np.empty(len(numbers), np.float32)
        estimated[order] = self.asked.estimate(numbers[order])
        found[known] = np.maximum.reduceat(estimated, starts)
        return found

    def nearest_part(self, place: int) -> int:
        """Which of the vectors of a message is the nearest, counted from 0."""
        first, parts = (each.item() for each in self.bank.numbers(np.array([place])))
        if first == UNKNOWN or parts < 2:
            return 0
        return int(np.argmax(self.asked.estimate(np.arange(first, first + parts))))


def ask_vectors(tx: Tx, bank: BankVectors, outline: Outline, query: Floats) -> AskedVectors | None:
    """The bank's vectors ready for a question; none before the first vector, or without any."""
    shelf, background = bank.shelf, bank.background
    if shelf is None or background is None or (outline.count and not bank.has_any):
        return None
    centre = background.centre(query)
    return AskedVectors(bank, shelf.ask(tx, query), outline, centre, background.scatter)
