"""Whether the best message of a question shows that it is answered."""

import numpy as np
import pytest

from hermes.memory.recall.fuse import FEWEST, doublings, leads, load_weights


@pytest.mark.parametrize("with_meaning", [True, False])
def test_the_best_message_is_likely_where_it_scores_like_an_answer(with_meaning: bool) -> None:
    weights = load_weights(with_meaning=with_meaning)
    far_ahead = np.array([9.0, 30.0, 8.0], np.float32)
    assert weights.find_likely(far_ahead) == 1
    assert weights.find_likely(np.array([10.0, 9.9, 9.8], np.float32)) is None
    assert weights.find_likely(np.array([], np.float32)) is None


def test_what_is_likelier_an_answer_than_not_is_no_matter_of_doubt() -> None:
    """Far ahead of the next, though it scores no more than others do that answer nothing."""
    weights = load_weights(with_meaning=True)
    ahead, level = np.array([14.8, 9.4], np.float32), np.array([14.8, 14.6], np.float32)
    assert weights.find_likely(ahead) == 0
    assert weights.find_likely(level) is None


@pytest.mark.parametrize("with_meaning", [True, False])
def test_said_twice_a_thing_is_as_sure_as_said_once(with_meaning: bool) -> None:
    weights = load_weights(with_meaning=with_meaning)
    once = np.array([18.0, 9.0], np.float32)
    twice, repeats = np.array([18.0, 18.0, 9.0], np.float32), np.array([False, True, False])
    assert weights.relevance(twice, repeats)[0] == weights.relevance(once)[0]
    assert weights.find_likely(twice, repeats) == 0
    assert weights.relevance(twice)[0] < weights.relevance(once)[0]  # two that say different things


def test_where_all_others_repeat_the_best_it_has_no_rival() -> None:
    scores = np.array([5.0, 5.0, 4.0], np.float32)
    assert leads(scores, np.array([False, True, True])).tolist() == [0.0, 0.0, -1.0]


@pytest.mark.parametrize("with_meaning", [True, False])
@pytest.mark.parametrize("messages", [1, 2_000, 1_000_000])
def test_a_score_is_as_much_less_sure_as_the_bank_is_larger(
    with_meaning: bool, messages: int
) -> None:
    weights = load_weights(with_meaning=with_meaning)
    assert weights.by_size > 0
    scores = np.linspace(40, -5, 30).astype(np.float32)
    more = np.float32(weights.by_size * doublings(messages))
    sized = weights.for_bank(messages)
    assert sized.chance(scores + more) == pytest.approx(weights.chance(scores), abs=1e-4)
    assert (sized.worth(scores) == weights.worth(scores)).all()  # and no less is given
    assert sized.follows == weights.follows


def test_all_banks_of_few_messages_are_alike() -> None:
    weights = load_weights(with_meaning=True)
    assert weights.for_bank(0) == weights.for_bank(FEWEST)
