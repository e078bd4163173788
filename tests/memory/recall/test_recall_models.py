"""What recall goes by while models are slow, broken or changed, and what it keeps open then."""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar, cast

import numpy as np
import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.embed.base import Space
from hermes.errors import Unavailable
from hermes.memory.indexing import count_backlog, has_backlog, index_pending
from hermes.memory.recall.banks import BankShelf
from hermes.memory.recall.bankvectors import UNKNOWN
from hermes.memory.recall.engine import Engine
from hermes.memory.recall.passage import stored_name
from hermes.memory.recall.result import Rung
from hermes.memory.record import record_turns
from hermes.memory.spaces import JOB, advise_moved, find_moved, tell_moved
from hermes.store.base import Store, Tx
from hermes.store.base.jobs import Lease
from hermes.store.base.vectors import NewVector, VectorKind
from hermes.store.vectors.coding import Floats, pack_row
from hermes.store.vectors.index import VectorIndex
from hermes.types import NewSession, Origin, Role, Trust, Turn, Utterance

T = TypeVar("T")
SAID = ("soup for lunch", "the printer is out of paper once more", "a window was left open")


def record(store: Store, clock: FixedClock) -> None:
    turns = [Turn(NewSession(id="s"), (Utterance(Role.USER, text),)) for text in SAID]
    record_turns(store, turns, clock.now())


@pytest.mark.parametrize("dimensions", [64, 96])
def test_another_models_vectors_are_not_compared_with(
    store: Store, clock: FixedClock, dimensions: int
) -> None:
    record(store, clock)
    index_pending(store, WordEmbedder(), clock)
    new = WordEmbedder("another", dimensions)
    engine = Engine(store, clock, embedder=new)
    items, trace = engine.search("printer paper", bank="default")
    assert items[0].text == SAID[1]
    assert trace.went_by is Rung.TEXT
    assert "test/words/64" in trace.reason
    index_pending(store, new, clock)
    _, trace = engine.search("printer paper", bank="default")
    engine.close()
    assert trace.went_by is Rung.FULL


def say(store: Store, clock: FixedClock, count: int, role: Role = Role.USER) -> None:
    texts = [f"line {n} of a longer talk" for n in range(count)]
    turns = [Turn(NewSession(id="talk"), (Utterance(role, text),)) for text in texts]
    record_turns(store, turns, clock.now())


@pytest.mark.parametrize(
    ("indexed", "new", "told"),
    [
        (1, 600, "600 of 601"),
        (20, 10, ""),  # a turn just recorded, with what its tools said
        (20, 11, "11 of 31"),
        (3_000, 30, ""),
        (3_000, 31, "31 of 3031"),
        (20_000, 100, ""),
        (20_000, 101, "101 of 20101"),
    ],
)
def test_what_lacks_a_vector_is_said_where_it_is_more_than_a_handful(
    store: Store, clock: FixedClock, indexed: int, new: int, told: str
) -> None:
    say(store, clock, indexed)
    space = WordEmbedder().space
    stored = (space.provider, stored_name(space.model), space.dimensions)
    first = store.write(lambda tx: tx.vectors.ensure_space(*stored, clock.now())).id
    ids = store.read(lambda tx: tx.recall.outline("default", 0).ids.tolist())
    row = pack_row(WordEmbedder().embed_queries(["line"])[0])

    def pass_all(tx: Tx) -> None:
        tx.vectors.add(first, [NewVector(VectorKind.MESSAGE, each, 1, row) for each in ids])
        tx.vectors.pass_over(first, VectorKind.MESSAGE, ids)

    store.write(pass_all)
    say(store, clock, new)
    engine = Engine(store, clock, embedder=WordEmbedder())
    for _ in range(2):
        _, trace = engine.search("a longer talk", bank="default")
        assert trace.went_by is Rung.FULL
        assert trace.reason == (f"{told} messages have no vector yet" if told else "")
    engine.close()


