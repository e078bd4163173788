"""One score from many features: a linear model with few weights, fitted by scripts.

`hermes.bench.fit_fusion` fits two columns of weights (with an embedder, and for words alone), and
`hermes.bench.fit_relevance` what turns scores into relevance from 0 to 1; both are in
`weights.json`. What each feature is for stands beside its name in `features`.

Whether anything bears on a task shows in its best message, better than in anything else that was
tried. So that one alone must reach the usual threshold, 0.65 (`worth`); where it does, others are
given that score less (`follows`), for what answers a question in part rarely scores like the first.
How surely they are told is another matter: `chance` says how often a message like it was an answer,
by its score and by how far it is ahead of the next, or behind the first; questions of what was
never said are among those it was fitted on. In a larger bank words are rarer and more is near by
chance, so that the same score says less there: how sure a thing is moves with its size
(`for_bank`). What is given does not: it would be less where there is more to find.
Nearness is put on one scale for every embedding model, so that all of it should mean the same
elsewhere.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import inf, log2

import numpy as np
import numpy.typing as npt

from hermes.memory.recall.features import FEATURES
from hermes.memory.recall.outline import Flags, Floats

GIVEN_FROM = 0.65  # the usual threshold
LEAST_GIVEN = np.nextafter(np.float32(GIVEN_FROM), np.float32(1))  # 0.65 itself rounds below it
EVEN = 0.5
FEWEST = 300  # messages: words of a smaller bank count as if it had so many
USUAL = 1_000  # messages of a bank for which lines are where the table says
SAID_FROM = 0.70  # from here on relevance is how often such a message is an answer

NEVER = {"base": -inf, "by_score": 0.0, "by_lead": 0.0}  # until it is fitted


@dataclass(frozen=True, slots=True)
class Weights:
    """A weight a feature, in their order, and the lines from score to relevance."""

    values: Floats
    slope: float
    middle: float
    follows: float  # what a message must score where the best one reaches the threshold
    chances: tuple[float, float, float] = (0.0, 0.0, 0.0)  # at 0, a score, a step of lead
    answered: tuple[float, float, float] = (-inf, 0.0, 0.0)  # the same, of the best alone
    by_size: float = 0.0  # what a score is worth less for each doubling of the bank

    def for_bank(self, messages: int) -> "Weights":
        """The same for a bank of so many messages."""
        return _moved(self, self.by_size * doublings(messages)) if self.by_size else self

    def score(self, columns: Floats) -> Floats:
        scored: Floats = columns @ self.values
        return scored

    def worth(self, scores: Floats) -> Floats:
        """From 0 to 1, rising with the score: whether a message shows that anything bears."""
        return logistic(self.slope * (scores - self.middle))

    def chance(self, scores: Floats, repeats: Flags | None = None) -> Floats:
        """How likely each of a question's messages holds its answer; `repeats` as of `leads`."""
        base, by_score, by_lead = self.chances
        return logistic(base + by_score * scores + by_lead * leads(scores, repeats))

    def find_likely(self, scores: Floats, repeats: Flags | None = None) -> int | None:
        """The place of the best message, where it scores as those of answered questions do.

        So says a line that 5 in 100 best messages of questions pass which nothing answers. Nor is
        there a doubt of one that is likelier an answer than not.
        """
        if not len(scores):
            return None
        base, by_score, by_lead = self.answered
        best = int(np.argmax(scores))
        lead = float(leads(scores, repeats)[best])
        line = base + by_score * float(scores[best]) + by_lead * lead
        return best if line >= 0 or self.chance(scores, repeats)[best] >= EVEN else None

    def relevance(self, scores: Floats, repeats: Flags | None = None) -> Floats:
        """What is said of a question's messages: from `SAID_FROM` on, the chance.

        What may be given but is likelier no answer lies between the threshold and there.
        """
        if not len(scores):
            return scores
        worth = self.worth(scores)
        given = (scores >= self.follows) & (worth.max() >= GIVEN_FROM)
        chance = self.chance(scores, repeats)
        return said(chance, given, np.minimum(worth, GIVEN_FROM - 0.01))


def doublings(messages: int) -> float:
    """How often the usual size of a bank is doubled to have so many messages."""
    return log2(max(messages, FEWEST) / USUAL)


def _moved(weights: Weights, by: float) -> Weights:
    """The weights with lines of how sure a thing is for scores that are so much higher."""
    (base, by_score, by_lead), answered = weights.chances, weights.answered
    return replace(
        weights,
        chances=(base - by_score * by, by_score, by_lead),
        answered=(answered[0] - answered[1] * by, *answered[1:]),
    )


def said(chance: Floats, given: npt.NDArray[np.bool_], below: Floats) -> Floats:
    """The chance of what is given, no less than the threshold; of the rest what is below it."""
    doubtful = GIVEN_FROM + (SAID_FROM - GIVEN_FROM) * chance / SAID_FROM
    told = np.maximum(np.maximum(doubtful, chance), LEAST_GIVEN)
    found: Floats = np.where(given, told, below).astype(np.float32)
    return found


def leads(scores: Floats, repeats: Flags | None = None) -> Floats:
    """How far the best is ahead of the next, and every other behind the best.

    What only repeats a better one is no rival of the best: said twice, a thing is no less sure.
    """
    if len(scores) < 2:
        return np.zeros(len(scores), np.float32)
    best = int(scores.argmax())
    ahead: Floats = scores - scores[best]
    others = scores.copy()
    others[best] = -inf
    if repeats is not None:
        others[repeats] = -inf
    next_best = others.max()
    ahead[best] = scores[best] - next_best if next_best > -inf else 0.0
    return ahead


def logistic(line: Floats) -> Floats:
    """From any number to one between 0 and 1."""
    found: Floats = (1 / (1 + np.exp(np.maximum(np.minimum(-line, 30), -30)))).astype(np.float32)
    return found


@cache
def load_weights(*, with_meaning: bool) -> Weights:
    """The weights shipped: those for vectors and text, or for text alone."""
    text = files(__package__).joinpath("weights.json").read_text("utf-8")
    return parse_weights(json.loads(text)["vectors+text" if with_meaning else "text"])


def parse_weights(table: Mapping[str, Mapping[str, float]]) -> Weights:
    line, weights = table["relevance"], table["weights"]
    values = np.array([float(weights.get(name, 0.0)) for name in FEATURES], np.float32)
    chances = (float(line["base"]), float(line["by_score"]), float(line["by_lead"]))
    known = {**NEVER, **table.get("answered", {})}
    answered = (float(known["base"]), float(known["by_score"]), float(known["by_lead"]))
    slope, middle, follows = (float(line[name]) for name in ("slope", "middle", "follows"))
    by_size = float(line.get("by_size", 0.0))
    return Weights(values, slope, middle, follows, chances, answered, by_size)
