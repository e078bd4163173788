"""Summaries among messages: what a score means for each.

A summary speaks of many things, so that it is less like any question than the one message that
answers it. At the same score it holds the answer more often. The lift is by how much: the distance
between the two lines from score to chance of holding the evidence (LoCoMo, conversations 0-2, the
ten best of each question, slopes 0.51 and 0.48 with vectors, both 0.52 without).
"""

from collections.abc import Callable, Sequence

import numpy as np

from hermes.memory.recall.outline import Floats
from hermes.store.base import Tx

LIFT_WITH_VECTORS = 3.5
LIFT_BY_TEXT = 1.45

Lift = Callable[[Sequence[int]], Floats]
"""What to add to the scores of messages."""


def lift_for(tx: Tx, *, with_meaning: bool) -> Lift:
    """What the scores of summaries are lifted by; nothing for other messages."""
    gain = np.float32(LIFT_WITH_VECTORS if with_meaning else LIFT_BY_TEXT)

    def lift(ids: Sequence[int]) -> Floats:
        parts = tx.summaries.find_parts(ids)
        if not parts:
            return np.zeros(len(ids), np.float32)
        return np.array([gain if each in parts else 0.0 for each in ids], np.float32)

    return lift