def test_what_is_passed_over_is_no_longer_said_to_lack_a_vector(
    store: Store, clock: FixedClock
) -> None:
    """Instructions to a model get none, and passing them over changes nothing else."""
    record(store, clock)
    index_pending(store, WordEmbedder(), clock)
    say(store, clock, 20, Role.SYSTEM)
    engine = Engine(store, clock, embedder=WordEmbedder())
    _, before = engine.search("printer paper", bank="default")
    assert index_pending(store, WordEmbedder(), clock) == 0
    _, after = engine.search("printer paper", bank="default")
    engine.close()
    assert before.reason == "20 of 23 messages have no vector yet"
    assert after.reason == ""


def test_what_was_refused_lacks_a_vector_in_its_bank_alone(store: Store, clock: FixedClock) -> None:
    record(store, clock)
    say(store, clock, 20)
    other = Turn(NewSession(id="o", bank="other"), (Utterance(Role.USER, "the printer"),))
    record_turns(store, [other], clock.now())
    index_pending(store, WordEmbedder(), clock)
    space = store.read(lambda tx: tx.vectors.list_spaces()[0].id)
    ids = store.read(lambda tx: tx.recall.outline("default", 0).ids)

    def refuse(tx: Tx) -> None:
        tx.vectors.refuse(space, VectorKind.MESSAGE, [int(each) for each in ids[-12:]])

    store.write(refuse)
    engine = Engine(store, clock, embedder=WordEmbedder())
    reasons = [engine.search("printer", bank=b)[1].reason for b in ("default", "other")]
    engine.close()
    assert reasons == ["12 of 23 messages have no vector yet", ""]


NONE_YET = (
    "answered by the vectors of test/words/64; "
    "test/another/96 has made none yet: `hermes doctor` asks it"
)


class ClosableEmbedder(WordEmbedder):
    is_closed = False

    def close(self) -> None:
        self.is_closed = True


def test_the_former_model_hears_questions_until_the_new_ones_vectors_are_complete(
    store: Store, clock: FixedClock
) -> None:
    record(store, clock)
    index_pending(store, WordEmbedder(), clock)
    new, opened = WordEmbedder("another", 96), list[ClosableEmbedder]()

    def open_former(space: Space) -> WordEmbedder:
        opened.append(ClosableEmbedder(space.model, space.dimensions))
        return opened[-1]

    engine = Engine(store, clock, embedder=new, former=open_former)
    for _ in range(2):
        items, trace = engine.search("printer paper", bank="default")
        assert (trace.went_by, trace.reason) == (Rung.FULL, NONE_YET)
        assert items[0].text == SAID[1]
    assert [each.space for each in opened] == [WordEmbedder().space]
    index_pending(store, new, clock)
    items, trace = engine.search("printer paper", bank="default")
    assert (trace.went_by, items[0].text) == (Rung.FULL, SAID[1])
    assert opened[0].is_closed
    engine.close()


class TroubledEmbedder(WordEmbedder):
    trouble = "the server is gone."


def reason_beside_former(store: Store, clock: FixedClock, configured: WordEmbedder) -> str:
    engine = Engine(store, clock, embedder=configured, former=lambda _: WordEmbedder())
    _, trace = engine.search("printer paper", bank="default")
    engine.close()
    assert trace.went_by is Rung.FULL
    return trace.reason


def test_a_model_out_of_reach_is_told_with_every_message_it_left_without_a_vector(
    store: Store, clock: FixedClock
) -> None:
    record(store, clock)
    index_pending(store, WordEmbedder(), clock)
    say(store, clock, 1)
    told = reason_beside_former(store, clock, TroubledEmbedder("another", 96))
    lacking = "1 of 4 messages have no vector yet"
    used = "answered by the vectors of test/words/64"
    assert told == f"{used}; the server is gone; {lacking}"
    assert (
        reason_beside_former(store, clock, WordEmbedder("another", 96)) == f"{NONE_YET}; {lacking}"
    )


def test_a_change_of_model_that_runs_is_told_in_short(store: Store, clock: FixedClock) -> None:
    record(store, clock)
    index_pending(store, WordEmbedder(), clock)
    new = WordEmbedder("another", 96)
    stored = ("test", stored_name("another"), 96)
    store.write(lambda tx: tx.vectors.ensure_space(*stored, clock.now()))
    say(store, clock, 1)
    used = "answered by the vectors of test/words/64"
    assert reason_beside_former(store, clock, new) == (
        f"{used} until those of test/another/96 are complete"
    )
    fail_job(store, clock, "no connection")
    assert reason_beside_former(store, clock, new) == (
        f"{used}; the last job to make others failed: no connection; "
        "1 of 4 messages have no vector yet"
    )


