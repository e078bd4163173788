"""Types of task that use has taught: named by a model, known by the words of their lessons."""

from collections import Counter

from hermes.memory.compress.dense import content_words
from hermes.memory.recall.tasktype import FALLBACK, TABLE
from hermes.store.base import Tx

LEARNT_AFTER = 3  # lessons of a type that the table does not have, before it counts as one
MOST_TERMS = 12
LESSONS = 200


def learnt_terms(tx: Tx, bank: str) -> dict[str, list[str]]:
    """Each learnt type with the terms that tell it, as `infer_task_type` takes them."""
    counts = tx.reflections.count_types(bank)
    names = [n for n, count in counts.items() if count >= LEARNT_AFTER and n not in TABLE]
    return {name: _terms(tx, bank, name) for name in names if name != FALLBACK}


def _terms(tx: Tx, bank: str, name: str) -> list[str]:
    """Its name, and the words that at least two of its lessons share."""
    lessons = tx.reflections.list(bank, task_type=name, limit=LESSONS)
    words = Counter(word for each in lessons for word in content_words(each.lesson))
    shared = [word for word, count in words.most_common(MOST_TERMS) if count > 1]
    return list(dict.fromkeys([name, *shared]))
