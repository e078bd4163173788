"""The material the vector figures are measured with, and the figures on a small history."""

from pathlib import Path

import numpy as np

from hermes.bench.vectors import Mixture, load_material, measure_index
from hermes.embed.base import EmbedderOptions
from hermes.embed.local import open_embedder


def test_a_mixture_is_the_same_every_time() -> None:
    seeds = np.eye(8, 384, dtype=np.float32)
    one, two = Mixture(seeds, 25_000), Mixture(seeds, 25_000)
    sizes = []
    for (first, rows), (again, others) in zip(one, two, strict=True):
        assert first == again
        assert np.array_equal(rows, others)
        assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-4)
        sizes.append(len(rows))
    assert sum(sizes) == 25_000


def test_texts_are_made_up_where_there_are_none(tmp_path: Path) -> None:
    one, two = load_material(None), load_material(tmp_path)
    assert one == two
    assert len(set(one.passages)) > 1_000
    assert one.questions


def test_a_small_history_is_found_as_by_an_exact_scan(tmp_path: Path) -> None:
    embedder = open_embedder(EmbedderOptions())
    material = load_material(None)
    seeds = embedder.embed_passages(material.passages[:64])
    figures = measure_index(tmp_path, embedder, Mixture(seeds, 12_000), material.questions[:20])
    found = {figure.name.split(",")[0]: figure for figure in figures}
    assert found["recall@10 against an exact scan"].value >= 0.99
    assert found["resident memory"].value > 50
