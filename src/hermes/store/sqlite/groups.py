"""Ids in groups of a few sizes, so that the statements that ask for them stay prepared.

Preparing a statement costs as much as running it for thirty rows.
"""

from collections.abc import Iterator, Sequence

SIZES = (16, 64, 500)
_MARKS = {size: ",".join("?" * size) for size in SIZES}


def list_groups(ids: Sequence[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The marks of an `IN (…)` and what to bind to them; a group repeats its last id to be full."""
    most = SIZES[-1]
    for start in range(0, len(ids), most):
        part = ids[start : start + most]
        size = next(size for size in SIZES if size >= len(part))
        yield _MARKS[size], (*part, *(part[-1],) * (size - len(part)))
