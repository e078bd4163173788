"""Teaches the reading gate; run it as `python -m hermes.bench.fit_reading_gate STEP WORK ...`.

    table WORK           list the judged readings, as the present readers propose them
    judge WORK BASE N    teach without the authors of fold N, then ask about theirs
    teach WORK BASE      teach with all authors, and write the model into the package
    edges WORK           weigh what was said of authors left out beside the signs: gate_reading.json

BASE is a folder with all-MiniLM-L6-v2 (`model.safetensors`, `tokenizer.json`); WORK keeps what one
step hands the next. `judge` and `teach` need torch, safetensors and onnx, which Hermes does not:
`pip install torch safetensors onnx`. Each takes some minutes of one processor.

The comparer learns from pairs of what was said and what was read. What the signs alone are sure to
be junk is not taught, but asked about. Where the edges lie, only authors say whom neither the
comparer nor the weights of the signs have seen.
"""

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from hermes.bench.facts.loader import Half, load_half
from hermes.bench.fit_gate import TESTS
from hermes.bench.logistic import Floats, Held, Model, fit_model
from hermes.bench.readings import AUTHORS, Reading, list_lines, list_readings
from hermes.embed.comparer import Comparer
from hermes.errors import HermesError, Unavailable, UserError

FOLDS = (
    ("a", "e", "o", "s", "dev9", "dev4", "dev13"),
    ("b", "f", "p", "t", "dev10", "dev12", "dev5", "dev14"),
    ("c", "g", "j", "q", "u", "w", "dev6", "dev8", "dev15"),
    ("d", "h", "i", "r", "v", "dev7", "dev16", "dev17"),
)
HALVES = (Half.DEV, Half.DEV2, Half.DEV3, *(Half(n) for f in FOLDS for n in f if n not in AUTHORS))
PLAIN_JUNK = -2.0  # what the signs say of a reading that teaches nothing
SIGNS_ALONE = Held(signs=6.0, meaning=1.0, rarest=3)
BESIDE = Held(signs=12.0, meaning=1.0, rarest=3)
RIGHT = 0.91  # how much of what reaches the edge is right, by authors left out
SURE = 0.97  # the same of what is shown as "high"
FEWEST = 40  # readings by which an edge is found
GATE = Path(__file__).parents[1] / "memory/facts/clauses/gate_reading.json"
MODEL = Path(__file__).parents[1] / "embed/model/reading-gate-int8.onnx"
HINT = "python -m hermes.bench.fit_reading_gate table|judge|edges|teach WORK [BASE] [N]"


def main(arguments: Sequence[str]) -> None:
    match arguments:
        case ["table", work]:
            save_readings(list_readings(HALVES), Path(work))
        case ["judge", work, base, fold] if fold.isdecimal() and int(fold) < len(FOLDS):
            judge(Path(work), Path(base), int(fold))
        case ["edges", work]:
            fit_edges(Path(work))
        case ["teach", work, base]:
            teach(Path(work), Path(base))
        case _:
            raise UserError(f"No such step: {' '.join(arguments) or 'nothing'}.", HINT)


def save_readings(readings: Sequence[Reading], work: Path) -> None:
    work.mkdir(exist_ok=True)
    scores = judge_by_signs(readings)
    with (work / "readings.jsonl").open("w", encoding="utf-8") as file:
        for reading, score in zip(readings, scores, strict=True):
            row = asdict(reading) | {"signs": sorted(reading.signs), "finds": sorted(reading.finds)}
            file.write(json.dumps(row | {"score": round(score, 3)}, ensure_ascii=False) + "\n")