def fail_job(store: Store, clock: FixedClock, error: str) -> None:
    """What a daemon leaves whose job failed, and will be tried again."""

    def fail(tx: Tx) -> None:
        tx.jobs.add(JOB, now=clock.now())
        job = tx.jobs.claim([JOB], Lease("w", clock.now(), 1_000))
        assert job is not None
        tx.jobs.fail(job, error, now=clock.now(), retry_at=clock.now())

    store.write(fail)


def test_a_model_changed_by_another_process_is_followed(store: Store, clock: FixedClock) -> None:
    record(store, clock)
    index_pending(store, WordEmbedder(), clock)
    other = WordEmbedder("another", 96)
    engine = Engine(store, clock, embedder=WordEmbedder(), former=lambda _: other)
    assert engine.search("printer paper", bank="default")[1].went_by is Rung.FULL
    index_pending(store, other, clock)
    assert engine.search("printer paper", bank="default")[1].went_by is Rung.TEXT
    assert engine.search("printer paper", bank="default")[1].went_by is Rung.FULL
    engine.close()


class CrashingEmbedder(WordEmbedder):
    def embed_queries(self, texts: Sequence[str]) -> Floats:
        raise RuntimeError("the runtime is gone")


def test_whatever_an_embedder_raises_leaves_words(store: Store, clock: FixedClock) -> None:
    record(store, clock)
    engine = Engine(store, clock, embedder=CrashingEmbedder())
    recalled = engine.recall("printer paper", bank="default")
    engine.close()
    assert recalled.trace.reason == "the embedder failed: RuntimeError: the runtime is gone"
    assert recalled.items[0].text == SAID[1]


class ColdEmbedder(WordEmbedder):
    is_loaded = False

    def load(self) -> None:
        self.is_loaded = True


def test_loading_a_model_has_a_lap_of_its_own(store: Store, clock: FixedClock) -> None:
    record(store, clock)
    engine = Engine(store, clock, embedder=ColdEmbedder())
    first, second = (engine.recall("printer", bank="default").trace.ms for _ in range(2))
    engine.close()
    assert "load" in first
    assert "load" not in second


class CountedReads:
    """A store that knows how many reads are open in it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.open = 0
        self.begun = threading.Event()

    def read(self, work: Callable[[Tx], T]) -> T:
        self.open += 1
        self.begun.set()
        try:
            return self._store.read(work)
        finally:
            self.open -= 1

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)


class WatchfulEmbedder(WordEmbedder):
    """Gives a vector only once no read is open, or gives up."""

    def __init__(self, reads: CountedReads) -> None:
        super().__init__()
        self._reads = reads

    def embed_queries(self, texts: Sequence[str]) -> Floats:
        self._reads.begun.wait(10)
        for _ in range(100):
            if not self._reads.open:
                return super().embed_queries(texts)
            threading.Event().wait(0.02)
        raise Unavailable("A read was held open.", "Wait outside of it.")


class Watchful:
    """A reranker that notes how many reads are open while it thinks."""

    def __init__(self, reads: CountedReads) -> None:
        self._reads = reads
        self.saw: list[int] = []

    def score(self, task: str, texts: Sequence[str]) -> Sequence[float]:
        self.saw.append(self._reads.open)
        return [0.5] * len(texts)


def test_no_read_is_open_while_models_think(store: Store, clock: FixedClock) -> None:
    record(store, clock)
    reads = CountedReads(store)
    reranker = Watchful(reads)
    embedder = WatchfulEmbedder(reads)
    engine = Engine(cast(Store, reads), clock, embedder=embedder, reranker=reranker)
    _, trace = engine.search("printer paper", bank="default")
    engine.close()
    assert trace.reason == "nothing has a vector yet"
    assert reranker.saw == [0]


class Listening(WordEmbedder):
    """An embedder and a reranker that note what they were asked."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> Floats:
        self.heard += texts
        return super().embed_queries(texts)

    def score(self, task: str, texts: Sequence[str]) -> Sequence[float]:
        self.heard.append(task)
        return [0.5] * len(texts)


