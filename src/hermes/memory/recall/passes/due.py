"""Facts with a day in a time ahead that the task names: deadlines and events, the next first."""

from collections.abc import Sequence

import numpy as np

from hermes.memory.recall import plans
from hermes.memory.recall.belief import Belief, told_at
from hermes.memory.recall.outline import Flags, Floats
from hermes.memory.recall.passes import temporal
from hermes.memory.recall.relevance import AWAY, DOUBTFUL, OF_THE_TIME
from hermes.memory.recall.task import Task
from hermes.memory.recall.then import since
from hermes.store.base.facts import FactFilter
from hermes.types import Fact

NAME = temporal.NAME
LOOKED_AT = 256  # the newest deadlines and events


def search(belief: Belief, task: Task, bank: str, limit: int) -> list[Fact]:
    """The believed deadlines and events that are due in a time ahead; none where none is named."""
    if not task.ahead:
        return []
    dated = FactFilter(bank=bank, kinds=plans.OF_A_DAY)
    then = [fact for fact in belief.newest(dated, LOOKED_AT) if plans.is_due(task, fact)]
    return sorted(then, key=since)[:limit]


def lift(task: Task, facts: Sequence[Fact], told: plans.Told, relevance: Floats) -> Floats:
    """What is due or will be in a time ahead that is asked about is given, as a message is.

    Where nothing else is asked for, what has another day is not given, and the rest is doubtful,
    but for what was told in that time.
    """
    if not task.ahead:
        return relevance
    least, more = OF_THE_TIME
    lifted, others = least + more * relevance, relevance
    if task.is_about_time:
        most = np.where(told.is_other, AWAY, DOUBTFUL)
        others = np.minimum(relevance, np.where(_is_told_then(task, facts), 1, most))
    else:
        lifted = np.minimum(lifted, DOUBTFUL)
    return np.where(told.is_then, np.maximum(relevance, lifted), others).astype(np.float32)


def _is_told_then(task: Task, facts: Sequence[Fact]) -> Flags:
    at = [told_at(fact) for fact in facts]
    return np.array([any(s.start_at <= each < s.end_at for s in task.ahead) for each in at], bool)
