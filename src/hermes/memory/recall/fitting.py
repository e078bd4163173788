"""Whether a fact is what a question asks for, beyond its words: of the one asked about, of a kind.

"How old is Zosia" has one word to look up, and "User's kid is Zosia" holds it: it is no answer to
how old. "Where do I live" is not answered by where a brother lives.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hermes.memory.facts.candidate import USER
from hermes.memory.recall import cues
from hermes.memory.recall.fuse import LEAST_GIVEN
from hermes.memory.recall.outline import Floats
from hermes.memory.recall.passes import asked
from hermes.memory.recall.task import Task
from hermes.types import Fact

TELLING = frozenset({"when", "how_many", "how_long", "where"})  # answers to these show in a text
OF_ANOTHER = 0.6  # what a fact of somebody else is worth where the user asks about themselves


def shows(task: Task, facts: Sequence[Fact]) -> npt.NDArray[np.bool_]:
    """Which facts show an answer of the kind that is asked for, where such answers show."""
    if task.cue not in TELLING:
        return np.ones(len(facts), np.bool_)
    return np.asarray(cues.could_answer(task.cue, [fact.text for fact in facts]) > 0)


def doubt(task: Task, facts: Sequence[Fact], relevance: Floats) -> Floats:
    """The relevance of the facts, less where they are of another kind or about another.

    What shows no answer of the kind that is asked for is given, but after all that does.
    """
    most = np.where(shows(task, facts), np.float32(1), LEAST_GIVEN)
    if asked.asks_of_self(task.text):
        others = [fact.subject != USER and not task.names(fact.subject) for fact in facts]
        most = np.where(others, np.float32(OF_ANOTHER), most)
    doubted: Floats = np.minimum(relevance, most)
    return doubted
