"""Rotations: orthonormal, the same everywhere, quickly made for long vectors, and as good."""

from typing import cast

import numpy as np
import pytest

from hermes.store.base import Tx
from hermes.store.base.vectors import new_seed
from hermes.store.vectors.chunk import Scope
from hermes.store.vectors.coding import Coding, Floats
from hermes.store.vectors.rotation import make_rotation
from hermes.store.vectors.shelf import Shelf

LONG = 1_536


def unit(rows: Floats) -> Floats:
    scaled: Floats = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def mixed(count: int, dimensions: int, seed: int) -> Floats:
    """Rows of two topics each and some noise, a few dimensions far larger than the rest."""
    world, random = np.random.default_rng(99), np.random.default_rng(seed)
    sizes = np.where(np.arange(dimensions) % 97 == 0, 6, 1).astype(np.float32)
    topics = world.standard_normal((300, dimensions), dtype=np.float32) * sizes
    pairs = topics[random.integers(0, 300, count)] + topics[random.integers(0, 300, count)]
    return unit(pairs + random.standard_normal((count, dimensions), dtype=np.float32) * sizes)


@pytest.mark.parametrize("dimensions", [513, 640, 1000, 1024, 1025, 1536])
def test_a_fast_rotation_turns_and_mixes(dimensions: int) -> None:
    coded = min(dimensions, 1_024)
    turn = make_rotation(dimensions, coded, ~7)
    assert np.abs(turn.T @ turn - np.eye(coded)).max() < 1e-4
    assert np.abs(turn).max() * dimensions**0.5 < 12, "no number of a vector stays by itself"
    assert np.array_equal(turn, make_rotation(dimensions, coded, ~7))
    assert not np.array_equal(turn, make_rotation(dimensions, coded, ~8))


def test_bases_are_added_where_more_is_coded_than_there_is() -> None:
    turn = make_rotation(1_000, 1_024, ~7)
    assert turn.shape == (1_000, 1_024)
    assert np.abs(np.linalg.norm(turn, axis=0) - 1).max() < 1e-4


def test_short_vectors_are_turned_as_ever_and_long_ones_anew() -> None:
    assert new_seed(384) == new_seed(512) >= 0
    assert new_seed(513) == ~new_seed(384)


def test_a_rotation_of_384_is_what_it_was() -> None:
    random = np.random.Generator(np.random.PCG64(5))
    basis, upper = np.linalg.qr(random.standard_normal((384, 384)))
    before = (basis * np.sign(np.diag(upper))).astype(np.float32)
    assert make_rotation(384, 384, 5).tobytes() == before.tobytes()


def test_of_long_vectors_what_is_nearest_is_found() -> None:
    rows, asked = mixed(6_000, LONG, 1), mixed(40, LONG, 2)
    coding = Coding(rows[:2048].mean(axis=0), seed=new_seed(LONG))
    shelf = Shelf(coding)
    tags = np.zeros(len(rows), dtype=np.int32)
    shelf.put(0, coding.encode(rows), np.arange(len(rows)), tags)
    shares = []
    for query in asked:
        truth = np.argsort(-(rows @ query))[:10]
        places, _ = shelf.ask(cast(Tx, None), query).search(Scope(None), 64)
        shares.append(np.isin(truth, places).mean())
    assert np.mean(shares) >= 0.99
