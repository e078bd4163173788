"""Compressing what is old: plan, prove, put in place, and the way back.

Each cluster is one transaction, so a run may stop or be killed anywhere and is simply begun again.
What a cluster's summary says is worked out before its transaction begins.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeVar

from hermes.memory.compress.ages import TrustedTime, accept_time, note_time, read_time
from hermes.memory.compress.clusters import Cluster, find_clusters
from hermes.memory.compress.drafts import USUAL, Draft, Policy, Summariser, draft_summary
from hermes.memory.events import add_event
from hermes.store.base import Store, Tx
from hermes.store.base.summaries import NewSummary, Summary
from hermes.types import EventKind, Session

T = TypeVar("T")
SESSIONS_AT_ONCE = 50
PURGED_AT_ONCE = 200
_KEPT = "keep-raw:"


@dataclass(frozen=True, slots=True)
class Run:
    """What a run came to. `doubt` is why nothing was done, `more` whether the cap was reached."""

    drafts: tuple[Draft, ...] = ()
    summaries: tuple[Summary, ...] = ()
    purged: tuple[Summary, ...] = ()
    doubt: str = ""
    more: bool = False

    @property
    def left_raw(self) -> tuple[Draft, ...]:
        return tuple(draft for draft in self.drafts if draft.refusal)


class Commit(Protocol):
    """Keeps one step; a job's own way, or the store's."""

    def __call__(self, change: Callable[[Tx], T], /) -> T: ...


@dataclass(frozen=True, slots=True)
class Watch:
    """How a run is followed: who keeps its steps, who hears of them, whether it should stop."""

    commit: Commit | None = None
    on_draft: Callable[[Draft], None] = lambda _: None
    is_stopped: Callable[[], bool] = lambda: False


ALONE = Watch()


def compress_old(
    store: Store,
    now: int,
    summariser: Summariser,
    *,
    policy: Policy = USUAL,
    watch: Watch = ALONE,
    dry_run: bool = False,
    trust_clock: bool = False,
) -> Run:
    """Compress what is old enough and drop archives whose grace period is over.

    A clock that leapt discards nothing until it is believed: by time, or by `trust_clock`.
    """
    commit: Commit = watch.commit or store.write
    if trust_clock and not dry_run:
        commit(lambda tx: accept_time(tx, now))
    trusted = store.read(lambda tx: read_time(tx, now))
    if not dry_run:
        commit(lambda tx: note_time(tx, trusted))
    if trusted.doubt:
        return Run(doubt=trusted.doubt)
    run = Run()
    for draft in _drafts(store, trusted, summariser, policy):
        if watch.is_stopped():
            return run
        if len(run.drafts) - len(run.left_raw) >= policy.most_clusters:
            run = replace(run, more=True)
            break
        run = replace(run, drafts=(*run.drafts, draft))
        if not draft.refusal and not dry_run:
            made = commit(partial(_put, draft=draft, at=trusted.at, now=now, policy=policy))
            run = replace(run, summaries=(*run.summaries, made))
        watch.on_draft(draft)
    return run if dry_run else replace(run, purged=_purge(commit, trusted, now))


def undo(
    store: Store, now: int, numbers: Sequence[int], *, policy: Policy = USUAL
) -> list[Summary]:
    """Put the raw episodes of summaries back, and leave their sessions alone for a grace period."""
    return [store.write(partial(_undo, number=each, now=now, policy=policy)) for each in numbers]


def list_last_run(tx: Tx) -> list[Summary]:
    """The summaries that the newest run made and that can still be undone, newest first."""
    found = [each for each in tx.summaries.list(limit=10_000) if each.archive_bytes]
    newest = max((each.made_at for each in found), default=0)
    return [each for each in found if each.made_at == newest]


def restore_where(store: Store, now: int, is_wanted: Callable[[str], bool]) -> list[Summary]:
    """Put back every cluster whose raw or summarised text is wanted: so that what has to be erased
    from an archive is found, and erased, like any other message.
    """
    numbers = store.read(lambda tx: [s.id for s in _list_holding(tx, is_wanted)])
    return undo(store, now, numbers)


def _list_holding(tx: Tx, is_wanted: Callable[[str], bool]) -> Iterator[Summary]:
    for summary in tx.summaries.list(limit=1 << 40):
        if summary.archive_bytes and any(map(is_wanted, tx.summaries.read_archive(summary.id))):
            yield summary


def _drafts(
    store: Store, trusted: TrustedTime, summariser: Summariser, policy: Policy
) -> Iterator[Draft]:
    before_at = trusted.at - policy.after_ms
    after = 0
    while sessions := store.read(partial(_sessions, before_at=before_at, after=after)):
        for number, session in sessions:
            after = number
            seen = partial(_clusters_of, session=session, at=trusted.at, before_at=before_at)
            for cluster in store.read(seen):
                yield draft_summary(store, cluster, summariser, policy)


def _sessions(tx: Tx, *, before_at: int, after: int) -> list[tuple[int, Session]]:
    return tx.summaries.list_sessions(before_at, after, SESSIONS_AT_ONCE)


def _clusters_of(tx: Tx, *, session: Session, at: int, before_at: int) -> list[Cluster]:
    kept = tx.summaries.load_mark(_KEPT + session.id)
    if kept and int(kept) > at:
        return []
    episodes = tx.summaries.list_raw(session.id)
    upto = tx.extractions.upto(session.id)
    return list(find_clusters(session, episodes, before_at=before_at, upto=upto))


def _put(tx: Tx, *, draft: Draft, at: int, now: int, policy: Policy) -> Summary:
    cluster = draft.cluster
    made = tx.summaries.add(
        NewSummary(
            session_id=cluster.session.id,
            episode_ids=tuple(episode.id for episode in cluster.episodes),
            message_ids=tuple(message.id for message in cluster.messages),
            parts=draft.parts,
            author=draft.author,
            probes=draft.proof.probes,
            found=draft.proof.found,
            made_at=now,
            purge_at=at + policy.grace_ms,
        )
    )
    _note(tx, made, "Compressed", now)
    return made


def _undo(tx: Tx, *, number: int, now: int, policy: Policy) -> Summary:
    summary = tx.summaries.restore(number)
    tx.summaries.save_mark(_KEPT + summary.session_id, str(now + policy.grace_ms))
    _note(tx, summary, "Put back", now)
    return summary


def _note(tx: Tx, summary: Summary, verb: str, now: int) -> None:
    what = f"{verb} {summary.episodes} episodes of session {summary.session_id}"
    add_event(tx, EventKind.MEMORY, what, now=now, ref=f"summary:{summary.id}")


def _purge(commit: Commit, trusted: TrustedTime, now: int) -> tuple[Summary, ...]:
    def drop(tx: Tx) -> list[Summary]:
        gone = tx.summaries.purge(trusted.at, PURGED_AT_ONCE)
        if gone:
            what = f"Dropped the archives of {len(gone)} summaries after their grace period"
            add_event(tx, EventKind.MEMORY, what, now=now)
        return gone

    gone: list[Summary] = []
    while batch := commit(drop):
        gone += batch
    return tuple(gone)
