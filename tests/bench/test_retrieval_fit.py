"""Fitting the fusion: what tells answers apart gets weight, and the threshold keeps its share."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hermes.bench.fit_fusion import fit
from hermes.bench.fit_relevance import Source, fit_relevance, report
from hermes.bench.retrieval.calibration import (
    KEEPS,
    OPENS,
    THRESHOLD,
    Judged,
    fit_chances,
    fit_doors,
    fit_size,
    reliability,
    strays,
)
from hermes.bench.retrieval.dataset import Case, Question, Said, Talk
from hermes.bench.retrieval.samples import Sample
from hermes.bench.retrieval.workbench import open_workbench
from hermes.memory.recall.features import FEATURES
from hermes.memory.recall.fuse import Weights, leads, load_weights, parse_weights

NOTHING = np.zeros(len(FEATURES), np.float32)


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


def test_the_doors_keep_their_shares() -> None:
    asked = [*_questions(800, answered=True, seed=2), *_questions(400, answered=False, seed=3)]
    doors = fit_doors({"only": asked})
    fitted = Weights(NOTHING, doors["slope"], doors["middle"], doors["follows"])
    best = [each.best() for each in asked]
    first = np.array([each.scores[0] for each in best if each.hits[:10].any()], np.float32)
    answers = np.concatenate([each.scores[:10][each.hits[:10]] for each in best])
    assert float((fitted.worth(first) >= THRESHOLD).mean()) == pytest.approx(OPENS, abs=0.01)
    assert float((answers >= fitted.follows).mean()) == pytest.approx(KEEPS, abs=0.01)


def test_a_small_part_counts_like_a_large_one() -> None:
    many = _questions(2_000, answered=True, seed=6)
    few = [Judged(each.scores - 5, each.hits) for each in _questions(50, answered=True, seed=7)]
    low, mixed = fit_doors({"few": few}), fit_doors({"many": many, "few": few})
    assert mixed["follows"] < low["follows"] + 1


def test_where_the_best_bears_on_it_others_are_given_for_less() -> None:
    weights = Weights(NOTHING, 1.0, 10.0, 6.0, (-8.0, 0.0, 1.0))
    strong = weights.relevance(np.array([20.0, 7.0, 5.0], np.float32)).tolist()
    weak = weights.relevance(np.array([10.0, 7.0, 5.0], np.float32)).tolist()
    assert [told >= THRESHOLD for told in strong] == [True, True, False]
    assert [told >= THRESHOLD for told in weak] == [False, False, False]


def test_the_report_counts_what_is_lost_and_what_is_given_for_nothing() -> None:
    weights = Weights(NOTHING, 1.0, 10.0, 6.0, (-8.0, 0.0, 1.0))
    hits = np.array([True, False, True])
    judged = [
        Judged(np.array([20.0, 7.0, 5.0]), hits),
        Judged(np.array([9.0, 8.0, 7.0]), hits),
        Judged(np.array([12.0, 7.0]), np.zeros(2, np.bool_), is_answered=False),
    ]
    first, given, sure, *_ = report("some", judged, weights)
    assert first == "some: of 4 answers within ten 1 given; never said: 1 asked"
    assert (given, sure) == ("  given 2.0, nothing for 0%", "  told at 0.70 or more: 0")


def test_of_locomo_conversations_are_held_out_and_of_the_others_questions() -> None:
    sample = Sample(5, "any", np.zeros((0, len(FEATURES))), (), frozenset(), "q2")
    assert not Source("locomo", (), ()).is_fitted_on(sample)
    assert Source("lives", (), ()).is_fitted_on(sample)


def test_relevance_is_fitted_as_one_table() -> None:
    asked = {"only": _questions(200, answered=True, seed=8)}
    named = dict.fromkeys(FEATURES, 0.0)
    fitted = parse_weights({"weights": named, "relevance": fit_relevance(asked)})
    assert fitted.follows <= fitted.middle + 10
    assert fitted.chances[1] > 0


@pytest.mark.parametrize("with_meaning", [True, False])
def test_shipped_weights_name_every_feature(with_meaning: bool) -> None:
    weights = load_weights(with_meaning=with_meaning)
    assert len(weights.values) == len(FEATURES)
    nearness = weights.values[: FEATURES.index("held")]
    assert bool(np.any(nearness)) is with_meaning
    rising = weights.relevance(np.linspace(-50, 50, 9, dtype=np.float32))
    assert (np.diff(rising) >= 0).all()
    assert 0 <= rising[0] < rising[-1] <= 1


def _questions(count: int, *, answered: bool, seed: int) -> list[Judged]:
    """Scores of twenty messages; the answer, if there is one, is ahead by two on average."""
    random = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        scores, hits = random.normal(10, 1, 20), np.zeros(20, np.bool_)
        if answered:
            scores[0], hits[0] = 12 + random.normal(), True
        made.append(Judged(scores, hits))
    return made


def _told(line: dict[str, float], questions: list[Judged]) -> list[tuple[float, int, float, float]]:
    chances = (line["base"], line["by_score"], line["by_lead"])
    weights = Weights(NOTHING, 1.0, 8.0, 8.0, chances)
    told = [weights.relevance(each.scores.astype(np.float32)).astype(float) for each in questions]
    return reliability(np.concatenate(told), np.concatenate([each.hits for each in questions]))


def test_what_is_said_to_be_likely_is_right_so_often() -> None:
    asked = [*_questions(800, answered=True, seed=2), *_questions(400, answered=False, seed=3)]
    unseen = [*_questions(800, answered=True, seed=4), *_questions(400, answered=False, seed=5)]
    rows = _told(fit_chances(asked), unseen)
    sure = [row for row in rows if row[0] >= 0.7]
    assert sum(row[1] for row in sure) > 100
    assert all(right == pytest.approx(told, abs=0.1) for _, _, told, right in sure)


def test_how_much_less_a_score_says_in_a_larger_bank_is_found_again() -> None:
    """Every score rises by 1.5 with each doubling, whatever it is of."""
    parts = {}
    for size in (-1.0, 0.0, 3.0):
        unsaid = _questions(300, answered=False, seed=7)
        asked = [
            *_questions(300, answered=True, seed=6),
            *(replace(each, is_answered=False) for each in unsaid),
        ]
        parts[str(size)] = [
            replace(each, scores=each.scores + 1.5 * size, size=size) for each in asked
        ]
    found = fit_size(parts)
    assert found == pytest.approx(1.5, abs=0.001)
    levelled = [each.levelled(1.5).scores for each in parts["3.0"]]
    assert np.allclose(levelled, [each.levelled(1.5).scores for each in parts["-1.0"]])


def test_leads_tell_the_first_from_the_next() -> None:
    found = leads(np.array([3.0, 9.0, 7.0], np.float32)).tolist()
    assert found == [-6.0, 2.0, -2.0]
    assert leads(np.array([5.0], np.float32)).tolist() == [0.0]
    assert leads(np.array([5.0, 5.0], np.float32)).tolist() == [0.0, 0.0]


def test_strays_ask_a_bank_of_what_was_said_elsewhere() -> None:
    cases = [
        Case(
            name,
            (Talk("s", (Said("a", "hi", 1, speaker=first), Said("b", "ho", 2, speaker=second))),),
            (Question("1", f"Where did {first} meet {second}?", "any", 9, frozenset("a")),),
        )
        for name, first, second in (("one", "Ann", "Bob"), ("two", "Bob", "Cleo"))
    ]
    asked = strays(cases)
    assert [case.name for case in asked] == ["one", "two"]
    assert [case.questions[0].text for case in asked] == [
        "Where did Ann meet Bob?",
        "Where did Bob meet Cleo?",
    ]
    assert not any(case.questions[0].evidence for case in asked)


def test_a_fit_that_was_stopped_goes_on_with_what_it_recorded(tmp_path: Path) -> None:
    case = Case("c", (Talk("t", (Said("k", "The heron fishes.", 1_000),)),), ())
    keys = []
    for _ in range(2):
        with open_workbench(tmp_path, None) as bench:
            bench.record_once([case], tmp_path)
            keys.append(bench.keys)
            assert bench.store.status().counts["messages"] == 1
    assert keys[0] == keys[1]
    assert list(keys[0]["c"].values()) == ["k"]
