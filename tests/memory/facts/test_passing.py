"""What is over as soon as it is said is left; what sounds like it and lasts is kept."""

import pytest

from hermes.clock import parse_time
from hermes.memory.facts.clauses.passing import is_passing
from hermes.memory.facts.clauses.reader import RuleExtractor, propose
from hermes.memory.sample import load_sample
from hermes.types import Message

AT = parse_time("2025-10-20T09:00:00Z")


@pytest.mark.parametrize(
    "text",
    [
        "First day: Atlas 1,912 km, Jonas 1,884 km.",
        "Overtime: Atlas 0 minutes, Jonas 35 minutes.",
        "Measured: 6 min 40 s in total, 3.1 GB of memory at the peak.",
        "The plan is 6 % longer than Jonas'.",
        "All 14 depots are live since 5:00.",
        "Beta is live in Halle since 5:00 this morning.",
        "Every van is back before 16:00.",
        "I'm on this train since three hours.",
        "I went bouldering on Saturday and my left wrist hurts.",
        "Jonas offered to keep planning by hand for four weeks in parallel.",
        "Changed to 01:30 UTC.",
        "Overtime: Atlas 12 minutes, Jonas 35 minutes; first day: 1,912 km and 1,884 km.",
    ],
)
def test_what_is_over_as_soon_as_it_is_said_is_left(text: str) -> None:
    found = propose(text, AT)
    assert found and all(is_passing(each) for each in found)


def test_a_label_that_is_a_clause_is_none() -> None:
    [read] = propose("Versioned in path: /v1/plans", AT)
    assert (read.text, read.attribute) == ("Versioned in path: /v1/plans", "said")


def test_the_answer_to_how_it_went_is_left() -> None:
    found = propose("The schools rule.", AT, question="Better than the beta. What changed?")
    assert found and all(is_passing(each) for each in found)


@pytest.mark.parametrize(
    "text",
    [
        "My database is PostgreSQL 16.",
        "The backup runs at 02:00 UTC every night.",
        "We moved from VS Code to Helix.",
        "repo: github.com/osprey/core",
        "I live in Oslo since May.",
        "Q3 goals: p95 under 300 ms on search, churn below 2.5 %.",
    ],
)
def test_what_lasts_is_kept(text: str) -> None:
    found = propose(text, AT)
    assert found and not any(is_passing(each) for each in found)


def test_the_sample_gives_no_result_of_a_day() -> None:
    messages = [
        Message(n, "s", 1, told.at or AT, told.role, told.text)
        for n, told in enumerate(m for turn in load_sample() for m in turn.messages)
    ]
    facts = " ".join(each.text for each in RuleExtractor().extract(messages))
    for junk in ("1,912 km", "35 minutes", "6 min 40", "since 5:00", "What changed", "wrist"):
        assert junk not in facts
