"""Questions about a year: what is of another year is no answer."""

from collections.abc import Iterator

import pytest
from days import embed_all, say_by_day

from hermes.library import Hermes
from hermes.memory.recall.select import is_only_new
from hermes.types import Kind

SAID = {
    "2024-05-02": "I work at Initech as a tester",
    "2024-08-20": "We went to Crete in August",
    "2025-03-04": "I changed jobs: I now work at Globex as an engineer",
    "2025-06-10": "My manager is Priya",
    "2025-09-10": "We went to Elba in September",
    "2026-02-01": "My manager is Dana now",
    "2026-08-20": "We went to Naxos in August",
    "2026-09-02": "my neighbour Oskar plays the trombone",
    "2026-09-03": "my bike has a flat tyre",
    "2026-09-04": "I have been reading about tides all evening",
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(tmp_path_factory.mktemp("years") / "home") as opened:
        say_by_day(opened, SAID)
        list(opened.app.facts.extract(""))
        embed_all(opened)
        yield opened


def facts(memory: Hermes, task: str) -> dict[str, float]:
    """All facts with how relevant each is told to be."""
    found, _ = memory.app.memory.search(task, bank="default", limit=100, kinds=(Kind.FACT,))
    return {item.text: item.relevance for item in found}


def test_a_fact_of_another_year_is_no_answer(memory: Hermes) -> None:
    told = facts(memory, "did we go to Elba or Crete in 2025")
    assert told["User (with others) went to Elba in September"] > 0.5
    assert told["User (with others) went to Crete in August"] <= 0.5


def test_a_year_that_runs_is_one_as_well(memory: Hermes) -> None:
    told = facts(memory, "did we go to Naxos or Elba in 2026")
    assert told["User (with others) went to Elba in September"] <= 0.5
    assert told["User (with others) went to Naxos in August"] > 0.5


@pytest.mark.parametrize(
    ("task", "answer", "other"),
    [
        ("who was my manager in 2025", "User's manager is Priya", "User's manager is Dana"),
        ("where did I work in 2024", "User works at Initech", "User works at Globex"),
    ],
)
def test_what_held_in_a_year_is_given_as_it_was(
    memory: Hermes, task: str, answer: str, other: str
) -> None:
    told = facts(memory, task)
    assert told[answer] >= 0.9
    assert told[other] <= 0.5


def test_what_was_said_in_a_year_is_given_first(memory: Hermes) -> None:
    found = memory.recall("what happened in 2025").items
    said = [i for i in found if i.kind is Kind.EPISODE and not is_only_new(i, 0.65)]
    assert {item.session_id[:4] for item in said[:3]} == {"2025"}
