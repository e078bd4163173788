"""Fits the weights of the gate; run it as `python -m hermes.bench.fit_gate [FOLDER]`.

All that the rules could read out of the labelled chats is judged by the labels; a logistic model
learns which signs, and which meaning of the quote, go with what a person would keep. Two gates are
fitted: one for where the bundled model is at hand, and one by the signs alone. Readers were written
with `dev` to `dev3` in sight and seem surer there than they are, so that what they read there
counts little. Each file is also judged by what the others taught: only that says how the gate does
on an author it never saw, and the thresholds lie where those judgements say. `dev9` teaches
nothing: it is there to check all this by. Where a person has judged a reading (`rulings`), that
counts, not the match of words: what is true and put otherwise must not teach that it is wrong.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hermes.bench.facts.loader import Conversation, Expected, Half, load_half
from hermes.bench.facts.match import is_match
from hermes.bench.facts.rulings import Rulings, Word, find_ruling, load_rulings
from hermes.bench.facts.runner import Read
from hermes.clock import parse_time
from hermes.embed.base import Embedder, EmbedderOptions
from hermes.embed.local import open_embedder
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.certainty import is_doubted
from hermes.memory.facts.clauses.gate import AS_SAID, MEANING, SIGNS, signs_of
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.types import Message, Role

Floats = npt.NDArray[np.float64]

TUNED_ON = frozenset({Half.DEV, Half.DEV2, Half.DEV3})
UNSEEN = (Half.DEV4, Half.DEV5, Half.DEV6, Half.DEV7, Half.DEV8)
KEPT_AT, SURE_AT = 0.95, 0.97  # precision on unseen authors: of what is kept, of what is "high"
STRENGTH = 6.0  # how strongly the weights of signs are held to zero
STRENGTH_MEANING = 200.0  # and those of a vector's dimensions, each of which varies by one
SEEN = 0.1  # what a reading counts where its reader was tuned
OPTIONAL = 0.5  # what a fact counts that a person might keep or not
PLAIN = 1.0  # what a statement of the tests counts, which the readers were tuned on, too
LINES_AT = parse_time("2026-01-05T09:00:00Z")
TESTS = Path("tests/memory/facts")
RAREST = 3  # a sign seen less often teaches nothing
NOT_TAUGHT = frozenset({Half.DEV9, Half.DEV11, Half.CHANGE, Half.CHANGE2, Half.REPORT})


@dataclass(frozen=True, slots=True)
class Case:
    """A candidate of a labelled chat: its signs and quote, whether it is kept, what it counts."""

    half: Half | None
    signs: frozenset[str]
    quote: str
    kept: bool
    optional: bool
    weight: float


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights of signs by name and of a quote's vector, and the bias."""

    names: Sequence[str]
    signs: Floats
    meaning: Floats
    bias: float

    def score(self, cases: Sequence[Case], vectors: Floats) -> Floats:
        return _matrix(cases, self.names) @ self.signs + vectors @ self.meaning + self.bias


def main() -> None:
    taught = [half for half in Half if half not in NOT_TAUGHT]
    cases = [case for half in taught for case in collect(half)] + list(collect_lines(TESTS))
    embedder = open_embedder(EmbedderOptions())
    for name, vectors in ((SIGNS, _no_vectors(cases)), (MEANING, embed(cases, embedder))):
        sys.stdout.write(f"{name}\n")
        gate = _gate(cases, vectors)
        if vectors.shape[1]:
            gate["space"] = str(embedder.space)
        if len(sys.argv) > 1:
            text = json.dumps(gate, indent=0, sort_keys=True, ensure_ascii=False)
            (Path(sys.argv[1]) / name).write_text(text + "\n", encoding="utf-8")


def _gate(cases: Sequence[Case], vectors: Floats) -> dict[str, object]:
    edges = _report(cases, vectors)
    fitted = fit(cases, vectors)
    told = {
        name: round(float(w), 3)
        for name, w in zip(fitted.names, fitted.signs, strict=True)
        if abs(w) >= 0.03
    }
    gate: dict[str, object] = {"bias": round(fitted.bias, 3), "weights": told} | edges
    if vectors.shape[1]:
        gate["meaning"] = [round(float(w), 3) for w in fitted.meaning]
    return gate


