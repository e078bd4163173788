"""Whether a fact is what a question asks for, beyond its words: of the one asked about, of a kind.

"How old is Zosia" has one word to look up, and "User's kid is Zosia" holds it: it is no answer to
how old. "Where do I live" is not answered by where a brother lives.
"""

from collections.abc import Sequence

import numpy as np

from hermes.memory.facts.candidate import USER
from hermes.memory.recall import cues
from hermes.memory.recall.outline import Floats
from hermes.memory.recall.passes import asked
from hermes.memory.recall.task import Task
from hermes.types import Fact

TELLING = frozenset({"when", "how_many", "how_long", "where"})  # answers to these show in a text
DOUBTFUL = 0.69  # what a fact is worth at most that shows no such answer…
OF_ANOTHER = 0.6  # …and one of somebody else, where the user asks about themselves


def doubt(task: Task, facts: Sequence[Fact], relevance: Floats) -> Floats:
    """The relevance of the facts, less where they are of another kind or about another."""
    most = np.ones(len(facts), np.float32)
    if task.cue in TELLING:
        shown = cues.could_answer(task.cue, [fact.text for fact in facts])
        most = np.where(shown > 0, most, np.float32(DOUBTFUL))
    if asked.asks_of_self(task.text):
        others = [fact.subject != USER and not task.names(fact.subject) for fact in facts]
        most = np.where(others, np.float32(OF_ANOTHER), most)
    doubted: Floats = np.minimum(relevance, most)
    return doubted
