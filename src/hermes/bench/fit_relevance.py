"""Fits what turns scores into relevance: `python -m hermes.bench.fit_relevance --data DIR`.

The weights stay as they are. Fitted on are LoCoMo's first five conversations and one half of the
questions of the made-up logs and of the two lives, each in a store of its own, as a user's memory
is; asked of them, too, is what was never said, and what was said to another. The rest is reported.
Writes the "relevance" of `memory/recall/weights.json`.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hermes.bench.retrieval.calibration import (
    WITHIN,
    Judged,
    fit_answered,
    fit_chances,
    fit_doors,
    fit_size,
    reliability,
    strays,
)
from hermes.bench.retrieval.dataset import Case, ask_last, join
from hermes.bench.retrieval.lives import load_lives
from hermes.bench.retrieval.locomo import load_locomo
from hermes.bench.retrieval.logs import is_fitted_on, load_logs
from hermes.bench.retrieval.remembering import open_remembering
from hermes.bench.retrieval.samples import Sample, collect
from hermes.bench.retrieval.workbench import open_workbench
from hermes.embed.base import Embedder, EmbedderOptions
from hermes.embed.local import open_embedder
from hermes.memory.recall import fuse
from hermes.memory.recall.features import FEATURES
from hermes.memory.recall.fuse import (
    GIVEN_FROM,
    SAID_FROM,
    USUAL,
    Weights,
    doublings,
    parse_weights,
)
from hermes.memory.recall.outline import Floats

OUTPUT = Path(fuse.__file__).with_name("weights.json")
FITTED_ON = 5  # LoCoMo's conversations, the first in the file
HALVES = "locomo-halves"  # the same, asked in larger banks: told apart is how sure an answer is
CONVERSATIONS = {"locomo": FITTED_ON, HALVES: 1}  # how many are fitted on
RUNGS = {"vectors+text": True, "text": False}
STRAYS_EVERY = 6  # of LoCoMo's questions one in so many is asked of another conversation


@dataclass(frozen=True, slots=True)
class Source:
    """A set of questions by its name, with those of other cases that nothing in it answers."""

    name: str
    cases: Sequence[Case]
    strays: Sequence[Case]

    def is_fitted_on(self, sample: Sample) -> bool:
        if self.name in CONVERSATIONS:
            return sample.conversation < CONVERSATIONS[self.name]
        return is_fitted_on(sample.question)


def load_sources(data_dir: Path) -> list[Source]:
    """LoCoMo, its halves each in one bank, the made-up logs of 50 and 500 sessions, two lives."""
    locomo, lives = load_locomo(data_dir / "locomo10.json"), load_lives()
    logs = [Source(f"logs-{size}", load_logs(size), ()) for size in (50, 500)]
    astray = [_thinned(case) for case in strays(locomo)]
    parts = locomo[:FITTED_ON], locomo[FITTED_ON:]
    halves = [ask_last(join(part, f"half-{n}")) for n, part in enumerate(parts)]
    across = [_thinned(case) for case in strays(halves)]
    return [
        Source("locomo", locomo, astray),
        Source(HALVES, halves, across),
        *logs,
        Source("lives", lives, strays(lives)),
    ]


def _thinned(case: Case) -> Case:
    return Case(case.name, case.talks, case.questions[::STRAYS_EVERY])


def gather(source: Source, folder: Path, embedder: Embedder) -> dict[str, list[Sample]]:
    """A source's candidates by rung, from a memory that stays in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_workbench(folder, open_embedder(EmbedderOptions())) as bench:
        bench.record_once(source.cases, folder)
        bench.index(by=embedder)
        return {
            rung: [
                *collect(bench, source.cases, with_meaning=meaning),
                *collect(bench, source.strays, with_meaning=meaning),
            ]
            for rung, meaning in RUNGS.items()
        }


def fit_relevance(parts: Mapping[str, Sequence[Judged]]) -> dict[str, float]:
    """The doors and the chances; each source counts alike for the doors, larger banks not again."""
    by_size = fit_size(parts)
    every = [each.levelled(by_size) for part in parts.values() for each in part]
    doors = fit_doors({name: part for name, part in parts.items() if name != HALVES})
    return {**doors, **fit_chances(every), "by_size": by_size}


def _opening(
    parts: Mapping[str, Sequence[Judged]], by_size: float, door: float
) -> dict[str, list[Judged]]:
    """The questions whose best message opens the door, levelled by size."""
    best = {name: [each.best() for each in part] for name, part in parts.items()}
    return {
        name: [
            each.levelled(by_size) for each in part if each.scores[:1].max(initial=-np.inf) >= door
        ]
        for name, part in best.items()
    }


