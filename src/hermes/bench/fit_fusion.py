"""Fits the weights of recall's fusion: `python -m hermes.bench.fit_fusion --data DIR`.

A question's candidates compete: the loss is the mean, over the messages that hold its answer, of
how surely the linear score picks each out from all that do not (softmax), with an L2 pull to zero
on weights of standardised features. LoCoMo's first five conversations are fitted on, as they are
and retold as logs of a user and an assistant (`recast`), so that the weights serve both, and one
half of the questions of made-up logs (`logs`), in which other words are asked with than were said.
The other five and the other half are only reported. Weights of one sign by their meaning may not
take the other. Nearness counts a little more than is fitted: LoCoMo's questions use more of their
answers' words than people's do. What turns scores into relevance is fitted after them
(`fit_relevance`).
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hermes.bench import fit_relevance
from hermes.bench.retrieval.dataset import Case
from hermes.bench.retrieval.locomo import load_locomo
from hermes.bench.retrieval.logs import is_fitted_on, load_logs
from hermes.bench.retrieval.metrics import macro_ndcg, mean, score
from hermes.bench.retrieval.recast import recast
from hermes.bench.retrieval.samples import Floats, Sample, collect
from hermes.bench.retrieval.workbench import open_workbench
from hermes.embed.base import EmbedderOptions
from hermes.embed.local import open_embedder
from hermes.memory.recall.features import FEATURES

FITTED_ON = 5  # conversations, the first in the file
LOGS = (50, 500)  # sessions
LOGS_SHARE = 0.2  # of what all the others count
L2 = 0.01
STEPS = 400
RATE = 0.05
MORE_NEAR = 1.1  # set, not fitted: docs/recall-fitting.md
NEAR = np.array([name.startswith("near") or name == "answers" for name in FEATURES])
# A neighbour's nearness says what the talk is about; alone its sign is open.
FREE = {"near_before", "near_after", "near_around"}


def fit(samples: Sequence[Sample]) -> Floats:
    """The weights that pick answers out best."""
    usable = [sample for sample in samples if 0 < sample.hits.sum() < len(sample.hits)]
    shares = np.array([sample.weight for sample in usable])
    shares /= shares.sum()
    spreads = np.array([sample.columns.var(axis=0) for sample in usable])
    scale = np.sqrt(np.average(spreads, axis=0, weights=shares))
    scale[scale < 1e-6] = np.inf  # a feature that never varies here gets no weight
    stacked = _Stacked.of(usable, scale, shares)
    floor = np.where([name in FREE for name in FEATURES], -np.inf, 0.0)
    weights, slow, fast = (np.zeros(len(FEATURES)) for _ in range(3))
    for step in range(1, STEPS + 1):
        slope = 2 * L2 * weights + stacked.slope(weights)
        slow, fast = 0.9 * slow + 0.1 * slope, 0.999 * fast + 0.001 * slope**2
        move = (slow / (1 - 0.9**step)) / (np.sqrt(fast / (1 - 0.999**step)) + 1e-8)
        rate = RATE if step < STEPS * 0.7 else RATE / 5
        weights = np.maximum(weights - rate * move, floor)
    fitted: Floats = weights / scale
    return fitted


@dataclass(frozen=True, slots=True)
class _Stacked:
    """All questions' candidates as one table; `starts` is where each question's begin."""

    columns: Floats
    hits: npt.NDArray[np.bool_]
    starts: npt.NDArray[np.int64]
    owners: npt.NDArray[np.int64]
    shares: Floats

    @classmethod
    def of(cls, samples: Sequence[Sample], scale: Floats, shares: Floats) -> "_Stacked":
        sizes = np.array([len(sample.keys) for sample in samples])
        owners = np.repeat(np.arange(len(samples)), sizes)
        columns = np.concatenate([sample.columns / scale for sample in samples])
        hits = np.concatenate([sample.hits for sample in samples])
        return cls(columns, hits, np.cumsum(sizes) - sizes, owners, shares)

    def slope(self, weights: Floats) -> Floats:
        """The gradient of the questions' mean loss."""
        scores = self.columns @ weights
        odds = np.exp(scores - np.maximum.reduceat(scores, self.starts)[self.owners])
        others = np.add.reduceat(np.where(self.hits, 0.0, odds), self.starts)[self.owners]
        answers = np.add.reduceat(self.hits.astype(float), self.starts)[self.owners]
        share = np.where(self.hits, 1 / (odds + others) / answers, 0.0)
        every = np.add.reduceat(share, self.starts)[self.owners]
        pull = np.where(self.hits, -others * share, odds * every)
        slope: Floats = self.columns.T @ (pull * self.shares[self.owners])
        return slope


