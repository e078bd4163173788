"""What nearness is measured against: the bank's own messages, the same for whoever measures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixed_embedder import WordEmbedder
from hermes.clock import DAY_MS, FixedClock
from hermes.memory.indexing import index_pending
from hermes.memory.recall.banks import BankShelf
from hermes.memory.recall.bankvectors import (
    SAMPLE,
    TYPICAL_COUNTS_AS,
    Background,
    BankVectors,
    sample_of,
    so_many,
)
from hermes.memory.record import record_turns
from hermes.store.base import Store
from hermes.store.vectors.index import VectorIndex
from hermes.types import NewSession, Role, Turn, Utterance

WORDS = "engine garden window letter recipe money night tomatoes harbour violin ledger".split()


def say(store: Store, clock: FixedClock, number: int, *, at: int | None = None) -> None:
    text = f"{WORDS[number % len(WORDS)]} {WORDS[number * 7 % 5]} {number}"
    said = Utterance(Role.USER, text, clock.now() if at is None else at)
    record_turns(store, [Turn(NewSession(id="s"), (said,))], clock.now())
    index_pending(store, WordEmbedder(), clock)


def open_vectors(store: Store, shelf: BankShelf, as_of: int | None = None) -> BankVectors:
    return store.read(lambda tx: shelf.open(tx, "default", as_of).vectors)


def check_same(one: Background | None, other: Background | None) -> None:
    assert one is not None and other is not None
    assert one.messages == other.messages
    assert one.scatter == pytest.approx(other.scatter)
    assert one.mean == pytest.approx(other.mean, abs=1e-6)


@given(st.integers(0, 10**7))
def test_most_messages_are_measured_and_seldom_anew(count: int) -> None:
    measured = so_many(count)
    assert measured <= count <= measured + measured // 8
    assert so_many(measured) == measured <= so_many(count + 1)


@given(st.lists(st.integers(1, 64), max_size=400))
def test_a_sample_is_of_all_parts_of_the_messages(parts: list[int]) -> None:
    firsts = np.cumsum([3, *(each + 2 for each in parts)])[: len(parts)].astype(np.int64)
    sample = sample_of(firsts, np.array(parts, np.int64)).tolist()
    known = [
        int(first) + n for first, count in zip(firsts, parts, strict=True) for n in range(count)
    ]
    assert len(sample) == len(set(sample)) == min(SAMPLE, len(known))
    assert set(sample) <= set(known)
    assert not known or (sample[0], sample[-1]) == (known[0], known[-1])


def test_a_small_bank_counts_little_beside_what_is_typical() -> None:
    mean = np.array([1.0, 0.0], np.float32)
    query = np.array([0.5, 0.5], np.float32)
    centres = [Background(mean, 0.03, n, 0.8).centre(query) for n in (0, 1, 50, 10**6)]
    assert centres[0] == 0.8
    assert centres == sorted(centres, reverse=True)
    assert centres[1] == pytest.approx(0.8, abs=0.3 / TYPICAL_COUNTS_AS)
    assert centres[-1] == pytest.approx(0.5, abs=1e-3)
    assert Background(mean, 0.1, 1).centre(query) == 0.5


def test_who_was_asked_all_along_measures_what_others_do(store: Store, clock: FixedClock) -> None:
    index = VectorIndex()
    going_on = BankShelf(index)
    for number in range(70):
        say(store, clock, number)
        background = open_vectors(store, going_on).background
        assert background is not None and background.messages == so_many(number + 1)
    check_same(background, open_vectors(store, BankShelf(VectorIndex())).background)


def test_as_of_a_day_only_what_was_said_by_then_is_measured(
    store: Store, clock: FixedClock
) -> None:
    day = clock.now() - DAY_MS
    for number in range(33):
        say(store, clock, number, at=day - number)
    then = open_vectors(store, BankShelf(VectorIndex())).background
    say(store, clock, 40)
    say(store, clock, 41, at=day + 1)
    check_same(open_vectors(store, BankShelf(VectorIndex()), as_of=day).background, then)


def test_what_was_said_later_and_recorded_first_is_not_measured(
    store: Store, clock: FixedClock
) -> None:
    day = clock.now() - DAY_MS
    say(store, clock, 40)  # of all messages the first 32 are measured, and of those of the day
    for number in range(32):
        say(store, clock, number, at=day - number)
    then = open_vectors(store, BankShelf(VectorIndex()), as_of=day).background
    now = open_vectors(store, BankShelf(VectorIndex())).background
    assert then is not None and now is not None
    assert then.messages == now.messages
    assert np.abs(then.mean - now.mean).max() > 1e-3