def report(name: str, judged: Sequence[Judged], weights: Weights) -> Iterator[str]:
    """What is lost at the door, what is let in for nothing, and how often what is told is right."""
    told = [_sized(weights, each).relevance(each.scores.astype(np.float32)) for each in judged]
    answered = [(t, e) for t, e in zip(told, judged, strict=True) if e.hits.any()]
    unsaid = [t for t, e in zip(told, judged, strict=True) if not e.is_answered]
    found = sum(int(e.hits[:WITHIN].sum()) for _, e in answered)
    kept = sum(int(e.hits[np.flatnonzero(t >= GIVEN_FROM)[:WITHIN]].sum()) for t, e in answered)
    yield f"{name}: of {found} answers within ten {kept} given; never said: {len(unsaid)} asked"
    if unsaid:
        given = [min(WITHIN, int((t >= GIVEN_FROM).sum())) for t in unsaid]
        sure = sum(bool((t >= SAID_FROM).any()) for t in unsaid)
        yield f"  given {np.mean(given):.1f}, nothing for {np.mean(np.array(given) == 0):.0%}"
        yield f"  told at {SAID_FROM:.2f} or more: {sure}"
    yield from _report_remark(judged, told, weights)
    hits = np.concatenate([each.hits for each in judged])
    for low, count, mean, right in reliability(np.concatenate(told).astype(float), hits):
        yield f"  told {low:.2f} and more: {count}, mean {mean:.2f}, right {right:.2f}"


def _report_remark(
    judged: Sequence[Judged], told: Sequence[Floats], weights: Weights
) -> Iterator[str]:
    """How often it is said, or not said, that nothing surely answers, wrongly; before and now."""
    given = [(t, e) for t, e in zip(told, judged, strict=True) if (t >= GIVEN_FROM).any()]
    for name, line in ((f"none at {SAID_FROM:.2f}", None), ("and none likely", weights)):
        right = [_is_sure(t, e, line) for t, e in given if e.hits[0]]
        unsaid = [_is_sure(t, e, line) for t, e in given if not e.is_answered]
        yield (
            f"  doubted, {name}: {right.count(False)} of {len(right)} right first answers, "
            f"not {unsaid.count(True)} of {len(unsaid)} without an answer"
        )


def _sized(weights: Weights, judged: Judged) -> Weights:
    return weights.for_bank(round(USUAL * 2**judged.size))


def _is_sure(told: Floats, judged: Judged, weights: Weights | None) -> bool:
    scores = judged.scores.astype(np.float32)
    likely = _sized(weights, judged).find_likely(scores) if weights else None
    return likely is not None or bool((told >= SAID_FROM).any())


def run(data_dir: Path, output: Path, folder: Path) -> str:
    """Fit the relevance of both rungs for the weights in `output`, write it, say how it does."""
    tables = json.loads(output.read_text("utf-8"))
    told: list[str] = []
    sources = load_sources(data_dir)
    with open_remembering(open_embedder(EmbedderOptions()), folder) as embedder:
        samples = {each.name: gather(each, folder / each.name, embedder) for each in sources}
    for rung in RUNGS:
        weights = np.array([tables[rung]["weights"][name] for name in FEATURES])
        halves: dict[bool, dict[str, list[Judged]]] = {True: {}, False: {}}
        for source in sources:
            for sample in samples[source.name][rung]:
                half = halves[source.is_fitted_on(sample)].setdefault(source.name, [])
                half.append(_judged(sample, weights))
        tables[rung]["relevance"] = fit_relevance(halves[True])
        fitted = parse_weights(tables[rung])
        door = fitted.middle + float(np.log(GIVEN_FROM / (1 - GIVEN_FROM))) / fitted.slope
        tables[rung]["answered"] = fit_answered(_opening(halves[True], fitted.by_size, door))
        fitted = parse_weights(tables[rung])
        for is_fitted, parts in halves.items():
            for name, judged in parts.items():
                part = "fitted on" if is_fitted else "held out"
                told += report(f"{rung}, {name}, {part}", judged, fitted)
    output.write_text(json.dumps(tables, indent=2) + "\n", "utf-8")
    return "\n".join(told)


def _judged(sample: Sample, weights: Floats) -> Judged:
    size = doublings(sample.messages)
    return Judged(sample.columns @ weights, sample.hits, bool(sample.wanted), size).best()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with locomo10.json")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the weights to complete")
    parser.add_argument(
        "--folder", type=Path, help="where the memories stay, to go on after a stop (default: none)"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as fleeting:
        folder = options.folder or Path(fleeting)
        sys.stdout.write(run(options.data, options.output, folder) + "\n")


if __name__ == "__main__":
    main()