def _no_vectors(cases: Sequence[Case]) -> Floats:
    return np.zeros((len(cases), 0))


def embed(cases: Sequence[Case], embedder: Embedder) -> Floats:
    """A vector for each quote, one at a time as the gate asks: a batch would change them a bit."""
    known = {case.quote: np.empty(0) for case in cases}
    for quote in known:
        known[quote] = embedder.embed_passages([quote])[0].astype(np.float64)
    return np.array([known[case.quote] for case in cases])


def collect(half: Half) -> Iterator[Case]:
    """All that could be read out of the chats of one file, judged by its labels."""
    rulings = load_rulings(half)
    for chat in load_half(half):
        for candidate in candidates(chat):
            yield _case(half, chat, candidate, rulings)


def collect_lines(folder: Path) -> Iterator[Case]:
    """The lines of the tests: statements that stand alone, and small talk."""
    for line in (folder / "statements.tsv").read_text(encoding="utf-8").splitlines():
        for each in _of_line(line.split("\t")[0]):
            if AS_SAID not in each.signs:
                yield Case(None, signs_of(each), each.quote, True, False, PLAIN)
    for line in (folder / "small_talk.txt").read_text(encoding="utf-8").splitlines():
        for each in _of_line(line.replace("\\n", "\n")):
            yield Case(None, signs_of(each), each.quote, False, False, 1.0)


def _of_line(text: str) -> list[Candidate]:
    message = Message(1, "line", 1, LINES_AT, Role.USER, text)
    return RuleExtractor(judge=_as_case).extract([message])


def candidates(chat: Conversation) -> list[Candidate]:
    """What the readers propose, without what is doubted."""
    messages = [
        Message(n, chat.id, n, said.at, said.role, said.text, said.speaker)
        for n, said in enumerate(chat.messages, start=1)
    ]
    return RuleExtractor(judge=_as_case).extract(messages)


def _as_case(candidate: Candidate, at: int) -> Candidate | None:
    return candidate if AS_SAID in candidate.signs or not is_doubted(candidate, at) else None


def _case(half: Half, chat: Conversation, candidate: Candidate, rulings: Rulings) -> Case:
    kept, optional = _verdict(chat, candidate, rulings)
    tuned = half in TUNED_ON and AS_SAID not in candidate.signs
    weight = (OPTIONAL if optional else 1.0) * (SEEN if tuned else 1.0)
    return Case(half, signs_of(candidate), candidate.quote, kept, optional, weight)


def _verdict(chat: Conversation, candidate: Candidate, rulings: Rulings) -> tuple[bool, bool]:
    """Whether a person would keep it, and whether they might as well not."""
    place = (candidate.message_id or 0) - 1
    told = (candidate.text, str(candidate.kind), candidate.subject, candidate.value)
    read = Read(*told, candidate.quote, place, candidate.valid_from)
    ruling = find_ruling(rulings, chat.id, read)
    if ruling is not None and ruling.verdict is not Word.RIGHT:
        return ruling.verdict is Word.FINE, ruling.verdict is Word.FINE
    if ruling is not None:
        labels = [label for label in chat.facts if label.id in ruling.labels]
    else:
        labels = _matched(chat, read)
    return bool(labels), bool(labels) and all(label.optional for label in labels)


def _matched(chat: Conversation, read: Read) -> list[Expected]:
    return [
        label
        for label in chat.facts
        if is_match(read, label, speaker=chat.messages[label.message].speaker)
    ]


def fit(cases: Sequence[Case], vectors: Floats) -> Fitted:
    """The weights of the signs that are frequent enough and of the vectors' dimensions.

    Dimensions are centred and scaled to vary by one while fitting; the weights are for them as
    they come.
    """
    count = Counter(sign for case in cases for sign in case.signs)
    names = sorted(sign for sign, seen in count.items() if seen >= RAREST)
    mean = vectors.mean(axis=0)
    scale = float((vectors - mean).std()) if vectors.shape[1] else 1.0
    rows = [_matrix(cases, names), (vectors - mean) / scale, np.ones((len(cases), 1))]
    held = [np.full(len(names), STRENGTH), np.full(len(mean), STRENGTH_MEANING), np.array([1e-3])]
    wanted = np.array([float(case.kept) for case in cases])
    counts = np.array([case.weight for case in cases])
    weights = _descend(np.hstack(rows), wanted, counts, np.concatenate(held))
    meaning = weights[len(names) : -1] / scale
    return Fitted(names, weights[: len(names)], meaning, float(weights[-1] - mean @ meaning))


