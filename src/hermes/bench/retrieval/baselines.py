"""What recall is measured against, on the same messages: grep, BM25, dense, and both by rank.

They are as plain as their names: no neighbours, no speakers, no times. Dense uses the vectors the
index holds, so that what is compared is the ranking, not the embedding.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hermes.bench.retrieval.dataset import Case
from hermes.bench.retrieval.workbench import Workbench
from hermes.memory.recall.task import STOP_WORDS
from hermes.store.base.vectors import VectorKind
from hermes.store.vectors.index import VectorIndex

K1 = 1.2
B = 0.75
RRF_K = 60
DEPTH = 100

Ranker = Callable[[str], list[str]]
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Bm25:
    """BM25 over a case's messages, each with its speaker, in the store's own tokens."""

    keys: Sequence[str]
    lengths: Sequence[int]
    postings: Mapping[str, Sequence[tuple[int, int]]]
    tokens: Callable[[str], list[str]]

    def rank(self, question: str) -> list[str]:
        scores: dict[int, float] = defaultdict(float)
        average = sum(self.lengths) / max(1, len(self.lengths))
        for word in set(self.tokens(question)):
            found = self.postings.get(word, ())
            weight = math.log(1 + (len(self.keys) - len(found) + 0.5) / (len(found) + 0.5))
            for place, count in found:
                length = 1 - B + B * self.lengths[place] / average
                scores[place] += weight * count * (K1 + 1) / (count + K1 * length)
        best = sorted(scores, key=lambda place: (-scores[place], place))[:DEPTH]
        return [self.keys[place] for place in best]


def build_bm25(case: Case, tokens: Callable[[str], list[str]]) -> Bm25:
    said = [each for talk in case.talks for each in talk.said]
    documents = [tokens(f"{each.speaker} {each.text}") for each in said]
    postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, document in enumerate(documents):
        for word, count in Counter(document).items():
            postings[word].append((place, count))
    return Bm25([each.key for each in said], [len(d) for d in documents], postings, tokens)


def build_grep(case: Case) -> Ranker:
    """By how many of the question's words stand in a message, as letters; the newest first."""
    said = [(each.key, each.text.lower()) for talk in case.talks for each in talk.said][::-1]

    def rank(question: str) -> list[str]:
        words = {word for word in _WORD.findall(question.lower()) if word not in STOP_WORDS}
        counted = [(sum(word in text for word in words), key) for key, text in said]
        found = sorted((pair for pair in counted if pair[0]), key=lambda pair: -pair[0])
        return [key for _, key in found[:DEPTH]]

    return rank


def build_dense(bench: Workbench, case: Case, index: VectorIndex) -> Ranker:
    """By the cosine of vectors alone."""
    keys, embedder = bench.keys[case.name], bench.embedder

    def rank(question: str) -> list[str]:
        if embedder is None:
            return []
        query = embedder.embed_queries([question])[0]
        found = bench.store.read(
            lambda tx: index.search(
                tx, query, limit=DEPTH, bank=case.bank, kinds=(VectorKind.MESSAGE,)
            )
        )
        return [keys[each.item] for each in found]

    return rank


def fuse_by_rank(rankings: Sequence[Sequence[str]]) -> list[str]:
    """Reciprocal-rank fusion."""
    scores: dict[str, float] = defaultdict(float)
    for ranking in rankings:
        for place, key in enumerate(ranking, start=1):
            scores[key] += 1 / (RRF_K + place)
    return sorted(scores, key=lambda key: -scores[key])
