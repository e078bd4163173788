"""Word scores: rare words tell, common ones do not, and length counts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.recall.outline import Outline
from hermes.memory.recall.words import Words, rarity, weigh
from hermes.store.base.recall import OutlineRows, WordPostings


def bank(count: int, sizes: list[int] | None = None) -> Outline:
    outline = Outline()
    ids = np.arange(1, count + 1, dtype=np.int64)
    size = np.array(sizes or [50] * count, np.int64)
    outline.add(OutlineRows(ids, ids // 10, ids, np.ones(count, np.int64), size, {}))
    return outline


def posted(word: str, *ids: int, complete: bool = True) -> WordPostings:
    return WordPostings(word, np.array(ids, np.int64), complete)


def best(words: Words) -> int:
    places, scores = words.ranked(100)
    return int(places[np.argmax(scores)]) + 1


def test_the_message_with_more_of_the_question_is_first() -> None:
    words = weigh(bank(100), [posted("heron", 3, 9), posted("canal", 9, 20)])
    assert best(words) == 9


def test_a_rare_word_outweighs_a_common_one() -> None:
    words = weigh(bank(100), [posted("rare", 5), posted("common", *range(10, 35))])
    assert best(words) == 5


def test_of_two_the_shorter_is_first() -> None:
    outline = bank(100, [50] * 3 + [500] + [50] * 96)
    assert best(weigh(outline, [posted("heron", 3, 4)])) == 3


def test_words_in_most_messages_are_left_out() -> None:
    words = weigh(bank(100), [posted("the", *range(1, 90)), posted("heron", 4)])
    assert [term.word for term in words.terms] == ["heron"]


def test_a_word_with_unknown_reach_is_left_out() -> None:
    words = weigh(bank(100), [posted("the", *range(80, 90), complete=False), posted("heron", 4)])
    assert [term.word for term in words.terms] == ["heron"]


def test_common_words_are_better_than_none() -> None:
    words = weigh(bank(100), [posted("the", *range(60, 90), complete=False)])
    assert [term.word for term in words.terms] == ["the"]


def test_a_word_that_stands_nowhere_is_no_term() -> None:
    assert weigh(bank(10), [posted("nowhere")]).terms == ()


@given(st.sets(st.integers(1, 50)), st.sets(st.integers(1, 50)))
def test_presence_is_membership(first: set[int], second: set[int]) -> None:
    words = weigh(bank(200), [posted("a", *sorted(first)), posted("b", *sorted(second))])
    everywhere = np.arange(200, dtype=np.int64)
    for term, row in zip(words.terms, words.presence(everywhere), strict=True):
        wanted = first if term.word == "a" else second
        assert {int(place) + 1 for place in np.flatnonzero(row)} == wanted


def test_the_session_with_the_words_is_first() -> None:
    words = weigh(bank(100), [posted("heron", 31, 33), posted("canal", 35)])
    held = words.held_by_session(np.arange(12))
    assert int(np.argmax(held)) == 3
    assert held[3] == words.gains.sum()
    assert held[11] == 0  # a session that came later


def test_a_word_of_a_small_bank_counts_as_in_a_larger_one() -> None:
    tiny, small = (weigh(bank(count), [posted("heron", 3)]).gains for count in (5, 300))
    large = weigh(bank(3_000), [posted("heron", 3)]).gains
    assert tiny == small < large


def test_what_only_the_message_before_holds() -> None:
    words = weigh(bank(100), [posted("heron", 31, 32), posted("canal", 31)])
    canal = words.gains[[term.word for term in words.terms].index("canal")]
    places, before = np.array([31, 30, 0]), np.array([30, 29, -1])
    assert words.held_only_before(places, before).tolist() == [canal, 0, 0]


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_rarity_is_positive_and_falls(holding: int, of: int) -> None:
    assert rarity(holding, of) > 0
    if holding + 1 <= of:
        assert rarity(holding + 1, of) < rarity(holding, of)
