"""Snippets: the part of a text that answers, with highlights that lie inside it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.snippet import Snippet, cut_snippet, list_telling
from hermes.store.text import parse_query

WIDTH = 60
anything = st.text(st.characters(exclude_categories=[]), max_size=400)
LONG = "filler words go on and on " * 20


def marked(text: str, query: str, width: int = WIDTH) -> list[str]:
    snippet = cut_snippet(text, parse_query(query), width)
    return [snippet.text[start:end] for start, end in snippet.highlights]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("The red house", "red", ["red"]),
        ("The Red HOUSE", "red house", ["Red", "HOUSE"]),
        ("The red house", '"red house"', ["red house"]),
        ("I was running", "run", ["run"]),
        ("a run a day", "running", ["run"]),
        ("we deployed it", "deploy", ["deployed"]),
        ("many studies", "study", ["studies"]),
        ("to study", "studies", ["study"]),
        ("Le café", "cafe", ["café"]),
        ("Le cafe", "café", ["cafe"]),
        ("use foo_bar.baz here", "foo_bar.baz", ["foo_bar.baz"]),
        ("use foo_bar.baz here", "bar.baz", ["bar.baz"]),
        ("in C++ or c#, say", "c++", ["C++"]),
        ("in C++ or c#, say", "C#", ["c#"]),
        ("what's wrong", "what's", ["what's"]),
        ("東京タワーへ", "東京タワー", ["東京タワー"]),
        ("猫が好き", "猫", ["猫"]),
        ("한국어를 하고", "한국어", ["한국어"]),
        ("ฉันชอบข้าวผัดมาก", "ข้าวผัด", ["ข้าวผัด"]),
        ("إلى علي هنا", "علی", ["علي"]),
        ("Η Αθήνα", "αθηνα", ["Αθήνα"]),
        ("nothing here", "absent", []),
        ("", "absent", []),
        ("scar care", "car", ["car"]),
    ],
)
def test_what_matched_is_marked(text: str, query: str, expected: list[str]) -> None:
    assert marked(text, query) == expected


def test_a_match_far_into_a_text_is_shown() -> None:
    snippet = cut_snippet(LONG + "the needle is here " + LONG, ["needle"], WIDTH)
    assert "needle" in snippet.text
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")
    assert len(snippet.text) <= WIDTH + 2


def test_the_part_with_most_matches_is_shown() -> None:
    text = "red " + LONG + "red house with a red door " + LONG + "house"
    assert marked(text, "red house door") == ["red", "house", "red", "door"]


def test_a_short_text_is_shown_whole_on_one_line() -> None:
    assert cut_snippet("one\ntwo\tthree", ["two"]) == Snippet("one two three", ((4, 7),))


def test_without_a_match_the_beginning_is_shown() -> None:
    assert cut_snippet("begin " + LONG, ["absent"], 10).text == "begin fill…"


@given(anything, anything, st.integers(1, 100))
def test_highlights_lie_inside_in_order_and_apart(text: str, query: str, width: int) -> None:
    snippet = cut_snippet(text, parse_query(query), width)
    assert len(snippet.text) <= width + 2
    edge = 0
    for start, end in snippet.highlights:
        assert edge <= start < end <= len(snippet.text)
        edge = end


@given(anything, st.data())
def test_what_was_asked_for_in_its_own_words_is_marked(text: str, data: st.DataObject) -> None:
    words = [word for word in text.split() if word.isascii() and word.isalnum()]
    if not words:
        return
    word = data.draw(st.sampled_from(words))
    assert cut_snippet(text, parse_query(word), len(text) + 1).highlights


@pytest.mark.parametrize(
    ("query", "telling"),
    [
        ("what is the queue for Atlas", ["queue", "Atlas"]),
        ("The Who", ["The", "Who"]),
        ('"the who" tour', ["the who", "tour"]),
        ("", []),
    ],
)
def test_words_that_only_join_are_not_looked_for(query: str, telling: list[str]) -> None:
    assert list_telling(parse_query(query)) == telling


def test_a_giant_text_is_cut_at_once() -> None:
    text = "سلام دنیا " * 400_000 + "هدف"
    assert marked(text, "هدف") == ["هدف"]
