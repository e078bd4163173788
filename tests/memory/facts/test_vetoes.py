"""Readings that their own words prove wrong are left; what sounds like them still is read."""

import pytest

from hermes.clock import parse_time
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.types import Message, Role

AT = parse_time("2026-03-02T09:00:00Z")


def read(*said: str) -> list[str]:
    """All that is proposed, sure or not: the gate lets everything through."""
    messages = [Message(n, "s", n, AT, Role.USER, text) for n, text in enumerate(said, 1)]
    found = RuleExtractor(judge=lambda each, _: each).extract(messages)
    return [each.text for each in found if each.text]


@pytest.mark.parametrize(
    "text",
    [
        "They use Snowflake and dbt",
        "I look for it every summer",
        "maxmemory is 2gb i think, policy allkeys-lru",
        "I'm forty three no forty four next week",
        "my sister Anna sorry Hannah lives in Leeds",
        "I booked the ferry for the 9th of July. Or was it the 10th.",
        "my favourite colour is beige said nobody ever",
        "as of today Oyelaran is our new CEO",
        "today's standup is at 11 because of the fire drill",
        "what if I told you that I live in a castle and my only friend is a bat named Gerald",
        "Is it true that my brother lives in Leeds",
        "The heroine, Elif, is a surgeon in Izmir",
    ],
)
def test_what_points_at_nothing_or_is_taken_back_is_left(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Dave's left. Went to work for his brother in law in Leeds.", "User went"),
        ("Milo comes in late on Thursday. Teacher is Mrs. Akande.", "User's teacher"),
        ("The neighbour has a dog called Bruno. Barks all day.", "User's dog"),
        ("I'm basically Gordon Ramsay when it comes to toast", "User's name"),
        ("my name is uh Trevor with a T", "User's name is Uh"),
    ],
)
def test_what_is_anothers_or_said_in_jest_is_not_the_users(text: str, wrong: str) -> None:
    assert not [each for each in read(text) if each.startswith(wrong)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My teacher is Mrs. Akande", "User's teacher is Mrs. Akande"),
        ("As of today our office is in Leeds", "User's team's office is in Leeds"),
        ("Is it weird that my brother lives in Leeds", "User's brother lives in Leeds"),
        ("What if it rains? My brother lives in Leeds", "User's brother lives in Leeds"),
        ("My novel's publisher is Harrow & Finch", "User's novel's publisher is Harrow"),
        ("We have a dog called Bruno", "User's dog is Bruno"),
        ("my boss is Ingrid, no wait, Solveig", "User's boss is Solveig"),
        ("The prod cluster is in Frankfurt, don't move it", "The prod cluster is in Frankfurt"),
        ("I type with the left hand only now so sorry for short messages", "User types"),
        ("I'm Gordon Ramsay from Leeds", "User's name is Gordon Ramsay"),
    ],
)
def test_what_sounds_like_it_is_still_read(text: str, told: str) -> None:
    assert any(each.startswith(told) for each in read(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "In august we have factory holiday, 3rd to 21st",
            "User has factory holiday, 3rd to 21st, in august",
        ),
        ("at home the router is a fritzbox 7590", "The router is a fritzbox 7590, at home"),
        ("our flaky test rate is 6 %", "User's team's flaky test rate is 6 %"),
        ("Kieran's passed his AM2", "Kieran has passed his AM2"),
        ("Kieran's married", "Kieran is married"),
    ],
)
def test_nothing_of_what_was_said_is_lost(text: str, told: str) -> None:
    assert told in read(text)
