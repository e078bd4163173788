"""What a pass of recall answers: places in a bank's outline, each with the pass's own score."""

from dataclasses import dataclass

import numpy as np

from hermes.memory.recall.outline import Floats, Positions, rising


@dataclass(frozen=True, slots=True)
class Hits:
    """The finds of one pass, best first. Scores of different passes cannot be compared."""

    name: str
    places: Positions
    scores: Floats


def best(name: str, places: Positions, scores: Floats, limit: int) -> Hits:
    """The `limit` best of what a pass found; of equals the newest."""
    if len(places) > limit:
        kept = np.argpartition(-scores, limit - 1)[:limit]
        places, scores = places[kept], scores[kept]
    order = np.lexsort((-places, -scores))
    return Hits(name, places[order], scores[order])


def union(found: "list[Hits]") -> Positions:
    """Every place that any pass found, rising."""
    return rising(np.concatenate([hits.places for hits in found]))
