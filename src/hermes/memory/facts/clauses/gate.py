"""How sure a reading is: its signs weighed by what chats of other authors taught.

Each sign of a candidate has a weight; their sum says how likely a person would keep the fact. The
weights are fitted by `python -m hermes.bench.fit_gate` on labelled chats, each author's judged by
what the others taught, and the threshold is where those judgements were right often enough. What
does not reach it is left out, not kept with less confidence.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.certainty import is_doubted
from hermes.memory.facts.clauses.signs import word_signs

AS_SAID = "by:as_said"


@dataclass(frozen=True, slots=True)
class Gate:
    """The weights of signs, what a candidate begins with, and the sum it must reach."""

    weights: Mapping[str, float]
    bias: float
    threshold: float

    def score(self, signs: Iterable[str]) -> float:
        return self.bias + sum(self.weights.get(sign, 0.0) for sign in set(signs))


@cache
def load_gate() -> Gate:
    file = resources.files("hermes.memory.facts.clauses") / "gate.json"
    read = json.loads(file.read_text(encoding="utf-8"))
    return Gate(read["weights"], read["bias"], read["threshold"])


def signs_of(candidate: Candidate) -> frozenset[str]:
    """All that is weighed: what stood around a candidate, and its words."""
    return frozenset((*candidate.signs, *word_signs(candidate.quote)))


def is_sure(candidate: Candidate, at: int) -> bool:
    """Whether enough speaks for a candidate that was read from a message of this time."""
    if AS_SAID not in candidate.signs and is_doubted(candidate, at):
        return False
    if candidate.correction and AS_SAID not in candidate.signs:
        return True  # it was announced as one, and there was something to correct
    gate = load_gate()
    return gate.score(signs_of(candidate)) >= gate.threshold
