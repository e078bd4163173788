"""What holds only at times, or only in part, is told so, and leaves room for what holds else."""

import pytest

from hermes.clock import parse_time
from hermes.memory.facts.clauses.reader import read_text

AT = parse_time("2026-03-02T09:00:00Z")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I'm a barista on weekends.", "User is a barista on weekends"),
        ("I work at Acme on weekends.", "User works at Acme on weekends"),
        ("I work part-time at Kruste.", "User works part-time at Kruste"),
        ("I work as a waiter in the evenings.", "User works as a waiter in the evenings"),
        ("During the week I live in Hamburg.", "User lives in Hamburg, during the week"),
        ("I live in Malaga in winter.", "User lives in Malaga in winter"),
        ("I'm vegan on weekdays.", "User is vegan on weekdays"),
        ("I eat fish when I visit my parents.", "User eats fish when they visit their parents"),
        ("When I travel, I use a Chromebook.", "User uses a Chromebook when they travel"),
    ],
)
def test_a_limit_is_told_and_the_value_is_not_the_only_one(text: str, told: str) -> None:
    [read] = read_text(text, AT)
    assert read.text == told
    assert not read.single


@pytest.mark.parametrize("text", ["I also work at Bosch.", "I work at Bosch too."])
def test_what_is_told_beside_another_is_not_the_only_one(text: str) -> None:
    assert [each.single for each in read_text(text, AT)] == [False]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I'm a nurse.", "User is a nurse"),
        ("I live in Leeds now.", "User lives in Leeds"),
        ("I moved to York in summer.", "User lives in York"),
        ("I work at Siemens as an analyst.", "User works at Siemens"),
    ],
)
def test_what_holds_always_is_the_only_one(text: str, told: str) -> None:
    assert (told, True) in [(each.text, each.single) for each in read_text(text, AT)]


@pytest.mark.parametrize("text", ["when I travel I use a Chromebook", "I'm with Vodafone."])
def test_half_of_it_is_not_read(text: str) -> None:
    assert read_text(text, AT) == []
