"""Summaries among messages: what a score means for each.

A summary speaks of many things, so that it is less like any question than the one message that
answers it. At the same score it holds the answer more often. The lift is by how much: the distance
between the two lines from score to chance of holding the evidence (LoCoMo, conversations 0-2, the
ten best of each question, slopes 0.51 and 0.48 with vectors, both 0.52 without). Whoever is asked
about, a summary holds their words: it counts as said by the right one. A line of it is what a
message was: the words of a question that stand together in one tell more than those that stand
apart.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import log1p

import numpy as np

from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.features import FEATURES
from hermes.memory.recall.fuse import Weights
from hermes.memory.recall.outline import Floats
from hermes.memory.recall.reading import Reading
from hermes.memory.recall.task import Subject
from hermes.store.base import Tx

LIFT_WITH_VECTORS = 3.5
LIFT_BY_TEXT = 1.45
LINE = 4.0  # what a line that holds all of the question's words adds; 8 did no better on LoCoMo
ROLE = FEATURES.index("role")

Lift = Callable[[Sequence[int], Floats], Floats]
"""What to add to the scores of messages, by their ids and features."""


def lift_for(tx: Tx, evidence: Evidence, weights: Weights, reading: Reading) -> Lift:
    """What the scores of summaries are lifted by; nothing for other messages."""
    gain = LIFT_BY_TEXT if evidence.meaning is None else LIFT_WITH_VECTORS
    right = 0.0 if len(evidence.named) else _right_role(evidence.task.subject)

    def lift(ids: Sequence[int], columns: Floats) -> Floats:
        parts = tx.summaries.find_parts(ids)
        if not parts:
            return np.zeros(len(ids), np.float32)
        known, tokens = reading.texts(sorted(parts)), tx.texts.tokens
        texts = {each: known[each] for each in parts if each in known}
        held = held_in_a_line(tokens(" ".join(evidence.task.terms)), texts, tokens)
        together = np.array([held.get(each, 0.0) for each in ids], np.float32)
        lifted: Floats = gain + weights.values[ROLE] * (np.float32(right) - columns[:, ROLE])
        return np.where([each in parts for each in ids], lifted + LINE * together, np.float32(0))

    return lift


def held_in_a_line(
    asked: Collection[str], texts: Mapping[int, str], tokens: Callable[[str], Iterable[str]]
) -> dict[int, float]:
    """The share of the asked words, by how rare they are, in the line of a text that holds most."""
    wanted = set(asked)
    lines = {
        own: [wanted.intersection(tokens(line)) for line in text.splitlines()]
        for own, text in texts.items()
    }
    counted = Counter(word for held in lines.values() for line in held for word in line)
    every = sum(map(len, lines.values()))
    weight = {word: log1p(every / count) for word, count in counted.items()}
    total = sum(weight.values()) or 1.0
    return {
        own: max((sum(weight[word] for word in line) / total for line in held), default=0.0)
        for own, held in lines.items()
    }


def _right_role(subject: Subject) -> float:
    """What the feature is for a message of the role that likely holds the answer."""
    return 0.25 if subject is Subject.ANYONE else 0.5
