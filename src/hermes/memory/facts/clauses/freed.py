"""Signs of readings that are proposed though much speaks against them.

What was once left out by a rule of thumb is proposed with a sign of it, so that whoever judges by
the text can tell the few that a person would keep. Only what is not the user's own word is never
proposed: that is a matter of grounding, not of judgement.
"""

from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.certainty import is_doubted
from hermes.memory.facts.clauses.gate import AS_SAID
from hermes.memory.facts.clauses.passing import is_passing

PASSING, DOUBTED, ALONE = "freed:passing", "freed:doubted", "freed:alone"
CLAUSE, FRAGMENT, ORDER = "freed:clause", "freed:fragment", "freed:order"
UNRESOLVED, JOINED, WRITTEN = "freed:unresolved", "freed:joined", "freed:written"
REST = "by:rest"
_AS_WORDED = frozenset({AS_SAID, REST})  # no reader understood them, so none can have erred
_WEIGHED = frozenset({PASSING, DOUBTED})


def with_sign(candidate: Candidate, sign: str) -> Candidate:
    return replace(candidate, signs=(*candidate.signs, sign))


def with_marks(candidate: Candidate, at: int) -> Candidate:
    """The candidate with a sign where it is of the hour, or too much speaks against it."""
    if candidate.text and is_passing(candidate):
        candidate = with_sign(candidate, PASSING)
    read = candidate.text and _AS_WORDED.isdisjoint(candidate.signs)
    if read and is_doubted(candidate, at):
        candidate = with_sign(candidate, DOUBTED)
    return candidate


def is_freed(candidate: Candidate) -> bool:
    """Whether it was never proposed before the gate could hold it back; it can change nothing."""
    return any(s.startswith("freed:") and s not in _WEIGHED for s in candidate.signs)
