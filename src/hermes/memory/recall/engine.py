"""Recall and search over everything recorded: the one place that joins store, index and embedder.

The question is embedded on a thread of its own while the text index is asked, so that the slower of
the two is all that is waited for. What cannot be had (no embedder, no vectors yet, too late) takes
recall a rung down the ladder, and the answer says so.
"""

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass, replace

import numpy as np

from hermes.clock import Clock
from hermes.embed.base import Embedder
from hermes.errors import HermesError
from hermes.memory.entities.known import KnownNames
from hermes.memory.recall.answer import Recall
from hermes.memory.recall.banks import BankShelf, HeldBank
from hermes.memory.recall.bankvectors import ask_vectors
from hermes.memory.recall.episodes import add_newest, as_items, list_newest
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.factual import FactSearch
from hermes.memory.recall.fuse import load_weights
from hermes.memory.recall.meaning import Meaning
from hermes.memory.recall.outline import Floats
from hermes.memory.recall.ranking import Ranked, examine, rank
from hermes.memory.recall.rerank import Reranker, rerank
from hermes.memory.recall.result import Item, Rung, Trace
from hermes.memory.recall.select import QUOTAS, Limits, select
from hermes.memory.recall.summaries import lift_for
from hermes.memory.recall.task import Task, read_task
from hermes.memory.recall.words import weigh
from hermes.store.base import Store, Tx
from hermes.store.vectors.index import VectorIndex
from hermes.types import Kind

KINDS = (Kind.EPISODE, Kind.FACT)  # reflections and skills join as they are kept
POSTINGS = 24_000  # of a question, shared by its words
EMBED_TIMEOUT_MS = 30_000  # without a deadline; the first question also loads the model
SPARE = 4  # items beyond the quota, to take the place of copies


@dataclass(frozen=True, slots=True)
class RecallOptions:
    """What a person may choose of recall."""

    budget_tokens: int = 20_000
    recency_episodes: int = 3
    top_k: int = 5
    min_relevance: float = 0.65
    zone: str = "UTC"

    def limits(self, budget_tokens: int | None) -> Limits:
        quotas = {**QUOTAS, Kind.EPISODE: 2 * self.top_k}
        return Limits(budget_tokens or self.budget_tokens, self.min_relevance, quotas)


