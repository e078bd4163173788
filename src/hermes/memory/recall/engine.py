"""Recall and search over everything recorded: the one place that joins store, index and embedder.

The question is embedded while the text index is asked, so that the slower of the two is all that is
waited for. Models are waited for between reads, never inside one: a read held open keeps the store
from folding its log. What cannot be had (no embedder, no vectors yet, too
late) takes recall a rung down the ladder, and the answer says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from zoneinfo import ZoneInfo

from hermes.clock import Clock
from hermes.embed.base import Embedder
from hermes.errors import Unavailable, UserError
from hermes.guard.kept import kept_text
from hermes.memory.banks import check_bank
from hermes.memory.entities.known import KnownNames
from hermes.memory.indexing import OpenFormer
from hermes.memory.limits import check_limit
from hermes.memory.recall.answer import Recall
from hermes.memory.recall.askedagain import put_questions_last
from hermes.memory.recall.banks import BankShelf, HeldBank, find_kinds
from hermes.memory.recall.caveats import add_caveats, mark_newest
from hermes.memory.recall.copies import SPARE
from hermes.memory.recall.episodes import Wanted, add_newest, as_items, list_newest
from hermes.memory.recall.events import find_events, names_event
from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.factual import FactSearch
from hermes.memory.recall.former import Models
from hermes.memory.recall.fuse import load_weights
from hermes.memory.recall.hearing import Ear, Heard, is_of, lay_beside
from hermes.memory.recall.merge import merge
from hermes.memory.recall.outline import Floats
from hermes.memory.recall.overtaken import overtake
from hermes.memory.recall.postings import list_postings
from hermes.memory.recall.procedural import search_reflections
from hermes.memory.recall.ranking import examine, prepare, rank
from hermes.memory.recall.reading import Reading
from hermes.memory.recall.rerank import Reranker, rerank
from hermes.memory.recall.result import Item, Rung, Trace
from hermes.memory.recall.select import QUOTAS, Limits, only_newest, select
from hermes.memory.recall.sourced import mark_facts
from hermes.memory.recall.stopwatch import Stopwatch
from hermes.memory.recall.succession import Succession
from hermes.memory.recall.summaries import lift_for
from hermes.memory.recall.task import Task, asked_part, asks_nothing, read_task, telling_words
from hermes.memory.recall.then import asks_of_then
from hermes.memory.recall.tracing import trace_of
from hermes.memory.recall.waiting import stand_in
from hermes.memory.recall.words import weigh
from hermes.store.base import Store, Tx
from hermes.store.vectors.index import VectorIndex
from hermes.types import Kind

KINDS = tuple(Kind)
LEAST_BUDGET = 150  # tokens: the best item fits into so many, however it must be cut
POSTINGS = 16_000  # of a question, shared by its words
RERANK_TIMEOUT_MS = 3_000  # without a deadline


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
        former: OpenFormer = lambda _: None,
        index: VectorIndex | None = None,
        reranker: Reranker | None = None,
        options: RecallOptions | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ear = Ear(Models(store, embedder, former)) if embedder else None
        self._index = index or VectorIndex()
        self._banks = BankShelf(self._index)
        self._facts = FactSearch(self._index, KnownNames())
        self._reranker = reranker
        self.options = options or RecallOptions()
        self._is_closed = False

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
        _check_budget(budget_tokens)
        limits = self.options.limits(budget_tokens)
        asking = self._ask(task, bank, as_of, deadline_ms)
        wanted = limits.quotas[Kind.EPISODE]
        items, trace = self._answer(asking, limit=wanted, recent=self.options.recency_episodes)
        limits = replace(limits, is_silent=trace.is_silent)
        given, dropped = select(
            only_newest(items) if asks_nothing(asking.text, trace.terms) else items, limits
        )
        unfit = f"what is remembered does not fit into {limits.budget_tokens} tokens"
        trace = replace(
            trace,
            reason=_join(trace.reason, unfit if dropped["budget"] and not given else ""),
            dropped=dict(dropped),
            ms=asking.watch.laps(),
            min_relevance=limits.min_relevance,
        )
        return Recall(task, given, trace, limits.budget_tokens, ZoneInfo(self.options.zone))

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
        check_limit(limit)
        if not query.strip():
            return (), Trace(Rung.RECENT, check_bank(bank), "nothing was asked for")
        asking = replace(self._ask(query, bank, as_of), kinds=tuple(kinds), is_recall=False)
        items, trace = self._answer(asking, limit=limit, recent=0)
        return tuple(items[:limit]), replace(trace, ms=asking.watch.laps())

    def examine(
        self, query: str, *, bank: str, as_of: int | None = None, with_meaning: bool = True
    ) -> tuple[list[int], Floats]:
        """The ids and features of every candidate for a question: what weights are fitted on."""
        asking = self._ask(query, bank, as_of, with_meaning=with_meaning)

        looked, heard = self._look_and_hear(asking)

        def look(tx: Tx) -> tuple[list[int], Floats]:
            evidence, _ = self._gather(tx, asking, looked, heard)
            places, columns = examine(evidence, tx.recall.texts)
            return evidence.outline.take("ids", places).tolist(), columns

        return self._store.read(look)

    def close(self) -> None:
        self._is_closed = True
        if self._ear is not None:
            self._ear.close()
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
        """A question without its secrets, its watch running."""
        if self._is_closed:
            hint = "Open it again, and ask before it is closed."
            raise Unavailable("This memory has been closed.", hint)
        check_bank(bank)
        watch, asked = Stopwatch(deadline_ms), asked_part(kept_text(text))
        asked_at = self._clock.now() if as_of is None else as_of
        return _Asking(asked, bank, asked_at, as_of, watch, with_meaning)

    def _answer(self, asking: "_Asking", *, limit: int, recent: int) -> tuple[list[Item], Trace]:
        looked, heard = self._look_and_hear(asking, recent)
        asking.watch.lap("embed")
        found = self._store.read(
            lambda tx: self._find(tx, asking, looked, heard, limit=limit, recent=recent)
        )
        items, trace = found.items, replace(found.trace, task_type=looked.task_type)
        if self._reranker is not None:
            left_ms = asking.watch.left_ms(RERANK_TIMEOUT_MS)
            items, late = rerank(self._reranker, asking.text, items, left_ms)
            trace = replace(trace, reason=_join(trace.reason, late))
            asking.watch.lap("rerank")
        items = add_newest(items, found.newest)
        asking.watch.lap("read")
        return items, trace

    def _look_and_hear(self, asking: "_Asking", recent: int = 0) -> tuple["_Looked", Heard]:
        def look() -> _Looked:
            return self._store.read(lambda tx: self._look_up(tx, asking, recent))

        if self._ear is None or not asking.with_meaning:
            return look(), Heard(reason="no embedder is configured")
        return self._ear.hear(asking.text, asking.watch, look)

    def _look_up(self, tx: Tx, asking: "_Asking", recent: int = 0) -> "_Looked":
        """All that can be had of a question while its vector is being made.

        Its words go first: the store looks for them outside the interpreter, which the embedder
        needs at its beginning.
        """
        held = self._banks.open(tx, asking.bank, asking.as_of)
        outline = held.outline
        # Everybody's name stands in half of what is said to them: as a word it tells nothing.
        others = self._facts.other_names(tx, asking.text, asking.bank)
        asked = [*telling_words(asking.text), *others]
        terms = [t for t in asked if t.casefold() not in outline.name_parts]
        limit = max(1_000, POSTINGS // max(1, len(terms)))
        words = weigh(outline, list_postings(tx, outline, terms, asking.bank, limit))
        task = self._read_task(tx, asking)
        evidence = Evidence(task, outline, words, None, asking.as_of, held.takers)
        prepare(evidence)
        newest = _list_newest(tx, evidence, asking, recent)
        asking.watch.lap("words")
        kinds, seq = find_kinds(tx, asking.bank), tx.changes.latest()
        return _Looked(held, evidence, newest, kinds, seq, task.type.name)

    def _read_task(self, tx: Tx, asking: "_Asking") -> Task:
        text, zone = asking.text, self.options.zone
        known: dict[str, tuple[int, int]] = {}
        if names_event(text):
            known = find_events(tx, text, bank=asking.bank, as_of=asking.as_of, zone=zone)
        return read_task(text, asking.asked_at, zone=zone, known=known)

    def _find(
        self,
        tx: Tx,
        asking: "_Asking",
        looked: "_Looked",
        heard: "Heard",
        *,
        limit: int,
        recent: int,
    ) -> "_FoundItems":
        evidence, reason = self._gather(tx, asking, looked, heard)
        newest, kinds = looked.newest, looked.kinds
        if tx.changes.latest() != looked.seq:  # one of them may have been erased meanwhile
            newest = _list_newest(tx, evidence, asking, recent)
            kinds = find_kinds(tx, asking.bank)
        kinds = kinds.intersection(asking.kinds)
        reason = _join(reason, evidence.silence)
        weights = load_weights(with_meaning=evidence.meaning is not None).for_bank(
            evidence.outline.count
        )
        reading = Reading(tx)
        lift = lift_for(tx, evidence, weights, reading) if tx.summaries.has_parts() else None
        ranked = rank(evidence, weights, reading.texts, limit=limit, recent=recent, lift=lift)
        asking.watch.lap("rank")
        items: list[Item] = []
        shown = frozenset(line.message_id for each in newest for line in each.lines)
        if Kind.EPISODE in kinds:
            items = as_items(tx, evidence, ranked, weights, reading, Wanted(limit, shown))
        query = None
        if kinds - {Kind.EPISODE} and is_of(tx.vectors.find_current(), heard.space):
            query = heard.query
        facts, succession = list[Item](), Succession()
        if Kind.FACT in kinds:
            facts, succession = self._facts.search(
                tx, evidence, query, bank=asking.bank, weights=weights, limit=limit + SPARE
            )
        if Kind.EPISODE in kinds:
            items = stand_in(tx, evidence, items, facts, succession)
            items = add_caveats(
                tx, evidence, items, reading, shown=shown if asking.is_recall else None
            )
            facts, items = mark_facts(tx, evidence, facts, items, reading)
            facts, items = _tell_changes(tx, evidence, facts, items, succession, asking.bank)
        items = merge(items, facts)
        if Kind.REFLECTION in kinds:  # advice about the task, not answers: it comes last
            items += search_reflections(tx, evidence, query, asking.bank, self._index)
        return _FoundItems(items, newest, trace_of(asking.bank, evidence, ranked, items, reason))

    def _gather(
        self, tx: Tx, asking: "_Asking", looked: "_Looked", heard: "Heard"
    ) -> tuple[Evidence, str]:
        held = self._banks.open(tx, asking.bank, asking.as_of, looked.held)
        # Messages erased since the words were looked up make a new outline: its places are others.
        if looked.evidence.outline is not held.outline:
            looked = self._look_up(tx, asking)
            held = looked.held
        evidence = looked.evidence
        meaning, reason = lay_beside(tx, held, evidence.outline, heard)
        if self._ear is not None and heard.query is not None and meaning is None:
            self._ear.look_again()
        if held.is_unknown:
            reason = f"nothing was recorded in the bank {asking.bank} yet"
        if held.seq != looked.seq:  # what was worked out before may no longer be so
            return replace(evidence, meaning=meaning), reason
        return evidence.with_meaning(meaning), reason


@dataclass(frozen=True, slots=True)
class _FoundItems:
    items: list[Item]
    newest: list[Item]
    trace: Trace


@dataclass(frozen=True, slots=True)
class _Looked:
    """What was found of a question before its vector was there, as of change `seq`."""

    held: HeldBank
    evidence: Evidence
    newest: list[Item]
    kinds: frozenset[Kind]
    seq: int
    task_type: str


@dataclass(frozen=True, slots=True)
class _Asking:
    text: str
    bank: str
    asked_at: int
    as_of: int | None
    watch: Stopwatch
    with_meaning: bool = True
    kinds: tuple[Kind, ...] = KINDS
    is_recall: bool = True


def _tell_changes(
    tx: Tx,
    evidence: Evidence,
    facts: list[Item],
    items: list[Item],
    succession: Succession,
    bank: str,
) -> tuple[list[Item], list[Item]]:
    """Facts and messages with what is no longer so of them, after what came in its place."""

    @cache
    def asked() -> set[str]:
        return set(tx.texts.tokens(" ".join(evidence.task.terms)))

    def terms(text: str) -> set[str]:
        return asked().intersection(tx.texts.tokens(text))

    items = put_questions_last(evidence.task, items, terms)
    if not (evidence.task.identifiers or asks_of_then(evidence.task)):
        facts = succession.lead(items, facts, terms)
    return overtake(tx, evidence, facts, succession.mark(items, facts), bank)


def _check_budget(tokens: object) -> None:
    if tokens is None or (isinstance(tokens, int) and tokens >= LEAST_BUDGET):
        return
    is_number = isinstance(tokens, int)
    told = f"A budget of {tokens} tokens is too small for any memory."
    raise UserError(
        told if is_number else f"A budget is a whole number of tokens, not {tokens!r:.80}.",
        f"Give at least {LEAST_BUDGET}.",
    )


def _join(*reasons: str) -> str:
    return "; ".join(filter(None, reasons))


def _list_newest(tx: Tx, evidence: Evidence, asking: _Asking, count: int) -> list[Item]:
    newest = list_newest(tx, evidence, asking.bank, count)
    return mark_newest(evidence, newest, Reading(tx))