def load_readings(work: Path) -> list[tuple[Reading, float]]:
    """The readings, and what the signs say of each."""
    found: list[tuple[Reading, float]] = []
    for line in (work / "readings.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        score = float(row.pop("score"))
        sets = {name: frozenset(row[name]) for name in ("signs", "finds")}
        found.append((Reading(**row | sets | {"pair": tuple(row["pair"])}), score))
    return found


def judge_by_signs(readings: Sequence[Reading]) -> list[float]:
    """What the signs say of each, by weights that its author's readings did not teach."""
    return [float(s) for s in _left_out(readings, np.zeros((len(readings), 0)), SIGNS_ALONE)]


def _left_out(readings: Sequence[Reading], vectors: Floats, held: Held) -> Floats:
    scores = np.zeros(len(readings))
    for fold in (*FOLDS, ("dev", "dev2", "dev3")):
        own = np.array([each.author in fold for each in readings], dtype=bool)
        model = _fit([each for each in readings if each.author not in fold], vectors[~own], held)
        scores[own] = model.score([r.signs for r in readings if r.author in fold], vectors[own])
    return scores


def _fit(readings: Sequence[Reading], vectors: Floats, held: Held) -> Model:
    """Only what is proposed now has signs to learn from; of a copy they say nothing."""
    known = np.array([bool(each.signs) and not each.is_copy for each in readings])
    now = [each for each, is_known in zip(readings, known, strict=True) if is_known]
    wanted = np.array([float(each.kept) for each in now])
    counts = np.array([each.weight for each in now])
    signs = [each.signs for each in now]
    return fit_model(signs, vectors[known], wanted=wanted, counts=counts, held=held)


def _worth(reading: Reading, score: float) -> bool:
    """Whether a reading is taught: no plain junk, and of what readers were tuned on, the judged."""
    in_fold = any(reading.author in fold for fold in FOLDS)
    return score > PLAIN_JUNK if in_fold and reading.signs else reading.ruled


def judge(work: Path, base: Path, fold: int) -> None:
    """What a comparer that was taught by the others says of a fold's readings."""
    try:
        from hermes.bench import cross_encoder as learner  # noqa: PLC0415 - torch
    except ImportError as error:
        raise _not_there(error) from error
    readings, encoder = load_readings(work), learner.Encoder(base)
    taught = [r for r, score in readings if r.author not in FOLDS[fold] and _worth(r, score)]
    lessons = [learner.Lesson(r.pair, r.kept, r.weight) for r in taught]
    weights = learner.teach(encoder, lessons, learner.Course())
    asked = list({r.pair: None for r, _ in readings if r.author in FOLDS[fold] and r.signs})
    said = learner.compare(encoder, weights, asked)
    rows = [[*pair, told] for pair, told in zip(asked, said, strict=True)]
    (work / f"judged-{fold}.json").write_text(json.dumps(rows), encoding="utf-8")


def teach(work: Path, base: Path) -> None:
    """Teach a comparer with all readings, and write it into the package."""
    try:
        from hermes.bench import cross_encoder as learner  # noqa: PLC0415 - torch
        from hermes.bench.onnx_export import export  # noqa: PLC0415 - onnx
    except ImportError as error:
        raise _not_there(error) from error
    readings, encoder = load_readings(work), learner.Encoder(base)
    lessons = [learner.Lesson(r.pair, r.kept, r.weight) for r, s in readings if _worth(r, s)]
    weights = learner.teach(encoder, lessons, learner.Course())
    export({name: w.numpy() for name, w in weights.items() if w.is_floating_point()}, MODEL)
    sys.stdout.write(f"sha-256 {hashlib.sha256(MODEL.read_bytes()).hexdigest()}\n")


def _not_there(error: ImportError) -> Unavailable:
    return Unavailable(
        f"Teaching needs what Hermes does not: {error}.", "pip install torch safetensors onnx"
    )


def fit_edges(work: Path) -> None:
    """Weigh what the comparers said beside the signs, and find the edges; print how that fares."""
    told, lines, comparer = _load_told(work), list_lines(TESTS), Comparer()
    known = [each for each, _ in load_readings(work) if each.signs and not each.is_copy]
    asked = [each for each in known if each.pair in told]
    readings = [*asked, *lines]  # the lines taught no comparer, so the shipped one is asked
    said = [told[r.pair] for r in asked] + [comparer.compare(*r.pair) for r in lines]
    logits = np.array(said)[:, np.newaxis]
    scores = map(float, _left_out(readings, logits, BESIDE)[: len(asked)])
    scored = sorted(zip(scores, asked, strict=True), key=lambda each: -each[0])
    reached = edge(scored, RIGHT)
    sure = edge([each for each in scored if each[1].is_told], SURE)
    edges = {"threshold": reached, "as_said": reached, "sure": max(sure, reached)}
    for share in (0.97, 0.95, 0.93, 0.9, 0.88, 0.85, 0.8, 0.75):
        sys.stdout.write(f"{share:.2f}: {_figures(scored, edge(scored, share))}\n")
    sys.stdout.write(f"edges {edges}: {_figures(scored, reached)}\n")
    model = _fit(readings, logits, BESIDE)
    weights = {name: round(w, 3) for name, w in model.signs.items() if abs(w) >= 0.02}
    gate = {"bias": round(model.bias, 3), "compared": round(float(model.meaning[0]), 3)}
    text = json.dumps(gate | edges | {"weights": weights}, indent=0, sort_keys=True)
    GATE.write_text(text + "\n", encoding="utf-8")


def _load_told(work: Path) -> dict[tuple[str, str], float]:
    files = [work / f"judged-{n}.json" for n in range(len(FOLDS))]
    rows = [row for file in files if file.is_file() for row in json.loads(file.read_text("utf-8"))]
    return {(said, read): float(told) for said, read, told in rows}


Scored = Sequence[tuple[float, Reading]]


def edge(scored: Scored, share: float) -> float:
    """The lowest score from which on so many are right; very high where that is never reached."""
    right = wrong = 0
    found = 99.0
    for score, reading in sorted(scored, key=lambda each: -each[0]):
        right += reading.kept and not reading.optional
        wrong += not reading.kept
        if right + wrong >= FEWEST and right >= share * (right + wrong):
            found = score
    return round(found, 2)


def _figures(scored: Scored, reached: float) -> str:
    """Precision and junk, with recall of labels, and of what the authors of `taught` call right."""
    kept = [reading for score, reading in scored if score >= reached]
    parts = []
    labelled = {name for fold in FOLDS for name in fold} - {*AUTHORS}
    for name, authors in (("labelled", labelled), ("taught", {*AUTHORS})):
        here = [each for each in kept if each.author in authors]
        right = sum(each.kept and not each.optional for each in here)
        junk = sum(not each.kept for each in here)
        asked = _asked(authors & {each.author for _, each in scored}, scored)
        found = len({label for each in here for label in each.finds})
        parts.append(
            f"{name}: precision {right / max(1, right + junk):.3f}, recall {found / asked:.3f}, "
            f"junk {junk / max(1, len(here)):.3f}, {len(here)} kept"
        )
    return "; ".join(parts)


def _asked(authors: set[str], scored: Scored) -> int:
    """How many facts could be found: labels, or, where there are none, what was called right."""
    halves = [Half(name) for name in authors if name not in AUTHORS]
    labels = sum(not fact.optional for h in halves for chat in load_half(h) for fact in chat.facts)
    right = {label for _, r in scored if r.author in {*AUTHORS} & authors for label in r.finds}
    return max(1, labels + len(right))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except HermesError as error:
        sys.exit(f"error: {error.message}\nhint: {error.hint}")
