"""The answer of recall as its callers hold it."""

from dataclasses import dataclass
from datetime import UTC, tzinfo

from hermes.memory.recall.render import render_context
from hermes.memory.recall.result import Item, Trace, is_sure


@dataclass(frozen=True, slots=True)
class Recall:
    """What is remembered for a task, most relevant first, within its budget."""

    task: str
    items: tuple[Item, ...]
    trace: Trace
    budget_tokens: int
    zone: tzinfo = UTC

    @property
    def is_sure(self) -> bool:
        """Whether some of it answers the task, as far as can be told; `context` says if not."""
        return is_sure(self.items)

    def context(self) -> str:
        """The block a model gets: dated, attributed, fenced as data, never over budget."""
        is_silent = self.trace.is_silent
        return render_context(self.items, self.budget_tokens, self.zone, is_silent=is_silent)
