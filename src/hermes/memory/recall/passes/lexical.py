"""Messages that hold the question's rare words."""

from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.hits import Hits, best

NAME = "lexical"


def search(evidence: Evidence, limit: int) -> Hits:
    places, scores = evidence.words.ranked(2 * limit)
    return best(NAME, places, scores, limit)
