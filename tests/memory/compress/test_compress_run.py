"""Compression end to end on a real store: old things shrink, nothing that matters is lost."""

from collections.abc import Sequence

import pytest

from hermes.clock import DAY_MS, FixedClock
from hermes.jobs.tasks.compress import KIND, CompressHandler
from hermes.jobs.work import Terms
from hermes.jobs.worker import Worker, WorkerOptions
from hermes.memory.compress.clusters import Cluster, find_clusters
from hermes.memory.compress.drafts import ExtractiveSummariser, Policy
from hermes.memory.compress.run import Run, compress_old, list_last_run, undo
from hermes.memory.compress.worth import UNKNOWN, Vocabulary
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.memory.facts.extraction import RuleReader, extract_session
from hermes.memory.facts.why import explain
from hermes.memory.recall.engine import Engine
from hermes.memory.sample import BANK, load_sample
from hermes.memory.sessions import SearchOptions, search_sessions
from hermes.store.base import Store, Tx
from hermes.store.base.events import EventFilter
from hermes.store.base.jobs import JobState
from hermes.store.base.summaries import SummaryPart
from hermes.types import EpisodeState, Message
from talk import NOW, at, keep, messages_of, texts_of, turn

LATER = NOW + 40 * DAY_MS
SESSIONS, MADE = 51, 49  # two would be no shorter


def fill(store: Store) -> None:
    """The sample history, read for facts, and something said long after it."""
    store.write(lambda tx: tx.conversations.record(load_sample(), NOW))
    reader = RuleReader(RuleExtractor())
    for name in sorted({t.session.id for t in load_sample()}):
        extract_session(store, name, reader, FixedClock(NOW))
    keep(store, at(LATER, turn("still here", session="later")), now=LATER)


def squeeze(store: Store, now: int = LATER, **options: object) -> Run:
    return compress_old(store, now, ExtractiveSummariser(), **options)  # type: ignore[arg-type]


def everything(store: Store) -> list[Sequence[Message]]:
    sessions = sorted({t.session.id for t in load_sample()})
    return [messages_of(store, name) for name in sessions]


def test_old_episodes_become_summaries_and_come_back(store: Store) -> None:
    fill(store)
    before = everything(store)
    run = squeeze(store)
    assert len(run.summaries) == MADE
    assert {draft.refusal for draft in run.left_raw} == {"the summary is no shorter"}
    assert all(each.found == each.probes for each in run.summaries)
    counts = store.read(lambda tx: tx.summaries.count_episodes())
    assert counts.compressed == MADE
    assert sum(map(len, everything(store))) < sum(map(len, before)) / 5
    back = undo(store, LATER, [each.id for each in store.read(list_last_run)])
    assert len(back) == MADE
    assert everything(store) == before
    assert squeeze(store).summaries == ()  # what was put back is left alone


def test_a_dry_run_changes_nothing(store: Store) -> None:
    fill(store)
    before = everything(store), store.read(lambda tx: tx.changes.latest())
    run = squeeze(store, dry_run=True)
    assert len(run.drafts) == SESSIONS
    assert run.summaries == ()
    assert (everything(store), store.read(lambda tx: tx.changes.latest())) == before


def test_what_is_young_unread_or_hidden_stays_raw(store: Store) -> None:
    fill(store)
    keep(store, at(NOW, turn("a long unread tale of Oslo", "and Bergen", session="unread")))
    store.write(lambda tx: tx.conversations.hide_session("atlas-202509010904", NOW))
    assert squeeze(store, policy=Policy(after_ms=400 * DAY_MS), dry_run=True).drafts == ()
    run = squeeze(store)
    assert {s.session_id for s in run.summaries}.isdisjoint({"unread", "later"})
    assert len(run.summaries) == MADE - 1
    assert texts_of(store, "unread") == ["a long unread tale of Oslo", "and Bergen"]


def test_a_clock_that_leaps_compresses_nothing(store: Store) -> None:
    fill(store)
    squeeze(store, policy=Policy(most_clusters=0))
    far = LATER + 3650 * DAY_MS
    keep(store, at(far, turn("from the future", session="future")), now=far)
    run = squeeze(store, far)
    assert "ahead of the last run" in run.doubt
    assert run.drafts == ()
    assert store.read(lambda tx: tx.summaries.count_episodes()).compressed == 0
    assert len(squeeze(store, far, trust_clock=True).summaries) == MADE


def test_a_run_is_capped_and_goes_on(store: Store) -> None:
    fill(store)
    first = squeeze(store, policy=Policy(most_clusters=20))
    assert (len(first.summaries), first.more) == (20, True)
    second = squeeze(store)
    assert (len(second.summaries), second.more) == (MADE - 20, False)
    assert all(draft.refusal for draft in squeeze(store).drafts)


def test_archives_go_after_the_grace_period(store: Store) -> None:
    fill(store)
    squeeze(store)
    for day in range(1, 31):
        now = LATER + day * DAY_MS
        keep(store, at(now, turn("daily", session="later")), now=now)
        run = squeeze(store, now)
        assert not run.doubt
        assert len(run.purged) == (MADE if day == 30 else 0)
    assert store.read(list_last_run) == []
    assert store.read(lambda tx: tx.summaries.list())[0].purged_at == LATER + 30 * DAY_MS


def test_an_old_history_has_its_whole_grace_period_too(store: Store) -> None:
    fill(store)
    today = LATER + 400 * DAY_MS
    run = squeeze(store, today)
    assert {each.purge_at for each in run.summaries} == {today + Policy().grace_ms}
    keep(store, at(today, turn("back again", session="later")), now=today)
    assert squeeze(store, today, trust_clock=True).purged == ()


