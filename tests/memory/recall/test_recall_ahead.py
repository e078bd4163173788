"""Questions about a time ahead: what is planned or due then is given, and nothing of other days."""

from collections.abc import Iterator

import pytest
from days import embed_all, say_by_day

from hermes.clock import to_datetime
from hermes.library import Hermes
from hermes.memory.recall.result import Item
from hermes.memory.recall.select import is_only_new
from hermes.types import Kind

AS_OF = "2026-11-18"  # a Wednesday
COUNCIL = "Next Tuesday I meet the council about the playground"
HIKING = "we will go hiking in the Harz this weekend with Mara"
OPERA = "On Saturday the 21st we have tickets for the opera"
BOARD = "The board meeting is next Tuesday, and the slides are due on Monday"
TAX = "The tax report is due on 24 November 2026"
DENTIST = "my dentist appointment is on 26 November at 10"
SAID = {
    "2026-10-20": TAX,
    "2026-11-02": DENTIST,
    "2026-11-05": "I have been reading about tides all evening",
    "2026-11-10": COUNCIL,
    "2026-11-12": HIKING,
    "2026-11-13": "my neighbour Oskar plays the trombone",
    "2026-11-14": OPERA,
    "2026-11-16": "my bike has a flat tyre",
    "2026-11-17": BOARD,
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(tmp_path_factory.mktemp("ahead") / "home") as opened:
        say_by_day(opened, SAID)
        list(opened.app.facts.extract(""))
        embed_all(opened)
        yield opened


def bearing(memory: Hermes, task: str) -> list[Item]:
    """What is given because it bears on the task, not because it is new."""
    found = memory.recall(task, as_of=AS_OF).items
    return [item for item in found if not is_only_new(item, 0.65)]


def said(items: list[Item]) -> set[str]:
    return {item.text for item in items if item.kind is Kind.EPISODE}


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("what do I have next Tuesday", {BOARD, TAX}),
        ("what is due on Tuesday", {BOARD, TAX}),
        ("this weekend", {OPERA}),
        ("do I have plans for the weekend?", {OPERA}),
        ("what am I doing next week?", {BOARD, TAX, DENTIST}),
        ("what is coming up", {BOARD, TAX, DENTIST, OPERA}),
        ("what do I have on 26 November in the morning", {DENTIST}),
        ("what do I have on Friday", set()),
    ],
)
def test_what_is_planned_for_a_time_ahead_is_given(
    memory: Hermes, task: str, expected: set[str]
) -> None:
    assert said(bearing(memory, task)) == expected


def test_a_fact_that_is_due_then_is_given_and_one_of_another_day_is_not(memory: Hermes) -> None:
    facts = [i for i in bearing(memory, "what is due next Tuesday") if i.kind is Kind.FACT]
    assert len(facts) == 2
    assert all("(due 2026-11-24)" in fact.text for fact in facts)


def test_a_fact_is_dated_when_it_was_told_and_not_when_it_is_due(memory: Hermes) -> None:
    (fact,) = (i for i in bearing(memory, "tax report") if i.kind is Kind.FACT)
    assert to_datetime(fact.at).date().isoformat() == "2026-10-20"


def test_what_was_in_a_week_that_runs_leaves_out_what_is_to_come(memory: Hermes) -> None:
    was = said(bearing(memory, "what did I do this week"))
    assert COUNCIL in was
    assert SAID["2026-11-16"] in was
    assert OPERA not in was


def test_where_more_is_asked_for_than_a_time_it_goes_first(memory: Hermes) -> None:
    found = bearing(memory, "who plays the trombone next week")
    assert "trombone" in found[0].text


def test_a_question_of_the_past_is_answered_by_what_was_said_then(memory: Hermes) -> None:
    was = said(bearing(memory, "what did I say on Tuesday"))
    assert BOARD in was
    assert TAX not in was


def test_a_fact_recorded_later_counts_from_when_it_was_told(memory: Hermes) -> None:
    found = memory.recall("what is coming up", as_of="2026-11-03").items
    facts = [item for item in found if item.kind is Kind.FACT]
    assert len(facts) == 2
    assert all("temporal" in {way.by for way in fact.found} for fact in facts)
