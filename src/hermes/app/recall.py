"""What can be asked of memory: recall for a task, search, and the index behind both."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING

from hermes.app.embedding import find_space, open_former
from hermes.app.placeholders import KeylessReranker
from hermes.clock import HOUR_MS
from hermes.config.running import find_daemon
from hermes.embed.reranker import HttpReranker, RerankerOptions
from hermes.errors import Unavailable, UserError
from hermes.memory.facts.listing import FactQuery
from hermes.memory.indexing import Progress, count_backlog, count_refused, index_pending
from hermes.memory.lost import notice_lost
from hermes.memory.recall.answer import Recall
from hermes.memory.recall.belief import told_at
from hermes.memory.recall.engine import KINDS, RERANK_TIMEOUT_MS, Engine, RecallOptions
from hermes.memory.recall.result import Item, Trace
from hermes.types import Kind

if TYPE_CHECKING:
    from hermes.app.root import App

FEW = 64  # texts that are embedded in about a second
MOST_STEPS = 14  # a budget is doubled so often to find what something fits into
NEWEST_FACTS = 50  # looked at to say that some are left out


class RecallActions:
    def __init__(self, app: App) -> None:
        self._app = app
        self._looked_at: int | None = None  # for texts that lost their vector

    @cached_property
    def engine(self) -> Engine:
        settings = self._app.config.memory.retrieval
        options = RecallOptions(
            budget_tokens=settings.context_budget_tokens,
            recency_episodes=settings.recency_episodes,
            top_k=settings.semantic_top_k,
            min_relevance=settings.min_relevance_score,
            zone=self._app.zone.key,
        )
        app = self._app
        return Engine(
            app.store,
            app.clock,
            embedder=app.embedder,
            former=partial(open_former, app),
            reranker=self._reranker,
            options=options,
        )

    @cached_property
    def _reranker(self) -> HttpReranker | KeylessReranker | None:
        settings = self._app.config.memory.reranker
        if settings.base_url is None:
            return None
        try:
            key = settings.api_key.get_secret_value() if settings.api_key else ""
        except UserError as missing:
            return KeylessReranker(missing)
        deadline_ms = self._app.config.memory.retrieval.deadline_ms or RERANK_TIMEOUT_MS
        timeout_s = min(settings.timeout_s, deadline_ms / 1000)  # nobody waits for it any longer
        options = RerankerOptions(settings.base_url, settings.model or "", key, timeout_s)
        return HttpReranker(options)

    def recall(
        self,
        task: str,
        *,
        bank: str,
        budget_tokens: int | None = None,
        as_of: int | None = None,
    ) -> Recall:
        """What is remembered for a task, ready to be put before a model."""
        deadline_ms = self._app.config.memory.retrieval.deadline_ms
        return self.engine.recall(
            task, bank=bank, budget_tokens=budget_tokens, as_of=as_of, deadline_ms=deadline_ms
        )

    def find_least_budget(
        self, task: str, *, bank: str, above: int, as_of: int | None = None
    ) -> int | None:
        """The smallest budget over `above` that anything fits into; None for none."""

        def is_enough(tokens: int) -> bool:
            found = self.recall(task, bank=bank, budget_tokens=tokens, as_of=as_of)
            return bool(found.context())

        doubled = (above << step for step in range(1, MOST_STEPS))
        high = next((tokens for tokens in doubled if is_enough(tokens)), None)
        if high is None:
            return None
        return bisect_left(range(high), True, lo=high // 2 + 1, key=is_enough)

    def has_later(self, bank: str, at: int) -> bool:
        """Whether the newest episode, or one of the newest facts, was first told after a time."""
        read = self._app.store.read
        said = read(lambda tx: tx.conversations.list_episodes(bank, limit=1))
        newest = self._app.facts.list(FactQuery(bank=bank), NEWEST_FACTS)
        return any(each.at > at for each in said) or any(told_at(fact) > at for fact in newest)

    def search(
        self, query: str, *, bank: str, limit: int = 10, kinds: Sequence[Kind] = ()
    ) -> tuple[tuple[Item, ...], Trace]:
        """The best matches, of some kinds or of all."""
        return self.engine.search(query, bank=bank, limit=limit, kinds=kinds or KINDS)

    def reindex(self, on_progress: Callable[[Progress], None]) -> int:
        """Give a vector to everything that has none in the space of the configured model.

        A memory that was moved to another model is moved to this one, and what that refused is
        tried again.
        """
        return self.index(on_progress=on_progress, is_told=True)

    def index(
        self,
        *,
        on_progress: Callable[[Progress], None] = lambda _: None,
        is_stopped: Callable[[], bool] = lambda: False,
        is_told: bool = False,
    ) -> int:
        """Give a vector to everything that has none; a person may have told so."""
        app, embedder = self._app, self._app.embedder
        if embedder is None:
            return 0
        self.notice_lost(rest_ms=HOUR_MS)
        return index_pending(
            app.store,
            embedder,
            app.clock,
            former=partial(open_former, app),
            on_progress=on_progress,
            is_stopped=is_stopped,
            is_told=is_told,
        )

    def catch_up(self) -> None:
        """Give the few texts that have no vector one, where nobody else will.

        Who adds a fact and asks for it in the next line, with no daemon, must not miss it.
        """
        bundled = self._app.config.memory.embeddings.provider == "local"
        if not bundled or self._app.absent or find_daemon(self._app.paths) is not None:
            return
        if 0 < self.backlog() <= FEW:
            with suppress(Unavailable):  # recall says what it goes by
                self.index()

    def backlog(self) -> int:
        """How many texts wait for a vector: of the model that the memory is to use."""
        wanted = find_space(self._app)
        return self._app.store.read(lambda tx: count_backlog(tx, wanted))

    def count_refused(self) -> int:
        """How many texts the model gave no vector, and `reindex` would try again."""
        wanted = find_space(self._app)
        return self._app.store.read(lambda tx: count_refused(tx, wanted))

    def notice_lost(self, *, rest_ms: int = 0) -> int:
        """Have texts wait for a vector that lost theirs behind Hermes's back; how many they are.

        Not looked for again within `rest_ms`: who asks for the status every second pays it once.
        """
        now, last = self._app.clock.now(), self._looked_at
        if last is not None and now - last < rest_ms:
            return 0
        self._looked_at = now
        return notice_lost(self._app.store, find_space(self._app))

    def close(self) -> None:
        if "engine" in self.__dict__:
            self.engine.close()
            if self._reranker is not None:
                self._reranker.close()
