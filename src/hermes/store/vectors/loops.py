"""The two loops of a search that touch many rows, as compiled code where that could be built.

`loops.c` is compiled when Hermes is installed, where there is a C compiler (`hatch_build.py` at the
root of the repository); elsewhere numpy does the same, two to three times slower. Both weigh signs
to the same last bit, and estimate to within a millionth (`tests/contracts/test_loops_contract.py`),
so that what is found does not hang on which of them it was.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Protocol

from hermes.store.vectors.coding import Bytes, Floats, Places, Probe, Words

# Rows whose signs lie together, word by word: six words of them stay in the second-level cache.
BLOCK = 16_384


@dataclass(frozen=True)
class Rows:
    """The codes of many rows: `signs` as blocks × words × rows, the others row by row."""

    signs: Words
    levels: Bytes
    scales: Floats
    bases: Floats

    @cached_property
    def addresses(self) -> tuple[int, int, int, int]:
        """Where they lie in memory, which they never leave."""
        parts = (self.signs, self.levels, self.scales, self.bases)
        one, two, three, four = (each.ctypes.data for each in parts)
        return one, two, three, four


class AskedLoops(Protocol):
    """What a search does with rows for one question; results are put into `found`.

    Weighing gives the cosine that signs tell, less what the question has of the mean; estimating
    gives the cosine, to within about 0.001.
    """

    @property
    def probe(self) -> Probe: ...

    def weigh(self, rows: Rows, first: int, found: Floats) -> None:
        """Weigh the rows from `first` on, where a block begins, as many as there is room for."""

    def weigh_rows(self, rows: Rows, places: Places, found: Floats) -> None: ...

    def estimate(self, rows: Rows, places: Places, found: Floats) -> None: ...


class Loops(Protocol):
    """One way of going through rows."""

    @property
    def name(self) -> str:
        """What people are told of it."""

    def ask(self, probe: Probe) -> AskedLoops: ...


@cache
def get_loops() -> Loops:
    """The fastest there are on this machine."""
    from hermes.store.vectors.loops_compiled import find_compiled  # noqa: PLC0415 - which imports
    from hermes.store.vectors.loops_numpy import NumpyLoops  # noqa: PLC0415 - the types above

    return find_compiled() or NumpyLoops()
