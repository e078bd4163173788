"""Messages that hold the question's rare words."""

from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.hits import Hits, best

NAME = "lexical"


SPARE = 2  # times as many are ranked by words alone, before their lengths are looked at


def search(evidence: Evidence, limit: int) -> Hits:
    places, scores = evidence.words.ranked(SPARE * limit)
    return best(NAME, places, scores, limit)


def prepare(evidence: Evidence, limit: int) -> None:
    evidence.words.prepare(SPARE * limit)
