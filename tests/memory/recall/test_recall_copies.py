"""Copies of a message take no other's place."""

import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.memory.indexing import index_pending
from hermes.memory.recall.copies import LONG_CHARS, SPARE, count_wanted, fold
from hermes.memory.recall.engine import Engine, RecallOptions
from hermes.store.base import Store
from hermes.types import Kind
from talk import keep, turn

QUOTA = 2 * RecallOptions().top_k


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Remember the milk.", "  remember THE   milk "),
        ('"Straße!"', "STRASSE"),
        ("?!", " ?! "),
    ],
)
def test_case_blanks_and_marks_at_the_ends_make_no_difference(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("10.5", "105"), ("?", "!"), ("a" * (LONG_CHARS + 1), "A" * (LONG_CHARS + 1)), ("a b", "ab")],
)
def test_what_may_mean_something_else_is_no_copy(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    ("texts", "newest", "wanted"),
    [
        ("a b c d e", "", 3),
        ("a a b c d", "", 4),
        ("a a a a a", "", 5),
        ("a b c d e", "a", 4),
        ("a b", "", 2),
        ("", "", 0),
    ],
)
def test_as_many_are_had_as_leave_the_wanted(texts: str, newest: str, wanted: int) -> None:
    said = texts.split()
    assert count_wanted(said, [text not in newest.split() for text in said], 3) == wanted


def recall_texts(store: Store, clock: FixedClock, options: RecallOptions) -> list[str]:
    embedder = WordEmbedder()
    index_pending(store, embedder, clock)
    engine = Engine(store, clock, embedder=embedder, options=options)
    recalled = engine.recall("who likes milk", bank="default")
    engine.close()
    return [item.text for item in recalled.items if item.kind is Kind.EPISODE]


def test_copies_and_the_newest_leave_room_for_the_quota(store: Store, clock: FixedClock) -> None:
    names = [f"{letter * 3} likes milk" for letter in "abcdefghijklmn"]
    keep(store, *(turn(text, session=text[0]) for text in [*names, f"{names[-1]}!"]))
    every = RecallOptions(recency_episodes=0, min_relevance=0)
    assert len(recall_texts(store, clock, every)) == QUOTA
    with_newest = recall_texts(store, clock, RecallOptions(recency_episodes=2, min_relevance=0))
    assert QUOTA < len(with_newest) <= QUOTA + SPARE
