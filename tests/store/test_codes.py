"""Codes of vectors: estimates near the truth, searches that find what an exact scan finds."""

import threading
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes.store.base import Tx
from hermes.store.vectors import nearest
from hermes.store.vectors.chunk import CHUNK, Scope, kinds_of, tag_of
from hermes.store.vectors.coding import Coding, Floats, pack_row, unpack_rows
from hermes.store.vectors.shelf import AskedShelf, Shelf


def unit(rows: Floats) -> Floats:
    scaled: Floats = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def text_like(count: int, dimensions: int = 384, seed: int = 0) -> Floats:
    """Rows as a text model gives them: a common direction, topics, and what is their own."""
    world, random = np.random.default_rng(99), np.random.default_rng(seed)
    common = world.normal(size=dimensions).astype(np.float32)
    topics = world.normal(size=(40, dimensions)).astype(np.float32)
    own = random.standard_normal((count, dimensions), dtype=np.float32)
    return unit(2 * common + topics[random.integers(0, 40, count)] + np.float32(0.8) * own)


def fill(rows: Floats, tags: list[int]) -> Shelf:
    shelf = Shelf(Coding(rows[:2048].mean(axis=0), seed=7))
    items = np.arange(1000, 1000 + len(rows))
    shelf.put(0, shelf.coding.encode(rows), items, np.array(tags, dtype=np.int32))
    return shelf


def ask(shelf: Shelf, query: Floats) -> AskedShelf:
    return shelf.ask(cast(Tx, None), query)  # in memory no store is asked


def estimate(coding: Coding, rows: Floats, query: Floats) -> Floats:
    """The cosines that codes tell, of every row."""
    shelf = Shelf(coding)
    everyone = np.arange(len(rows))
    shelf.put(0, coding.encode(rows), everyone, np.zeros(len(rows), dtype=np.int32))
    return ask(shelf, query).estimate(everyone)


def found_share(shelf: Shelf, rows: Floats, queries: Floats, allowed: np.ndarray) -> float:
    shares = []
    for query in queries:
        scores = np.where(allowed, rows @ query, -9.0)
        truth = np.argsort(-scores)[:10]
        bank = None if allowed.all() else 1
        places, _ = ask(shelf, query).search(Scope(bank), 64)
        shares.append(np.isin(truth, places).mean())
    return float(np.mean(shares))


@pytest.mark.parametrize("dimensions", [16, 64, 384, 1536])
def test_estimates_are_near_the_cosine(dimensions: int) -> None:
    rows = text_like(500, dimensions)
    coding = Coding(rows.mean(axis=0), seed=3)
    query = text_like(1, dimensions, seed=9)[0]
    guessed = estimate(coding, rows, query)
    tolerance = {16: 0.06, 64: 0.02, 384: 0.01, 1536: 0.04}[dimensions]
    assert np.abs(guessed - rows @ query).max() < tolerance


def test_a_rotation_is_the_same_everywhere() -> None:
    mean = np.zeros(384, dtype=np.float32)
    one, two = Coding(mean, seed=5), Coding(mean, seed=5)
    assert np.array_equal(one.rotation, two.rotation)
    assert np.allclose(one.rotation.T @ one.rotation, np.eye(384), atol=1e-4)
    assert not np.array_equal(one.rotation, Coding(mean, seed=6).rotation)


def test_the_mean_itself_has_a_code() -> None:
    mean = np.full(384, 0.05, dtype=np.float32)
    guessed = estimate(Coding(mean, seed=1), mean[None, :], mean)
    assert guessed[0] == pytest.approx(float(mean @ mean), abs=1e-4)


@given(st.integers(0, 10_000), st.integers(0, 3))
def test_a_tag_holds_bank_and_kind(bank: int, kind: int) -> None:
    assert kinds_of(np.array([tag_of(bank, kind)])).tolist() == [kind]
    assert tag_of(bank, kind) != tag_of(bank + 1, kind)


def test_half_precision_keeps_the_cosine() -> None:
    rows = text_like(20)
    again = unpack_rows([pack_row(row) for row in rows], 384)
    assert np.abs(np.einsum("ij,ij->i", rows, again) - 1).max() < 1e-3


@pytest.mark.parametrize("count", [300, 30_000, CHUNK + 99])
def test_search_finds_what_an_exact_scan_finds(count: int) -> None:
    rows = text_like(count)
    shelf = fill(rows, [tag_of(2, 0)] * count)
    queries = text_like(20, seed=1)
    assert found_share(shelf, rows, queries, np.ones(count, dtype=bool)) >= 0.99


@pytest.mark.parametrize("every", [2, 9, 500])
def test_a_bank_of_any_size_loses_nothing(every: int) -> None:
    rows = text_like(CHUNK + 5_000)
    inside = np.arange(len(rows)) % every == 0
    shelf = fill(rows, [tag_of(1 if own else 2, 0) for own in inside])
    assert found_share(shelf, rows, text_like(15, seed=2), inside) >= 0.99


