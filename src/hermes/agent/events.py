"""What happens during a turn, told to whoever watches: one callback, one union."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from hermes.errors import HermesError
from hermes.llm.base import Usage
from hermes.tools.base import Receipt, ToolResult
from hermes.types import ToolCall


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was put before the model: how many memories, by which means, in what time."""

    items: int
    went_by: str
    reason: str
    took_ms: float


@dataclass(frozen=True, slots=True)
class Spoke:
    """A piece of the reply as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of the model's reasoning, where it shows it."""

    text: str


@dataclass(frozen=True, slots=True)
class CallBegan:
    call: ToolCall


@dataclass(frozen=True, slots=True)
class CallEnded:
    call: ToolCall
    result: ToolResult


@dataclass(frozen=True, slots=True)
class Progress:
    """A line from a tool that takes its time."""

    text: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """Something was written to memory, or waits for the person's word."""

    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Noted:
    """Something the person should know of the turn: compaction, a reply cut off, a claim."""

    text: str


NONE_USED = Usage()

Event = Recalled | Spoke | Thought | CallBegan | CallEnded | Progress | Remembered | Noted
OnEvent = Callable[[Event], None]


def ignore(event: Event) -> None:
    """Nobody watches."""


class End(StrEnum):
    """How a turn ended."""

    DONE = "done"
    CUT = "cut off"
    REFUSED = "refused"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    STEPS = "out of steps"
    MEMORY = "from memory alone"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a turn. With `FAILED`, `error` says what happened and what to do.

    With `MEMORY` there is an `error`, too: why no model answered. `stood_in` names the
    model that answered in the place of the one that should have.
    """

    end: End
    text: str = ""
    session_id: str = ""
    steps: int = 0
    usage: Usage = NONE_USED
    model: str = ""
    receipts: tuple[Receipt, ...] = ()
    error: HermesError | None = None
    stood_in: str = ""

    @property
    def ok(self) -> bool:
        return self.end in (End.DONE, End.CUT, End.MEMORY)


def add_usage(one: Usage, other: Usage) -> Usage:
    costs = [each.cost_usd for each in (one, other) if each.cost_usd is not None]
    return Usage(
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        cached_tokens=one.cached_tokens + other.cached_tokens,
        cache_write_tokens=one.cache_write_tokens + other.cache_write_tokens,
        cost_usd=sum(costs) if costs else None,
        estimated=one.estimated or other.estimated,
    )
