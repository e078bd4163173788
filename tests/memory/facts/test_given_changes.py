"""A change that is given by hand closes what it changes, and nothing about another thing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes import Hermes
from hermes.app.facts import NewFact
from hermes.memory.facts.decide import Verdict

KNOWN = """\
User is vegetarian
User's car is a Golf
User uses vim
User lives in Leeds
User works at Kestrel Labs
Our standup is at 9:30
Our retro is on Thursdays
Billing is Farah's
Onboarding is Farah's
We use Jenkins for CI
Releases go out on Fridays
We meet the client on Fridays
The backups run at 2am
Our team lead is Henrik
Petra owns the search service
Petra owns the mail service
Nadia does the invoices
We decided to use MongoDB
We use Redis for the cache
We use Redis for the queue
The office wifi is called Koala""".splitlines()


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Hermes]:
    with Hermes(tmp_path, settings={"memory.embeddings.provider": "none"}) as opened:
        for text in KNOWN:
            opened.app.facts.add(NewFact(text))
        yield opened


@pytest.mark.parametrize(
    ("told", "closed"),
    [
        ("I am no longer vegetarian", "User is vegetarian"),
        ("User is no longer vegetarian", "User is vegetarian"),
        ("I switched from vim to helix", "User uses vim"),
        ("We moved the standup to 10", "Our standup is at 9:30"),
        ("Billing is Luca's now", "Billing is Farah's"),
        ("Mina is our team lead now", "Our team lead is Henrik"),
        ("Jonas took over the search service", "Petra owns the search service"),
        ("Invoices are handled by Piotr now", "Nadia does the invoices"),
        ("Invoices is Piotr's now", "Nadia does the invoices"),
        ("We decided against MongoDB", "We decided to use MongoDB"),
        ("We moved the queue from Redis to NATS", "We use Redis for the queue"),
        ("Sold the Golf, driving a Model 3 now", "User's car is a Golf"),
        ("We replaced Jenkins with GitHub Actions", "We use Jenkins for CI"),
        ("Releases go out on Tuesdays from now on", "Releases go out on Fridays"),
        ("The backups run at 4am now", "The backups run at 2am"),
        ("The office wifi is no longer called Koala", "The office wifi is called Koala"),
    ],
)
def test_a_change_closes_what_it_changes(memory: Hermes, told: str, closed: str) -> None:
    kept = memory.app.facts.add(NewFact(told))
    assert kept.verdict is Verdict.SUPERSEDE
    assert [fact.text for fact in kept.others] == [closed]


def test_the_words_of_a_person_stay_as_they_were_given(memory: Hermes) -> None:
    kept = memory.app.facts.add(NewFact("Sold the Golf, driving a Model 3 now"))
    assert kept.fact is not None
    assert kept.fact.text == "Sold the Golf, driving a Model 3 now"


@pytest.mark.parametrize(
    "told",
    [
        "User's sister is no longer vegetarian",
        "We moved the demo to 10",
        "Shipping is Luca's now",
        "The nightly report runs at 4am now",
    ],
)
def test_a_change_of_another_thing_closes_nothing(memory: Hermes, told: str) -> None:
    kept = memory.app.facts.add(NewFact(told))
    assert (kept.verdict, kept.others) == (Verdict.ADD, ())
