"""A store's own search, asked for some numbers only: as many more are looked at as it takes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from hermes.store.base.vectors import NearVector, VectorKind, VectorSpace
from hermes.store.vectors.chunk import Scope
from hermes.store.vectors.coding import Floats
from hermes.store.vectors.instore import AskedStore

COUNT = 1_000
SPACE = VectorSpace(1, "test", "words", 2, current=True, seed=1, coding=1, next=COUNT)


@dataclass
class ByNumber:
    """A search to which the greatest number is the nearest."""

    asked: list[tuple[int, int | None]] = field(default_factory=list)

    def nearest(
        self,
        space: VectorSpace,
        query: Floats,
        *,
        bank: int | None,
        kinds: Sequence[int] = (),
        limit: int,
        up_to: int | None = None,
    ) -> list[NearVector]:
        self.asked.append((limit, up_to))
        first = COUNT - 1 if up_to is None else min(COUNT - 1, up_to)
        numbers = range(first, max(-1, first - limit), -1)
        return [NearVector(n, VectorKind.MESSAGE, n + 5, n / COUNT) for n in numbers]


@pytest.mark.parametrize("wanted", [[3, 5, 900], list(range(0, 900, 2)), []])
def test_of_some_numbers_the_nearest_are_found_however_many_are_nearer(wanted: list[int]) -> None:
    search = ByNumber()
    asked = AskedStore(search, SPACE, np.ones(2, np.float32))  # type: ignore[arg-type]
    places, cosines = asked.search(Scope(1, numbers=np.array(wanted, np.int64)), 10)
    assert places.tolist() == sorted(wanted, reverse=True)[:10]
    assert asked.items(places).tolist() == [n + 5 for n in places.tolist()]
    assert cosines.tolist() == pytest.approx([n / COUNT for n in places.tolist()])
    assert all(up_to == max(wanted) for _, up_to in search.asked)


def test_all_are_asked_for_once() -> None:
    search = ByNumber()
    asked = AskedStore(search, SPACE, np.ones(2, np.float32))  # type: ignore[arg-type]
    assert asked.search(Scope(1), 10)[0].tolist() == list(range(COUNT - 1, COUNT - 11, -1))
    assert search.asked == [(10, None)]
