"""Which of the newest episodes are told whatever was found: what a task may go on from.

What was said within a day is always at hand, and so is all of the newest where the task speaks of
now, goes on, or points at what was said. Beside a task of its own ("write a haiku") last week's
chat about taxes is padding: of what is older only that is told which could bear on it.
"""

import re
from collections.abc import Sequence

import numpy as np

from hermes.clock import DAY_MS
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.meaning import Meaning
from hermes.memory.recall.words import Words
from hermes.types import Episode

NEAR_ENOUGH = 1.0  # steps of the space's scatter above the average message
_GOES_ON = re.compile(
    r"\b(?:now|today|tonight|just|again|still|so far|latest|newest|recent(?:ly)?|earlier|status"
    r"|progress|continu\w+|resum\w+|go(?:ing)? on|carry(?:ing)? on|pick up|catch me up|left off"
    r"|next|last (?:time|session|conversation|chat|message|thing|topic|night)|yesterday"
    r"|where (?:were|are) we|where did (?:we|i) (?:leave|stop|get)"
    r"|what(?:'s| is) (?:new|up|going on)"
    r"|this|that|these|those|it|them|above|previous)\b",
    re.I,
)


def keep_bearing(evidence: Evidence, newest: Sequence[Episode]) -> list[Episode]:
    """Those of the newest episodes that are told beside what was found.

    Without vectors nobody can tell what bears on a task: then all of them.
    """
    words, meaning = evidence.words, evidence.meaning
    asks_nothing = not words.terms and not words.missing
    if meaning is None or asks_nothing or _GOES_ON.search(evidence.task.text):
        return list(newest)
    since = evidence.task.asked_at - DAY_MS
    older = [each for each in newest if _last_at(each) < since]
    told = _bearing(words, meaning, [message.id for each in older for message in each.messages])
    return [
        each
        for each in newest
        if _last_at(each) >= since or any(message.id in told for message in each.messages)
    ]


def _last_at(episode: Episode) -> int:
    return max((message.at for message in episode.messages), default=0)


def _bearing(words: Words, meaning: Meaning, ids: Sequence[int]) -> set[int]:
    """Those of the messages that hold a word of the task, or are near to it; asked at once."""
    places = words.outline.find_known(np.array(ids, np.int64))
    bears = meaning.of(places) >= NEAR_ENOUGH
    if words.terms:
        bears |= words.presence(places).any(axis=0)
    return set(words.outline.take("ids", places[bears]).tolist())
