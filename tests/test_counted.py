"""Counts in words."""

import re
from pathlib import Path

import pytest

from hermes import counted
from hermes.counted import many, many_of, plural, singular


@pytest.mark.parametrize("word", ["fact", "entity", "day", "summary", "other home", "fact text"])
def test_one_and_many_lead_to_each_other(word: str) -> None:
    assert singular(plural(word)) == word
    assert many(1, word) == f"1 {word}"
    assert many(2_000, word) == f"2,000 {plural(word)}"


def test_counts_by_name_are_told_each_in_its_number() -> None:
    assert many_of({"facts": 1, "entities": 1, "messages": 0, "days": 2}) == (
        "1 fact, 1 entity, 0 messages, 2 days"
    )
    assert many_of({}) == ""


def test_nothing_is_counted_in_words_by_hand() -> None:
    by_hand = re.compile(
        r"""["']s["'] \*|["']["'] if \w+ == 1 else ["']s["']|else \w+ \+ ["']s["']"""
    )
    source = Path(counted.__file__).parent
    places = {
        path.relative_to(source) for path in source.rglob("*.py") if path.name != "counted.py"
    }
    assert len(places) > 500
    assert [str(each) for each in places if by_hand.search((source / each).read_text())] == []
