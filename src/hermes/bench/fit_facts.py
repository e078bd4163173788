"""Fits what is relevant among facts: `python -m hermes.bench.fit_facts`.

Facts are scored by the weights of messages, but they are short and stand alone, so that their
scores lie lower, and some lie near every question. The lines of scores are fitted on questions in
the facts' own words: each labelled fact about the user in the development half is asked for by its
attribute ("what is my timezone"). Nearness is what finds an answer in other words: it is fitted on
half of the memories of `recall_asked`, and the other half is only reported. A slope is that of a
logistic regression; the middle keeps a share of the facts that answer at the usual threshold. Last
comes how often a fact of some relevance answers, by what it lacks of the question as well: on the
same halves, unrelated tasks included, and on near misses (`recall_missed.txt`), half of them, too.
Writes `memory/recall/facts.json`.
"""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hermes.app import App, open_app
from hermes.app.facts import NewFact
from hermes.bench.facts.loader import Expected, Half, load_half
from hermes.bench.recall_asked import Asked, load_asked, load_missed
from hermes.bench.retrieval.calibration import fit_logistic, reliability
from hermes.config.paths import Home
from hermes.embed.base import Embedder, EmbedderOptions
from hermes.embed.local import SPACE, open_embedder
from hermes.memory.facts.candidate import USER
from hermes.memory.facts.reference import render_ref
from hermes.memory.recall import likeness
from hermes.memory.recall.features import FEATURES
from hermes.memory.recall.fuse import SAID_FROM, load_weights
from hermes.memory.recall.lacks import measure_lacks
from hermes.memory.recall.likeness import Line, Usual, load_lines, measures, render_usual
from hermes.memory.recall.result import Item
from hermes.types import Kind

OUTPUT = Path(likeness.__file__).with_name("facts.json")
KEPT_AT = 0.65
KEPT_SHARE = {"local": 0.95, "none": 0.75}  # words alone tell less: better fewer than all of them
KEPT_BY_NEARNESS = 0.70  # in other words; alone it should speak for what is plainly near only
KEPT_BY_STEPS = 0.60  # where hubs are not known
STEPS = 4_000
L2 = 1e-3

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Compared:
    """Questions beside facts: measures of each pair (a row), and whether the fact answers."""

    measures: Floats
    answers: Bools
    unrelated: Bools

    def part(self, rows: Bools) -> "Compared":
        return Compared(self.measures[rows], self.answers[rows], self.unrelated[rows])


def main() -> None:
    asked = load_asked()
    embedder = open_embedder(EmbedderOptions())
    usual = fit_usual(embedder, asked.part(fitted=True))
    _tell("nearness", _by_nearness(embedder, asked.part(fitted=False), usual), usual.line)
    embedder.close()
    table: dict[str, Any] = {**_load(), "usual": {}, "chances": None}
    _save(table)
    table["by_steps"] = _shown(fit_line(_by_product("local", steps=True), KEPT_BY_STEPS))
    table["usual"] = {SPACE.model: render_usual(usual)}
    _save(table)
    for provider, name in (("local", "with_meaning"), ("none", "by_words")):
        found = _by_product(provider)
        line = fit_line(found, KEPT_SHARE[provider])
        _tell(name, found, line)
        table[name] = _shown(line)
        _save(table)
    table["chances"] = fit_chances()
    _save(table)
    for each in (asked, load_missed()):
        _tell_chances(each.part(fitted=False))


@dataclass(frozen=True, slots=True)
class Told:
    """A task, how relevant the facts found for it are, what they lack, and which answer it."""

    relevance: npt.NDArray[np.float32]
    lacking: npt.NDArray[np.float32]
    hits: Bools
    is_answered: bool


def fit_chances() -> list[float]:
    """Where the line of chances starts, and what each of its measures adds."""
    told = [t for each in (load_asked(), load_missed()) for t in _find(each.part(fitted=True))]
    columns = np.concatenate([measures(each.relevance, each.lacking) for each in told])
    base, by = fit_logistic(columns.astype(float), np.concatenate([each.hits for each in told]))
    return [round(weight, 4) for weight in (base, *by)]


