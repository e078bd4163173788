"""What came in the place of what was replaced: brought up where that is asked about, only there."""

from collections.abc import Iterator

import pytest
from days import embed_all, say_by_day

from hermes.library import Hermes
from hermes.memory.recall.result import Item

SHOES = "I run 3x a week, mon wed sat. knees are fine since I switched to Hokas"
BAKERY = (
    "Hi, I'm Carla, I run a small bakery in Graz, six employees. I need help with emails mostly."
)
ACCOUNTANT = "My accountant is Herr Pichler, he needs all invoices by the 5th of each month."
SAID = {
    "2026-06-01": BAKERY,
    "2026-06-02": ACCOUNTANT,
    "2026-07-13": "Pichler retired. My accountant is Frau Dr. Lehner now.",
    "2026-09-01": SHOES,
    "2026-10-12": "and the Hokas are dead, on Brooks Ghost now",
    "2026-10-13": "My name is Carlotta, not Carla.",
    "2026-10-14": "the coffee machine on our floor is broken again",
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(tmp_path_factory.mktemp("succession") / "home") as opened:
        say_by_day(opened, SAID)
        list(opened.app.facts.extract(""))
        embed_all(opened)
        yield opened


def _given(memory: Hermes, task: str) -> list[Item]:
    return [item for item in memory.recall(task).items if item.relevance]


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("how often do I run?", SHOES),
        ("how many employees do I have?", BAKERY),
        ("when does the accountant need the invoices?", ACCOUNTANT),
    ],
)
def test_who_asks_for_the_rest_of_a_message_gets_no_successor_first(
    memory: Hermes, task: str, said: str
) -> None:
    given = _given(memory, task)
    assert not given[0].note.startswith("in place of")
    own = next(item for item in given if item.text == said)
    assert "no longer so" in own.note


@pytest.mark.parametrize(
    ("task", "now"), [("who is my accountant?", "Lehner"), ("what is my name?", "Carlotta")]
)
def test_who_asks_for_what_was_replaced_gets_what_is(memory: Hermes, task: str, now: str) -> None:
    first = _given(memory, task)[0]
    assert now in first.text
    assert first.note.startswith("in place of")


def test_a_message_tells_what_came_instead_where_that_is_not_given(memory: Hermes) -> None:
    given = _given(memory, "how often do I run?")
    own = next(item for item in given if item.text == SHOES)
    if not any("Brooks" in item.text for item in given):
        assert "Brooks Ghost" in own.note
