"""How sure a reading is: its signs and its meaning, weighed by what chats of other authors taught.

Each sign of a candidate has a weight, and so has each dimension of its quote's vector; their sum
says how likely a person would keep the fact. The weights are fitted by `python -m
hermes.bench.fit_gate` on labelled chats, each author's judged by what the others taught, and the
threshold is where those judgements were right often enough. What does not reach it is left out;
what reaches it narrowly is kept with less confidence.

Vectors are those of the bundled model. Where there is none, another gate weighs the signs alone.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from hermes.embed.base import Embedder
from hermes.errors import Corrupt, Unavailable
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.signs import word_signs
from hermes.types import Confidence

AS_SAID = "by:as_said"
_ASKED_FOR = frozenset({"by:remembered", "clause:remember", "setting:explicit"})
SIGNS, MEANING = "gate.json", "gate_meaning.json"

# Readings that were proposed for whoever can judge them by their text; the weights cannot.
HELD_BACK = frozenset(
    f"freed:{why}"
    for why in "passing doubted alone written clause fragment order unresolved joined".split()
)

Embed = Callable[[str], Sequence[float]]
Weigh = Callable[[Candidate, int], float]


@dataclass(frozen=True, slots=True)
class Gate:
    """The weights, what a candidate begins with, the sum it must reach, and the sum of the sure.

    `as_said` is the sum for a sentence that no reader understood and that was kept as it is.
    `meaning` has a weight for each dimension of a vector of `space`; it is empty where signs do.
    """

    weights: Mapping[str, float]
    bias: float
    threshold: float
    sure: float = math.inf
    meaning: tuple[float, ...] = ()
    space: str = ""
    as_said: float = -math.inf

    def edge(self, signs: Iterable[str]) -> float:
        """The sum that a candidate with these signs must reach."""
        return self.as_said if AS_SAID in signs else self.threshold

    def score(self, signs: Iterable[str], vector: Sequence[float] = ()) -> float:
        told = sum(self.weights.get(sign, 0.0) for sign in set(signs))
        meant = sum(w * v for w, v in zip(self.meaning, vector, strict=True)) if vector else 0.0
        return self.bias + told + meant


@cache
def load_gate(name: str = SIGNS) -> Gate:
    file = resources.files("hermes.memory.facts.clauses") / name
    read = json.loads(file.read_text(encoding="utf-8"))
    meaning = tuple(read.get("meaning", ()))
    own = (read["weights"], read["bias"], read["threshold"], read["sure"])
    return Gate(*own, meaning, read.get("space", ""), read.get("as_said", read["threshold"]))


def is_held_back(candidate: Candidate) -> bool:
    """Whether a reading is beyond what the weights of the gate were fitted for."""
    return not HELD_BACK.isdisjoint(candidate.signs)


def signs_of(candidate: Candidate) -> frozenset[str]:
    """All that is weighed besides the meaning: what stood around a candidate, and its words."""
    return frozenset((*candidate.signs, *word_signs(candidate.quote)))


class Judge:
    """Says what becomes of each reading; `embed` gives the vector of a text, where one can."""

    def __init__(self, embed: Embed | None = None) -> None:
        self._embed = embed

    def __call__(self, candidate: Candidate, at: int) -> Candidate | None:
        """The candidate with its confidence, or None where too little speaks for it."""
        if is_held_back(candidate):
            return None
        if candidate.correction and AS_SAID not in candidate.signs:
            return candidate  # it was announced as one, and there was something to correct
        gate, score = self._weighed(candidate)
        if score < gate.edge(candidate.signs):
            return None
        narrow = score < gate.sure and not _is_plain(candidate)
        return replace(candidate, confidence=Confidence.MEDIUM) if narrow else candidate

    def _weighed(self, candidate: Candidate) -> tuple[Gate, float]:
        signs = signs_of(candidate)
        if self._embed is not None:
            gate = load_gate(MEANING)
            try:
                return gate, gate.score(signs, self._embed(candidate.quote))
            except (Unavailable, Corrupt):
                self._embed = None  # the signs alone will do until the next extraction
        gate = load_gate(SIGNS)
        return gate, gate.score(signs)


def _is_plain(candidate: Candidate) -> bool:
    """Whether it was asked to be remembered, or is a name that was given in a sentence of its own.

    Of left-out authors' readings such ones are nearly all right, whatever else they show.
    """
    if candidate.confidence is not Confidence.HIGH:
        return True  # it is told with less confidence already
    names = candidate.attribute == "name" and candidate.subject == USER
    return not _ASKED_FOR.isdisjoint(candidate.signs) or (names and "verb:be" in candidate.signs)


def judge_with(embedder: Embedder | None) -> Judge:
    """A judge that asks the embedder, if its vectors are those that the weights were fitted on."""
    if embedder is None or not _is_known_space(embedder):
        return Judge()
    return Judge(lambda text: embedder.embed_passages([text])[0].tolist())


def _is_known_space(embedder: Embedder) -> bool:
    try:
        return str(embedder.space) == load_gate(MEANING).space
    except Unavailable:
        return False
