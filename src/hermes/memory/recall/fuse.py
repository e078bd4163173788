"""One score from many features: a linear model with few weights, fitted by a script.

`hermes.bench.fit_fusion` writes `weights.json`: two columns of weights (with an embedder, and for
words alone) and, for each, what turns scores into relevance from 0 to 1. What each feature is for
stands beside its name in `features`. Two lines are behind relevance. `worth` says whether a message
may be given: 0.65, the usual threshold, keeps 95 of 100 messages that hold an answer where it was
fitted. `chance` says how often a message like it was an answer, by its score and by how far it is
ahead of the next, or behind the first; questions of what was never said are among those it was
fitted on. Nearness is put on one scale for every embedding model, so that both should mean the same
elsewhere.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from hermes.memory.recall.features import FEATURES
from hermes.memory.recall.outline import Floats

GIVEN_FROM = 0.65  # the usual threshold
SAID_FROM = 0.70  # from here on relevance is how often such a message is an answer
LEAST_CHANCE = 0.01  # what is less likely an answer is not given, whatever its score


@dataclass(frozen=True, slots=True)
class Weights:
    """A weight a feature, in their order, and the lines from score to relevance."""

    values: Floats
    slope: float
    middle: float
    chances: tuple[float, float, float] = (0.0, 0.0, 0.0)  # at 0, a score, a step of lead

    def score(self, columns: Floats) -> Floats:
        scored: Floats = columns @ self.values
        return scored

    def worth(self, scores: Floats) -> Floats:
        """From 0 to 1, rising with the score: whether a message may be given."""
        return logistic(self.slope * (scores - self.middle))

    def chance(self, scores: Floats) -> Floats:
        """How likely each of a question's messages holds its answer."""
        base, by_score, by_lead = self.chances
        return logistic(base + by_score * scores + by_lead * leads(scores))

    def relevance(self, scores: Floats) -> Floats:
        """What is said of a question's messages: from `SAID_FROM` on, the chance.

        What may be given but is likelier no answer lies between the threshold and there.
        """
        worth, chance = self.worth(scores), self.chance(scores)
        given = (worth >= GIVEN_FROM) & (chance >= LEAST_CHANCE)
        return said(chance, given, np.minimum(worth, GIVEN_FROM - 0.01))


def said(chance: Floats, given: npt.NDArray[np.bool_], below: Floats) -> Floats:
    """The chance of what is given, no less than the threshold; of the rest what is below it."""
    doubtful = GIVEN_FROM + (SAID_FROM - GIVEN_FROM) * chance / SAID_FROM
    found: Floats = np.where(given, np.maximum(doubtful, chance), below).astype(np.float32)
    return found


def leads(scores: Floats) -> Floats:
    """How far the best is ahead of the next, and every other behind the best."""
    if len(scores) < 2:
        return np.zeros(len(scores), np.float32)
    second, first = np.sort(scores)[-2:]
    ahead: Floats = scores - np.where(np.arange(len(scores)) == np.argmax(scores), second, first)
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
    return Weights(values, float(line["slope"]), float(line["middle"]), chances)
