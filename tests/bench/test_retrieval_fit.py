"""Fitting the fusion: what tells answers apart gets weight, and the threshold keeps its share."""

import numpy as np
import pytest

from hermes.bench.fit_fusion import KEEPS, THRESHOLD, Sample, calibrate, fit
from hermes.memory.recall.features import FEATURES
from hermes.memory.recall.fuse import load_weights, parse_weights


def samples(count: int = 40) -> list[Sample]:
    """Twenty candidates a question; `near` and `time` tell the answer, `held` is noise."""
    random = np.random.default_rng(1)
    made = []
    for _ in range(count):
        columns = random.normal(size=(20, len(FEATURES)))
        columns[:, FEATURES.index("role")] = 0
        columns[0, FEATURES.index("near")] += 3
        columns[0, FEATURES.index("time")] += 1
        made.append(Sample(0, "any", columns, tuple("abcdefghijklmnopqrst"), frozenset("a")))
    return made


def test_weights_follow_what_tells() -> None:
    weights = dict(zip(FEATURES, fit(samples()), strict=True))
    assert weights["near"] > weights["time"] > 0.2
    assert weights["near"] > 3 * abs(weights["held"])
    assert weights["role"] == 0
    assert all(weight >= 0 for name, weight in weights.items() if not name.startswith("near_"))


def test_the_threshold_keeps_its_share_of_answers() -> None:
    given = samples(200)
    weights = fit(given)
    line = calibrate(given, weights)
    named = dict(zip(FEATURES, weights.tolist(), strict=True))
    fitted = parse_weights({"weights": named, "relevance": line})
    answers = np.array([float(each.columns[0] @ weights) for each in given], np.float32)
    kept = float((fitted.relevance(answers) >= THRESHOLD).mean())
    assert kept == pytest.approx(KEEPS, abs=0.02)


@pytest.mark.parametrize("with_meaning", [True, False])
def test_shipped_weights_name_every_feature(with_meaning: bool) -> None:
    weights = load_weights(with_meaning=with_meaning)
    assert len(weights.values) == len(FEATURES)
    nearness = weights.values[: FEATURES.index("held")]
    assert bool(np.any(nearness)) is with_meaning
    rising = weights.relevance(np.linspace(-50, 50, 9, dtype=np.float32))
    assert (np.diff(rising) >= 0).all()
    assert 0 <= rising[0] < rising[-1] <= 1
