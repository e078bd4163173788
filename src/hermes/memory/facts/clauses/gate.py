"""How sure a reading is: its signs and its meaning, weighed by what chats of other authors taught.

Each sign of a candidate has a weight, and so has each dimension of its quote's vector; their sum
says how likely a person would keep the fact. The weights are fitted by `python -m
hermes.bench.fit_gate` on labelled chats, each author's judged by what the others taught, and the
threshold is where those judgements were right often enough. What does not reach it is left out;
what reaches it narrowly is kept with less confidence.

Where the bundled comparer can be run, it is asked first: a small model that was taught to tell, by
what was said and what was read of it, whether a person would keep that; what it says is weighed
beside the signs. Where it cannot, the signs are weighed with the vector of the quote, by the
bundled embedder; where there is none either, alone.
"""

import json
import logging
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from hermes.embed.base import Embedder, expected_space
from hermes.embed.comparer import Comparer
from hermes.errors import Corrupt, HermesError, Unavailable
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.certainty import ERRAND
from hermes.memory.facts.clauses.cues import read_opening
from hermes.memory.facts.clauses.lexicon import NAMES
from hermes.memory.facts.clauses.pair import Said, render_pair
from hermes.memory.facts.clauses.signs import word_signs
from hermes.types import Confidence

AS_SAID = "by:as_said"
EXPLICIT = "setting:explicit"
_ASKED_FOR = frozenset({"by:remembered", "clause:remember", EXPLICIT})
SIGNS, MEANING, READING = "gate.json", "gate_meaning.json", "gate_reading.json"

# Readings that were proposed for whoever can judge them by their text; the weights cannot.
HELD_BACK = frozenset(
    f"freed:{why}"
    for why in "passing doubted alone written clause fragment order unresolved joined".split()
)

# What the sum may fall short by where a message is nothing but the statement that was read: it was
# told for its own sake. Where no reader knew its form, less.
_SPARED, _SPARED_AS_SAID, _SPARED_DECIDED = 1.7, 1.4, 3.6
_CLEAR_NO = 0.0  # of the sums below it nearly all were wrong, whatever the signs alone would say
_OF_DECISIONS = frozenset({"said:decide", "said:agree", "said:settle"})

_ENDS = frozenset(".!?\n")
_WORD = re.compile(r"\w")
_MOCKING = re.compile(r"(?i)(?:oh[, ]+)?(?:sure|yeah[, ]+right|right|great|wonderful|of course)\b")

Embed = Callable[[str], Sequence[float]]
Compare = Callable[[str, str], float]

log = logging.getLogger("hermes.facts")


@dataclass(frozen=True, slots=True)
class Gate:
    """The weights, what a candidate begins with, the sum it must reach, and the sum of the sure.

    `as_said` is the sum for a sentence that no reader understood and that was kept as it is.
    `meaning` has a weight for each dimension of a vector of `space`; it is empty where signs do.
    `compared` is the weight of what the comparer says.
    """

    weights: Mapping[str, float]
    bias: float
    threshold: float
    sure: float = math.inf
    meaning: tuple[float, ...] = ()
    space: str = ""
    as_said: float = -math.inf
    compared: float = 0.0

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
    as_said = read.get("as_said", read["threshold"])
    return Gate(*own, meaning, read.get("space", ""), as_said, read.get("compared", 0.0))


def is_held_back(candidate: Candidate) -> bool:
    """Whether a reading is beyond what the weights of the gate were fitted for."""
    return not HELD_BACK.isdisjoint(candidate.signs)


def signs_of(candidate: Candidate) -> frozenset[str]:
    """All that is weighed besides the meaning: what stood around a candidate, and its words."""
    return frozenset((*candidate.signs, *word_signs(candidate.quote)))


