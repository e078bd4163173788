"""A logistic model of named signs and of vectors, each weight held to zero; for fitting gates.

Signs are few a row and many in all, so they are kept as pairs of row and column: a fit takes
seconds. It knows nothing of facts.
"""

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Signs = AbstractSet[str]


@dataclass(frozen=True, slots=True)
class Held:
    """How strongly weights are held to zero: those of signs, and those of a vector's dimensions.

    A sign seen in fewer than `rarest` rows has no weight.
    """

    signs: float
    meaning: float
    rarest: int


@dataclass(frozen=True, slots=True)
class Model:
    """The weights of signs by name and of a vector's dimensions, and the bias."""

    signs: dict[str, float]
    meaning: Floats
    bias: float

    def score(self, rows: Sequence[Signs], vectors: Floats) -> Floats:
        told = np.array([sum(self.signs.get(sign, 0.0) for sign in row) for row in rows])
        return told + vectors @ self.meaning + self.bias


class _Rows:
    """The matrix of a fit: a column for each sign, for each dimension, and one of ones."""

    def __init__(self, rows: Sequence[Signs], names: Sequence[str], dense: Floats) -> None:
        place = {name: n for n, name in enumerate(names)}
        pairs = [(n, place[sign]) for n, row in enumerate(rows) for sign in row if sign in place]
        self._row, self._column = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
        self._dense, self._height, self._width = dense, len(rows), len(names)

    def times(self, weights: Floats) -> Floats:
        told = np.bincount(self._row, weights[self._column], self._height)
        return np.asarray(told + self._dense @ weights[self._width : -1] + weights[-1])

    def turned_times(self, values: Floats) -> Floats:
        told = np.bincount(self._column, values[self._row], self._width)
        return np.concatenate([told, self._dense.T @ values, [values.sum()]])

    def squares(self, values: Floats) -> Floats:
        told = np.bincount(self._column, values[self._row], self._width)
        return np.concatenate([told, (self._dense**2).T @ values, [values.sum()]])


def fit_model(
    rows: Sequence[Signs], vectors: Floats, *, wanted: Floats, counts: Floats, held: Held
) -> Model:
    """The weights that make `wanted` likeliest; dimensions vary by one while fitting."""
    seen = Counter(sign for row in rows for sign in row)
    names = sorted(sign for sign, times in seen.items() if times >= held.rarest)
    mean = vectors.mean(axis=0)
    scale = float((vectors - mean).std()) if vectors.shape[1] else 1.0
    matrix = _Rows(rows, names, (vectors - mean) / scale)
    strengths = (np.full(len(names), held.signs), np.full(len(mean), held.meaning), [1e-3])
    weights = _descend(matrix, wanted, counts, np.concatenate(strengths))
    meaning = weights[len(names) : -1] / scale
    told = dict(zip(names, map(float, weights), strict=False))
    return Model(told, meaning, float(weights[-1] - mean @ meaning))


def _descend(matrix: _Rows, wanted: Floats, counts: Floats, held: Floats) -> Floats:
    """Newton's steps, each solved by conjugate gradients: the whole matrix would take minutes."""
    weights = np.zeros(len(held))
    for _ in range(25):
        likely = 1 / (1 + np.exp(-matrix.times(weights)))
        slope = matrix.turned_times(counts * (likely - wanted)) + held * weights
        step = _solve(matrix, counts * likely * (1 - likely), held, slope)
        weights -= step
        if np.abs(step).max() < 1e-3:
            break
    return weights


def _solve(matrix: _Rows, spread: Floats, held: Floats, wanted: Floats) -> Floats:
    """`x` of `(rowsᵀ·spread·rows + held) x = wanted`, scaled."""
    scale = 1 / (matrix.squares(spread) + held)
    found = np.zeros_like(wanted)
    left = wanted.copy()
    ahead = scaled = scale * left
    size = left @ scaled
    for _ in range(300):
        bent = matrix.turned_times(spread * matrix.times(ahead)) + held * ahead
        far = size / (ahead @ bent)
        found += far * ahead
        left = left - far * bent
        scaled = scale * left
        size, before = left @ scaled, size
        if np.abs(left).max() < 1e-3:
            break
        ahead = scaled + size / before * ahead
    return found


def rising(scores: Floats, right: Floats) -> Floats:
    """For each score how likely it is right, by those around it, never falling as scores rise."""
    order = np.argsort(scores, kind="stable")
    blocks: list[list[float]] = []  # of each: how many are right, how many there are
    for value in right[order]:
        blocks.append([float(value), 1.0])
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] >= blocks[-1][0] * blocks[-2][1]:
            more = blocks.pop()
            blocks[-1] = [blocks[-1][0] + more[0], blocks[-1][1] + more[1]]
    found = np.empty(len(scores))
    found[order] = [hits / n for hits, n in blocks for _ in range(int(n))]
    return found