def test_facts_keep_their_quotes(store: Store) -> None:
    fill(store)
    facts = store.read(lambda tx: tx.facts.count(BANK))
    numbers = range(1, facts + 1)
    before = [store.read(lambda tx, n=n: explain(tx, n)) for n in numbers]  # type: ignore[misc]
    squeeze(store)
    after = [store.read(lambda tx, n=n: explain(tx, n)) for n in numbers]  # type: ignore[misc]
    assert facts > 20
    for old, new in zip(before, after, strict=True):
        assert new.fact.text == old.fact.text
        assert [s.quote for s in new.fact.sources] == [s.quote for s in old.fact.sources]
        assert [s.session_id for s in new.fact.sources] == [s.session_id for s in old.fact.sources]
    undo(store, LATER, [each.id for each in store.read(list_last_run)])
    again = [store.read(lambda tx, n=n: explain(tx, n)) for n in numbers]  # type: ignore[misc]
    assert again == before


def test_summaries_are_searched_and_recalled_with_their_dates(store: Store) -> None:
    fill(store)
    squeeze(store)
    hits = search_sessions(store, "security review november", SearchOptions(bank=BANK)).hits
    assert "Deadlines for the autumn" in [hit.session.title for hit in hits[:2]]
    engine = Engine(store, FixedClock(LATER))
    items, _ = engine.search("Which queue replaced Redis?", bank=BANK, limit=5)
    engine.close()
    assert any("NATS" in item.text and "2025-09-29" in item.text for item in items)


def test_every_step_is_in_the_log(store: Store) -> None:
    fill(store)
    run = squeeze(store)
    undo(store, LATER, [run.summaries[0].id])
    wanted = EventFilter(ref=f"summary:{run.summaries[0].id}")
    events = store.read(lambda tx: tx.events.list(wanted, 10))
    assert [event.summary.split(" ")[0] for event in events] == ["Put", "Compressed"]
    assert events[1].details == {"summaries": [each.id for each in run.summaries[:10]]}


class Meddling:
    """A summariser during whose work one of the sessions is written to, before it is put away."""

    author = "extractive"

    def __init__(self, store: Store) -> None:
        self.store, self.changed = store, ""

    def write(self, cluster: Cluster, vocabulary: Vocabulary = UNKNOWN) -> tuple[SummaryPart, ...]:
        parts = ExtractiveSummariser().write(cluster, vocabulary)
        if not self.changed:
            self.changed = cluster.session.id
            last = cluster.messages[-1].id
            self.store.write(lambda tx: tx.erasures.remove_messages([last]))
        return parts


def test_what_changes_meanwhile_stays_raw_and_holds_up_nothing_else(store: Store) -> None:
    fill(store)
    meddling = Meddling(store)
    run = compress_old(store, LATER, meddling)
    assert len(run.summaries) == MADE - 1
    assert meddling.changed not in {each.session_id for each in run.summaries}


class Forgetful:
    """A summariser that leaves nearly everything out."""

    author = "forgetful"

    def write(self, cluster: Cluster, vocabulary: Vocabulary = UNKNOWN) -> tuple[SummaryPart, ...]:
        ids = [message.id for message in cluster.messages]
        return (SummaryPart(ids[0], ids[-1], "they talked"),)


def test_what_a_summary_leaves_out_is_put_back_in(store: Store) -> None:
    fill(store)
    run = compress_old(store, LATER, Forgetful())
    assert all(draft.proof.share >= 0.97 for draft in run.drafts if not draft.refusal)
    text = " ".join(part.text for draft in run.drafts for part in draft.parts)
    for word in ("Kestrel", "PostGIS", "17 October", "NATS JetStream"):
        assert word in text


def test_the_job_compresses_and_tells_of_a_clock_it_does_not_believe(store: Store) -> None:
    fill(store)
    clock = FixedClock(LATER)
    worker = Worker(
        store,
        clock,
        [CompressHandler(ExtractiveSummariser, Policy())],
        [],
        WorkerOptions(Terms("test"), poll_s=0.01),
    )
    store.write(lambda tx: tx.jobs.add(KIND, now=LATER))
    worker.run(until_idle=True)
    assert store.read(lambda tx: tx.summaries.count_episodes()).compressed == MADE
    clock.advance(3650 * DAY_MS)
    keep(store, at(clock.now(), turn("late", session="later")), now=clock.now())
    store.write(lambda tx: tx.jobs.add(KIND, now=clock.now()))
    worker.run(until_idle=True)
    job = store.read(lambda tx: tx.jobs.find_last(KIND))
    assert job is not None
    assert job.state is JobState.DONE
    newest = store.read(lambda tx: tx.events.list(EventFilter(), 1))[0]
    assert newest.summary.startswith("Compressed nothing: the clock is")


@pytest.mark.parametrize("gap_days", [0, 3])
def test_clusters_follow_pauses(store: Store, gap_days: int) -> None:
    turns = [
        at(NOW + n * 60_000 + (gap_days * DAY_MS if n >= 10 else 0), turn(f"one {n}", f"two {n}"))
        for n in range(20)
    ]
    keep(store, *turns)

    def clusters(tx: Tx) -> list[Cluster]:
        session = tx.conversations.find_session("s1")
        assert session is not None
        episodes = tx.summaries.list_raw("s1")
        return list(find_clusters(session, episodes, before_at=NOW + 9 * DAY_MS, upto=10_000))

    found = store.read(clusters)
    assert [len(each.episodes) for each in found] == ([20] if not gap_days else [10, 10])
    assert all(e.state is EpisodeState.RAW for each in found for e in each.episodes)
