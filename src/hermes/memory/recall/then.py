"""Facts as they were in a past time that a task names: "who was my boss in March".

What is believed now may have come later; what it replaced held then, and is the answer. Such a fact
is given as it was, with a word of how long it held and of what came after it.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from hermes.clock import parse_time, to_datetime
from hermes.memory.facts.reference import render_ref
from hermes.memory.recall import windows
from hermes.memory.recall.succession import Succession
from hermes.memory.recall.task import Task
from hermes.memory.recall.when import TimeSpan
from hermes.types import Fact, FactKind


@dataclass(frozen=True)
class Then:
    """The past times a task names, days to months each, and what was replaced since."""

    spans: tuple[TimeSpan, ...]
    succession: Succession

    @cached_property
    def ids(self) -> frozenset[int]:
        """The replaced facts that held in those times."""
        return frozenset(fact.id for fact in self.succession.replaced if self.held(fact))

    def held(self, fact: Fact) -> bool:
        """Whether a fact was so in one of the times."""
        until = self._until(fact)
        return any(
            since(fact) < span.end_at and (until is None or until > span.start_at)
            for span in self.spans
        )

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

    def _until(self, fact: Fact) -> int | None:
        if fact.valid_to is not None or fact.id not in self.succession.later:
            return fact.valid_to
        return since(self.succession.now(fact))


def past_spans(task: Task) -> tuple[TimeSpan, ...]:
    """The past times that a task names, but for whole years."""
    past = (span for span in task.spans if span.end_at <= task.asked_at)
    return tuple(span for span in past if span.end_at - span.start_at <= windows.VAGUE_MS)


def since(fact: Fact) -> int:
    """When it is, or since when: an appointment on its day."""
    if fact.kind in (FactKind.DEADLINE, FactKind.EVENT):
        with suppress(ValueError):
            return parse_time(fact.value)
    return fact.recorded_at if fact.valid_from is None else fact.valid_from


def asked_for(facts: Sequence[Fact], attributes: frozenset[str]) -> set[int]:
    """Those of the facts that are kept under one of the attributes."""
    return {fact.id for fact in facts if fact.attribute in attributes}
