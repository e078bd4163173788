"""Carrying out a verdict: nothing known disappears, and every step can be taken back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.clock import DAY_MS, parse_time
from hermes.errors import Conflict
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.decide import Verdict
from hermes.memory.facts.ledger import reopen, settle
from hermes.memory.facts.rules.extractor import RuleExtractor
from hermes.types import Fact, Message, Role

MONDAY = parse_time("2026-01-05T09:00:00Z")


def read(*texts: str) -> list[Candidate]:
    chat = [
        Message(number, "s", number, MONDAY + number * DAY_MS, Role.USER, text)
        for number, text in enumerate(texts, start=1)
    ]
    return RuleExtractor().extract(chat)


def believed(facts: list[Fact]) -> list[str]:
    return [fact.value for fact in facts if fact.superseded_by is None and not fact.ended]


def test_a_move_closes_the_old_address_and_keeps_it() -> None:
    facts, _ = settle(read("I live in Leeds", "I live in York now"))
    leeds, york = facts
    assert (leeds.superseded_by, leeds.valid_to) == (york.id, MONDAY + 2 * DAY_MS)
    assert york.superseded_by is None


def test_repeating_adds_a_source_not_a_fact() -> None:
    (fact,), decisions = settle([*read("I live in Leeds"), *read("noise", "i live in leeds")])
    assert [decision.verdict for decision in decisions] == [Verdict.ADD, Verdict.MERGE]
    assert [source.quote for source in fact.sources] == ["I live in Leeds", "i live in leeds"]


def test_a_long_life_ends_in_what_is_true() -> None:
    facts, _ = settle(
        read(
            "I live in Leeds. I work at Acme. We use Heroku and Postgres.",
            "we have a cat named Milo",
            "we moved off Heroku to Fly.io",
            "I just joined Globex, and I moved to York",
            "we have a dog named Rex",
            "scratch that, I live in Ripon",
        )
    )
    assert set(believed(facts)) == {"Ripon", "Globex", "Postgres", "Fly.io", "Milo", "Rex"}


def test_a_supersession_can_be_undone_and_then_both_are_shown() -> None:
    facts, _ = settle(read("I live in Leeds", "I live in York now"))
    old, new = reopen(facts[0], facts[1]).updated
    assert (old.superseded_by, old.valid_to, old.contradicts) == (None, None, (new.id,))
    assert new.contradicts == (old.id,)
    with pytest.raises(Conflict):
        reopen(new, None)


SAID = st.sampled_from(
    [
        "I live in Leeds",
        "I live in York now",
        "We use Postgres",
        "we switched from Postgres to MySQL",
        "We no longer use MySQL",
        "I love sushi",
        "I don't like sushi",
        "my sister Ana called",
        "actually my name is Sam",
    ]
)


@given(st.lists(SAID, max_size=12))
def test_nothing_said_is_ever_lost(said: list[str]) -> None:
    candidates = read(*said)
    facts, decisions = settle(candidates)
    quotes = {source.quote for fact in facts for source in fact.sources}
    assert {candidate.quote for candidate in candidates} <= quotes
    added = sum(d.verdict not in {Verdict.MERGE, Verdict.SKIP} for d in decisions)
    assert len(facts) == added
    ids = {fact.id for fact in facts}
    assert all(fact.superseded_by in ids for fact in facts if fact.superseded_by)
    assert all(set(fact.contradicts) <= ids for fact in facts)
