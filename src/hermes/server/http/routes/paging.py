"""Lists in pages: one more is read than is shown, which tells whether there is more."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends, Query

from hermes.server.http.routes.ways import Json

T = TypeVar("T")
MOST_SKIPPED = 1_000_000


@dataclass(frozen=True, slots=True)
class Pages:
    """Which part of a list is asked for: `limit` of it, after the first `offset`."""

    limit: int
    offset: int

    @property
    def reach(self) -> int:
        """How many must be read."""
        return self.offset + self.limit + 1

    def render(self, found: Sequence[T], shape: Callable[[T], Json]) -> Json:
        """The page of a list that was read as far as `reach`."""
        end = self.offset + self.limit
        return {
            "items": [shape(each) for each in found[self.offset : end]],
            "more": len(found) > end,
        }


def pages_of(usual: int, most: int) -> Callable[[int, int], Awaitable[Pages]]:
    """What reads a page from an address: so many at a time, if nothing is said."""

    # asynchronous, so that FastAPI does not send it to a thread of its own
    async def read(
        limit: Annotated[int, Query(ge=1, le=most)] = usual,
        offset: Annotated[
            int, Query(ge=0, le=MOST_SKIPPED, description="How many to pass over.")
        ] = 0,
    ) -> Pages:
        return Pages(limit, offset)

    return read


Fifty = Annotated[Pages, Depends(pages_of(50, 1_000))]
Hundred = Annotated[Pages, Depends(pages_of(100, 1_000))]
Names = Annotated[Pages, Depends(pages_of(100, 10_000))]
