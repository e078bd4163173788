"""How likely a message of some score holds the answer: fitted, and compared with what happened."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from hermes.bench.retrieval.dataset import Case
from hermes.memory.recall.fuse import leads

AMONG = 20  # first places of a question
WITHIN = 10  # of them so many may be given
OPENS = 0.98  # of the questions that are answered, for the line of the best message…
KEEPS = 0.99  # …and of the answers, for that of the others
THRESHOLD = 0.65
FIRST = 3  # places of a question that is answered
TOLD = 0.95  # of the questions that nothing answers, and are told so
STEPS = 50
EDGES = (0.65, 0.70, 0.80, 0.90, 1.01)

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """The scores of a question's messages and which of them hold its answer; maybe none does."""

    scores: Floats
    hits: npt.NDArray[np.bool_]
    is_answered: bool = True  # whether anything answers it at all, found or not
    size: float = 0.0  # of the bank, in doublings

    def best(self) -> "Judged":
        first = np.argsort(-self.scores, kind="stable")[:AMONG]
        return replace(self, scores=self.scores[first], hits=self.hits[first])

    def levelled(self, by_size: float) -> "Judged":
        """With the scores that it would have in a bank of the usual size."""
        return replace(self, scores=self.scores - by_size * self.size)


def fit_size(parts: Mapping[str, Sequence[Judged]]) -> float:
    """What a score is worth less for each doubling of the bank: by how far the line between best
    messages that answer and those of questions that nothing answers moves with it.
    """
    best = [each.best() for part in parts.values() for each in part if len(each.scores)]
    known = [each for each in best if each.hits[:FIRST].any() or not each.is_answered]
    measures = np.array([(each.scores[0], each.size) for each in known])
    _, (by_score, by_size) = fit_logistic(measures, np.array([e.is_answered for e in known]))
    return round(-by_size / by_score, 4)


def fit_chances(questions: Iterable[Judged]) -> dict[str, float]:
    """The logistic of score and lead that tells answers among the first of each question."""
    best = [each.best() for each in questions]
    measures = [
        np.stack([each.scores, leads(each.scores.astype(np.float32))], axis=1) for each in best
    ]
    base, by = fit_logistic(np.concatenate(measures), np.concatenate([each.hits for each in best]))
    return {"base": round(base, 4), "by_score": round(by[0], 4), "by_lead": round(by[1], 4)}


def fit_logistic(columns: Floats, hits: npt.NDArray[np.bool_]) -> tuple[float, list[float]]:
    """The line by which columns tell hits: where it starts, and what each column adds."""
    middle, spread = columns.mean(axis=0), columns.std(axis=0)
    spread[spread == 0] = 1.0  # what is the same everywhere tells nothing
    known = np.c_[np.ones(len(columns)), (columns - middle) / spread]
    line = np.zeros(known.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-known @ line))
        bend = (known * (chance * (1 - chance))[:, None]).T @ known
        line -= np.linalg.solve(bend + 1e-6 * np.eye(len(line)), known.T @ (chance - hits))
    by = line[1:] / spread
    return float(line[0] - middle @ by), by.tolist()


def fit_doors(parts: Mapping[str, Sequence[Judged]]) -> dict[str, float]:
    """What the best message of a question has to score for anything to be given, as a line that
    the usual threshold cuts there, and what the others have to score then.

    Each keeps its share of what is answered within the first ten; every part counts alike. The
    line is as steep as answers differ from others.
    """
    first, others = list[Floats](), list[Floats]()
    answers, rest = list[float](), list[float]()
    for part in parts.values():
        best = [each.best() for each in part]
        within = [each for each in best if each.hits[:WITHIN].any()]
        first.append(np.array([each.scores[0] for each in within]))
        others.append(np.concatenate([each.scores[:WITHIN][each.hits[:WITHIN]] for each in within]))
        for each in best:
            answers += each.scores[each.hits].tolist()
            rest += each.scores[~each.hits].tolist()
    spread = float(np.std(answers) + np.std(rest)) / 2
    slope = float(np.mean(answers) - np.mean(rest)) / spread**2
    opens = _quantile(first, 1 - OPENS)
    middle = opens - float(np.log(THRESHOLD / (1 - THRESHOLD))) / slope
    follows = min(opens, _quantile(others, 1 - KEEPS))
    return {"slope": round(slope, 4), "middle": round(middle, 4), "follows": round(follows, 4)}


def fit_answered(parts: Mapping[str, Sequence[Judged]]) -> dict[str, float]:
    """The line of score and lead that tells, of a question's best message, whether it is answered
    among the first: at 0 where all but `TOLD` of the questions lie that nothing answers.

    Every part counts alike for where it lies.
    """
    columns, answers, others = list[Floats](), list[bool](), list[Floats]()
    for part in parts.values():
        best = [each.best() for each in part]
        known = [each for each in best if each.hits[:FIRST].any() or not each.is_answered]
        rows = np.array([(e.scores[0], leads(e.scores.astype(np.float32))[0]) for e in known])
        found = [each.is_answered for each in known]
        columns.append(rows)
        answers += found
        others.append(rows[~np.array(found, np.bool_)])
    _, by = fit_logistic(np.concatenate(columns), np.array(answers, np.bool_))
    told = _quantile([rows @ np.array(by) for rows in others if len(rows)], TOLD)
    return {"base": round(-told, 4), "by_score": round(by[0], 4), "by_lead": round(by[1], 4)}


def _quantile(parts: Sequence[Floats], share: float) -> float:
    """Where so large a share lies below, each part counting alike."""
    values = np.concatenate(parts)
    weights = np.concatenate([np.full(len(part), 1 / len(part)) for part in parts])
    order = np.argsort(values)
    below = np.cumsum(weights[order]) / weights.sum()
    return float(values[order][np.searchsorted(below, share)])


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
