"""Many phrases are found in one pass, as each would be by itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.erase.traces import Traces
from hermes.memory.erase.words import Phrases, split_words

WORD = st.sampled_from(["a", "bee", "sea", "Zürich", "東", "京", "42"])
PHRASE = st.lists(WORD, min_size=1, max_size=6).map(lambda words: split_words(" ".join(words)))


@given(st.lists(PHRASE, min_size=1, max_size=5), st.lists(WORD, max_size=20).map(" ".join))
def test_they_are_found_as_one_by_one(phrases: list[tuple[str, ...]], text: str) -> None:
    one_by_one = {phrase for phrase in phrases if Phrases([phrase]).is_in(text)}
    traces = Traces(phrases)
    assert set(traces.list_in(text)) == one_by_one
    assert traces.is_in(text) == bool(one_by_one)
    if one_by_one:
        assert traces.is_in_bytes(text.encode())


@pytest.mark.parametrize(
    ("phrase", "content"),
    [
        ("the key hangs behind the door", b"\x00\x8fendthe KEY hangs,\nbehind the doorNext text"),
        ("behind the door", b"\xffxbehind\xe2\x80\x94the doors\x00"),
        ("xylophonequagmire", b"abcXylophoneQuagmire9"),
        ("Tom", b"\x00Tom\x00"),
        ("ÜBER DEN FLUSS GEHEN", "über den Fluss gehen".encode()),
    ],
)
def test_bytes_hold_texts_wall_to_wall(phrase: str, content: bytes) -> None:
    assert Traces([split_words(phrase)]).is_in_bytes(content)


@pytest.mark.parametrize(
    ("phrase", "content"),
    [("Tom", b"Tomorrow"), ("the key hangs", b"the lost key hangs"), ("one two", b"one three two")],
)
def test_other_words_are_not_taken_for_it(phrase: str, content: bytes) -> None:
    assert not Traces([split_words(phrase)]).is_in_bytes(content)
