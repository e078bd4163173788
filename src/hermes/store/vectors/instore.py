"""A space whose codes stay in the store: asked as a shelf is, with no copy of them here.

For spaces so large that their codes would fill the memory of every process that searches them. The
store finds the nearest itself, and tells true cosines.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Protocol

import numpy as np

from hermes.errors import HermesError
from hermes.store.base import Tx
from hermes.store.base.vectors import NearVector, VectorKind, VectorSearch, VectorSpace
from hermes.store.vectors.chunk import Scope
from hermes.store.vectors.coding import Floats, Places

NO_END = 2**62
WIDER = 4  # times as many are asked for while too few of those found count


class Asked(Protocol):
    """The vectors of a space, compared with one question, within one transaction."""

    def search(self, scope: Scope, limit: int) -> tuple[Places, Floats]:
        """The numbers and cosines of the nearest, best first."""

    def estimate(self, places: Places) -> Floats:
        """The cosines of rising numbers."""

    def items(self, places: Places) -> Places:
        """What numbers that `search` gave stand for."""

    def kinds(self, places: Places) -> Places: ...


class Searched(Protocol):
    """What recall needs of the vectors of a space, wherever their codes lie."""

    @property
    def rows(self) -> int: ...

    @property
    def removed(self) -> int:
        """How many messages' vectors are known to have gone since the codes were read."""

    @property
    def memory_bytes(self) -> int: ...

    def ask(self, _tx: Tx, query: Floats, /) -> Asked: ...

    def list_messages(
        self, _tx: Tx, bank: int, /, *, first: int, end: int
    ) -> tuple[Places, Places]: ...


@dataclass(frozen=True, slots=True)
class StoreShelf:
    """The vectors of a space, by the store's own search."""

    space: VectorSpace

    @property
    def rows(self) -> int:
        return NO_END  # as many as the transaction sees

    @property
    def removed(self) -> int:
        return 0

    @property
    def memory_bytes(self) -> int:
        return 0

    def ask(self, tx: Tx, query: Floats) -> "AskedStore":
        # Its coding may have moved since the shelf was opened.
        return AskedStore(_search(tx), tx.vectors.get_space(self.space.id), query)

    def list_messages(self, tx: Tx, bank: int, *, first: int, end: int) -> tuple[Places, Places]:
        kind = VectorKind.MESSAGE
        return _search(tx).list_items(self.space.id, bank, kind, first=first, end=end)


@dataclass(frozen=True, slots=True)
class AskedStore:
    """A question to the store; what it found is remembered until it is asked what that is."""

    store: VectorSearch
    space: VectorSpace
    query: Floats
    _found: dict[int, NearVector] = field(default_factory=dict)

    def search(self, scope: Scope, limit: int) -> tuple[Places, Floats]:
        near = self._nearest(scope, limit)
        self._found.update((each.number, each) for each in near)
        numbers = np.array([each.number for each in near], dtype=np.int64)
        return numbers, np.array([each.cosine for each in near], dtype=np.float32)

    def _nearest(self, scope: Scope, limit: int) -> list[NearVector]:
        """The nearest that count. Numbers rise with time, mostly: where only some of them count,
        those above the last are left out by the store, and the others here."""
        numbers, looked_at, found = scope.numbers, limit, list[NearVector]()
        if numbers is not None and not len(numbers):
            return []
        up_to = None if numbers is None else int(numbers[-1])
        while len(found) < limit:
            near = self.store.nearest(
                self.space,
                self.query,
                bank=scope.bank,
                kinds=scope.kinds,
                limit=looked_at,
                up_to=up_to,
            )
            found = near if numbers is None else _among(near, numbers)
            if numbers is None or len(near) < looked_at:
                break
            looked_at *= WIDER
        return found[:limit]

    def estimate(self, places: Places) -> Floats:
        known = self.store.cosines(self.space, self.query, places.tolist())
        return np.array([known.get(place, np.nan) for place in places.tolist()], dtype=np.float32)

    def items(self, places: Places) -> Places:
        return np.array([self._found[place].item for place in places.tolist()], dtype=np.int64)

    def kinds(self, places: Places) -> Places:
        return np.array([self._found[place].kind for place in places.tolist()], dtype=np.int64)


def _among(near: Sequence[NearVector], numbers: Places) -> list[NearVector]:
    counts = np.isin(np.array([each.number for each in near], np.int64), numbers)
    return list(compress(near, counts.tolist()))


def _search(tx: Tx) -> VectorSearch:
    search = tx.vectors.find_search()
    if search is None:
        raise HermesError("This store does not search vectors itself.", "Hold its codes in memory.")
    return search
