"""What is cut off or shouted is not kept as it is."""

import pytest

from hermes.clock import parse_time
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.types import Message, Role

AT = parse_time("2026-04-13T10:00:00Z")


def read(*said: str) -> list[str]:
    """All that is proposed, sure or not."""
    chat = [Message(n, "s", n, AT, Role.USER, text) for n, text in enumerate(said, 1)]
    found = RuleExtractor(judge=lambda each, _: each).extract(chat)
    return [each.text for each in found if each.text]


def test_what_waits_for_a_word_more_is_left() -> None:
    assert read("I always want mails short and without 'I hope this finds you well'.") == []


@pytest.mark.parametrize("asked", ["", "remember that "])
def test_what_only_goes_with_the_words_before_it_is_not_told_of_the_subject(asked: str) -> None:
    found = read(f"{asked}max retries is 8 with exponential backoff, starting at 30s")
    assert not any("is starting" in text for text in found)


def test_what_the_user_is_doing_is_told() -> None:
    assert "User is moving to Ulm in May" in read("moving to Ulm in May")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I AM A VEGETARIAN AND I LIVE IN KIEL", ["User is a vegetarian", "User lives in Kiel"]),
        ("I WORK AT BMW. I HATE MUSHROOMS.", ["User hates mushrooms", "User works at BMW"]),
        ("I use AWS and I live in Ulm", ["User lives in Ulm", "User uses AWS"]),
    ],
)
def test_a_message_in_capitals_is_told_without_them(said: str, told: list[str]) -> None:
    assert sorted(read(said)) == told


def test_remember_at_the_end_is_no_part_of_it() -> None:
    assert read("I'm vegetarian now remember") == ["User is vegetarian"]


@pytest.mark.parametrize(
    ("before", "said", "told"),
    [
        (
            "MIWE econo arrives September 14",
            "we dropped Stainer, flour comes from Weiz now",
            "Flour comes from Weiz",
        ),
        (
            "Olek moves to the platform team when he is back",
            "the macbook went back. editor is still neovim",
            "Editor is still neovim",
        ),
    ],
)
def test_another_message_gives_no_topic_to_what_has_its_own(
    before: str, said: str, told: str
) -> None:
    assert told in read(before, said)


def test_the_two_of_us_are_counted() -> None:
    [told] = [text for text in read("our budget is 6000 euros for the two of us") if "6000" in text]
    assert told.endswith("for the two of them")


@pytest.mark.parametrize(
    "said", ["I work four days a week at a practice in Zeist", "I work at a hospital in Leeds"]
)
def test_where_one_works_is_no_home(said: str) -> None:
    place = said.rsplit(maxsplit=1)[-1]
    assert next(text for text in read(said) if place in text) == f"User works in {place}"


def test_two_sentences_are_not_told_joined_and_each() -> None:
    found = read("Pichler retired. New accountant is Frau Dr. Lehner, same deadline.")
    assert sum("Lehner" in text for text in found) == 1
