"""Compressing what is old: plan, prove, put in place, and the way back.

A few clusters are one transaction, so a run may stop or be killed anywhere and is simply begun
again. What a cluster's summary says is worked out before its transaction begins.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeVar

from hermes.counted import many
from hermes.errors import Conflict
from hermes.memory.compress.ages import (
    TrustedTime,
    accept_time,
    note_compression,
    note_time,
    read_time,
)
from hermes.memory.compress.clusters import Cluster, find_clusters
from hermes.memory.compress.drafts import USUAL, Draft, Policy, Summariser, draft_summary
from hermes.memory.compress.worth import Vocabulary, read_vocabulary
from hermes.memory.events import add_event
from hermes.store.base import SessionFilter, Store, Tx
from hermes.store.base.summaries import NewSummary, Summary
from hermes.types import EventKind, Session

T = TypeVar("T")
SESSIONS_AT_ONCE = 50
PURGED_AT_ONCE = 200
MADE_AT_ONCE = 10  # summaries a transaction: one line of the log for all of them
VOCABULARY_SESSIONS = 200  # of a bank, the newest: what is often said there is counted in these
_KEPT = "keep-raw:"


@dataclass(frozen=True, slots=True)
class Run:
    """What a run came to. `doubt` is why nothing was done, `more` whether the cap was reached.

    `resting` is until when conversations stay raw whose compression was undone.
    """

    drafts: tuple[Draft, ...] = ()
    summaries: tuple[Summary, ...] = ()
    purged: tuple[Summary, ...] = ()
    doubt: str = ""
    more: bool = False
    resting: tuple[int, ...] = ()

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
    keep = partial(_keep, commit=commit, at=trusted.at, now=now, policy=policy)
    ready: list[Draft] = []
    resting: list[int] = []
    for draft in _drafts(store, trusted, summariser, policy, resting):
        if watch.is_stopped():
            return replace(run, summaries=(*run.summaries, *keep(ready)))
        if len(run.drafts) - len(run.left_raw) >= policy.most_clusters:
            run = replace(run, more=True)
            break
        run = replace(run, drafts=(*run.drafts, draft))
        if not draft.refusal and not dry_run:
            ready.append(draft)
        if len(ready) == MADE_AT_ONCE:
            run = replace(run, summaries=(*run.summaries, *keep(ready)))
            ready = []
        watch.on_draft(draft)
    run = replace(run, summaries=(*run.summaries, *keep(ready)), resting=tuple(resting))
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


def _drafts(
    store: Store,
    trusted: TrustedTime,
    summariser: Summariser,
    policy: Policy,
    resting: list[int],
) -> Iterator[Draft]:
    """What could be compressed; until when others rest is put into `resting`."""
    before_at = trusted.at - policy.after_ms
    after = 0
    known: dict[str, Vocabulary] = {}
    while sessions := store.read(partial(_sessions, before_at=before_at, after=after)):
        for number, session in sessions:
            after = number
            until = store.read(partial(_rests_until, session=session, at=trusted.at))
            if until is not None:
                resting.append(until)
                continue
            seen = partial(_clusters_of, session=session, before_at=before_at)
            clusters = store.read(seen)
            if clusters and session.bank not in known:
                known[session.bank] = store.read(partial(_vocabulary, bank=session.bank))
            for cluster in clusters:
                yield draft_summary(store, cluster, summariser, policy, known[session.bank])


def _vocabulary(tx: Tx, *, bank: str) -> Vocabulary:
    sessions = tx.conversations.list_sessions(SessionFilter(bank=bank), VOCABULARY_SESSIONS)
    episodes = (each for session in sessions for each in tx.summaries.list_raw(session.id))
    return read_vocabulary(said.text for each in episodes for said in each.messages)


def _sessions(tx: Tx, *, before_at: int, after: int) -> list[tuple[int, Session]]:
    return tx.summaries.list_sessions(before_at, after, SESSIONS_AT_ONCE)


def _rests_until(tx: Tx, *, session: Session, at: int) -> int | None:
    kept = tx.summaries.load_mark(_KEPT + session.id)
    return int(kept) if kept and int(kept) > at else None


def _clusters_of(tx: Tx, *, session: Session, before_at: int) -> list[Cluster]:
    episodes = tx.summaries.list_raw(session.id)
    upto = tx.extractions.upto(session.id)
    return list(find_clusters(session, episodes, before_at=before_at, upto=upto))


def _keep(
    drafts: Sequence[Draft], *, commit: Commit, at: int, now: int, policy: Policy
) -> list[Summary]:
    """Put summaries in place and say so in one line of the log. What changed since it was read
    stays raw: the store looks before it writes, so the others are kept.
    """

    def change(tx: Tx) -> list[Summary]:
        made: list[Summary] = []
        for draft in drafts:
            with suppress(Conflict):
                made.append(_put(tx, draft, at=at, now=now, policy=policy))
        if made:
            _note(tx, made, "Compressed", now)
            note_compression(tx, now)
        return made

    return commit(change) if drafts else []


def _put(tx: Tx, draft: Draft, *, at: int, now: int, policy: Policy) -> Summary:
    cluster = draft.cluster
    return tx.summaries.add(
        NewSummary(
            session_id=cluster.session.id,
            episode_ids=tuple(episode.id for episode in cluster.episodes),
            message_ids=tuple(message.id for message in cluster.messages),
            parts=draft.parts,
            author=draft.author,
            probes=draft.proof.probes,
            found=draft.proof.found,
            made_at=now,
            purge_at=max(at, now) + policy.grace_ms,  # whichever is later keeps it longer
        )
    )


def _undo(tx: Tx, *, number: int, now: int, policy: Policy) -> Summary:
    summary = tx.summaries.restore(number)
    tx.summaries.save_mark(_KEPT + summary.session_id, str(now + policy.grace_ms))
    _note(tx, [summary], "Put back", now)
    return summary


def _note(tx: Tx, summaries: Sequence[Summary], verb: str, now: int) -> None:
    first, last = summaries[0].id, summaries[-1].id
    episodes = sum(summary.episodes for summary in summaries)
    named = f"summary {first}" if first == last else f"summaries {first} to {last}"
    what = f"{verb} {many(episodes, 'episode')} ({named})"
    details = {"summaries": [summary.id for summary in summaries]}
    add_event(tx, EventKind.MEMORY, what, now=now, details=details, ref=f"summary:{first}")


def _purge(commit: Commit, trusted: TrustedTime, now: int) -> tuple[Summary, ...]:
    def drop(tx: Tx) -> list[Summary]:
        gone = tx.summaries.purge(trusted.at, PURGED_AT_ONCE)
        if gone:
            of = many(len(gone), "summary")
            what = f"Dropped the archives of {of} after their grace period"
            add_event(tx, EventKind.MEMORY, what, now=now)
        return gone

    gone: list[Summary] = []
    while batch := commit(drop):
        gone += batch
    return tuple(gone)
