"""What `fact add` gives is swallowed by nothing that says something else, and known only once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes import Hermes
from hermes.app.facts import NewFact
from hermes.memory.facts.decide import Verdict
from hermes.memory.facts.given import Kept, Revision
from hermes.memory.facts.listing import FactQuery


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Hermes]:
    with Hermes(tmp_path, settings={"memory.embeddings.provider": "none"}) as opened:
        yield opened


def second(memory: Hermes, *texts: str) -> Kept:
    return [memory.app.facts.add(NewFact(text)) for text in texts][-1]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("My first name is Anna", "My last name is Berg"),
        ("My middle name is Lou", "My first name is Anna"),
        ("My brother lives in Oslo", "My other brother lives in Oslo"),
        ("My older sister is a nurse", "My younger sister is a lawyer"),
        ("My flight is on 3 June", "My return flight is on 17 June"),
        ("The old API is on port 8080", "The new API is on port 9090"),
        ("My birthday is on 4 May", "I was born in 1988"),
        ("My mother's name is Rosa", "My mother in law's name is Inge"),
        ("We use Redis for the cache", "We use Redis for the queue"),
        ("My work laptop is a ThinkPad", "My home laptop is a MacBook"),
        ("My old manager is Ruth", "My manager is Sven"),
        ("User uses tabs for indentation in Go", "User uses spaces for indentation in Go"),
        (
            "The key for the staging server is kept in the vault of Petra",
            "The key for the production server is kept in the vault of Petra",
        ),
        (
            "The deploy script for the billing service runs every night on server otter",
            "The deploy script for the billing service runs every night on server badger",
        ),
    ],
)
def test_another_thing_stands_beside_what_is_known(memory: Hermes, first: str, then: str) -> None:
    kept = second(memory, first, then)
    assert (kept.verdict, kept.others) == (Verdict.ADD, ())


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("User has a dog called bruno", "User has a dog named Bruno"),
        ("User's favourite colour is green", "User's favorite color is green"),
        ("My favourite colour is green", "User's favorite color is green"),
        ("My favourite colour is green", "my favorite color is green"),
        ("User's timezone is Europe/Berlin", "User's time zone is Europe/Berlin"),
        ("User organises the meetup", "User organizes the meetup."),
        ("User has two cats", "User has 2 cats"),
        ("My birthday is 4 May 1988", "My birthday is 4 May"),
        ("User's manager is Anna Berg", "User's manager is Anna"),
    ],
)
def test_the_same_in_another_spelling_is_one_fact(memory: Hermes, first: str, then: str) -> None:
    assert second(memory, first, then).verdict is Verdict.MERGE


def test_a_new_york_is_no_york(memory: Hermes) -> None:
    kept = second(memory, "User lives in New York", "User lives in York")
    assert kept.verdict is Verdict.SUPERSEDE


def test_an_edit_to_the_words_of_another_fact_makes_one_of_two(memory: Hermes) -> None:
    facts = memory.app.facts
    second(memory, "User has a dog called Bruno", "User has a dog called Brno")
    facts.revise("2", Revision(), text="User has a dog called bruno")
    assert [fact.number for fact in facts.list(FactQuery())] == [2]
    assert facts.restore("1").text == "User has a dog called Bruno"


def test_an_edit_to_other_words_leaves_the_rest_alone(memory: Hermes) -> None:
    facts = memory.app.facts
    second(memory, "User has a dog called Bruno", "User has a dog called Brno")
    facts.revise("2", Revision(), text="User has a dog called Luna")
    assert sorted(fact.number for fact in facts.list(FactQuery())) == [1, 2]