def _find(asked: Asked) -> list[Told]:
    """What the product finds for each question, near miss and unrelated task."""
    found = []
    for memory in asked.memories:
        ours = [each for each in asked.facts if each.memory == memory]
        nothing = [*asked.unrelated, *(text for of, text in asked.missed if of == memory)]
        tasks = [(text, each.fact) for each in ours for text in each.questions]
        with _opened("local") as app:
            kept = {each.fact: app.facts.add(NewFact(each.fact)).fact for each in ours}
            refs = {text: render_ref(fact.number) for text, fact in kept.items() if fact}
            app.memory.reindex(lambda _: None)
            for task, right in [*tasks, *((text, "") for text in nothing)]:
                items = app.memory.search(task, bank="default", limit=32, kinds=[Kind.FACT])[0]
                if items:
                    found.append(_told(task, items, refs.get(right, "")))
    return found


def _told(task: str, items: Sequence[Item], right: str) -> Told:
    place, weights = FEATURES.index("held"), load_weights(with_meaning=True)
    held = np.array([item.gains[place] for item in items]) / float(weights.values[place])
    return Told(
        np.array([item.relevance for item in items], np.float32),
        measure_lacks(task, [item.text for item in items], held.astype(np.float32)),
        np.array([item.ref == right for item in items], np.bool_),
        bool(right),
    )


def _tell_chances(asked: Asked) -> None:
    found = _find(asked)
    told = np.concatenate([each.relevance for each in found]).astype(float)
    for low, count, mean, right in reliability(told, np.concatenate([e.hits for e in found])):
        sys.stdout.write(f"told {low:.2f} and more: {count} facts, {mean:.2f}, right {right:.2f}\n")
    nothing = [each for each in found if not each.is_answered]
    sure = sum(bool((each.relevance >= SAID_FROM).any()) for each in nothing)
    sys.stdout.write(f"told as sure where nothing answers: {sure} of {len(nothing)}\n")


def fit_usual(embedder: Embedder, asked: Asked) -> Usual:
    """The averages of a model, and how much of them to take off."""
    questions = [question for each in asked.facts for question in each.questions]
    question = embedder.embed_queries([*questions, *asked.unrelated]).mean(axis=0)
    fact = embedder.embed_passages([each.fact for each in asked.facts]).mean(axis=0)
    pairs = _pairs(embedder, asked, question, fact)
    cosine, of_question, of_fact, _ = _regress(pairs)
    by_question, by_fact = -of_question / cosine, -of_fact / cosine
    plain = Usual(question, fact, round(by_question, 3), round(by_fact, 3), Line(1.0, 0.0))
    found = _by_nearness(embedder, asked, plain)
    line = fit_line(found, KEPT_BY_NEARNESS, among_kept=True)
    return Usual(question, fact, plain.by_question, plain.by_fact, line)


def _pairs(embedder: Embedder, asked: Asked, question: Any, fact: Any) -> Compared:
    """Of each question with each fact of its memory: the cosine, and both with the averages."""
    rows: list[tuple[float, float, float]] = []
    answers, unrelated = [], []
    for memory in asked.memories:
        ours = [each for each in asked.facts if each.memory == memory]
        facts = embedder.embed_passages([each.fact for each in ours])
        known = [(number, text) for number, each in enumerate(ours) for text in each.questions]
        tasks = [*known, *((-1, text) for text in asked.unrelated)]
        queries = np.concatenate([embedder.embed_queries([text]) for _, text in tasks])
        for (right, _), query in zip(tasks, queries, strict=True):
            for number, row in enumerate(facts):
                rows.append((float(query @ row), float(row @ question), float(query @ fact)))
                answers.append(number == right)
                unrelated.append(right < 0)
    return Compared(np.array(rows), np.array(answers), np.array(unrelated))


def _by_nearness(embedder: Embedder, asked: Asked, usual: Usual) -> Compared:
    """The one measure that the line of nearness is of."""
    pairs = _pairs(embedder, asked, usual.question, usual.fact)
    cosine, of_question, of_fact = pairs.measures.T
    typical = float(usual.question @ usual.fact)
    measured = cosine - usual.by_question * (of_question - typical) - usual.by_fact * of_fact
    return Compared(measured[:, None], pairs.answers, pairs.unrelated)


def _regress(compared: Compared) -> Floats:
    """Weights of a logistic regression, the last its constant; right and wrong count alike."""
    wanted = compared.answers.astype(float)
    weight = np.where(compared.answers, 0.5 / wanted.sum(), 0.5 / (1 - wanted).sum())
    unit, mean = compared.measures.std(axis=0), compared.measures.mean(axis=0)
    columns = np.c_[(compared.measures - mean) / unit, np.ones(len(wanted))]
    weights, slow, fast = (np.zeros(columns.shape[1]) for _ in range(3))
    for step in range(1, STEPS + 1):
        error = weight * (1 / (1 + np.exp(-columns @ weights)) - wanted)
        slope = columns.T @ error + L2 * np.r_[weights[:-1], 0.0]
        slow, fast = 0.9 * slow + 0.1 * slope, 0.999 * fast + 0.001 * slope**2
        move = (slow / (1 - 0.9**step)) / (np.sqrt(fast / (1 - 0.999**step)) + 1e-9)
        weights = weights - 0.02 * move
    weights[:-1] /= unit
    weights[-1] -= float(weights[:-1] @ mean)
    return weights


