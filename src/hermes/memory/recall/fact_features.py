"""What speaks for a fact: the columns that messages have, as far as facts have them too."""

from collections.abc import Sequence

import numpy as np

from hermes.memory.facts.candidate import USER
from hermes.memory.recall import cues, windows
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.features import CUE_COLUMNS, FEATURES
from hermes.memory.recall.features import HELD as HELD_COLUMNS
from hermes.memory.recall.outline import Floats
from hermes.memory.recall.task import Subject, Task
from hermes.memory.recall.then import since
from hermes.store.base import Tx
from hermes.store.ranking import Plan, count_words
from hermes.types import Fact


def fact_columns(
    tx: Tx, evidence: Evidence, facts: Sequence[Fact], planned: Plan, cosines: dict[int, float]
) -> Floats:
    """The columns of `features` for facts; those that tell of messages around one stay 0."""
    task = evidence.task
    columns = np.zeros((len(facts), len(FEATURES)), np.float32)
    texts = [fact.text for fact in facts]
    near, held = _nearness(evidence, facts, cosines), _covered(tx, texts, planned)
    at = np.array([since(fact) if task.spans else 0 for fact in facts], np.int64)
    told: dict[str, Floats] = {
        **dict.fromkeys(("near", "near_session", "near_best"), near),
        **dict.fromkeys(FEATURES[HELD_COLUMNS], held),
        "speaker": np.array([0.5 * task.names(fact.subject) for fact in facts], np.float32),
        "role": np.array([0.5 * _is_mine(fact, task) for fact in facts], np.float32),
        "time": windows.fit(task.spans, at, evidence.oldest_at),
        "substance": cues.substance(texts),
    }
    if (kind := CUE_COLUMNS.get(task.cue)) is not None:
        told[kind] = cues.could_answer(task.cue, texts)
    for name, column in told.items():
        columns[:, FEATURES.index(name)] = column
    return columns


def _nearness(evidence: Evidence, facts: Sequence[Fact], cosines: dict[int, float]) -> Floats:
    """As of messages; a fact that meaning did not find is no nearer than the last it found."""
    if evidence.meaning is None or not cosines:
        return np.zeros(len(facts), np.float32)
    least = min(cosines.values())
    return evidence.meaning.scale(
        np.array([cosines.get(fact.id, least) for fact in facts], np.float32)
    )


def _covered(tx: Tx, texts: Sequence[str], planned: Plan) -> Floats:
    """The share of the question's words, by weight, that each fact holds."""
    index, total = tx.facts.texts, sum(planned.weights.values())
    words = {word: index.tokens(word.removesuffix("*")) for word in planned.words}
    shares = []
    for text in texts:
        counts = count_words(index.tokens(text), words)
        held = sum(weight for word, weight in planned.weights.items() if counts.get(word))
        shares.append(held / total if total else 0.0)
    return np.array(shares, np.float32)


def _is_mine(fact: Fact, task: Task) -> bool:
    return fact.subject == USER and task.subject is Subject.USER
