"""Dictionaries are numbered on and on: a number is never used again."""

import pytest

from hermes.store.codec import PLAIN, TextCodec, dictionary_of


@pytest.mark.parametrize("number", [1, 255, 256, 65_535])
def test_any_number_comes_back(number: int) -> None:
    asked: list[int] = []

    def load(wanted: int) -> bytes:
        asked.append(wanted)
        return PLAIN

    text = "Could you please check whether the file is there, and let me know? " * 3
    stored = TextCodec(load).encode(text, number)
    assert isinstance(stored, bytes)
    assert dictionary_of(stored) == number
    assert TextCodec(load).decode(stored) == text
    assert set(asked) == {number}