def fit_line(compared: Compared, share: float, *, among_kept: bool = False) -> Line:
    """As steep as the regression; the usual threshold keeps a share of what answers.

    Over all pairs the slope is that from what is far off to what answers. `among_kept` it is how
    surely one kept answers rather than another: then only the nearest are as sure as can be.
    """
    edge = float(np.quantile(compared.measures[compared.answers, 0], 1 - share))
    kept = compared.measures[:, 0] >= (edge if among_kept else -np.inf)
    slope = float(_regress(compared.part(kept))[0])
    middle = edge - float(np.log(KEPT_AT / (1 - KEPT_AT))) / slope
    return Line(round(slope, 3), round(middle, 4))


def _by_product(provider: str, *, steps: bool = False) -> Compared:
    """What the product itself measures of each fact it finds: its score, or its nearness."""
    place, weights = FEATURES.index("near"), load_weights(with_meaning=True)
    measures, answers = [], []
    for right, item in _found(provider):
        if steps and not any(found.by == "semantic" for found in item.found):
            continue
        near = item.gains[place] / float(weights.values[place]) if steps else item.score
        measures.append([near])
        answers.append(item.ref in right)
    return Compared(np.array(measures), np.array(answers), np.zeros(len(answers), np.bool_))


def _found(provider: str) -> Iterator[tuple[set[str], Item]]:
    """The names of the facts that answer a question, beside each fact found for it."""
    with _opened(provider) as app:
        asked: dict[str, set[str]] = {}  # several chats may tell the same of their user
        for question, ref in _add_facts(app):
            asked.setdefault(question, set()).add(ref)
        app.memory.reindex(lambda _: None)
        for question, refs in asked.items():
            for item in app.memory.search(question, bank="default", limit=32, kinds=[Kind.FACT])[0]:
                yield refs, item


@contextmanager
def _opened(provider: str) -> Iterator[App]:
    """An empty memory, gone at the end."""
    settings = {"memory.embeddings.provider": provider}
    with (
        tempfile.TemporaryDirectory(prefix="hermes-fit-") as folder,
        open_app(Home(Path(folder)).profile("default"), {}, flags=settings) as app,
    ):
        yield app


def _add_facts(app: App) -> Iterator[tuple[str, str]]:
    """Keep each labelled fact about the user; the question it answers, and its name."""
    for chat in load_half(Half.DEV):
        for expected in chat.facts:
            if expected.subject == USER and not expected.optional:
                statement, question = _worded(expected)
                kept = app.facts.add(NewFact(statement))
                if kept.fact is not None:
                    yield question, render_ref(kept.fact.number)


def _worded(expected: Expected) -> tuple[str, str]:
    attribute = expected.attribute.replace("_", " ").replace(":", " ")
    if expected.kind == "preference":
        return f"User prefers {expected.value}", f"what do I prefer for {attribute}"
    return f"User's {attribute} is {expected.value}", f"what is my {attribute}"


def _tell(name: str, compared: Compared, line: Line) -> None:
    kept = line.relevance(compared.measures[:, 0].astype(np.float32)) >= KEPT_AT
    others = ~compared.answers & ~compared.unrelated
    told = f"{kept[compared.answers].mean():.1%} of what answers kept, "
    told += f"{kept[others].mean():.1%} of the others"
    if compared.unrelated.any():
        told += f", {kept[compared.unrelated].mean():.1%} for unrelated tasks"
    sys.stdout.write(f"{name}: slope {line.slope}, middle {line.middle}; {told}\n")


def _load() -> dict[str, Any]:
    lines = load_lines()
    return {name: _shown(getattr(lines, name)) for name in ("with_meaning", "by_words", "by_steps")}


def _shown(line: Line) -> list[float]:
    return [line.slope, line.middle]


def _save(table: dict[str, Any]) -> None:
    OUTPUT.write_text(json.dumps(table, indent=1) + "\n", "utf-8")
    load_lines.cache_clear()


if __name__ == "__main__":
    main()
