"""What a time expression means: a half-open stretch of time and how sure the words are of it."""

from dataclasses import dataclass
from typing import Literal

Grain = Literal["minute", "hour", "day", "week", "weekend", "month", "season", "quarter", "year"]
Direction = Literal["past", "future", "any"]
Prefer = Literal["past", "future"]


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A stretch of time that a piece of text names; `text` is its `text[start:end]`.

    `end_at` is exclusive. `direction` is what the words say of the asking time, `any` where they
    say nothing. `certainty` is 1.0 for a full date and falls with what had to be guessed.
    """

    start_at: int
    end_at: int
    text: str
    start: int
    end: int
    grain: Grain
    direction: Direction = "any"
    certainty: float = 1.0


@dataclass(frozen=True, slots=True)
class Period:
    """A span that is not yet tied to a piece of text.

    `floating` says that the year was guessed, so a neighbour in a range may set it.
    """

    start_at: int
    end_at: int
    grain: Grain
    direction: Direction = "any"
    certainty: float = 1.0
    floating: bool = False
