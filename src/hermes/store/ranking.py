"""How matches rank: one planner and one score for every store.

Scoring every match of a common word is what makes full-text search slow. So a question is planned
by how rare its words are: each word gives its newest postings up to a limit, a message's first
score is the sum of its words' rarity, and only the best few are read and scored in full (BM25).
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest

from hermes.store.base.texts import TextIndex, TextScope

POSTINGS_LIMIT = 2_500
SIFTED_PAGES = 8  # how far back to look where a sift leaves little
K1 = 1.2
B = 0.5
SCORED_CHARS = 20_000  # of a message; what matters of a longer one is mostly said by then

Sift = Callable[[Sequence[int]], Collection[int]]  # those of the messages that may be given


@dataclass(frozen=True, slots=True)
class Plan:
    """What the index knows of a question: candidates with a first score, and each word's weight."""

    candidates: list[int]
    weights: Mapping[str, float]
    average_chars: float
    firsts: Mapping[int, float] = field(default_factory=dict)

    @property
    def words(self) -> list[str]:
        return list(self.weights)


def plan(
    index: TextIndex, words: Sequence[str], scope: TextScope, keep: int, *, sift: Sift | None = None
) -> Plan:
    """The `keep` messages worth reading, best first.

    With `sift` only what it lets pass is a candidate, sought for further back.
    """
    documents, chars = index.size(scope)
    weights: dict[str, float] = {}
    scores: dict[int, float] = {}
    common: list[str] = []
    for word in words:
        found = index.postings(word, scope, POSTINGS_LIMIT)
        weights[word] = rarity(found.total, documents)
        if not found.complete:
            common.append(word)
        ids = _sifted(index, [word], scope, sift) if sift else found.ids
        _add(scores, ids, weights[word])
    if len(common) > 1:  # they say little alone, but what holds all of them must not be missed
        together = sum(weights[word] for word in common)
        for i in _sifted(index, common, scope, sift):
            scores[i] = max(scores.get(i, 0.0), together)
    best = nlargest(keep, zip(scores.values(), scores, strict=True))
    firsts = {i: score for score, i in best}
    return Plan(list(firsts), weights, chars / documents if documents else 0.0, firsts)


def _add(scores: dict[int, float], ids: Sequence[int], weight: float) -> None:
    get = scores.get
    for i in ids:
        scores[i] = get(i, 0.0) + weight


def _sifted(
    index: TextIndex, words: Sequence[str], scope: TextScope, sift: Sift | None
) -> list[int]:
    """The newest that hold all of `words` and pass: page by page, as far as it is worth it."""
    if sift is None:
        return index.postings_all(words, scope, POSTINGS_LIMIT)
    passed: list[int] = []
    for _ in range(SIFTED_PAGES):
        found = index.postings_all(words, scope, POSTINGS_LIMIT)
        passed.extend(sift(found))
        if len(found) < POSTINGS_LIMIT or len(passed) >= POSTINGS_LIMIT:
            break
        scope = replace(scope, last_id=found[-1] - 1)
    return passed


def rarity(total: int, documents: int) -> float:
    """BM25's inverse document frequency, never negative."""
    return math.log(1 + (documents - total + 0.5) / (total + 0.5)) if documents >= total else 0.01


def bm25(counts: Mapping[str, int], chars: int, plan: Plan) -> float:
    """The score of one message from how often each word occurs in it."""
    length = _length(chars, plan)
    return sum(
        weight * counts[word] * (K1 + 1) / (counts[word] + K1 * length)
        for word, weight in plan.weights.items()
        if counts.get(word)
    )


def _length(chars: int, plan: Plan) -> float:
    return 1 - B + B * chars / plan.average_chars if plan.average_chars else 1.0


def _least(first: float, chars: int, plan: Plan) -> float:
    """The score of a message in which each word of its first score occurs once."""
    return first * (K1 + 1) / (1 + K1 * _length(chars, plan))


def count_words(tokens: Sequence[str], words: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """How often each word (given with its own tokens; the last may be a beginning) occurs."""
    counts: dict[str, int] = {}
    for word, parts in words.items():
        if len(parts) == 1 and not word.endswith("*"):
            counts[word] = tokens.count(parts[0])
        elif parts:
            counts[word] = _count_phrase(tokens, parts, open_ended=word.endswith("*"))
    return counts


def _count_phrase(tokens: Sequence[str], parts: Sequence[str], *, open_ended: bool) -> int:
    width = len(parts)
    last = parts[-1]
    found = 0
    for start in range(len(tokens) - width + 1):
        if tokens[start : start + width - 1] != list(parts[:-1]):
            continue
        token = tokens[start + width - 1]
        found += token.startswith(last) if open_ended else token == last
    return found


def rescore(index: TextIndex, texts: Mapping[int, str], plan: Plan) -> dict[int, float]:
    """The full score of each message whose text is given; `SCORED_CHARS` of it are enough."""
    words = {word: _parts(index, word.removesuffix("*")) for word in plan.words}
    scores: dict[int, float] = {}
    for i, text in texts.items():
        read = text[:SCORED_CHARS]
        scores[i] = bm25(count_words(index.tokens(read), words), len(read), plan)
        if len(read) == SCORED_CHARS:  # the words may stand in the rest
            scores[i] = max(scores[i], _least(plan.firsts.get(i, 0.0), len(read), plan))
    return scores


def _parts(index: TextIndex, word: str) -> list[str]:
    """The tokens of a question's word; a pair of an unspaced script is one, and closes no run."""
    parts = index.tokens(word)
    return [word] if word in parts else parts
