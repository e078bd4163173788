"""How likely a message of some score holds the answer: fitted, and compared with what happened."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from hermes.bench.retrieval.dataset import Case
from hermes.memory.recall.fuse import leads

AMONG = 20  # first places of a question
STEPS = 50
EDGES = (0.65, 0.70, 0.80, 0.90, 1.01)

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """The scores of a question's messages and which of them hold its answer; maybe none does."""

    scores: Floats
    hits: npt.NDArray[np.bool_]

    def best(self) -> "Judged":
        first = np.argsort(-self.scores, kind="stable")[:AMONG]
        return Judged(self.scores[first], self.hits[first])


def fit_chances(questions: Iterable[Judged]) -> dict[str, float]:
    """The logistic of score and lead that tells answers among the first of each question."""
    best = [each.best() for each in questions]
    measures = [
        np.stack([each.scores, leads(each.scores.astype(np.float32))], axis=1) for each in best
    ]
    columns, hits = np.concatenate(measures), np.concatenate([each.hits for each in best])
    middle, spread = columns.mean(axis=0), columns.std(axis=0)
    known = np.c_[np.ones(len(columns)), (columns - middle) / spread]
    line = np.zeros(3)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-known @ line))
        bend = (known * (chance * (1 - chance))[:, None]).T @ known
        line -= np.linalg.solve(bend + 1e-6 * np.eye(3), known.T @ (chance - hits))
    by = line[1:] / spread
    base = float(line[0] - middle @ by)
    return {"base": round(base, 4), "by_score": round(by[0], 4), "by_lead": round(by[1], 4)}


def reliability(told: Floats, hits: npt.NDArray[np.bool_]) -> list[tuple[float, int, float, float]]:
    """By steps of relevance: where it begins, how many were told so, the mean, the share right."""
    rows = []
    for low, high in pairwise(EDGES):
        inside = (told >= low) & (told < high)
        if inside.any():
            count = int(inside.sum())
            rows.append((low, count, float(told[inside].mean()), float(hits[inside].mean())))
    return rows


def strays(cases: Sequence[Case]) -> list[Case]:
    """Each case's bank asked what is asked of the next one: nothing in it answers that."""
    if len(cases) < 2:
        return []
    asked_of = [*cases[1:], cases[0]]
    return [_stray(case, other) for case, other in zip(cases, asked_of, strict=True)]


def _stray(case: Case, other: Case) -> Case:
    """The other's questions, put to the people of this case."""
    at = case.questions[0].asked_at
    names = dict(zip(_speakers(other), _speakers(case), strict=False))
    questions = tuple(
        replace(each, text=_renamed(each.text, names), asked_at=at, evidence=frozenset())
        for each in other.questions
    )
    return replace(case, questions=questions)


def _speakers(case: Case) -> list[str]:
    said = (each.speaker for talk in case.talks for each in talk.said)
    return list(dict.fromkeys(name for name in said if name))


def _renamed(text: str, names: dict[str, str]) -> str:
    for place, name in enumerate(names):
        text = text.replace(name, f"\0{place}\0")
    for place, name in enumerate(names.values()):
        text = text.replace(f"\0{place}\0", name)
    return text
