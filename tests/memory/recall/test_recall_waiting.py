"""What is recalled before imported facts about the user are approved, and what replaced what."""

from collections.abc import Iterator

import pytest
from days import embed_all, say_by_day

from hermes.clock import parse_time
from hermes.library import Hermes
from hermes.memory.facts.listing import FactQuery
from hermes.memory.recall.result import Item
from hermes.types import Origin

LEEDS = "I live in Leeds, in a flat by the canal"
BRISTOL = "I moved to Bristol last week"
CAD = "I use AutoCAD for the floor plans"
APRIL = parse_time("2026-04-01")
SAID = {
    "2026-03-01": LEEDS,
    "2026-03-04": CAD,
    "2026-05-10": "I dropped AutoCAD and switched to FreeCAD for everything",
    "2026-07-12": BRISTOL,
    "2026-07-20": "my bike has a flat tyre",
    "2026-09-02": "the oven is broken again",
    "2026-09-03": "what is a good wine for fish",
    "2026-09-04": "please draw a plan of the garden",
}


@pytest.fixture
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(tmp_path_factory.mktemp("waiting") / "home") as opened:
        say_by_day(opened, SAID, origin=Origin.IMPORT)
        list(opened.app.facts.extract(""))
        embed_all(opened)
        yield opened


def _recall(memory: Hermes, task: str) -> list[Item]:
    return list(memory.recall(task).items)


def test_the_message_of_a_held_fact_stands_in_for_it(memory: Hermes) -> None:
    assert "User lives in Bristol" in [held.text for held in memory.app.pending.list()]
    newer, older, *_ = given = _recall(memory, "where do I live")
    assert (newer.text, older.text) == (BRISTOL, LEEDS)
    assert older.note == f'no longer so since 2026-07-12: "{LEEDS}", see {newer.ref}'
    assert not any(item.held for item in given)


def test_what_was_refused_outdates_nothing(memory: Hermes) -> None:
    for held in memory.app.pending.list():
        memory.app.pending.reject(f"held:{held.id}")
    first, *_ = _recall(memory, "where do I live")
    assert (first.text, first.note) == (LEEDS, "")


def test_what_came_in_the_place_of_what_was_dropped_is_first(memory: Hermes) -> None:
    for held in memory.app.pending.list():
        memory.app.pending.approve(f"held:{held.id}")
    first, *others = _recall(memory, "which CAD software do I use")
    assert first.text == "User switched to FreeCAD for everything"
    assert first.note.startswith("in place of")
    old = next(item for item in others if item.text == CAD)
    assert f"see {first.ref}" in old.note


def _decide(memory: Hermes, refused: str) -> None:
    for held in memory.app.pending.list():
        decide = memory.app.pending.reject if refused in held.text else memory.app.pending.approve
        decide(f"held:{held.id}")


def test_what_was_refused_is_told_nowhere(memory: Hermes) -> None:
    """Not as what the approved came in the place of, nor as what was so on some day."""
    _decide(memory, "Leeds")
    recalled = memory.recall("where do I live")
    assert "User lives in Bristol" in [item.text for item in recalled.items]
    assert not any("in place of" in i.note and "Leeds" in i.note for i in recalled.items)
    assert not any(i.note for i in recalled.items if i.text == LEEDS)
    facts = memory.app.facts
    for query in (
        FactQuery(as_of=APRIL),
        FactQuery(as_of=APRIL, believed_on=memory.app.clock.now()),
    ):
        texts = [fact.text for fact in facts.list(query, 100)]
        assert not [text for text in texts if "Leeds" in text]
        assert [text for text in texts if "AutoCAD" in text]


def test_what_waits_is_told_in_the_words_of_its_message(memory: Hermes) -> None:
    for held in memory.app.pending.list():
        if "Bristol" in held.text:
            memory.app.pending.approve(f"held:{held.id}")
    recalled = memory.recall("where do I live")
    assert recalled.items[0].text == "User lives in Bristol"
    assert "User lives in Leeds" not in recalled.context()
    old = next(item for item in recalled.items if item.text == LEEDS)
    assert old.note.startswith("no longer so")
