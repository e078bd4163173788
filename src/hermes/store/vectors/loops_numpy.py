"""The loops of a search in numpy: for where nothing could be compiled."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hermes.store.vectors.coding import DESK, Floats, Places, Probe, Words
from hermes.store.vectors.loops import BLOCK, Rows

Counts = npt.NDArray[np.unsignedinteger]

MOST_IN_BYTE = 255
_ESTIMATED_AT_ONCE = 512  # rows that, as floats, stay in the cache


class NumpyLoops:
    """`Loops` by whole arrays."""

    name = "numpy"

    def ask(self, probe: Probe) -> "NumpyAsked":
        return NumpyAsked(probe)


@dataclass(frozen=True, slots=True)
class NumpyAsked:
    """`AskedLoops`; room to work in is kept a thread."""

    probe: Probe

    def weigh(self, rows: Rows, first: int, found: Floats) -> None:
        for start in range(0, len(found), BLOCK):
            self._weigh_block(rows, first + start, found[start : start + BLOCK])

    def _weigh_block(self, rows: Rows, first: int, found: Floats) -> None:
        block, mask = rows.signs[first // BLOCK], self.probe.telling.mask
        turned = DESK.room("turned", block.shape, np.uint64)
        bits = DESK.room("bits", block.shape, np.uint8)
        counts = DESK.room("counts", (len(found),), _counted_in(mask))
        np.bitwise_xor(block, self.probe.signs[:, None], out=turned)
        np.bitwise_and(turned, mask[:, None], out=turned)
        np.bitwise_count(turned, out=bits)
        np.add.reduce(bits[:, : len(found)], axis=0, dtype=counts.dtype, out=counts)
        here = slice(first, first + len(found))
        self._tell(counts, rows.scales[here], rows.bases[here], found)

    def weigh_rows(self, rows: Rows, places: Places, found: Floats) -> None:
        signs, mask = self.probe.signs, self.probe.telling.mask
        flat, first = (
            rows.signs.reshape(-1),
            places // BLOCK * (len(signs) * BLOCK) + places % BLOCK,
        )
        counts = np.zeros(len(places), dtype=_counted_in(mask))
        for word, (wanted, telling) in enumerate(zip(signs, mask, strict=True)):
            counts += np.bitwise_count((flat.take(first + word * BLOCK) ^ wanted) & telling)
        self._tell(counts, rows.scales.take(places), rows.bases.take(places), found)

    def _tell(self, counts: Counts, scales: Floats, bases: Floats, found: Floats) -> None:
        np.multiply(counts, np.float32(self.probe.step), out=found)
        found += np.float32(self.probe.start)
        found *= scales
        found += bases

    def estimate(self, rows: Rows, places: Places, found: Floats) -> None:
        for start in range(0, len(places), _ESTIMATED_AT_ONCE):
            some = slice(start, start + _ESTIMATED_AT_ONCE)
            self._estimate_some(rows, places[some], found[some])

    def _estimate_some(self, rows: Rows, places: Places, found: Floats) -> None:
        """In whole numbers, which floats of eight bytes add up without an error.

        A byte holds a low and a high level: weighing it whole by the high half of the question,
        and the low level by 16 times the low half less what the byte already gave it, gives 16
        times the sum and saves taking the high level out.
        """
        probe, shape = self.probe, (len(places), rows.levels.shape[1])
        levels = DESK.room("levels", shape, np.uint8)
        wide = DESK.room("wide", shape, np.float64)
        low_by, high_by = probe.low_by.astype(np.float64), probe.high_by.astype(np.float64)
        rows.levels.take(places, 0, out=levels, mode="clip")  # any other mode works in a copy
        np.copyto(wide, levels)
        sums = wide @ high_by
        np.bitwise_and(levels, np.uint8(15), out=levels)
        np.copyto(wide, levels)
        sums += wide @ (16 * low_by - high_by)
        np.divide(sums, 16, out=sums)
        np.copyto(found, sums, casting="same_kind")
        found *= np.float32(probe.unit)
        found -= np.float32(probe.middle)
        found *= rows.scales.take(places)
        found += rows.bases.take(places)
        found += np.float32(probe.base)


def _counted_in(mask: Words) -> type[np.uint8] | type[np.uint16]:
    """The smallest number that holds a count of the mask's bits: a byte is added twice as fast."""
    most = sum(word.bit_count() for word in mask.tolist())
    return np.uint8 if most <= MOST_IN_BYTE else np.uint16
