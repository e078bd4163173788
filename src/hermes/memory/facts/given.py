"""What is brought to facts, and what comes of it: plain values, light to import."""

from dataclasses import dataclass

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.decide import Verdict
from hermes.types import Confidence, Fact, FactKind, FactSource, Origin, Trust

ALL = 1 << 40
PERSON = "person"
MAX_CHARS = 2_000  # of a statement


@dataclass(frozen=True, slots=True)
class Given:
    """Where a candidate comes from: its bank, who brought it, and the words it rests on.

    Told in the words of another fact, too, it is worth `at_most` what that is.
    """

    bank: str
    source: FactSource
    origin: Origin = Origin.USER
    at_most: Trust = Trust.HIGH

    @property
    def trust(self) -> Trust:
        return min(self.source.trust, self.at_most)


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a candidate, the fact that now says it, and the others this touched."""

    verdict: Verdict
    reason: str
    fact: Fact | None = None
    others: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Revision:
    """What a person changes of a fact; None leaves it as it is. `said` is the new wording, read.

    `worth` is the least of what an agent had read that wrote it. Where that is tainted, the person
    said yes to these very words.
    """

    said: Candidate | None = None
    kind: FactKind | None = None
    confidence: Confidence | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    worth: Trust = Trust.HIGH
