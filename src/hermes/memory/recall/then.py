"""Facts as they were: in a past time that a task names ("who was my boss in March"), or before they
changed ("who was my boss before").

What is believed now may have come later; what it replaced held then, and is the answer. Such a fact
is given as it was, with a word of how long it held and of what came after it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hermes.clock import to_datetime
from hermes.memory.facts.reference import render_ref
from hermes.memory.recall import windows
from hermes.memory.recall.outline import Floats
from hermes.memory.recall.plans import OF_A_DAY, find_due
from hermes.memory.recall.succession import Succession
from hermes.memory.recall.task import Task
from hermes.memory.recall.when import TimeSpan
from hermes.types import Fact

OF_THE_TIME = 3  # facts that began in a time that is asked about and are given for that
_FORMER = re.compile(
    r"\b(?i:previous(?:ly)?|former(?:ly)?|used to|(?:my|our) (?:old|ex)\b"
    r"|before (?:that|this|him|her|it|them)\b|before(?=\W*$)"
    r"|before (?:i|we) (?:\w+[^e]ed|left|quit|got|went|became|had|took)\b)"  # not "before I forget"
    r"|\b[Bb]efore (?=[A-Z]\w)"
)


@dataclass(frozen=True)
class Then:
    """The past times a task names, and what was replaced since.

    A task that asks for what was `former` names no time, but how things were before they changed.
    """

    spans: tuple[TimeSpan, ...]
    succession: Succession
    former: bool = False

    @classmethod
    def of(cls, task: Task, succession: Succession) -> "Then":
        return cls(task.past, succession, asks_former(task))

    @cached_property
    def ids(self) -> frozenset[int]:
        """The replaced facts that held in those times, or before."""
        was = self.succession.replaced
        return frozenset(fact.id for fact in was if self.former or self.held(fact))

    @property
    def answering(self) -> list[Fact]:
        """Of those, what may be the answer: of what was before, that which was replaced last."""
        was = [fact for fact in self.succession.replaced if fact.id in self.ids]
        last = {fact.id for fact in self.succession.last.values()}
        return [fact for fact in was if not self.former or fact.id in last]

    def held(self, fact: Fact) -> bool:
        """Whether a fact was so in one of the times; what happens or is due was on its day only."""
        if not self.spans:
            return False
        if fact.kind in OF_A_DAY:
            return self._begins(fact)
        until = self._until(fact)
        return any(
            since(fact) < span.end_at and (until is None or until > span.start_at)
            for span in self.spans
        )

    def begun(self, facts: Sequence[Fact]) -> npt.NDArray[np.bool_]:
        """Which facts began in one of the times."""
        return np.array([self._begins(fact) for fact in facts], np.bool_)

    def best_begun(self, facts: Sequence[Fact], scores: Floats) -> list[int]:
        """The places of the few best of those: given whatever else the task asks for, as messages
        of that time are, unless that is a whole year.
        """
        if not any(windows.days_of(span, span.start_at) for span in self.spans):
            return []
        order: list[int] = np.argsort(-scores, kind="stable").tolist()
        begun = self.begun(facts)
        return [n for n in order if begun[n]][:OF_THE_TIME]

    def given(self, fact: Fact) -> Fact:
        """The fact itself if it held then, else what is believed in its place."""
        return fact if fact.id in self.ids else self.succession.now(fact)

    def tell(self, facts: Iterable[Fact]) -> dict[str, str]:
        """By their references, until when the facts held that are given as they were then."""
        told = {}
        for fact in facts:
            if fact.id in self.ids:
                now, until = self.succession.now(fact), self._until(fact)
                day = "" if until is None else f" until {to_datetime(until).date()}"
                told[render_ref(fact.number)] = f"so{day}: now see {render_ref(now.number)}"
        return told

    def _begins(self, fact: Fact) -> bool:
        at = since(fact)
        return any(span.start_at <= at < span.end_at for span in self.spans)

    def _until(self, fact: Fact) -> int | None:
        if fact.valid_to is not None or fact.id not in self.succession.later:
            return fact.valid_to
        return since(self.succession.now(fact))


def tell_over(facts: Iterable[Fact], at: int) -> dict[str, str]:
    """By their references, until when those facts held that are over and that nothing replaced."""
    return {
        render_ref(fact.number): f"so until {to_datetime(fact.valid_to).date()}"
        for fact in facts
        if fact.valid_to is not None and fact.valid_to <= at and fact.superseded_by is None
    }


def asks_former(task: Task) -> bool:
    """Whether a task asks how something was before it changed, and names no time."""
    return not task.spans and _FORMER.search(task.text) is not None


def asks_of_then(task: Task) -> bool:
    """Whether a task asks how things were."""
    return bool(task.past) or asks_former(task)


def since(fact: Fact) -> int:
    """When it is, or since when: an appointment on its day."""
    due = find_due(fact)
    return due[0][0] if due else begun_at(fact)


def begun_at(fact: Fact) -> int:
    """Since when it is so, as far as is known: also of an appointment since it was told."""
    return fact.recorded_at if fact.valid_from is None else fact.valid_from


def asked_for(facts: Sequence[Fact], attributes: frozenset[str]) -> set[int]:
    """Those of the facts that are kept under one of the attributes."""
    return {fact.id for fact in facts if fact.attribute in attributes}
