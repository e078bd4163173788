"""Ranking: rare words weigh more, and what holds all the words is not missed."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.store import ranking
from hermes.store.base.texts import Postings, TextScope
from hermes.store.ranking import Plan, bm25, count_words, plan, rarity, rescore

ALL = TextScope()


class WordList:
    """An index over texts, split at spaces: what a store gives, without a store."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = dict(enumerate(texts, 1))

    def postings(self, word: str, scope: TextScope, limit: int) -> Postings:
        found = self._holding(word)
        return Postings(found[:limit], len(found), complete=len(found) < limit)

    def postings_all(self, words: Sequence[str], scope: TextScope, limit: int) -> list[int]:
        return [
            i
            for i in self._holding(words[0])
            if all(w in self.tokens(self.texts[i]) for w in words)
        ][:limit]

    def size(self, scope: TextScope) -> tuple[int, int]:
        return len(self.texts), sum(map(len, self.texts.values()))

    def tokens(self, text: str) -> list[str]:
        return text.split()

    def _holding(self, word: str) -> list[int]:
        return [i for i in sorted(self.texts, reverse=True) if word in self.tokens(self.texts[i])]


def best(index: WordList, question: str, keep: int = 10) -> list[int]:
    planned = plan(index, question.split(), ALL, keep)
    scores = rescore(index, {i: index.texts[i] for i in planned.candidates}, planned)
    return sorted(scores, key=lambda i: (-scores[i], -i))


def test_a_rare_word_outweighs_a_common_one() -> None:
    index = WordList([*["common word here"] * 50, "rare word here", *["common word here"] * 50])
    assert best(index, "common rare")[0] == 51


def test_more_of_the_words_is_better_and_repetition_helps_less_and_less() -> None:
    index = WordList(["red", "red house", "red red red red red red", "blue"])
    assert best(index, "red house")[0] == 2
    assert best(index, "red")[0] == 3


def test_a_short_message_beats_a_long_one_that_says_no_more() -> None:
    index = WordList(["key " + "filler " * 200, "the key is here", "nothing " * 20])
    assert best(index, "key") == [2, 1]


def test_of_equals_the_newer_is_planned_first() -> None:
    index = WordList(["same"] * 5)
    assert plan(index, ["same"], ALL, 3).candidates == [5, 4, 3]


def test_an_old_message_with_all_the_common_words_is_not_missed() -> None:
    """It lies beyond the newest postings of each of them."""
    many = ranking.POSTINGS_LIMIT * 2
    index = WordList(["alpha beta", *(("alpha", "beta")[n % 2] for n in range(2 * many))])
    assert plan(index, ["alpha", "beta"], ALL, 5).candidates[0] == 1


def test_no_words_give_no_candidates() -> None:
    planned = plan(WordList(["a"]), [], ALL, 5)
    assert (planned.candidates, planned.words) == ([], [])
    assert plan(WordList([]), ["a"], ALL, 5).candidates == []


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_rarity_is_positive_and_falls(total: int, documents: int) -> None:
    assert rarity(total, documents) > 0
    if total + 1 <= documents:
        assert rarity(total + 1, documents) <= rarity(total, documents)


counts = st.dictionaries(st.sampled_from(["a", "b", "c"]), st.integers(0, 50))


@given(counts, st.integers(0, 10**6), st.floats(0, 1000))
def test_a_score_is_never_negative_and_never_beyond_its_bound(
    found: dict[str, int], chars: int, average: float
) -> None:
    planned = Plan([], {"a": 2.0, "b": 0.5}, average)
    assert 0 <= bm25(found, chars, planned) <= 2.5 * (ranking.K1 + 1)


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("a b a", "a", 2),
        ("a b a b c", "a b", 2),
        ("a b", "b a", 0),
        ("house houses hut", "hous*", 2),
        ("red house red hut", "red h*", 2),
        ("", "a", 0),
        ("a", "a b c", 0),
    ],
)
def test_words_and_phrases_are_counted(text: str, word: str, expected: int) -> None:
    parts = word.removesuffix("*").split()
    assert count_words(text.split(), {word: parts}) == {word: expected}
