"""The contract for the books of what calls to models cost: one line a day, profile, role, model."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SpendingLine:
    """What one model cost on one day, in one role; `role` is the setting: `model`, `lightModel`.

    `day` is an ISO date by the clock the caps go by; `guessed` says that a price or a count of
    tokens in the sum was not the endpoint's own.
    """

    day: str
    profile: str
    role: str
    model: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    usd: float = 0.0
    guessed: bool = False


class Spending(Protocol):
    def add(self, line: SpendingLine) -> None:
        """Add the numbers to the line of that day, profile, role and model."""

    def list(self, profile: str, since_day: str, until_day: str) -> list[SpendingLine]:
        """A profile's lines from one day to another, both included, oldest first."""