class Engine:
    """Answers what is remembered for a task; safe to share between threads."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        embedder: Embedder | None = None,
        index: VectorIndex | None = None,
        reranker: Reranker | None = None,
        options: RecallOptions | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._embedder = embedder
        self._index = index or VectorIndex()
        self._banks = BankShelf(self._index)
        self._facts = FactSearch(self._index, KnownNames())
        self._reranker = reranker
        self.options = options or RecallOptions()
        self._pool = ThreadPoolExecutor(2, "hermes-recall")

    def recall(
        self,
        task: str,
        *,
        bank: str,
        budget_tokens: int | None = None,
        as_of: int | None = None,
        deadline_ms: int | None = None,
    ) -> Recall:
        """What bears on a task, within a budget; the newest episodes are always among it."""
        limits = self.options.limits(budget_tokens)
        asking = self._ask(task, bank, as_of, deadline_ms)
        wanted = limits.quotas[Kind.EPISODE] + SPARE
        items, trace = self._answer(asking, limit=wanted, recent=self.options.recency_episodes)
        given, dropped = select(items, limits)
        trace = replace(trace, dropped=dict(dropped), ms=asking.watch.laps())
        return Recall(task, given, trace, limits.budget_tokens)

    def search(
        self,
        query: str,
        *,
        bank: str,
        limit: int = 10,
        kinds: Sequence[Kind] = KINDS,
        as_of: int | None = None,
    ) -> tuple[tuple[Item, ...], Trace]:
        """The `limit` best matches of some kinds, whatever their relevance."""
        asking = replace(self._ask(query, bank, as_of), kinds=tuple(kinds))
        items, trace = self._answer(asking, limit=limit, recent=0)
        return tuple(items[:limit]), replace(trace, ms=asking.watch.laps())

    def examine(
        self, query: str, *, bank: str, as_of: int | None = None, with_meaning: bool = True
    ) -> tuple[list[int], Floats]:
        """The ids and features of every candidate for a question: what weights are fitted on."""
        asking = self._ask(query, bank, as_of, with_meaning=with_meaning)

        def look(tx: Tx) -> tuple[list[int], Floats]:
            evidence, _ = self._gather(tx, asking)
            places, columns = examine(evidence, tx.recall.texts)
            return evidence.outline.take("ids", places).tolist(), columns

        return self._store.read(look)

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._banks.release()

    def _ask(
        self,
        text: str,
        bank: str,
        as_of: int | None,
        deadline_ms: int | None = None,
        *,
        with_meaning: bool = True,
    ) -> "_Asking":
        """Start on a question: its embedding is under way when this returns."""
        watch = _Stopwatch(deadline_ms)
        vector = self._embed(text) if with_meaning else None
        asked_at = self._clock.now() if as_of is None else as_of
        task = read_task(text, asked_at, zone=self.options.zone)
        return _Asking(task, bank, as_of, watch, vector)

    def _answer(self, asking: "_Asking", *, limit: int, recent: int) -> tuple[list[Item], Trace]:
        return self._store.read(lambda tx: self._answer_in(tx, asking, limit, recent))

    def _answer_in(
        self, tx: Tx, asking: "_Asking", limit: int, recent: int
    ) -> tuple[list[Item], Trace]:
        newest = list_newest(tx, asking.bank, asking.as_of, recent)
        evidence, reason = self._gather(tx, asking)
        weights = load_weights(with_meaning=evidence.meaning is not None)
        lift = lift_for(tx, evidence, weights)
        ranked = rank(evidence, weights, tx.recall.texts, limit=limit, recent=recent, lift=lift)
        asking.watch.lap("rank")
        items = as_items(tx, evidence, ranked, weights) if Kind.EPISODE in asking.kinds else []
        if Kind.FACT in asking.kinds:
            items += self._facts.search(tx, evidence, asking.query, asking.bank, weights)
            items.sort(key=lambda item: -item.score)
        if self._reranker is not None:
            items, late = rerank(self._reranker, asking.task.text, items, asking.watch.left_ms())
            reason = reason or late
        items = add_newest(items, newest)
        asking.watch.lap("read")
        return items, _trace(evidence, ranked, reason)

    def _gather(self, tx: Tx, asking: "_Asking") -> tuple[Evidence, str]:
        held = self._banks.open(tx, asking.bank)
        outline = held.outline
        # Everybody's name stands in half of what is said to them: as a word it tells nothing.
        terms = [t for t in asking.task.terms if t.casefold() not in outline.name_parts]
        limit = max(1_000, POSTINGS // max(1, len(terms)))
        words = weigh(outline, tx.recall.postings(terms, asking.bank, limit))
        asking.watch.lap("words")
        meaning, reason = self._mean(asking, held)
        asking.watch.lap("embed")
        return Evidence(asking.task, outline, words, meaning, asking.as_of), reason

    def _embed(self, text: str) -> "Future[Floats] | None":
        if self._embedder is None:
            return None
        embedder = self._embedder
        return self._pool.submit(lambda: np.asarray(embedder.embed_queries([text])[0]))

    def _mean(self, asking: "_Asking", held: HeldBank) -> tuple[Meaning | None, str]:
        """The question's meaning in the bank, or why there is none."""
        if asking.vector is None:
            return None, "no embedder is configured"
        try:
            query = asking.vector.result(asking.watch.left_ms(EMBED_TIMEOUT_MS) / 1000)
        except TooLate:
            return None, "embedding the question took too long"
        except HermesError as error:
            return None, f"the embedder failed: {error.message}"
        asked = ask_vectors(held.vectors, held.outline, query)
        if asked is None:
            return None, "nothing has a vector yet"
        return Meaning(asked), ""


@dataclass(frozen=True, slots=True)
class _Asking:
    task: Task
    bank: str
    as_of: int | None
    watch: "_Stopwatch"
    vector: "Future[Floats] | None"
    kinds: tuple[Kind, ...] = KINDS

    @property
    def query(self) -> Floats | None:
        """The question's vector, if it is there by now."""
        vector = self.vector
        if vector is None or not vector.done() or vector.exception() is not None:
            return None
        return vector.result()


class _Stopwatch:
    """Laps of one question, and how long it may still take."""

    def __init__(self, deadline_ms: int | None) -> None:
        self._start = self._last = time.perf_counter()
        self._deadline_ms = deadline_ms
        self._laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self._laps[name] = round((now - self._last) * 1000, 2)
        self._last = now

    def laps(self) -> dict[str, float]:
        return {**self._laps, "total": round((time.perf_counter() - self._start) * 1000, 2)}

    def left_ms(self, most: float = 60_000.0) -> float:
        if self._deadline_ms is None:
            return most
        spent = (time.perf_counter() - self._start) * 1000
        return min(most, max(0.0, self._deadline_ms - spent))


def _trace(evidence: Evidence, ranked: Ranked, reason: str) -> Trace:
    rung = Rung.FULL if evidence.meaning else Rung.TEXT if evidence.words.terms else Rung.RECENT
    return Trace(
        rung=rung,
        reason=reason,
        candidates=ranked.candidates,
        passes={hits.name: len(hits.places) for hits in ranked.passes},
        terms=tuple(term.word for term in evidence.words.terms),
        times=tuple(span.text for span in evidence.task.spans),
    )
