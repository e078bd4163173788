"""The figures of rankings, worked out by hand."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.bench.retrieval.metrics import haystack_score, macro_ndcg, mean, score


def test_recall_is_the_share_of_what_is_wanted() -> None:
    found = score(["a", "x", "b", "y"], frozenset("abc"))
    assert found.recall[1] == pytest.approx(1 / 3)
    assert found.recall[3] == pytest.approx(2 / 3)
    assert found.recall[50] == pytest.approx(2 / 3)
    assert found.mrr == 1


def test_ndcg_by_hand() -> None:
    found = score(["x", "a", "y", "b"], frozenset("ab"))
    ideal = 1 + 1 / log2(3)
    assert found.ndcg == pytest.approx((1 / log2(3) + 1 / log2(5)) / ideal)
    assert found.mrr == pytest.approx(1 / 2)


def test_nothing_found_scores_nothing() -> None:
    found = score(["x"], frozenset("a"))
    assert (found.recall[50], found.ndcg, found.mrr) == (0, 0, 0)


@given(
    st.lists(st.sampled_from("abcdefgh"), unique=True), st.sets(st.sampled_from("abcd"), min_size=1)
)
def test_figures_lie_between_0_and_1_and_recall_rises(ranked: list[str], wanted: set[str]) -> None:
    found = score(ranked, frozenset(wanted))
    shares = list(found.recall.values())
    assert shares == sorted(shares)
    assert all(0 <= each <= 1 for each in (*shares, found.ndcg, found.mrr))


def test_what_is_ranked_twice_counts_once() -> None:
    found = score(["a", "a", "a", "b"], frozenset("ab"))
    assert found.recall[1] == found.recall[3] - 0.5 == 0.5
    assert found.ndcg == pytest.approx(1)
    own = haystack_score(["a", "a", "x", "b"], frozenset("ab"), 3)
    assert (own.any, own.all) == (1, 1)
    assert own.ndcg == pytest.approx((1 + 1 / log2(3)) / 2)


def test_the_best_ranking_scores_1() -> None:
    found = score(["a", "b", "x"], frozenset("ab"))
    assert found.ndcg == pytest.approx(1)


def test_longmemevals_figures() -> None:
    """Its DCG counts the second place in full: a + b / log2(2) + c / log2(3) …"""
    found = haystack_score(["x", "a", "b"], frozenset("abc"), 3)
    assert (found.any, found.all) == (1, 0)
    assert found.ndcg == pytest.approx((1 + 1 / log2(3)) / (1 + 1 + 1 / log2(3)))
    assert haystack_score(["a", "b", "c"], frozenset("abc"), 3).all == 1
    assert haystack_score(["x", "y"], frozenset("a"), 2).any == 0


def test_means_and_macro() -> None:
    good, bad = score(["a"], frozenset("a")), score(["x"], frozenset("a"))
    assert mean([good, bad]).recall[1] == pytest.approx(0.5)
    assert macro_ndcg({"many": good, "few": bad}) == pytest.approx(0.5)
