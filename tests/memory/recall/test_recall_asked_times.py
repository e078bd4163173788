"""Questions with a time that an event names: what lies in it is given, in an order that reads."""

from collections.abc import Iterator

import pytest
from days import embed_all, say_by_day

from hermes.clock import parse_time
from hermes.library import Hermes
from hermes.memory.recall.select import is_only_new
from hermes.types import Kind

LOGO = "we picked the blue logo for Atlas"
SAID = {
    "2026-09-15": "I have been reading about tides all evening",
    "2026-09-20": LOGO,
    "2026-09-25": "The launch of Atlas is on 2 October 2026",
    "2026-10-05": "the launch went fine, 300 people signed up",
    "2026-10-12": "We hired Mara as support lead for Atlas",
    "2026-10-20": "my bike has a flat tyre",
    "2026-11-02": "my neighbour Oskar plays the trombone",
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(tmp_path_factory.mktemp("times") / "home") as opened:
        say_by_day(opened, SAID)
        list(opened.app.facts.extract(""))
        embed_all(opened)
        yield opened


def test_what_was_said_before_an_event_is_given(memory: Hermes) -> None:
    found = memory.recall("what did we choose before the launch")
    bearing = [item for item in found.items if not is_only_new(item, 0.65)]
    assert LOGO in [item.text for item in bearing]
    assert any("blue logo" in item.text for item in bearing if item.kind is Kind.FACT)
    later = parse_time("2026-10-03T00:00:00Z")
    assert all(item.at < later for item in bearing if item.kind is Kind.EPISODE)


def test_a_time_before_an_event_in_which_much_was_said_is_not_silent(memory: Hermes) -> None:
    assert not memory.recall("what happened before the launch").trace.reason


@pytest.mark.parametrize("task", ["after the launch of Atlas", "what did we do before the launch"])
def test_the_order_agrees_with_the_relevance_told(memory: Hermes, task: str) -> None:
    found = memory.recall(task)
    told = [round(i.relevance, 2) for i in found.items if not is_only_new(i, 0.65)]
    assert len(told) > 2
    assert told == sorted(told, reverse=True)
