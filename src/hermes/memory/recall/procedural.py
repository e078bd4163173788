"""Reflections that bear on a task: of its type, or with its words or its meaning.

What failed comes as a warning. A lesson met often counts for more than one met once. The numbers
here are set, not fitted: there is no public set to fit them on.
"""

from collections.abc import Iterable

from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.outline import Floats
from hermes.memory.recall.result import Found, Item
from hermes.memory.recall.tasktype import FALLBACK, infer_task_type
from hermes.memory.reflect.types import learnt_terms
from hermes.store.base import Tx
from hermes.store.base.texts import TextScope
from hermes.store.base.vectors import VectorKind
from hermes.store.ranking import plan
from hermes.store.vectors.index import VectorIndex
from hermes.types import Kind, Reflection

PER_PASS = 16
OF_TYPE = 0.70
OF_ANOTHER = 0.40
ENOUGH_WORDS = 0.34
ENOUGH_MEANING = 0.60
PER_WORDS = 0.30
PER_MEANING = 0.30
CLOSE = 3.0  # steps of the scatter of cosines above the question's average
PER_SEEN = 0.02
MOST_SEEN = 5
NAME = "procedural"


def search_reflections(
    tx: Tx, evidence: Evidence, query: Floats | None, bank: str, index: VectorIndex
) -> list[Item]:
    """Reflections for a task, best first; held ones are left out."""
    if not tx.reflections.count(bank):
        return []
    kind = infer_task_type(evidence.task.text, learnt_terms(tx, bank)).name
    by_type = [] if kind == FALLBACK else tx.reflections.list(bank, task_type=kind, limit=PER_PASS)
    words = _by_words(tx, evidence, bank)
    near = _by_meaning(tx, evidence, query, bank, index)
    known = tx.reflections.get_many([*words, *near])
    found = {each.id: each for each in (*by_type, *known.values()) if not each.held}
    scored = [
        (_relevance(each, kind, words.get(each.id, 0.0), near.get(each.id, 0.0)), each)
        for each in _told_by(found.values(), evidence.as_of)
        if _bears(each, kind, words.get(each.id, 0.0), near.get(each.id, 0.0))
    ]
    scored.sort(key=lambda pair: (-pair[0], -pair[1].id))
    return [_item(each, relevance, rank) for rank, (relevance, each) in enumerate(scored, 1)]


def _told_by(found: Iterable[Reflection], as_of: int | None) -> list[Reflection]:
    """Those as they were by then: how one stood before it was last changed is not kept."""
    return [each for each in found if as_of is None or each.updated_at <= as_of]


def _by_words(tx: Tx, evidence: Evidence, bank: str) -> dict[int, float]:
    """The share of the task's words, by weight, that each reflection holds."""
    texts = tx.reflections.texts
    planned = plan(texts, list(evidence.task.terms), TextScope(bank), PER_PASS)
    total = sum(planned.weights.values())
    shares: dict[int, float] = {}
    for number, each in tx.reflections.get_many(planned.candidates).items():
        own = set(texts.tokens(f"{each.task_type} {each.lesson}"))
        held = sum(
            weight
            for word, weight in planned.weights.items()
            if set(texts.tokens(word.removesuffix("*"))) <= own
        )
        shares[number] = held / total if total else 0.0
    return shares


def _by_meaning(
    tx: Tx, evidence: Evidence, query: Floats | None, bank: str, index: VectorIndex
) -> dict[int, float]:
    if query is None or evidence.meaning is None:
        return {}
    kinds = (VectorKind.REFLECTION,)
    found = index.search(tx, query, limit=PER_PASS, bank=bank, kinds=kinds)
    meaning = evidence.meaning.vectors
    steps = {each.item: (each.cosine - meaning.centre) / meaning.scatter for each in found}
    return {item: min(1.0, max(0.0, near / CLOSE)) for item, near in steps.items()}


def _bears(reflection: Reflection, kind: str, words: float, near: float) -> bool:
    """Of the task's type, or close to it; talk is no type, for anything may be said in it."""
    if kind != FALLBACK and reflection.task_type == kind:
        return True
    return words >= ENOUGH_WORDS or near >= ENOUGH_MEANING


def _relevance(reflection: Reflection, kind: str, words: float, near: float) -> float:
    seen = min(MOST_SEEN, reflection.successes + reflection.failures)
    same = OF_TYPE if kind != FALLBACK and reflection.task_type == kind else OF_ANOTHER
    return min(0.99, same + PER_WORDS * words + PER_MEANING * near + PER_SEEN * (seen - 1))


def _item(reflection: Reflection, relevance: float, rank: int) -> Item:
    return Item(
        kind=Kind.REFLECTION,
        ref=f"reflection:{reflection.id}",
        relevance=relevance,
        score=relevance,
        at=reflection.updated_at,
        text=render_advice(reflection),
        session_id=reflection.session_id,
        trust=reflection.trust,
        found=(Found(NAME, rank),),
    )


def render_advice(reflection: Reflection) -> str:
    """A reflection as a model is told it."""
    sign = "Warning, this failed before" if reflection.is_warning else "Learnt before"
    counts = f"worked {reflection.successes}×, failed {reflection.failures}×"
    parts = (
        f"{sign} ({reflection.task_type}, {counts}): {reflection.lesson}",
        reflection.next_time,
    )
    return ". ".join(part.rstrip(".") for part in parts if part) + "."
