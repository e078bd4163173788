"""What can be done with old episodes: compress them, see what came of it, take it back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hermes.app.shapes import Json, time_shape
from hermes.clock import DAY_MS
from hermes.errors import NotFound
from hermes.jobs.tasks.compress import CompressHandler
from hermes.memory.compress.drafts import Draft, ExtractiveSummariser, Policy, Summariser
from hermes.memory.compress.run import Run, Watch, compress_old, list_last_run, undo
from hermes.store.base import Tx
from hermes.store.base.summaries import Summary
from hermes.types import Message

if TYPE_CHECKING:
    from hermes.app.light_model import LightModel
    from hermes.app.root import App

Summaries = list[Summary]


class CompressActions:
    def __init__(self, app: App) -> None:
        self._app = app
        settings = app.config.memory
        self.policy = Policy(
            after_ms=settings.compress_after_days * DAY_MS,
            grace_ms=settings.compress_grace_days * DAY_MS,
        )

    def run(
        self,
        *,
        dry_run: bool = False,
        trust_clock: bool = False,
        on_draft: Callable[[Draft], None] = lambda _: None,
    ) -> Run:
        """Compress what is old enough, or say what would be compressed."""
        return compress_old(
            self._app.store,
            self._app.clock.now(),
            self.summariser(),
            policy=self.policy,
            watch=Watch(on_draft=on_draft),
            dry_run=dry_run,
            trust_clock=trust_clock,
        )

    def undo(self, numbers: Sequence[int] = ()) -> Summaries:
        """Put the raw episodes of summaries back; without numbers, those of the last run."""
        store = self._app.store
        chosen = list(numbers) or [each.id for each in store.read(list_last_run)]
        if not chosen:
            raise NotFound(
                "There is nothing to put back.",
                "Nothing was compressed, or the raw episodes were dropped since.",
            )
        return undo(store, self._app.clock.now(), chosen, policy=self.policy)

    def summariser(self) -> Summariser:
        """Who writes summaries: the light model where one is configured, else none is needed."""
        if self._app.config.light_model.provider == "none":
            return ExtractiveSummariser()
        from hermes.memory.compress.llm import ModelSummariser  # noqa: PLC0415 - for models only

        return ModelSummariser(self._light_model.ask, ExtractiveSummariser().write)

    def handler(self) -> CompressHandler:
        """What does the `compress` job."""
        return CompressHandler(self.summariser, self.policy)

    @cached_property
    def _light_model(self) -> LightModel:
        from hermes.app.light_model import LightModel  # noqa: PLC0415 - brings the network

        return LightModel(self._app)

    def find_in(self, session_id: str) -> dict[int, Summary]:
        """The summaries that stand in a conversation, by the episode their messages are in."""
        found = self._app.store.read(lambda tx: tx.summaries.list(session_id=session_id))
        return {summary.episode_id: summary for summary in found}

    def find_among(self, messages: Iterable[Message]) -> dict[int, Summary]:
        """The summaries that some of these messages may be of, by the episode those are in."""
        sessions = {message.session_id for message in messages}

        def read(tx: Tx) -> Summaries:
            return [each for name in sessions for each in tx.summaries.list(session_id=name)]

        return {summary.episode_id: summary for summary in self._app.store.read(read)}

    def list(self, limit: int = 100) -> Summaries:
        """Newest first."""
        return self._app.store.read(lambda tx: tx.summaries.list(limit=limit))


def summary_shape(summary: Summary) -> Json:
    return {
        "id": summary.id,
        "session_id": summary.session_id,
        "bank": summary.bank,
        "episode_id": summary.episode_id,
        "first_at": time_shape(summary.first_at),
        "last_at": time_shape(summary.last_at),
        "made_at": time_shape(summary.made_at),
        "undo_until_at": time_shape(summary.purge_at) if summary.purged_at is None else None,
        "author": summary.author,
        "episodes": summary.episodes,
        "messages": summary.messages,
        "raw_chars": summary.raw_chars,
        "chars": summary.chars,
        "probes": summary.probes,
        "found": summary.found,
        "archive_bytes": summary.archive_bytes,
    }


def draft_shape(draft: Draft) -> Json:
    cluster = draft.cluster
    return {
        "session_id": cluster.session.id,
        "bank": cluster.session.bank,
        "episodes": len(cluster.episodes),
        "messages": len(cluster.messages),
        "first_at": time_shape(cluster.messages[0].at),
        "last_at": time_shape(cluster.messages[-1].at),
        "raw_chars": cluster.chars,
        "chars": draft.chars,
        "parts": len(draft.parts),
        "probes": draft.proof.probes,
        "found": draft.proof.found,
        "left_raw_because": draft.refusal or None,
    }


def run_shape(run: Run) -> Json:
    return {
        "doubt": run.doubt or None,
        "clusters": [draft_shape(draft) for draft in run.drafts],
        "summaries": [summary_shape(summary) for summary in run.summaries],
        "purged": [summary.id for summary in run.purged],
        "more": run.more,
    }
