"""The turns around strong hits: an answer often stands beside the words that were asked for."""

from collections.abc import Sequence

import numpy as np

from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.hits import Hits
from hermes.memory.recall.outline import NOWHERE, rising

NAME = "neighbours"
STEPS = (1, -1, 2)


def search(evidence: Evidence, limit: int, found: Sequence[Hits] = ()) -> Hits:
    """The messages around the best of each of the passes before this one."""
    each = max(1, limit // (len(STEPS) * max(1, len(found))))
    strong = [hits.places[:each] for hits in found]
    strong_places = rising(np.concatenate(strong)) if strong else np.empty(0, np.int64)
    around = [evidence.outline.neighbours(strong_places, step) for step in STEPS]
    places = rising(np.concatenate(around))
    places = places[places != NOWHERE]
    return Hits(NAME, places, np.zeros(len(places), np.float32))
