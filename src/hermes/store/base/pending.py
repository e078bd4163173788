"""The contract for held writes: what waits for the person's word before it may stand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from hermes.types import Origin, Trust


@dataclass(frozen=True, slots=True)
class HeldWrite:
    """A write that is not made until it is approved; `payload` says what is to be done then."""

    id: int
    bank: str
    target: str
    text: str
    reason: str
    held_at: int
    payload: Mapping[str, object] = field(default_factory=dict)
    origin: Origin = Origin.USER
    trust: Trust = Trust.NONE
    fact_id: int | None = None
    decided_at: int | None = None
    verdict: str = ""


class Pending(Protocol):
    def add(self, write: HeldWrite) -> HeldWrite:
        """Hold a write. One that is waiting already, or was rejected, is not held again."""

    def find(self, number: int) -> HeldWrite | None: ...

    def find_of_fact(self, fact_id: int) -> HeldWrite | None:
        """The newest write held for a fact."""

    def count(self) -> int:
        """How many wait."""

    def decide(self, number: int, verdict: str, *, at: int) -> None:
        """Keep what was decided; Conflict if it was decided before."""

    def reopen(self, number: int) -> None:
        """Let a rejected one wait again; Conflict if it was not rejected."""

    def list(self, bank: str = "", *, decided: bool = False, limit: int = 1_000) -> list[HeldWrite]:
        """Those that wait, oldest first; with `decided`, those that do not, newest first."""
