"""Directions to a story that was asked for."""

from pathlib import Path

import pytest

from hermes.library import Hermes
from hermes.memory.indexing import index_pending
from hermes.memory.recall.caveats import MADE_UP, MADE_UP_NOTE
from hermes.memory.recall.fiction import is_made_up
from hermes.types import Role, Utterance

STORY = "Write me a short story about a baker called Magnus."


@pytest.mark.parametrize(
    "text",
    [
        "haha make him have a glass eye and a dog named Snorri",
        "Give Magnus a glass eye",
        "now let the hero lose his dog",
        "Continue!",
        "another chapter, please, with a dog",
        "Could you make it funnier?",
        "He should have a dog called Rex",
        "give the baker a dog",
    ],
)
def test_a_direction_belongs_to_the_story(text: str) -> None:
    assert is_made_up(text, [STORY], by_user=True)
    assert is_made_up(text, ["make him old", STORY], by_user=True)
    assert not is_made_up(text, [], by_user=True)
    assert not is_made_up(text, ["My dog is ill.", STORY], by_user=True)
    assert is_made_up("Magnus had a dog.", [text, STORY], by_user=False)


@pytest.mark.parametrize(
    "text",
    [
        "I have a dog named Biscuit",
        "Give Anna a call at nine",
        "Give him a call tomorrow",
        "Let me know when it is done",
        "Make the deploy script run on Fridays",
        "Continue with the migration of the shop",
        "Thanks. We got a dog today.",
        "Have the plumber come on Monday",
    ],
)
def test_what_comes_after_a_story_may_be_of_life(text: str) -> None:
    assert not is_made_up(text, [STORY], by_user=True)


@pytest.mark.parametrize("asked", ["Write a poem for my wife, who turned 40", "Write an e-mail"])
def test_what_is_not_made_up_is_not_by_directions(asked: str) -> None:
    assert not is_made_up("make her sound younger than 40", [asked], by_user=True)


def test_later_turns_of_a_story_say_that_they_are_of_one(tmp_path: Path) -> None:
    said = [STORY, *(f"make him sell loaf number {n}" for n in range(6)), "Give Magnus a dog"]
    with Hermes(tmp_path / "home") as memory:
        memory.record([Utterance(Role.USER, "Hello there, some talk first.", 1)], session="s")
        for n, text in enumerate(said):
            answered = Utterance(Role.ASSISTANT, f"Magnus, {n}.", 2_000 * n + 1_000)
            memory.record([Utterance(Role.USER, text, 2_000 * n), answered], session="s")
        for n in range(4):
            memory.record([Utterance(Role.USER, f"The bus was late, {n}.", 10**6 + n)])
        app = memory.app
        assert app.embedder is not None
        index_pending(app.store, app.embedder, app.clock)
        found = next(i for i in memory.search("do I have a dog") if i.text == "Give Magnus a dog")
        assert found.note == MADE_UP_NOTE
        assert found.relevance <= MADE_UP
        assert found.text not in [item.text for item in memory.recall("do I have a dog").items]
