"""What the jobs do: index what is new, extract what is over, give space back."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import HOUR_MS, MINUTE_MS, FixedClock
from hermes.errors import Unavailable
from hermes.jobs.tasks.extract import (
    IDLE_MS,
    JOBS_AT_ONCE,
    ExtractHandler,
    ExtractWatch,
)
from hermes.jobs.tasks.index import IndexHandler, IndexWatch
from hermes.jobs.tasks.vacuum import VacuumHandler
from hermes.jobs.work import Effect, Handler, Terms
from hermes.jobs.worker import Chore, Worker, WorkerOptions
from hermes.memory.facts.backlog import MESSAGES_AT_ONCE
from hermes.memory.indexing import count_backlog
from hermes.memory.recall.passage import stored_name
from hermes.store.base import Store, Tx
from hermes.store.base.events import EventFilter
from hermes.store.base.jobs import JobFilter, JobState
from hermes.store.vectors.coding import Floats
from hermes.types import Message, NewSession, Role, Session, Turn, Utterance
from places import Place
from talk import NOW, at, going_on, keep, turn


def work_off(store: Store, clock: FixedClock, handler: Handler, *chores: Chore) -> None:
    options = WorkerOptions(Terms("test"), poll_s=0.01)
    Worker(store, clock, [handler], chores, options).run(until_idle=True)


def states(store: Store, kind: str) -> list[JobState]:
    return [job.state for job in store.read(lambda tx: tx.jobs.list(JobFilter(kind=kind), 99))]


def test_new_messages_get_vectors(store: Store, clock: FixedClock) -> None:
    watch, handler = IndexWatch(), IndexHandler(WordEmbedder)
    keep(store, turn("red apples", "blue sky"))
    work_off(store, clock, handler, watch)
    assert store.read(count_backlog) == 0
    keep(store, turn("green grass"))
    work_off(store, clock, handler, watch)
    assert store.read(count_backlog) == 0
    assert states(store, "index") == [JobState.DONE] * 2
    watch.run(store, clock.now())
    assert states(store, "index") == [JobState.DONE] * 2


def test_without_an_embedder_nothing_fails(store: Store, clock: FixedClock) -> None:
    keep(store, turn("red apples"))
    work_off(store, clock, IndexHandler(lambda: None), IndexWatch())
    assert states(store, "index") == [JobState.DONE]


class Unreachable(WordEmbedder):
    def embed_passages(self, texts: Sequence[str]) -> Floats:
        raise Unavailable("no answer")


def test_an_endpoint_that_stays_away_is_not_hammered(store: Store, clock: FixedClock) -> None:
    watch, handler = IndexWatch(), IndexHandler(Unreachable)
    keep(store, turn("red apples"))
    while JobState.DEAD not in states(store, "index"):
        work_off(store, clock, handler, watch)
        clock.advance(HOUR_MS)
    clock.advance(-HOUR_MS)
    keep(store, turn("more"))
    watch.run(store, clock.now())
    assert states(store, "index") == [JobState.DEAD]
    clock.advance(HOUR_MS)
    watch.run(store, clock.now())
    assert states(store, "index") == [JobState.WAITING, JobState.DEAD]


class Reading:
    """An extractor that notes what it was given, in memory and in the store."""

    def __init__(self) -> None:
        self.read: list[tuple[str, list[str]]] = []

    def __call__(self, session: Session, messages: Sequence[Message]) -> Effect:
        texts = [message.text for message in messages]
        self.read.append((session.id, texts))
        return lambda tx: tx.events.add("memory", " ".join(texts)[:200], at=1)


@pytest.fixture
def soon(clock: FixedClock) -> FixedClock:
    """Half an hour after what was said."""
    clock.advance(NOW - clock.now() + IDLE_MS)
    return clock


def test_an_idle_session_is_read_once_and_then_what_follows(store: Store, soon: FixedClock) -> None:
    keep(store, turn("I moved to Lisbon", "Noted"))
    extract = Reading()
    work_off(store, soon, ExtractHandler(extract), ExtractWatch())
    assert extract.read == [("s1", ["I moved to Lisbon", "Noted"])]
    soon.advance(MINUTE_MS)
    keep(store, turn("and I like it", session="s1"), now=soon.now())
    work_off(store, soon, ExtractHandler(extract), ExtractWatch())
    assert len(extract.read) == 1
    soon.advance(IDLE_MS)
    work_off(store, soon, ExtractHandler(extract), ExtractWatch())
    assert extract.read[1:] == [("s1", ["and I like it"])]
    work_off(store, soon, ExtractHandler(extract), ExtractWatch())
    assert len(extract.read) == 2


def test_a_session_that_goes_on_is_left_until_it_is_ended(store: Store, soon: FixedClock) -> None:
    soon.advance(-1)
    keep(store, turn("still talking"))
    extract = Reading()
    work_off(store, soon, ExtractHandler(extract), ExtractWatch())
    assert extract.read == []
    store.write(lambda tx: tx.conversations.end_session("s1", soon.now()))
    work_off(store, soon, ExtractHandler(extract), ExtractWatch())
    assert extract.read == [("s1", ["still talking"])]


def test_a_long_session_is_read_in_parts_that_end_with_an_episode(
    store: Store, soon: FixedClock
) -> None:
    keep(store, *(turn(*(f"{n}.{m}" for m in range(7))) for n in range(60)))
    extract = Reading()
    work_off(store, soon, ExtractHandler(extract), ExtractWatch())
    parts = [texts for _, texts in extract.read]
    assert len(parts) > 2
    assert all(len(part) <= MESSAGES_AT_ONCE for part in parts)
    assert all(part[-1].endswith(".6") for part in parts)
    assert list(chain.from_iterable(parts)) == [f"{n}.{m}" for n in range(60) for m in range(7)]


def test_one_endless_episode_is_read_all_the_same(store: Store, soon: FixedClock) -> None:
    keep(store, turn(*(str(n) for n in range(MESSAGES_AT_ONCE + 5))))
    extract = Reading()
    work_off(store, soon, ExtractHandler(extract), ExtractWatch())
    assert sum(len(texts) for _, texts in extract.read) == MESSAGES_AT_ONCE + 5


def test_what_is_said_while_it_is_read_is_read_later(store: Store, soon: FixedClock) -> None:
    keep(store, turn("first"))
    seen: list[str] = []

    def extract(session: Session, messages: Sequence[Message]) -> Effect:
        if not seen:
            keep(store, going_on(at(soon.now(), turn("second"))), now=soon.now())
        seen.extend(message.text for message in messages)
        return lambda tx: None

    work_off(store, soon, ExtractHandler(extract), ExtractWatch())
    assert seen == ["first", "second"]


def test_facts_and_how_far_they_go_are_kept_together(store: Store, soon: FixedClock) -> None:
    keep(store, turn("one"))

    def extract(session: Session, messages: Sequence[Message]) -> Effect:
        def half(tx: Tx) -> None:
            tx.events.add("memory", "half a fact", at=1)
            raise Unavailable("cut off")

        return half

    work_off(store, soon, ExtractHandler(extract), ExtractWatch())
    assert store.read(lambda tx: tx.events.list(EventFilter(), 9)) == []
    assert store.read(lambda tx: tx.extractions.upto("s1")) == 0
    assert states(store, "extract") == [JobState.WAITING]


def test_one_bad_session_does_not_hold_up_the_others(store: Store, soon: FixedClock) -> None:
    for n in range(40):
        keep(store, at(NOW - 40 + n, turn("bad" if n < 20 else "good", session=f"s{n}")))
    done: list[str] = []

    def extract(session: Session, messages: Sequence[Message]) -> Effect:
        if messages[0].text == "bad":
            raise ValueError("cannot be read")
        done.append(session.id)
        return lambda tx: None

    watch, handler = ExtractWatch(), ExtractHandler(extract)
    for _ in range(200):
        watch.run(store, soon.now())
        unfinished = [s for s in states(store, "extract") if s is JobState.WAITING]
        assert len(unfinished) <= JOBS_AT_ONCE
        work_off(store, soon, handler)
        soon.advance(6 * HOUR_MS)
        if len(done) == 20 and not unfinished:
            break
    assert sorted(done) == sorted(f"s{n}" for n in range(20, 40))
    assert states(store, "extract").count(JobState.DEAD) == 20


def test_a_session_deleted_before_its_turn_is_not_read(store: Store, soon: FixedClock) -> None:
    keep(store, turn("one"))
    ExtractWatch().run(store, soon.now())
    store.write(lambda tx: tx.conversations.hide_session("s1", soon.now()))
    extract = Reading()
    work_off(store, soon, ExtractHandler(extract))
    assert extract.read == []
    assert states(store, "extract") == [JobState.DONE]


def test_vacuum_gives_space_back_and_keeps_everything_else(place: Place, clock: FixedClock) -> None:
    store = place.open()
    said = tuple(Utterance(Role.USER, f"note {n} " + "words " * 50) for n in range(3_000))
    store.write(lambda tx: tx.conversations.record([Turn(NewSession(id="s1"), said)], NOW))
    keep(store, turn("the one about kayaks", session="other"))
    drop = "DELETE FROM sessions WHERE uid = 's1'"
    store.write(lambda tx: list(tx.connection.execute(drop)))  # type: ignore[attr-defined]
    before = store.status().size_bytes
    store.write(lambda tx: tx.jobs.add("vacuum", now=clock.now()))
    work_off(store, clock, VacuumHandler())
    assert states(store, "vacuum") == [JobState.DONE]
    assert store.status().size_bytes < before / 2
    (event,) = store.read(lambda tx: tx.events.list(EventFilter(), 9))
    assert event.summary.startswith("Gave space back")
    assert event.details["freed_pages"]
    found = [f.level for f in store.check() if f.part == "database"]
    assert found == ["ok"]
    assert [m.text for m in store.read(lambda tx: tx.conversations.list_messages("other"))] == [
        "the one about kayaks"
    ]
    store.close()


def test_vectors_of_another_provider_are_no_vectors(store: Store, clock: FixedClock) -> None:
    keep(store, turn("hello"))
    work_off(store, clock, IndexHandler(WordEmbedder), IndexWatch())
    space = WordEmbedder().space
    for wanted in (None, space, replace(space, dimensions=0)):
        assert store.read(partial(count_backlog, wanted=wanted)) == 0, wanted
    for wanted in (
        replace(space, provider="openai"),
        replace(space, model="another"),
        replace(space, dimensions=32),
    ):
        assert store.read(partial(count_backlog, wanted=wanted)) == 1, wanted


def test_a_model_that_turns_out_to_give_other_vectors_is_indexed(
    store: Store, clock: FixedClock
) -> None:
    """A server tells how long its vectors are only with the first; nothing else has changed."""
    keep(store, turn("hello"))
    old, wanted = WordEmbedder(), replace(WordEmbedder().space, dimensions=0)
    watch = IndexWatch(lambda: wanted)
    work_off(store, clock, IndexHandler(lambda: old), watch)
    watch.run(store, clock.now())
    assert states(store, "index") == [JobState.DONE]
    wanted = replace(wanted, dimensions=96)  # by the vector of a question
    watch.run(store, clock.now())
    assert states(store, "index") == [JobState.WAITING, JobState.DONE]
    wanted = replace(wanted, dimensions=64)
    work_off(store, clock, IndexHandler(lambda: WordEmbedder("words", 96)), watch)
    assert store.read(lambda tx: count_backlog(tx, replace(wanted, dimensions=96))) == 0


def test_a_model_left_half_way_is_not_gone_on_with(store: Store, clock: FixedClock) -> None:
    keep(store, turn("hello"))
    old, new = WordEmbedder(), WordEmbedder("another")
    work_off(store, clock, IndexHandler(lambda: old), IndexWatch(lambda: old.space))
    store.write(lambda tx: tx.vectors.ensure_space("test", stored_name("another"), 64, 1))
    watch = IndexWatch(lambda: old.space)
    work_off(store, clock, IndexHandler(lambda: old), watch)
    keep(store, turn("hello again"))
    work_off(store, clock, IndexHandler(lambda: old), watch)
    assert store.read(lambda tx: count_backlog(tx, old.space)) == 0
    assert store.read(lambda tx: count_backlog(tx, new.space)) == 2