def _parts(samples: Sequence[Sample]) -> dict[str, Sequence[Sample]]:
    return {
        "fitted on": [s for s in samples if s.conversation < FITTED_ON],
        "held out": [s for s in samples if s.conversation >= FITTED_ON],
        "all": samples,
    }


def report(parts: Mapping[str, Sequence[Sample]], weights: Floats) -> str:
    """Recall and NDCG of each part."""
    lines = []
    for name, part in parts.items():
        scored = [(s.category, score(_ranked(s, weights), s.wanted)) for s in part]
        total = mean(each for _, each in scored)
        categories = {c: mean(e for k, e in scored if k == c) for c, _ in scored}
        figures = "  ".join(f"r@{k} {value:.4f}" for k, value in total.recall.items())
        lines.append(f"{name:10} {figures}  ndcg@10 macro {macro_ndcg(categories):.4f}")
    return "\n".join(lines)


def _ranked(sample: Sample, weights: Floats) -> list[str]:
    order = np.argsort(-(sample.columns @ weights), kind="stable")[:50]
    return [sample.keys[place] for place in order]


def fit_and_describe(
    samples: Sequence[Sample],
    retold: Sequence[Sample],
    logs: Sequence[Sample],
) -> tuple[dict[str, float], str]:
    """The weights to ship, and how they do."""
    chats = [*(s for s in samples if s.conversation < FITTED_ON), *retold]
    dev = [s for s in logs if is_fitted_on(s.question) and s.wanted]
    held = [s for s in logs if not is_fitted_on(s.question) and s.wanted]
    weight = LOGS_SHARE * len(chats) / max(1, len(dev))
    weights = fit([*chats, *(replace(sample, weight=weight) for sample in dev)])
    weights = np.where(NEAR, MORE_NEAR * weights, weights)
    named = {name: round(float(w), 4) for name, w in zip(FEATURES, weights, strict=True)}
    parts = {**_parts(samples), "retold": retold, "logs, dev": dev, "logs, held": held}
    return named, report(parts, weights)


def retell(cases: Sequence[Case]) -> list[Case]:
    """Each conversation as two logs, padded with talk of the others."""
    said = [[each.text for talk in case.talks for each in talk.said] for case in cases]
    retold = []
    for number, case in enumerate(cases):
        padding = [text for other, texts in enumerate(said) if other != number for text in texts]
        retold += recast(case, padding, seed=number)
    return retold


def run(data_dir: Path, output: Path, folder: Path) -> str:
    """Fit both columns of weights, write them, and say how they do.

    The memory stays in the folder: most of the time goes into its vectors, and a run that was
    stopped goes on where it was.
    """
    cases = load_locomo(data_dir / "locomo10.json")
    retold = retell(cases[:FITTED_ON])
    logs = [case for sessions in LOGS for case in load_logs(sessions)]
    tables = json.loads(output.read_text("utf-8"))
    told = []
    with open_workbench(folder, open_embedder(EmbedderOptions())) as bench:
        bench.record_once([*cases, *retold, *logs], folder)
        bench.index()
        for name, with_meaning in (("vectors+text", True), ("text", False)):
            tables[name]["weights"], described = fit_and_describe(
                collect(bench, cases, with_meaning=with_meaning),
                collect(bench, retold, with_meaning=with_meaning),
                collect(bench, logs, with_meaning=with_meaning),
            )
            told.append(f"{name}\n{described}")
    output.write_text(json.dumps(tables, indent=2) + "\n", "utf-8")
    told.append(fit_relevance.run(data_dir, output, folder / "relevance"))
    return "\n".join(told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with locomo10.json")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(__file__).parents[1] / "memory/recall/weights.json",
        help="where to write the weights",
    )
    parser.add_argument(
        "--folder", type=Path, help="where the memory stays, to go on after a stop (default: none)"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as fleeting:
        folder = options.folder or Path(fleeting)
        folder.mkdir(parents=True, exist_ok=True)
        sys.stdout.write(run(options.data, options.output, folder) + "\n")


if __name__ == "__main__":
    main()
