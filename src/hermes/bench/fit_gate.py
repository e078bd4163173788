"""Fits the weights of the gate; run it as `python -m hermes.bench.fit_gate [FOLDER]`.

All that the rules could read out of the labelled chats is judged; a logistic model learns which
signs, and which meaning of the quote, go with what a person would keep. Two gates are fitted: one
for where the bundled model is at hand, and one by the signs alone. What a person said of a reading
(`rulings`) counts; the match of words only where nobody did. Readers were written with `dev` to
`dev3` in sight and seem surer there than they are, so that what they read there counts little.

Each file is also judged by what the others taught: only that says how the gate does on an author
it never saw. There the edges are taken: how likely a reading is right rises with its score, and
what is less likely than `RIGHT_AT_EDGE` is left. A sentence that was kept as it was said has an
edge of its own, for no reader understood it. `dev11` and later teach nothing: they are to check by.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hermes.bench.facts.loader import Conversation, Expected, Half, load_half
from hermes.bench.facts.match import is_match
from hermes.bench.facts.rulings import Rulings, Word, find_ruling, load_rulings
from hermes.bench.facts.runner import Read
from hermes.bench.logistic import Floats, Held, Model, fit_model, rising
from hermes.clock import parse_time
from hermes.embed.base import Embedder, EmbedderOptions
from hermes.embed.local import open_embedder
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.freed import REST
from hermes.memory.facts.clauses.gate import AS_SAID, MEANING, SIGNS, is_held_back, signs_of
from hermes.memory.facts.clauses.pair import Said
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.memory.facts.clauses.sureness import as_told
from hermes.types import Confidence, Message, Role

TUNED_ON = frozenset({Half.DEV, Half.DEV2, Half.DEV3})
UNSEEN = (Half.DEV4, Half.DEV5, Half.DEV6, Half.DEV7, Half.DEV8, Half.DEV9, Half.DEV10)
RIGHT_AT_EDGE = 0.7  # how likely the least sure reading that is kept is right, by unseen authors
SURE_AT = 0.97  # precision on unseen authors of what is shown as "high"
FEWEST = 20  # readings that say how sure the sure are
HELD = Held(signs=6.0, meaning=200.0, rarest=3)
SEEN = 0.3  # what a reading counts where its reader was tuned
OPTIONAL = 0.5  # what a fact counts that a person might keep or not
PLAIN = 1.0  # what a statement of the tests counts, which the readers were tuned on, too
LINES_AT = parse_time("2026-01-05T09:00:00Z")
TESTS = Path("tests/memory/facts")


@dataclass(frozen=True, slots=True)
class Case:
    """A candidate of a labelled chat: its signs and quote, whether it is kept, what it counts.

    `finds` are the ids of the labels it says; `is_told` is for what was told to be remembered.
    """

    half: Half | None
    signs: frozenset[str]
    quote: str
    kept: bool
    optional: bool
    weight: float
    finds: frozenset[str] = frozenset()
    is_told: bool = False

    @property
    def is_as_said(self) -> bool:
        return AS_SAID in self.signs


Scored = Sequence[tuple[float, Case]]


def main() -> None:
    taught = [*sorted(TUNED_ON), *UNSEEN]
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
    model = fit(cases, vectors)
    told = {name: round(w, 3) for name, w in model.signs.items() if abs(w) >= 0.03}
    gate: dict[str, object] = {"bias": round(model.bias, 3), "weights": told} | edges
    if vectors.shape[1]:
        gate["meaning"] = [round(float(w), 3) for w in model.meaning]
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
            yield judged_case(half, chat, candidate, rulings)


def collect_lines(folder: Path) -> Iterator[Case]:
    """The lines of the tests: statements that stand alone, and small talk."""
    for line in (folder / "statements.tsv").read_text(encoding="utf-8").splitlines():
        for each in read_line(line.split("\t")[0]):
            if AS_SAID not in each.signs and not is_held_back(each):
                yield Case(None, signs_of(each), each.quote, True, False, PLAIN)
    for line in (folder / "small_talk.txt").read_text(encoding="utf-8").splitlines():
        for each in read_line(line.replace("\\n", "\n")):
            yield Case(None, signs_of(each), each.quote, False, False, 1.0)


def read_line(text: str) -> list[Candidate]:
    """All that could be read out of a line that stands alone."""
    message = Message(1, "line", 1, LINES_AT, Role.USER, text)
    return RuleExtractor(judge=_as_case).extract([message])


def candidates(chat: Conversation) -> list[Candidate]:
    """All that the readers propose, what the present gate holds back, too."""
    messages = [
        Message(n, chat.id, n, said.at, said.role, said.text, said.speaker)
        for n, said in enumerate(chat.messages, start=1)
    ]
    return RuleExtractor(judge=_as_case).extract(messages)


def _as_case(candidate: Candidate, _: Said) -> Candidate | None:
    return candidate


def judged_case(half: Half, chat: Conversation, candidate: Candidate, rulings: Rulings) -> Case:
    """A candidate with what a person would do with it."""
    kept, labels = _verdict(chat, candidate, rulings)
    optional = kept and all(label.optional for label in labels)
    tuned = half in TUNED_ON and {AS_SAID, REST}.isdisjoint(candidate.signs)
    weight = (OPTIONAL if optional else 1.0) * (SEEN if tuned else 1.0)
    finds = frozenset(label.id for label in labels if kept and not label.optional)
    told = as_told(candidate).confidence is Confidence.HIGH
    return Case(half, signs_of(candidate), candidate.quote, kept, optional, weight, finds, told)


def _verdict(
    chat: Conversation, candidate: Candidate, rulings: Rulings
) -> tuple[bool, list[Expected]]:
    """Whether a person would keep it, and the labels it says; none where it is merely fine."""
    read = read_of(candidate)
    ruling = find_ruling(rulings, chat.id, read)
    if ruling is None:
        labels = _matched(chat, read)
        return bool(labels), labels
    labels = [label for label in chat.facts if label.id in ruling.labels]
    return ruling.verdict in {Word.RIGHT, Word.FINE}, labels


def read_of(candidate: Candidate) -> Read:
    """A candidate as those who compare it with labels and rulings see it."""
    told = (candidate.text, str(candidate.kind), candidate.subject, candidate.value)
    return Read(*told, candidate.quote, (candidate.message_id or 0) - 1, candidate.valid_from)


def _matched(chat: Conversation, read: Read) -> list[Expected]:
    return [
        label
        for label in chat.facts
        if is_match(read, label, speaker=chat.messages[label.message].speaker)
    ]


def fit(cases: Sequence[Case], vectors: Floats) -> Model:
    wanted = np.array([float(case.kept) for case in cases])
    counts = np.array([case.weight for case in cases])
    signs = [case.signs for case in cases]
    return fit_model(signs, vectors, wanted=wanted, counts=counts, held=HELD)


def judged_by_others(cases: Sequence[Case], vectors: Floats, half: Half) -> Scored:
    """The cases of a file, scored by weights that were fitted without it."""
    own = np.array([case.half is half for case in cases])
    model = fit([case for case in cases if case.half is not half], vectors[~own])
    judged = [case for case in cases if case.half is half]
    scores = model.score([case.signs for case in judged], vectors[own])
    return list(zip(map(float, scores), judged, strict=True))


def _report(cases: Sequence[Case], vectors: Floats) -> dict[str, float]:
    """How the cases of unseen authors fare, by what the others taught, and where the edges lie."""
    scored = {half: judged_by_others(cases, vectors, half) for half in UNSEEN}
    pooled = [each for half in UNSEEN for each in scored[half]]
    edges = {
        "threshold": round(edge([each for each in pooled if not each[1].is_as_said]), 2),
        "as_said": round(edge([each for each in pooled if each[1].is_as_said]), 2),
        "sure": round(lowest([each for each in pooled if each[1].is_told], SURE_AT), 2),
    }
    sys.stdout.write(f"edges: {edges}\n")
    for half in UNSEEN:
        sys.stdout.write(f"{half} by the others: {_figures(scored[half], [half], edges)}\n")
    for higher in (-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0):
        told = _figures(pooled, UNSEEN, edges, higher=higher)
        sys.stdout.write(f"together, edges {higher:+.1f}: {told}\n")
    return edges


def _figures(
    scored: Scored, halves: Sequence[Half], edges: Mapping[str, float], *, higher: float = 0.0
) -> str:
    edge_of = {False: edges["threshold"] + higher, True: edges["as_said"] + higher}
    kept = [case for score, case in scored if score >= edge_of[case.is_as_said]]
    right = sum(case.kept and not case.optional for case in kept)
    junk = sum(not case.kept for case in kept)
    found = len({name for case in kept for name in case.finds})
    precision, recall = right / max(1, right + junk), found / sum(map(_expected, halves))
    return f"precision {precision:.3f}, recall {recall:.3f}, junk {junk / max(1, len(kept)):.3f}"


def _expected(half: Half) -> int:
    """How many facts are asked for in what the gate is judged on."""
    return sum(not label.optional for chat in load_half(half) for label in chat.facts)


def edge(scored: Scored) -> float:
    """The lowest score at which a reading is likely enough right; `inf` where none is."""
    counted = [(score, case) for score, case in scored if not case.optional]
    scores = np.array([score for score, _ in counted])
    likely = rising(scores, np.array([float(case.kept) for _, case in counted]))
    return float(min(scores[likely >= RIGHT_AT_EDGE], default=np.inf))


def lowest(scored: Scored, precision: float) -> float:
    """The lowest score from which on so many are right; `inf` where it is never reached."""
    right = wrong = 0
    found = float("inf")
    for score, case in sorted(scored, key=lambda each: -each[0]):
        right += case.kept and not case.optional
        wrong += not case.kept
        if right + wrong >= FEWEST and right >= precision * (right + wrong):
            found = score
    return found


if __name__ == "__main__":
    main()
