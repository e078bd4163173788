"""Questions with all their candidates as the product finds them: what anything is fitted on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hermes.bench.retrieval.dataset import Case
from hermes.bench.retrieval.workbench import Workbench

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """A question's candidates: their features, their keys, and which of them hold its answer."""

    conversation: int
    category: str
    columns: Floats
    keys: tuple[str, ...]
    wanted: frozenset[str]
    question: str = ""
    weight: float = 1.0
    messages: int = 0  # of the bank

    @property
    def hits(self) -> npt.NDArray[np.bool_]:
        return np.array([key in self.wanted for key in self.keys], np.bool_)


def collect(bench: Workbench, cases: Sequence[Case], *, with_meaning: bool) -> list[Sample]:
    """Every question's candidates, found by the product itself."""
    samples = []
    for number, case in enumerate(cases):
        keys = bench.keys[case.name]
        for question in case.questions:
            ids, columns = bench.engine.examine(
                question.text, bank=case.bank, as_of=question.asked_at, with_meaning=with_meaning
            )
            found = tuple(keys[i] for i in ids)
            sample = Sample(
                number,
                question.category,
                columns.astype(float),
                found,
                question.evidence,
                question.id,
                messages=case.messages,
            )
            samples.append(sample)
    return samples
