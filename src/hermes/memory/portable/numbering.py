"""Which number each thing of a file has here, in little memory: numbers ascend on both sides."""

from array import array
from bisect import bisect_left

from hermes.errors import UserError


class Numbering:
    """Old numbers to new ones; nought stands for what was left out."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._old = array("q")
        self._new = array("q")

    def add(self, old: int, new: int) -> None:
        if self._old and old <= self._old[-1]:
            raise UserError(
                f"The file does not hold together: {self._what} {old} follows {self._old[-1]}.",
                "Export it anew.",
            )
        self._old.append(old)
        self._new.append(new)

    def find(self, old: int | None) -> int | None:
        """The number here; none where it was left out, or is not in the file."""
        if old is None:
            return None
        place = bisect_left(self._old, old)
        if place == len(self._old) or self._old[place] != old:
            return None
        return self._new[place] or None

    def has(self, old: int) -> bool:
        place = bisect_left(self._old, old)
        return place < len(self._old) and self._old[place] == old

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """The first and last number here of those between two old ones."""
        low, high = bisect_left(self._old, first), bisect_left(self._old, last + 1)
        kept = [new for new in self._new[low:high] if new]
        return (min(kept), max(kept)) if kept else None