def test_nothing_outside_the_scope_is_found() -> None:
    rows = text_like(4_000)
    shelf = fill(rows, [tag_of(1 + i % 3, i % 2) for i in range(len(rows))])
    places, _ = ask(shelf, rows[0]).search(Scope(bank=2, kinds=(1,)), 5_000)
    assert {(int(place) % 3, int(place) % 2) for place in places} == {(1, 1)}
    assert len(places) == sum(1 for i in range(len(rows)) if i % 3 == 1 and i % 2 == 1)


def test_a_removed_row_is_not_found_again() -> None:
    rows = text_like(3_000)
    shelf = fill(rows, [8] * len(rows))
    shelf.remove(7, 9)
    places, _ = ask(shelf, rows[8]).search(Scope(), 3_000)
    assert len(places) == 2_997
    assert not {7, 8, 9} & set(places.tolist())


def test_rows_come_best_first_with_their_items() -> None:
    rows = text_like(200)
    shelf = fill(rows, [tag_of(1, 2)] * len(rows))
    places, scores = ask(shelf, rows[42]).search(Scope(), 10)
    assert places[0] == 42
    assert (np.diff(scores) <= 0).all()
    assert shelf.items(places)[0] == 1042
    assert shelf.kinds(places).tolist() == [2] * 10


def test_only_given_numbers_are_found_in_any_chunk_but_for_removed_ones() -> None:
    rows = text_like(CHUNK + 3_000)
    shelf = fill(rows, [tag_of(1, 0)] * len(rows))
    wanted = np.array([3, 70, CHUNK - 1, CHUNK, CHUNK + 2_999, CHUNK + 9_000])
    shelf.remove(70, 70)
    for place in (4, CHUNK + 1):
        places, _ = ask(shelf, rows[place]).search(Scope(1, numbers=wanted), 9)
        assert sorted(places.tolist()) == [3, CHUNK - 1, CHUNK, CHUNK + 2_999]
    asked, none = ask(shelf, rows[4]), np.empty(0, np.int64)
    assert asked.search(Scope(1, numbers=none), 9)[0].tolist() == []


def test_an_empty_shelf_finds_nothing() -> None:
    shelf = Shelf(Coding(np.zeros(8, dtype=np.float32), seed=1))
    places, scores = ask(shelf, np.ones(8, dtype=np.float32)).search(Scope(), 5)
    assert len(places) == len(scores) == 0
    assert shelf.memory_bytes == 0


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 3_000), min_size=1, max_size=8), st.integers(0, 200))
def test_rows_put_in_parts_are_the_rows_put_at_once(parts: list[int], skip: int) -> None:
    """Wherever parts begin and end, across blocks and chunks and after a gap."""
    first = CHUNK - 4_000 + skip
    count = sum(parts)
    random = np.random.default_rng(count)
    rows = unit(random.normal(size=(count, 64)).astype(np.float32))
    shelf = Shelf(Coding(rows.mean(axis=0), seed=2))
    start = 0
    for part in parts:
        some = rows[start : start + part]
        tags = np.full(part, 8, dtype=np.int32)
        shelf.put(first + start, shelf.coding.encode(some), np.arange(part), tags)
        start += part
    for place in {0, count // 2, count - 1}:
        places, scores = ask(shelf, rows[place]).search(Scope(), 1)
        assert places.tolist() == [first + place]
        assert scores[0] == pytest.approx(1.0, abs=0.02)


def test_memory_is_stated() -> None:
    rows = text_like(1_000)
    shelf = fill(rows, [8] * 1_000)
    assert shelf.rows == 1_000
    assert shelf.memory_bytes == 1_000 * (48 + 192 + 8 + 12)


def test_two_threads_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = text_like(CHUNK + 5_000)
    shelf = fill(rows, [tag_of(1 + n % 2, 0) for n in range(len(rows))])
    asked = ask(shelf, rows[77])
    for scope in (Scope(), Scope(1)):
        alone = asked.search(scope, 50)
        with monkeypatch.context() as patched:
            patched.setattr(nearest, "SHARED_FROM", 2)
            shared = asked.search(scope, 50)
        assert np.array_equal(alone[0], shared[0])
        assert np.array_equal(alone[1], shared[1])


def test_looking_at_the_best_few_first_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = fill(text_like(30_000), [tag_of(1, 0)] * 30_000)
    for query in text_like(20, seed=3):
        asked = ask(shelf, query)
        few = asked.search(Scope(), 50)
        with monkeypatch.context() as patched:
            patched.setattr(nearest, "LEADING", 30_000)
            assert np.array_equal(asked.search(Scope(), 50)[0], few[0])


def test_a_busy_thread_beside_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "SHARED_FROM", 2)
    rows = text_like(CHUNK + 5_000)
    shelf = fill(rows, [tag_of(1, 0)] * len(rows))
    release = threading.Event()
    blocked = nearest._BESIDE.submit(release.wait, 60)
    places, _ = ask(shelf, rows[77]).search(Scope(), 5)
    release.set()
    assert places[0] == 77
    assert blocked.result()
