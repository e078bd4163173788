"""Relevance: between 0 and 1, rising, and the same for models whose cosines lie elsewhere."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.embed.base import EmbedderOptions
from hermes.embed.calibrate import BUNDLED, Scale, measure_scale
from hermes.embed.local import open_embedder

SCALES = st.builds(Scale, st.floats(-0.9, 0.9), st.floats(0.0, 0.5))


@given(SCALES, st.floats(-1, 1), st.floats(-1, 1))
def test_relevance_rises_with_the_cosine(scale: Scale, one: float, two: float) -> None:
    low, high = sorted((one, two))
    assert 0 <= scale.relevance(low) <= scale.relevance(high) <= 1


@given(st.floats(-0.5, 0.9), st.floats(0.01, 0.3), st.floats(0.01, 0.99))
def test_a_threshold_can_be_asked_for_as_a_cosine(
    centre: float, scatter: float, relevance: float
) -> None:
    scale = Scale(centre, scatter)
    assert scale.relevance(scale.cosine(relevance)) == pytest.approx(relevance, abs=1e-6)


@given(st.floats(-0.5, 0.5), st.floats(0.1, 1.5), st.floats(-3, 5))
def test_models_with_other_cosines_mean_the_same(shift: float, stretch: float, at: float) -> None:
    noise = random.Random(5)
    unrelated = [noise.gauss(0.1, 0.08) for _ in range(2_000)]
    one = measure_scale(unrelated)
    two = measure_scale([shift + stretch * each for each in unrelated])
    cosine = one.centre + at * one.scatter
    expected = one.relevance(cosine)
    assert two.relevance(shift + stretch * cosine) == pytest.approx(expected, abs=1e-6)


def test_a_few_related_pairs_do_not_move_the_scale() -> None:
    noise = random.Random(6)
    unrelated = [noise.gauss(0.1, 0.08) for _ in range(2_000)]
    clean, mixed = measure_scale(unrelated), measure_scale(unrelated + [0.9] * 40)
    assert mixed.centre == pytest.approx(clean.centre, abs=0.01)
    assert mixed.scatter == pytest.approx(clean.scatter, abs=0.01)


def test_nothing_measured_is_taken_as_the_bundled_model() -> None:
    assert measure_scale([]) == BUNDLED
    assert measure_scale([0.3, 0.3]).relevance(0.3) < 0.2


def test_the_bundled_model_tells_answers_from_the_rest() -> None:
    embedder = open_embedder(EmbedderOptions())
    question = embedder.embed_queries(["Which dog did Alice adopt?"])[0]
    texts = ["Alice: I adopted a dog called Rex!", "Bob: The budget meeting is at nine."]
    answer, other = (embedder.embed_passages(texts) @ question).tolist()
    assert BUNDLED.relevance(answer) > 0.9
    assert BUNDLED.relevance(other) < 0.4