class Judge:
    """Says what becomes of each reading.

    `compare` says how well a reading goes with what was said; `embed` gives the vector of a text.
    What fails is not asked again until the next extraction.
    """

    def __init__(self, embed: Embed | None = None, compare: Compare | None = None) -> None:
        self._embed = embed
        self._compare = compare

    def __call__(self, candidate: Candidate, said: Said) -> Candidate | None:
        """The candidate with its confidence, or None where too little speaks for it."""
        announced = candidate.correction or (candidate.change.announced and candidate.change.own)
        if announced and AS_SAID not in candidate.signs and not is_held_back(candidate):
            return candidate  # who says that they correct themselves, or changed their mind, does
        if EXPLICIT in candidate.signs and AS_SAID not in candidate.signs:
            if not is_held_back(candidate):
                return candidate  # who asks for something to be remembered is not second-guessed
        gate, score = self._weighed(candidate, said)
        spared = _spared(candidate, said)
        short = score + spared < gate.edge(candidate.signs)
        if short and score + spared >= _CLEAR_NO and _is_all_said(candidate, said):
            gate, score = self._by_signs(candidate)
        if score + spared < gate.edge(candidate.signs):
            return None
        narrow = score < gate.sure and not _is_plain(candidate)
        return replace(candidate, confidence=Confidence.MEDIUM) if narrow else candidate

    def _weighed(self, candidate: Candidate, said: Said) -> tuple[Gate, float]:
        signs = signs_of(candidate)
        if self._compare is not None:
            gate = load_gate(READING)
            pair = render_pair(candidate.text, candidate.quote, candidate.valid_from, said)
            try:
                return gate, gate.score(signs) + gate.compared * self._compare(*pair)
            except (Unavailable, Corrupt) as error:
                log.warning("facts are weighed without the comparer: %s", error.message)
                self._compare = None
        return self._by_signs(candidate)

    def _by_signs(self, candidate: Candidate) -> tuple[Gate, float]:
        signs = signs_of(candidate)
        if is_held_back(candidate):
            return load_gate(SIGNS), -math.inf
        if self._embed is not None:
            gate = load_gate(MEANING)
            try:
                return gate, gate.score(signs, self._embed(candidate.quote))
            except (Unavailable, Corrupt) as error:
                log.warning("facts are weighed by their signs alone: %s", error.message)
                self._embed = None
        gate = load_gate(SIGNS)
        return gate, gate.score(signs)


def _is_all_said(candidate: Candidate, said: Said) -> bool:
    """Whether a reader understood a sentence of its own: then there is nothing to compare beside.

    "I prefer tea." is little for a comparer to go by, and all that the signs need.
    """
    if AS_SAID in candidate.signs or is_held_back(candidate) or not candidate.quote:
        return False
    before, found, after = said.text.partition(candidate.quote)
    starts = not before.strip() or before.rstrip(" \t")[-1:] in _ENDS
    ends = not after.strip() or after.lstrip(" \t")[:1] in _ENDS
    return bool(found) and starts and ends


def _spared(candidate: Candidate, said: Said) -> float:
    """What is granted to a reading of all that a message says, its opening aside."""
    if is_held_back(candidate) or not candidate.quote or "?" in said.text:
        return 0.0
    if _MOCKING.match(said.text):
        return 0.0
    before, found, after = said.text.partition(candidate.quote)
    opened = before[read_opening(said.text).offset :]
    if not found or _WORD.search(opened) or _WORD.search(after):
        return 0.0
    if AS_SAID not in candidate.signs:
        return _SPARED
    if candidate.attribute in _OF_DECISIONS:
        return 0.0 if ERRAND.search(candidate.quote) else _SPARED_DECIDED
    return _SPARED_AS_SAID if candidate.attribute.startswith("said:") else 0.0


def _is_plain(candidate: Candidate) -> bool:
    """Whether it was asked to be remembered, or is a name that was given in a sentence of its own.

    Of left-out authors' readings such ones are nearly all right, whatever else they show.
    """
    if candidate.confidence is not Confidence.HIGH:
        return True  # it is told with less confidence already
    names = candidate.attribute in NAMES and candidate.subject == USER
    return not _ASKED_FOR.isdisjoint(candidate.signs) or (names and "verb:be" in candidate.signs)


def judge_with(embedder: Embedder | None, comparer: Comparer | None = None) -> Judge:
    """A judge that asks the comparer, and, if that fails, an embedder that the weights fit."""
    compare = None if comparer is None else comparer.compare
    if embedder is None or not _is_known_space(embedder):
        return Judge(compare=compare)
    return Judge(lambda text: embedder.embed_passages([text])[0].tolist(), compare)


def _is_known_space(embedder: Embedder) -> bool:
    try:
        return str(expected_space(embedder)) == load_gate(MEANING).space
    except HermesError:
        return False
