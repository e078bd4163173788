"""How sure a fact is by the way it was told: to be remembered, in passing, or as a guess."""

from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.gate import AS_SAID
from hermes.memory.facts.clauses.lexicon import NAMES
from hermes.types import Confidence, FactKind

_MEANT_TO_LAST = frozenset(
    {"setting:explicit", "setting:told", "setting:correction", "by:remembered", "by:whole"}
)
_HEDGED = frozenset({"clause:doubtful"})


def as_told(candidate: Candidate) -> Candidate:
    """High where it was meant to be kept, medium where it was said by the way, low where unsure.

    What is said again becomes surer when it is kept. Once read narrowly, or hedged, it is a guess.
    """
    signs = set(candidate.signs)
    narrow = candidate.confidence is Confidence.MEDIUM
    if candidate.confidence is Confidence.LOW or signs & _HEDGED or (narrow and AS_SAID in signs):
        return replace(candidate, confidence=Confidence.LOW)
    sure = Confidence.HIGH if _is_meant_to_last(candidate, signs) else Confidence.MEDIUM
    return replace(candidate, confidence=Confidence.MEDIUM if narrow else sure)


def _is_meant_to_last(candidate: Candidate, signs: set[str]) -> bool:
    if candidate.correction or signs & _MEANT_TO_LAST:
        return True
    if candidate.kind is FactKind.PREFERENCE:
        return "clause:lasting" in signs
    if candidate.subject == USER and candidate.attribute in NAMES:
        return True  # nobody gives a name by the way
    return candidate.kind is FactKind.DECISION and bool(
        {"clause:decided", "setting:decided"} & signs
    )
