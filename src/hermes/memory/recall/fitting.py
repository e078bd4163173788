"""Whether a fact is what a question asks for, beyond its words: of the one asked about, of a kind.

"How old is Zosia" has one word to look up, and "User's kid is Zosia" holds it: it is no answer to
how old. "Where do I live" is not answered by where a brother lives.
"""

import re
from collections.abc import Sequence

import numpy as np

from hermes.memory.facts.candidate import USER
from hermes.memory.recall import cues
from hermes.memory.recall.fuse import SAID_FROM
from hermes.memory.recall.identifiers import holds_any
from hermes.memory.recall.outline import Flags, Floats
from hermes.memory.recall.passes import asked
from hermes.memory.recall.task import Task
from hermes.types import Fact

_NUMBER = re.compile(r"(?<![\w.,:/-])\d{1,6}(?![.,:/-]?\w)")
TELLING = frozenset({"when", "how_many", "how_long", "where"})  # answers to these show in a text
BESIDE = 0.6  # how much is left of what lacks what is asked for, where another fact surely has it
OF_ANOTHER = 0.6  # what a fact of somebody else is worth where the user asks about themselves


def shows(task: Task, facts: Sequence[Fact]) -> Flags:
    """Which facts show an answer of the kind that is asked for, where such answers show."""
    if task.cue not in TELLING:
        return np.ones(len(facts), np.bool_)
    return np.asarray(cues.could_answer(task.cue, [fact.text for fact in facts]) > 0)


def is_of_another(task: Task, facts: Sequence[Fact]) -> Flags:
    """Which facts are about somebody else, where the user asks about themselves."""
    if not asked.asks_of_self(task.text):
        return np.zeros(len(facts), np.bool_)
    others = [fact.subject != USER and not task.names(fact.subject) for fact in facts]
    return np.array(others, np.bool_)


def lacks_number(task: Task, facts: Sequence[Fact], relevance: Floats) -> Floats:
    """The relevance of the facts, less where they tell of another number than the one asked for:
    of server 7, where server 3 is asked about and something sure is known of that.
    """
    wanted = [n for n in _NUMBER.findall(task.text) if n not in task.time_words]
    if not wanted:
        return relevance
    holds = np.array([holds_any(fact.text, wanted) for fact in facts], np.bool_)
    numbered = np.array([_NUMBER.search(fact.text) is not None for fact in facts], np.bool_)
    return set_beside(relevance, numbered & ~holds, holds)


def set_beside(relevance: Floats, lacking: Flags, having: Flags) -> Floats:
    """The relevance, where one of those that have what is asked for is sure, less of the others."""
    if not (relevance[having] >= SAID_FROM).any():
        return relevance
    return np.where(lacking, np.float32(BESIDE) * relevance, relevance)
