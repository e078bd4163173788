"""Fits the line from a fact's score to its relevance; run it as `python -m hermes.bench.fit_facts`.

Facts are scored by the weights of messages, but they are short and stand alone, so that their
scores lie lower. Each labelled fact about the user in the development half is asked for by its
attribute ("what is my timezone"); the line is placed as for messages: 0.65 keeps 95 of 100 facts
that answer (75 by words alone, 60 by nearness alone). The pairs it prints belong into
`memory.recall.factual`.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hermes.app import App, open_app
from hermes.app.facts import NewFact
from hermes.bench.facts.loader import Expected, Half, load_half
from hermes.config.paths import Home
from hermes.embed.base import EmbedderOptions
from hermes.embed.local import open_embedder
from hermes.memory.facts.candidate import USER
from hermes.memory.recall.features import FEATURES
from hermes.memory.recall.fuse import load_weights
from hermes.memory.recall.result import Item
from hermes.types import Kind

KEPT_AT = 0.65
KEPT_SHARE = {"local": 0.95, "none": 0.75}  # words alone tell less: better fewer than all of them
KEPT_BY_NEARNESS = 0.60  # alone it should speak for what is plainly near only
STEPS = 20_000
Floats = npt.NDArray[np.float64]
Asked = Sequence[tuple[str, Item]]


def main() -> None:
    for provider in ("local", "none"):
        answering, others = _found(provider)
        _report(f"embeddings {provider}", _scores(answering), _scores(others), KEPT_SHARE[provider])
        if provider == "local":
            _report("nearness", _steps(answering), _steps(others), KEPT_BY_NEARNESS)
            _report("cosine", _cosines(answering), _cosines(others), KEPT_BY_NEARNESS)


def _report(name: str, answering: Floats, others: Floats, share: float) -> None:
    slope, middle = fit_line(answering, others, share)
    kept = 1 / (1 + np.exp(-slope * (others - middle))) >= KEPT_AT
    sys.stdout.write(
        f"{name}: slope {slope:.3f}, middle {middle:.3f}; "
        f"{len(answering)} facts asked for, {kept.mean():.1%} of the others kept\n"
    )


def fit_line(answering: Floats, others: Floats, share: float) -> tuple[float, float]:
    """The slope that tells the two apart, and the middle that keeps what answers."""
    scores = np.concatenate([answering, others])
    wanted = np.concatenate([np.ones(len(answering)), np.zeros(len(others))])
    weight = np.where(wanted == 1, 1 / len(answering), 1 / len(others))
    unit = float(scores.std())  # cosines differ in hundredths, scores in whole numbers
    steps = (scores - scores.mean()) / unit
    slope, offset = 0.5, 0.0
    for _ in range(STEPS):
        error = weight * (1 / (1 + np.exp(-(slope * steps + offset))) - wanted)
        slope -= 0.02 * float((error * steps).sum())
        offset -= 0.05 * float(error.sum())
    slope /= unit
    edge = float(np.quantile(answering, 1 - share))
    return slope, edge - float(np.log(KEPT_AT / (1 - KEPT_AT))) / slope


def _scores(found: Asked) -> Floats:
    return np.array([item.score for _, item in found])


def _steps(found: Asked) -> Floats:
    """The nearness of those that meaning found, in steps of the space's scatter."""
    place, weights = FEATURES.index("near"), load_weights(with_meaning=True)
    near = [item.gains[place] for _, item in found if _is_near(item)]
    return np.array(near) / float(weights.values[place])


def _cosines(found: Asked) -> Floats:
    """The cosines of those that meaning found, by the bundled model."""
    near = [(question, item.text) for question, item in found if _is_near(item)]
    embedder = open_embedder(EmbedderOptions())
    questions = {each: embedder.embed_queries([each])[0] for each, _ in near}
    texts = list(dict.fromkeys(text for _, text in near))
    rows = dict(zip(texts, embedder.embed_passages(texts), strict=True))
    embedder.close()
    return np.array([float(questions[question] @ rows[text]) for question, text in near])


def _is_near(item: Item) -> bool:
    return any(found.by == "semantic" for found in item.found)


def _found(provider: str) -> tuple[Asked, Asked]:
    """The facts that were asked for, and all others found with them, each with its question."""
    answering: list[tuple[str, Item]] = []
    others: list[tuple[str, Item]] = []
    settings = {"memory.embeddings.provider": provider}
    with (
        tempfile.TemporaryDirectory(prefix="hermes-fit-") as folder,
        open_app(Home(Path(folder)).profile("default"), {}, flags=settings) as app,
    ):
        asked = list(_add_facts(app))
        app.memory.reindex(lambda _: None)
        for question, ref in asked:
            for item in app.memory.search(question, bank="default", limit=32, kinds=[Kind.FACT])[0]:
                (answering if item.ref == ref else others).append((question, item))
    return answering, others


def _add_facts(app: App) -> Iterator[tuple[str, str]]:
    """Keep each labelled fact about the user; the question it answers, and its name."""
    for chat in load_half(Half.DEV):
        for expected in chat.facts:
            if expected.subject == USER and not expected.optional:
                statement, question = _worded(expected)
                kept = app.facts.add(NewFact(statement))
                if kept.fact is not None:
                    yield question, f"fact:{kept.fact.number}"


def _worded(expected: Expected) -> tuple[str, str]:
    attribute = expected.attribute.replace("_", " ").replace(":", " ")
    if expected.kind == "preference":
        return f"User prefers {expected.value}", f"what do I prefer for {attribute}"
    return f"User's {attribute} is {expected.value}", f"what is my {attribute}"


if __name__ == "__main__":
    main()
