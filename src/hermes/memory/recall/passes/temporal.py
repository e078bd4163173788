"""Messages said in a time the question names, the nearest in meaning (or by words) first.

For a time ahead, the newest before it is asked about: what is planned was said before, mostly of
late, and in any words.
"""

import numpy as np

from hermes.clock import DAY_MS
from hermes.memory.recall import windows
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.hits import Hits, best
from hermes.memory.recall.outline import Positions

NAME = "temporal"
MARGIN_MS = 3 * DAY_MS
LOOKED_AT = 2_048  # of a longer time, so many messages spread over all of it


def search(evidence: Evidence, limit: int) -> Hits:
    places = _inside(evidence)
    if len(places) > LOOKED_AT:
        places = places[:: -(-len(places) // LOOKED_AT)]
    if evidence.meaning is not None:
        scores = evidence.meaning.of(places)
    else:
        scores = evidence.words.weights @ evidence.words.presence(places).astype(np.float32)
    found = best(NAME, places, scores, limit)
    return _add_newest(found, evidence, limit) if evidence.task.ahead else found


def _add_newest(found: Hits, evidence: Evidence, limit: int) -> Hits:
    before = evidence.outline.column("at") <= evidence.task.asked_at
    newest = np.setdiff1d(np.flatnonzero(before)[-limit:], found.places)[::-1]
    places = np.concatenate((found.places, newest))
    return Hits(NAME, places, np.concatenate((found.scores, np.zeros(len(newest), np.float32))))


def _inside(evidence: Evidence) -> Positions:
    at = evidence.outline.column("at")
    inside = np.zeros(len(at), np.bool_)
    for span in evidence.task.spans:
        for start_at, end_at, _ in windows.days_of(span, evidence.oldest_at):
            inside |= (at >= start_at) & (at < end_at + MARGIN_MS)
    return np.flatnonzero(inside)
