"""What recall answers: items, best first, and how it came to them."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import floor
from typing import NamedTuple

from hermes.memory.recall.features import FEATURES
from hermes.memory.recall.fuse import GIVEN_FROM, SAID_FROM
from hermes.types import Kind, Role, Trust

NEWEST = "newest"  # how an item is found that is given because it is new


def told(relevance: float, digits: int = 2) -> float:
    """A relevance as it is shown: never more than it is, so that it reaches no line by rounding."""
    steps: int = 10**digits
    return floor(steps * relevance + 1e-4) / steps


class Rung(StrEnum):
    """How much recall had to go by; each rung below the first is said aloud."""

    FULL = "vectors + text"
    TEXT = "text only"
    RECENT = "recency only"


class Line(NamedTuple):
    """One message as it is shown: when, who, and what.

    A tuple: a recall makes forty, and a frozen dataclass takes four times as long.
    """

    message_id: int
    at: int
    role: Role
    speaker: str
    text: str
    trust: Trust = Trust.HIGH
    focus: int = 0  # where in its text begins what the task asks for, if it is long

    @property
    def by(self) -> str:
        return self.speaker or self.role.value


@dataclass(frozen=True, slots=True)
class Found:
    """A pass that found an item, and where it stood there."""

    by: str
    rank: int


@dataclass(frozen=True, slots=True)
class Item:
    """Something remembered that bears on the task, with what stood around it.

    `ref` names it (`message:12`, `fact:42`); `lines` hold it and its neighbours, in order, and
    `hit` is its own place among them.
    """

    kind: Kind
    ref: str
    relevance: float
    score: float
    at: int
    text: str
    session_id: str = ""
    episode_id: int = 0
    trust: Trust = Trust.HIGH
    lines: tuple[Line, ...] = ()
    hit: int = 0
    found: tuple[Found, ...] = ()
    gains: tuple[float, ...] = ()
    note: str = ""  # what must be told with it: contested, taken back, made up
    sources: tuple[int, ...] = ()  # the messages a fact was read from
    likely: bool = False  # scored as the best message of a question does that is answered
    held: bool = False  # waits for a person's approval: found by a search, never given to a model

    @property
    def parts(self) -> dict[str, float]:
        """What each feature added to the score."""
        named = zip(FEATURES, self.gains, strict=False)
        return {name: round(gain, 3) for name, gain in named if gain}

    def also(self, *found: Found) -> "Item":
        """The item, found in more ways."""
        return replace(self, found=(*self.found, *found))

    @property
    def focus(self) -> int:
        return self.lines[self.hit].focus if self.lines else 0

    @property
    def message_id(self) -> int:
        return self.lines[self.hit].message_id if self.lines else 0


def is_sure(items: Iterable[Item]) -> bool:
    """Whether some of what is given answers the task, as far as can be told."""
    given = (item for item in items if item.relevance >= GIVEN_FROM)
    return any(item.likely or item.relevance >= SAID_FROM for item in given)


@dataclass(frozen=True, slots=True)
class Trace:
    """How an answer came about: what it went by, what each pass gave, and how long it took."""

    went_by: Rung
    bank: str = ""
    reason: str = ""
    candidates: int = 0
    passes: dict[str, int] = field(default_factory=dict)
    terms: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    dropped: dict[str, int] = field(default_factory=dict)
    ms: dict[str, float] = field(default_factory=dict)
    spans: tuple[tuple[str, int, int], ...] = ()  # the times named: their words, start, end
    task_type: str = ""
    min_relevance: float = 0.0  # what an item had to reach, unless it is among the newest
    is_silent: bool = False  # nothing was said in the time that is asked about
