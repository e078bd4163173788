"""What is held of banks: as they stood at a few times, and nothing that is of no use any more."""

import gc
import weakref
from collections.abc import Callable
from typing import Any, TypeVar, cast

import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import DAY_MS, FixedClock
from hermes.memory.indexing import index_pending
from hermes.memory.recall.banks import PASTS_HELD, BankShelf
from hermes.memory.recall.engine import Engine
from hermes.memory.record import record_turns
from hermes.store.base import Store, Tx
from hermes.store.vectors.index import VectorIndex
from hermes.types import NewSession, Role, Turn, Utterance

Result = TypeVar("Result")
DAYS = 8


@pytest.fixture
def days(store: Store, clock: FixedClock) -> list[int]:
    """The times of what was said, one thing a day, the oldest first."""
    days = [clock.now() - (DAYS - n) * DAY_MS for n in range(DAYS)]
    for day in days:
        say(store, day)
    index_pending(store, WordEmbedder(), clock)
    return days


def say(store: Store, at: int) -> None:
    said = Utterance(Role.USER, "the cabin has a new door", at)
    record_turns(store, [Turn(NewSession(id="s"), (said,))], at)


def test_the_last_times_asked_of_are_laid_out_once(store: Store, days: list[int]) -> None:
    shelf = BankShelf(VectorIndex())

    def read(tx: Tx) -> None:
        first, *others = (shelf.open(tx, "default", day) for day in days[:PASTS_HELD])
        assert shelf.open(tx, "default", days[0]) is first
        shelf.open(tx, "default", days[PASTS_HELD])
        assert shelf.open(tx, "default", days[0]) is first
        assert shelf.open(tx, "default", days[1]) is not others[0]
        assert len(shelf.open(tx, "default").pasts) == PASTS_HELD

    store.read(read)


def test_what_a_question_opened_is_given_again_while_it_is_so(
    store: Store, days: list[int], clock: FixedClock
) -> None:
    shelf = BankShelf(VectorIndex())
    opened = store.read(lambda tx: shelf.open(tx, "default", days[0]))
    for day in days[1:]:
        store.read(lambda tx, day=day: shelf.open(tx, "default", day))  # type: ignore[misc]
    assert store.read(lambda tx: shelf.open(tx, "default", days[0], opened)) is opened
    say(store, days[0])
    later = store.read(lambda tx: shelf.open(tx, "default", days[0], opened))
    assert (opened.outline.count, later.outline.count) == (1, 2)
    index_pending(store, WordEmbedder("other"), clock, is_told=True)
    assert store.read(lambda tx: shelf.open(tx, "default", days[0], later)) is not later


def test_the_whole_bank_is_no_past_of_a_later_one(store: Store, days: list[int]) -> None:
    shelf = BankShelf(VectorIndex())
    opened = store.read(lambda tx: shelf.open(tx, "default", days[-1]))
    say(store, days[-1] + 1)
    later = store.read(lambda tx: shelf.open(tx, "default", days[-1], opened))
    assert later.outline.count == DAYS


def test_vectors_of_another_model_are_given_back(
    store: Store, days: list[int], clock: FixedClock
) -> None:
    shelf = BankShelf(VectorIndex())
    past = store.read(lambda tx: shelf.open(tx, "default", days[0]))
    assert past.vectors.shelf is not None
    old = weakref.ref(past.vectors.shelf)
    del past
    index_pending(store, WordEmbedder("other"), clock, is_told=True)
    assert not store.read(lambda tx: shelf.open(tx, "default")).pasts
    gc.collect()
    assert old() is None


class Seen:
    """Something of which is noted what is asked of it; `recall` of it can fail."""

    def __init__(self, seen: Any, notes: list[str], *, fails: bool = False) -> None:
        self._seen, self._notes, self._fails = seen, notes, fails

    def __getattr__(self, name: str) -> Any:
        self._notes.append(name)
        if name == "recall":
            if self._fails:
                raise OSError("cut off")
            return Seen(self._seen.recall, self._notes)
        return getattr(self._seen, name)


def test_one_that_could_not_be_read_to_the_end_is_not_held(store: Store, days: list[int]) -> None:
    shelf = BankShelf(VectorIndex())
    store.read(lambda tx: shelf.open(tx, "default"))

    def fail(tx: Tx) -> None:
        with pytest.raises(OSError, match="cut off"):
            shelf.open(cast(Tx, Seen(tx, [], fails=True)), "default", days[0])

    store.read(fail)
    assert not store.read(lambda tx: shelf.open(tx, "default")).pasts


class Between:
    """A store in which something happens after every read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.notes: list[str] = []
        self.then: Callable[[], object] = lambda: None

    def read(self, read: Callable[[Tx], Result]) -> Result:
        found = self._store.read(lambda tx: read(cast(Tx, Seen(tx, self.notes))))
        then, self.then = self.then, lambda: None
        then()
        return found


def test_questions_of_other_days_meanwhile_cost_one_nothing(store: Store, days: list[int]) -> None:
    between = Between(store)
    engine = Engine(cast(Store, between), FixedClock("2026-06-01"))
    engine.search("the cabin", bank="default", as_of=days[0])
    between.notes.clear()
    engine.search("the cabin", bank="default", as_of=days[0])
    asked = between.notes.count("postings")

    def ask_of_others() -> None:
        for day in days[1:-1]:
            engine.search("the cabin", bank="default", as_of=day)
        between.notes.clear()

    engine.search("the cabin", bank="default", as_of=days[0])
    between.then = ask_of_others
    engine.search("the cabin", bank="default", as_of=days[0])
    engine.close()
    assert (asked, between.notes.count("postings")) == (1, 0)
