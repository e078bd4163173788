"""One score from many features: a linear model with few weights, fitted by a script.

`hermes.bench.fit_fusion` writes `weights.json`: two columns of weights (with an embedder, and for
words alone) and, for each, the line that turns a score into a relevance from 0 to 1. What each
feature is for stands beside its name in `features`. Relevance is calibrated so that 0.65, the
usual threshold, keeps 95 of 100 messages that hold an answer where it was fitted; nearness is put
on one scale for every embedding model, so that it should mean the same elsewhere.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from hermes.memory.recall.features import FEATURES
from hermes.memory.recall.outline import Floats


@dataclass(frozen=True, slots=True)
class Weights:
    """A weight a feature, in their order, and the line from score to relevance."""

    values: Floats
    slope: float
    middle: float

    def score(self, columns: Floats) -> Floats:
        scored: Floats = columns @ self.values
        return scored

    def relevance(self, scores: Floats) -> Floats:
        """From 0 to 1; rises with the score."""
        line = np.clip(self.slope * (scores - self.middle), -30, 30)
        found: Floats = (1 / (1 + np.exp(-line))).astype(np.float32)
        return found


@cache
def load_weights(*, with_meaning: bool) -> Weights:
    """The weights shipped: those for vectors and text, or for text alone."""
    text = files(__package__).joinpath("weights.json").read_text("utf-8")
    return parse_weights(json.loads(text)["vectors+text" if with_meaning else "text"])


def parse_weights(table: Mapping[str, Mapping[str, float]]) -> Weights:
    line, weights = table["relevance"], table["weights"]
    values = np.array([float(weights.get(name, 0.0)) for name in FEATURES], np.float32)
    return Weights(values, float(line["slope"]), float(line["middle"]))
