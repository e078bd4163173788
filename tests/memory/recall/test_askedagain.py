"""A question of the user's own is no answer to the same question."""

from pathlib import Path

import pytest
from days import embed_all

from hermes.clock import parse_time
from hermes.library import Hermes
from hermes.memory.recall.askedagain import only_asks
from hermes.types import Role, Utterance

AGAIN = "what do we eat on Thursdays"
FISH = "we eat fish on Thursdays and pizza on Fridays"


def _tell(memory: Hermes, *said: str) -> None:
    for n, text in enumerate(said):
        at = parse_time("2026-10-05T09:00:00Z") + n * 60_000
        memory.record([Utterance(Role.USER, text, at)], session="s")
    embed_all(memory)


def test_what_states_something_goes_before_the_question(tmp_path: Path) -> None:
    with Hermes(tmp_path / "home") as memory:
        _tell(memory, FISH, "the boiler man comes on Tuesday", AGAIN, "y", "any idea for tonight?")
        texts = [item.text for item in memory.search(AGAIN)]
        assert texts[0] == FISH
        assert texts.index(AGAIN) < texts.index("y")


def test_a_question_alone_is_told_as_no_answer(tmp_path: Path) -> None:
    with Hermes(tmp_path / "home") as memory:
        _tell(memory, "the boiler man comes on Tuesday", AGAIN, "y")
        recalled = memory.recall(AGAIN)
        assert "None of it surely answers the task." in recalled.context()
        asked = memory.recall("what did I ask you about Thursdays?").items
        assert asked[0].text == AGAIN


@pytest.mark.parametrize(
    ("text", "is_question"),
    [
        (AGAIN, True),
        ("do you remember my dentist?", True),
        ("Hey, where do I live? And who is my boss?", True),
        ("my passport expires in January 2027, is that a problem?", False),
        ("my sister said she's pregnant?! not sure if she was joking", False),
        ("did I tell you we moved to Leeds?", False),
        ("do you know I'm a nurse?", False),
        ("what would you name it? pigeon-dlq or pigeon-dead-letters", False),
        ("What a day! The CI was red for hours.", False),
        ("fish on Thursdays", False),
    ],
)
def test_a_message_that_states_something_is_no_mere_question(text: str, is_question: bool) -> None:
    assert only_asks(text) is is_question


def test_a_diary_that_had_something_asks_nothing() -> None:
    assert not only_asks("Had a first look at the bakery, with Oskar")
    assert only_asks("have I told you about the bakery?")
    assert only_asks("Has Oskar called")