def _matrix(cases: Sequence[Case], names: Sequence[str]) -> Floats:
    place = {name: n for n, name in enumerate(names)}
    rows = np.zeros((len(cases), len(names)))
    for row, case in enumerate(cases):
        rows[row, [place[sign] for sign in case.signs if sign in place]] = 1.0
    return rows


def _descend(rows: Floats, wanted: Floats, counts: Floats, held: Floats) -> Floats:
    """Newton's steps of a logistic model, each weight held to zero as strongly as `held` says.

    Each step is solved by conjugate gradients: the whole matrix would take minutes.
    """
    weights = np.zeros(rows.shape[1])
    for _ in range(25):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (likely - wanted)) + held * weights
        step = _solve(rows, counts * likely * (1 - likely), held, slope)
        weights -= step
        if np.abs(step).max() < 1e-3:
            break
    return weights


def _solve(rows: Floats, spread: Floats, held: Floats, wanted: Floats) -> Floats:
    """`x` of `(rowsᵀ·spread·rows + held) x = wanted`, by conjugate gradients, scaled."""
    scale = 1 / ((rows**2).T @ spread + held)
    found = np.zeros_like(wanted)
    left = wanted.copy()
    ahead = scaled = scale * left
    size = left @ scaled
    for _ in range(300):
        bent = rows.T @ (spread * (rows @ ahead)) + held * ahead
        far = size / (ahead @ bent)
        found += far * ahead
        left = left - far * bent
        scaled = scale * left
        size, before = left @ scaled, size
        if np.abs(left).max() < 1e-4:
            break
        ahead = scaled + size / before * ahead
    return found


def judged_by_others(
    cases: Sequence[Case], vectors: Floats, half: Half
) -> list[tuple[float, Case]]:
    """The cases of a file, scored by weights that were fitted without it."""
    own = np.array([case.half is half for case in cases])
    fitted = fit([case for case in cases if case.half is not half], vectors[~own])
    judged = [case for case in cases if case.half is half]
    return list(zip(map(float, fitted.score(judged, vectors[own])), judged, strict=True))


def _report(cases: Sequence[Case], vectors: Floats) -> dict[str, object]:
    """How the cases of unseen authors fare, by what the others taught, and where the edges lie."""
    pooled: list[tuple[float, Case]] = []
    for half in UNSEEN:
        scored = judged_by_others(cases, vectors, half)
        pooled += scored
        sys.stdout.write(f"{half} by the others: {_curve(scored, _expected(half))}\n")
    sys.stdout.write(f"together: {_curve(pooled, sum(map(_expected, UNSEEN)))}\n")
    return {
        "threshold": round(lowest(pooled, KEPT_AT), 2),
        "sure": round(lowest(pooled, SURE_AT), 2),
    }


def _expected(half: Half) -> int:
    """How many facts are asked for in what the gate is judged on."""
    return sum(not label.optional for chat in load_half(half) for label in chat.facts)


def lowest(scored: Iterable[tuple[float, Case]], precision: float) -> float:
    """The lowest score from which on so many are right; `inf` where it is never reached."""
    right = wrong = 0
    found = float("inf")
    for score, case in sorted(scored, key=lambda each: -each[0]):
        right += case.kept and not case.optional
        wrong += not case.kept
        if right + wrong >= 20 and right >= precision * (right + wrong):
            found = score
    return found


def _curve(scored: Sequence[tuple[float, Case]], expected: int) -> str:
    told = []
    for precision in (0.85, 0.9, 0.92, 0.95, 0.97):
        edge = lowest(scored, precision)
        right = sum(s >= edge and case.kept and not case.optional for s, case in scored)
        told.append(f"recall {right / expected:.2f} at precision {precision} (from {edge:.2f})")
    return ", ".join(told)


if __name__ == "__main__":
    main()