def test_no_model_is_told_a_secret_of_the_question(store: Store, clock: FixedClock) -> None:
    record(store, clock)
    token, models = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6", Listening()
    engine = Engine(store, clock, embedder=models, reranker=models)
    engine.recall(f"the printer wants {token}", bank="default")
    engine.search(f"the printer wants {token}", bank="default")
    engine.close()
    assert models.heard == ["the printer wants [redacted:github-token]"] * 4


def test_a_web_page_beside_a_message_is_labelled(store: Store, clock: FixedClock) -> None:
    asked = Utterance(Role.USER, "look up the atlas page")
    page = Utterance(Role.TOOL, "a page of rules to follow", origin=Origin.WEB)
    record_turns(store, [Turn(NewSession(id="s"), (asked, page))], clock.now())
    engine = Engine(store, clock)
    recalled = engine.recall("look up the atlas page", bank="default")
    engine.close()
    assert recalled.items[0].trust is Trust.HIGH
    assert "a page of rules" in recalled.context()
    assert 'trust="' in recalled.context()


def test_a_reader_of_an_older_view_loses_no_vector(store: Store, clock: FixedClock) -> None:
    record(store, clock)
    index_pending(store, WordEmbedder(), clock)
    vectors = VectorIndex()
    shelf = BankShelf(vectors)

    def read_late(tx: Tx) -> None:
        tx.changes.latest()  # from here on the view is fixed
        record(store, clock)
        index_pending(store, WordEmbedder(), clock)
        store.read(vectors.open)  # another thread takes in the newer vectors
        assert shelf.open(tx, "default").outline.count == len(SAID)

    store.read(read_late)
    held = store.read(lambda tx: shelf.open(tx, "default"))
    assert held.outline.count == 2 * len(SAID)
    assert UNKNOWN not in held.vectors.numbers(np.arange(held.outline.count))[0]


def test_of_two_processes_the_one_with_the_older_model_stops(
    store: Store, clock: FixedClock
) -> None:
    old, new = WordEmbedder(), WordEmbedder("another", 96)
    record(store, clock)
    assert index_pending(store, old, clock) == len(SAID)
    assert index_pending(store, new, clock) == len(SAID)
    for _ in range(3):
        record(store, clock)
        assert not store.read(partial(has_backlog, wanted=old.space))
        assert index_pending(store, old, clock) == 0
        assert index_pending(store, new, clock) == len(SAID)
    engine = Engine(store, clock, embedder=old)
    _, trace = engine.search("printer paper", bank="default")
    engine.close()
    moved = store.read(partial(find_moved, wanted=old.space))
    assert moved == new.space
    assert trace.went_by is Rung.TEXT
    assert tell_moved(new.space, old.space) in trace.reason
    assert advise_moved(new.space, old.space) in trace.reason
    assert store.read(partial(count_backlog, wanted=old.space)) == 0


def test_a_model_that_was_left_is_taken_up_by_who_says_so(store: Store, clock: FixedClock) -> None:
    old, new = WordEmbedder(), WordEmbedder("another", 96)
    record(store, clock)
    index_pending(store, old, clock)
    index_pending(store, new, clock)
    assert index_pending(store, old, clock, is_told=True) == len(SAID)
    assert store.read(partial(find_moved, wanted=old.space)) is None
    assert store.read(partial(find_moved, wanted=new.space)) == old.space
    assert index_pending(store, new, clock) == 0


def test_a_model_being_filled_gives_way_to_a_newer_wish(store: Store, clock: FixedClock) -> None:
    old, second, third = (WordEmbedder(name) for name in ("old", "second", "third"))
    record(store, clock)
    index_pending(store, old, clock)
    index_pending(store, second, clock, is_stopped=iter([False, True]).__next__)
    store.write(lambda tx: tx.vectors.ensure_space("test", stored_name("third"), 64, clock.now()))
    assert index_pending(store, second, clock) == 0
    assert store.read(partial(has_backlog, wanted=old.space)) is False
    record(store, clock)
    assert index_pending(store, old, clock) == len(SAID)  # in use until the third is complete
    assert index_pending(store, third, clock) == 2 * len(SAID)
    assert index_pending(store, old, clock) == 0
