"""The model behind the gate: it finds what tells apart, and says how likely a score is right."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hermes.bench.logistic import Held, fit_model, rising

HELD = Held(signs=0.1, meaning=0.1, rarest=2)


def test_a_sign_and_a_dimension_that_tell_apart_get_the_weight() -> None:
    rows = [{"good", "noise"}, {"good"}, {"bad", "noise"}, {"bad"}] * 5
    vectors = np.array([[1.0, 0.0], [1.0, 1.0], [-1.0, 0.0], [-1.0, 1.0]] * 5)
    wanted = np.array([1.0, 1.0, 0.0, 0.0] * 5)
    model = fit_model(rows, vectors, wanted=wanted, counts=np.ones(20), held=HELD)
    assert model.signs["good"] > 0 > model.signs["bad"]
    assert abs(model.signs["noise"]) < 1e-3
    assert model.meaning[0] > abs(model.meaning[1]) * 100
    assert ((model.score(rows, vectors) > 0) == (wanted > 0)).all()


def test_a_rare_sign_has_no_weight_and_vectors_may_be_missing() -> None:
    rows = [{"good", "once"}, {"good"}, {"bad"}, {"bad"}]
    wanted = np.array([1.0, 1.0, 0.0, 0.0])
    model = fit_model(rows, np.zeros((4, 0)), wanted=wanted, counts=np.ones(4), held=HELD)
    assert "once" not in model.signs
    assert model.score([{"once"}], np.zeros((1, 0)))[0] == model.bias


def test_what_counts_nothing_teaches_nothing() -> None:
    rows, wanted = [{"a"}, {"a"}, {"a"}, {"b"}, {"b"}], np.array([1.0, 0.0, 0.0, 0.0, 1.0])
    counts = np.array([1.0, 0.0, 0.0, 1.0, 0.0])
    model = fit_model(rows, np.zeros((5, 0)), wanted=wanted, counts=counts, held=HELD)
    assert model.signs["a"] > 0 > model.signs["b"]


@given(st.lists(st.tuples(st.floats(-9, 9), st.booleans()), min_size=1, max_size=60))
def test_the_likelihood_never_falls_and_keeps_the_mean(found: list[tuple[float, bool]]) -> None:
    scores = np.array([score for score, _ in found])
    right = np.array([float(is_right) for _, is_right in found])
    likely = rising(scores, right)
    assert (np.diff(likely[np.argsort(scores, kind="stable")]) >= -1e-9).all()
    assert abs(likely.mean() - right.mean()) < 1e-9
