"""The codes of one space in memory, and the search over them.

A row's place is its number in the space. Sign bits choose the nearest few in a hundred, the
four-bit codes order those. A bank is a mask over the same rows, so that a filter costs no recall:
every row of the bank is looked at, and of a small bank no other.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from hermes.store.base import Tx
from hermes.store.base.vectors import VectorKind
from hermes.store.vectors.chunk import CHUNK, Chunk, Scope, Tags, is_message, kinds_of, tag_of
from hermes.store.vectors.coding import Codes, Coding, Floats, Places
from hermes.store.vectors.loops import AskedLoops, get_loops
from hermes.store.vectors.nearest import find_near


def row_bytes(coding: Coding) -> int:
    """What a row takes in memory: its codes, its item and its tag."""
    return coding.bytes_per_row + 8 + 4


class Shelf:
    """Every coded row of a space."""

    def __init__(self, coding: Coding) -> None:
        self.coding = coding
        self._chunks: list[Chunk] = []
        self.removed = 0  # messages' vectors, since it was filled

    def ask(self, _tx: Tx, query: Floats) -> "AskedShelf":
        return AskedShelf(self, get_loops().ask(self.coding.probe(query)))

    def list_messages(self, _tx: Tx, bank: int, *, first: int, end: int) -> tuple[Places, Places]:
        """The numbers from `first` to before `end` of a bank's messages, and these messages."""
        items, tags = self.items_and_tags(first)
        ours = np.flatnonzero(tags[: end - first] == tag_of(bank, VectorKind.MESSAGE))
        return first + ours, items[ours]

    @property
    def rows(self) -> int:
        """Places taken, those of removed rows among them."""
        return sum(chunk.count for chunk in self._chunks)

    @property
    def memory_bytes(self) -> int:
        """What the filled rows take."""
        return self.rows * row_bytes(self.coding)

    def put(self, first: int, codes: Codes, items: Places, tags: Tags) -> None:
        """Place rows from number `first` on; numbers left out stay empty."""
        done = 0
        while done < len(items):
            chunk = self._chunk((first + done) // CHUNK)
            offset = (first + done) % CHUNK
            part = slice(done, min(len(items), done + CHUNK - offset))
            chunk.put(offset, codes[part], items[part], tags[part])
            done = part.stop

    def remove(self, first: int, last: int) -> None:
        for place in range(first, min(last + 1, len(self._chunks) * CHUNK)):
            chunk, row = self._chunks[place // CHUNK], place % CHUNK
            self.removed += is_message(int(chunk.tags[row]))
            chunk.remove(row)

    def search(self, loops: AskedLoops, scope: Scope, limit: int) -> tuple[Places, Floats]:
        """The best `limit` places by estimated cosine, best first."""
        estimate = partial(self.estimate, loops)
        chunks = list(self._chunks)
        if scope.numbers is None:
            allowed = [chunk.allowed(scope) for chunk in chunks]
        else:
            at = enumerate(chunks)
            allowed = [chunk.among(scope.numbers, number * CHUNK) for number, chunk in at]
        places = find_near(chunks, allowed, loops, limit=limit, estimate=estimate)
        scores = estimate(places)
        if len(scores) > limit:
            best = np.flatnonzero(scores >= np.partition(scores, -limit)[-limit])
            places, scores = places[best], scores[best]
        order = np.lexsort((-places, -scores))[:limit]
        return places[order], scores[order]

    def estimate(self, loops: AskedLoops, places: Places) -> Floats:
        """Estimated cosines of rising places."""
        scores = np.empty(len(places), dtype=np.float32)
        if not len(places):
            return scores
        start, last = 0, int(places[-1]) // CHUNK
        for number in range(int(places[0]) // CHUNK, last + 1):
            first = number * CHUNK
            end = len(places) if number == last else int(np.searchsorted(places, first + CHUNK))
            if start < end:
                here = places[start:end] - first
                loops.estimate(self._chunks[number].rows, here, scores[start:end])
            start = end
        return scores

    def items(self, places: Places) -> Places:
        return self._pick(places, lambda chunk: chunk.items)

    def kinds(self, places: Places) -> Places:
        return kinds_of(self._pick(places, lambda chunk: chunk.tags))

    def items_and_tags(self, first: int) -> tuple[Places, Places]:
        """What stands at each place from `first` on: its item, and its bank and kind in one."""
        items, tags = [], []
        for number, chunk in enumerate(self._chunks):
            start = max(0, first - number * CHUNK)
            if start < chunk.count:
                items.append(chunk.items[start : chunk.count])
                tags.append(chunk.tags[start : chunk.count].astype(np.int64))
        if not items:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        return np.concatenate(items), np.concatenate(tags)

    def _chunk(self, number: int) -> Chunk:
        while len(self._chunks) <= number:
            if self._chunks:
                self._chunks[-1].fill_up()
            self._chunks.append(Chunk(self.coding))
        return self._chunks[number]

    def _pick(
        self, places: Places, column: Callable[[Chunk], npt.NDArray[np.signedinteger]]
    ) -> Places:
        if len(self._chunks) == 1:
            return column(self._chunks[0])[places].astype(np.int64)
        found = np.empty(len(places), np.int64)
        numbers = places // CHUNK
        for number in set(numbers.tolist()):
            here = numbers == number
            found[here] = column(self._chunks[number])[places[here] - number * CHUNK]
        return found


@dataclass(frozen=True, slots=True)
class AskedShelf:
    """A shelf and the question it is asked; cosines are estimates, good to about 0.001."""

    shelf: Shelf
    loops: AskedLoops

    def search(self, scope: Scope, limit: int) -> tuple[Places, Floats]:
        return self.shelf.search(self.loops, scope, limit)

    def estimate(self, places: Places) -> Floats:
        return self.shelf.estimate(self.loops, places)

    def items(self, places: Places) -> Places:
        return self.shelf.items(places)

    def kinds(self, places: Places) -> Places:
        return self.shelf.kinds(places)
