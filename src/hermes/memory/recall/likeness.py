"""How near a fact is to a question, beyond how near it is to every question.

Some facts lie near whatever is asked: short ones that say little, such as "30 per depot and hour".
By their cosines they would go before the right answer. So what a fact has with the average question
is taken off, and what a question has with the average fact counts against it. Both averages belong
to a model; `hermes.bench.fit_facts` measures them, fits every line here and writes `facts.json`.

The lines open the door. How surely a fact is told is another matter: it goes by how often such a
fact was the answer, by its line, by how far it is ahead of the next, and by what it lacks of the
question (`lacks`). From 0.70 on it is that chance, and 0.65 is one in twenty-five, whatever is
asked. Only where no fact is sure are the best few whose door is open given for less.
"""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from hermes.memory.recall.fuse import GIVEN_FROM, SAID_FROM, leads, logistic, said
from hermes.memory.recall.lacks import LACKS
from hermes.memory.recall.outline import Flags, Floats

HALF = np.dtype("<f2")
LEAST_CHANCE = 0.04  # what is told at the usual threshold…
LEAST_TOLD = 0.45  # …and where what hardly answers begins: whose door is closed lies below
UNFIT = 0.02  # what is left at most of the chance of what is no answer of the kind
FEW = 3  # facts that are given for less, where none is sure
SUREST = 6.0  # log odds beyond which one measure says no more than another


@dataclass(frozen=True, slots=True)
class Line:
    """From a measure to a relevance between 0 and 1: steep by `slope`, ½ at `middle`."""

    slope: float
    middle: float

    def relevance(self, measured: Floats) -> Floats:
        return logistic(self.slope * (measured - self.middle))


@dataclass(frozen=True, slots=True)
class Usual:
    """The average question and the average fact of a model, and how much of each to take off."""

    question: Floats
    fact: Floats
    by_question: float
    by_fact: float
    line: Line

    def sharpen(self, query: Floats) -> Floats:
        """The question less what every question has; its products rank facts."""
        return query - np.float32(self.by_question) * self.question

    def restore(self, products: Floats) -> Floats:
        """Such products as cosines again: of an average fact, what they were."""
        return products + np.float32(self.by_question * float(self.question @ self.fact))

    def relevance(self, cosines: Floats, query: Floats) -> Floats:
        """What restored cosines say of facts, for this question."""
        return self.line.relevance(cosines - np.float32(self.by_fact * float(query @ self.fact)))


@dataclass(frozen=True, slots=True)
class Lines:
    """What is fitted for facts: by score with vectors and without, and by nearness alone."""

    with_meaning: Line
    by_words: Line
    by_steps: Line  # for models whose averages are not known, in steps of the scatter of cosines
    usual: Mapping[str, Usual]
    chances: tuple[float, ...] | None = None  # at even odds, then of each column of `measures`

    def tell(
        self, relevance: Floats, lacking: Floats | None = None, unfit: Flags | None = None
    ) -> Floats:
        """What is said of a question's facts, by how often such a fact is its answer.

        `lacking` is what each lacks of the question, a row a fact; nothing, if not given. `unfit`
        are those that are no answer of the kind that is asked for: they come after all others.
        """
        if self.chances is None or not len(relevance):
            return relevance
        if lacking is None:
            lacking = np.zeros((len(relevance), len(LACKS)), np.float32)
        base, *by = self.chances
        chance = logistic(base + measures(relevance, lacking) @ np.array(by, np.float32))
        is_open = relevance >= GIVEN_FROM
        if unfit is not None:
            least = min(chance[is_open & ~unfit].tolist(), default=1.0)
            chance = np.where(unfit, np.float32(min(UNFIT, least)) * chance, chance)
        return told(chance, is_open, relevance)


def told(chance: Floats, is_open: Flags, relevance: Floats) -> Floats:
    """Chances on the scale of relevance: those of facts whose door is open before all others."""
    steps, scale = (0.0, LEAST_CHANCE, SAID_FROM, 1.0), (LEAST_TOLD, GIVEN_FROM, SAID_FROM, 1.0)
    given = np.interp(chance, steps, scale).astype(np.float32)
    if not (is_open & (chance >= SAID_FROM)).any():
        few = np.argsort(-np.where(is_open, chance, -1), kind="stable")[:FEW]
        given[few] = said(chance[few], is_open[few], given[few])
    found: Floats = np.where(is_open, given, relevance * np.float32(LEAST_TOLD / GIVEN_FROM))
    return found


def measures(relevance: Floats, lacking: Floats) -> Floats:
    """What the chance of a question's facts goes by: odds, lead, and each lack; a row a fact."""
    odds = log_odds(relevance)
    return np.column_stack([odds, leads(odds), lacking])


def log_odds(relevance: Floats) -> Floats:
    """On which steps of sureness are alike."""
    with np.errstate(divide="ignore"):
        odds = np.log(relevance) - np.log1p(-relevance)
    found: Floats = np.clip(odds, -SUREST, SUREST).astype(np.float32)
    return found


@cache
def load_lines() -> Lines:
    """The lines shipped."""
    return parse_lines(json.loads(files(__package__).joinpath("facts.json").read_text("utf-8")))


def parse_lines(table: Mapping[str, Any]) -> Lines:
    line = {name: Line(*table[name]) for name in ("with_meaning", "by_words", "by_steps")}
    usual = {name: _usual(each) for name, each in table["usual"].items()}
    chances = table.get("chances")
    return Lines(**line, usual=usual, chances=tuple(chances) if chances else None)


def render_usual(usual: Usual) -> dict[str, Any]:
    return {
        "question": _packed(usual.question),
        "fact": _packed(usual.fact),
        "by_question": usual.by_question,
        "by_fact": usual.by_fact,
        "line": [usual.line.slope, usual.line.middle],
    }


def _usual(table: Mapping[str, Any]) -> Usual:
    return Usual(
        question=_unpacked(table["question"]),
        fact=_unpacked(table["fact"]),
        by_question=float(table["by_question"]),
        by_fact=float(table["by_fact"]),
        line=Line(*table["line"]),
    )


def _packed(vector: Floats) -> str:
    return base64.b64encode(vector.astype(HALF).tobytes()).decode("ascii")


def _unpacked(text: str) -> Floats:
    return np.frombuffer(base64.b64decode(text), HALF).astype(np.float32)
