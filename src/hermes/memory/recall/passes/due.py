"""Facts with a day in a time ahead that the task names: deadlines and events, the next first."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hermes.memory.recall import plans
from hermes.memory.recall.belief import Belief
from hermes.memory.recall.outline import Floats
from hermes.memory.recall.passes import temporal
from hermes.memory.recall.relevance import AWAY, DOUBTFUL, OF_THE_TIME
from hermes.memory.recall.task import Task
from hermes.store.base.facts import FactFilter
from hermes.types import Fact, FactKind

NAME = temporal.NAME
LOOKED_AT = 256  # the newest deadlines and events


def search(belief: Belief, task: Task, bank: str, limit: int) -> list[Fact]:
    """The believed deadlines and events that are due in a time ahead; none where none is named."""
    if not task.ahead:
        return []
    is_now = belief.as_of is None
    kinds = (FactKind.DEADLINE, FactKind.EVENT)
    wanted = FactFilter(bank=bank, kinds=kinds, current=is_now, recorded_by=belief.as_of)
    facts = belief.among(belief.tx.facts.list(wanted, LOOKED_AT))
    due = [(at, fact) for fact in facts if (at := plans.find_due(fact)) is not None]
    then = [pair for pair in due if any(s.start_at <= pair[0] < s.end_at for s in task.ahead)]
    return [fact for _, fact in sorted(then, key=lambda pair: pair[0])][:limit]


def lift(
    task: Task, facts: Sequence[Fact], is_then: npt.NDArray[np.bool_], relevance: Floats
) -> Floats:
    """What is due or will be in a time ahead that is asked about is given, as a message is.

    Where nothing else is asked for, what has another day is not given, and the rest is doubtful.
    """
    if not task.ahead:
        return relevance
    least, more = OF_THE_TIME
    lifted = least + more * relevance
    others = relevance
    if task.is_about_time:
        is_dated = np.array([plans.find_due(fact) is not None for fact in facts], np.bool_)
        others = np.minimum(relevance, np.where(is_dated, AWAY, DOUBTFUL))
    else:
        lifted = np.minimum(lifted, DOUBTFUL)
    return np.where(is_then, np.maximum(relevance, lifted), others).astype(np.float32)
