"""All that is known of a question in a bank before anything is ranked."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hermes.memory.recall import windows
from hermes.memory.recall.meaning import Meaning
from hermes.memory.recall.outline import Outline, Positions
from hermes.memory.recall.takers import Takers
from hermes.memory.recall.task import Task
from hermes.memory.recall.words import Words

SILENCE = "nothing was said in the time that is asked about"


@dataclass(frozen=True)
class Evidence:
    """The bank's outline, the question's words in it, and (with an embedder) its meaning.

    What passes share is worked out once and kept here.
    """

    task: Task
    outline: Outline
    words: Words
    meaning: Meaning | None = None
    as_of: int | None = None
    takers: Takers = field(default_factory=Takers)

    def with_meaning(self, meaning: Meaning | None) -> "Evidence":
        """The same question, and what it means; what was worked out of it needs no meaning."""
        known = object.__new__(Evidence)
        known.__dict__.update(self.__dict__, meaning=meaning)
        return known

    def prepare(self) -> None:
        """Work out beforehand what ranking and judging will ask for."""
        task = self.task
        _ = self.named, self.silence, task.time_words, task.order, task.is_about_time
        _ = task.ahead, task.past, task.identifiers

    def may_show(self, places: Positions) -> npt.NDArray[np.bool_]:
        return self.outline.is_shown(places)

    @property
    def shows_all(self) -> bool:
        """Whether there is no message that may not be shown."""
        return not self.outline.hides_any

    def list_shown(self, ids: Iterable[int]) -> list[int]:
        """Those of the messages that may be shown, rising."""
        wanted = np.array(sorted(set(ids)), np.int64)
        if not len(wanted):
            return []
        known = self.outline.find_known(wanted)
        shown: list[int] = self.outline.take("ids", known[self.may_show(known)]).tolist()
        return shown

    def said_then(self, places: Positions) -> npt.NDArray[np.bool_]:
        """Which messages were said in a time that the task names and that has begun.

        Of a time that is not over ("what should I cook today") only where nothing else is asked, or
        where what was is asked ("what did I cook today").
        """
        task, at = self.task, self.outline.take("at", places).astype(np.int64)
        spans = task.spans if task.is_about_time else task.past
        return windows.inside(spans, at, self.oldest_at, task.asked_at, years=task.is_about_time)

    @cached_property
    def silence(self) -> str:
        """What to tell where nothing but a past time is asked for and nothing was said in it."""
        task = self.task
        if not task.is_about_time or any(span.end_at > task.asked_at for span in task.spans):
            return ""
        at = self.outline.take("at", np.arange(self.outline.count)).astype(np.int64)
        said = windows.inside(task.spans, at, self.oldest_at, task.asked_at, years=True, least=0.0)
        return "" if said.any() else SILENCE

    @property
    def oldest_at(self) -> int:
        return self.outline.oldest_at

    @cached_property
    def named(self) -> Positions:
        """The codes of the speakers the task names, none if it names every one of them."""
        known = self.outline.name_parts
        codes = set[int]().union(*(known[word] for word in self.task.words if word in known))
        everyone = len(codes) == len(self.outline.names)
        return np.array([] if everyone else sorted(codes), np.int64)
