"""An older value is closed by a later one, and never where two values can both hold."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.clock import DAY_MS, parse_time
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.change import read_change
from hermes.memory.facts.clauses.reader import read_text
from hermes.memory.facts.clauses.statement import parse_statement
from hermes.memory.facts.decide import Decision, Verdict, decide
from hermes.types import Confidence, Fact, FactSource, Trust

MONDAY = parse_time("2026-01-05T09:00:00Z")
TUESDAY = MONDAY + DAY_MS


def said(text: str, at: int = TUESDAY, message_id: int = 2) -> Candidate:
    found = read_text(text, at)
    assert len(found) == 1, found
    return replace(found[0], at=at, message_id=message_id, change=read_change(text))


def known(text: str, at: int = MONDAY, number: int = 1) -> Fact:
    candidate = said(text, at, message_id=number)
    return Fact(
        id=number,
        number=number,
        bank="default",
        text=candidate.text,
        kind=candidate.kind,
        recorded_at=at,
        subject=candidate.subject,
        attribute=candidate.attribute,
        value=candidate.value,
        confidence=candidate.confidence,
        single=candidate.single,
        ended=candidate.ended,
        valid_from=candidate.valid_from,
        sources=(FactSource(candidate.quote, message_id=number, at=at),),
    )


def verdict(new: str, *old: str) -> Verdict:
    return outcome(new, *old).verdict


def outcome(new: str, *old: str) -> Decision:
    facts = [known(text, number=number) for number, text in enumerate(old, start=1)]
    return decide(said(new, message_id=99), facts)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Leeds", "I live in York now"),
        ("I prefer tea to coffee.", "Actually, I prefer coffee to tea now."),
        ("I prefer tea to coffee.", "I now prefer coffee over tea"),
        ("I prefer tea.", "I prefer coffee to tea."),
        ("I prefer tabs over spaces.", "Actually I switched: I prefer spaces over tabs."),
        ("I like tea.", "I don't like tea any more."),
        ("I love hiking", "I hate hiking now"),
        ("I live in Leeds", "I moved from Leeds to York"),
        ("I work at Acme", "I just joined Globex"),
        ("The launch is on March 3", "The launch slipped to March 10"),
        ("The launch is on March 3", "we pushed the launch of Atlas to March 10"),
        ("We use Heroku", "we moved off Heroku to Fly.io"),
        ("We use Heroku", "We no longer use Heroku"),
        ("We use MySQL", "We decided on Postgres instead of MySQL"),
        ("We're on Python 3.11", "we're on Python 3.12"),
        ("I love mushrooms", "I don't like mushrooms"),
        ("My manager is Dana", "my manager is Marcus now"),
        ("My favourite editor is Vim", "My favourite editor is Helix"),
        ("I prefer tabs", "I prefer spaces now"),
    ],
)
def test_a_newer_value_closes_the_older(old: str, new: str) -> None:
    result = outcome(new, old)
    assert (result.verdict, result.targets) == (Verdict.SUPERSEDE, (1,))
    assert result.closes_at is not None
    assert result.closes_at >= MONDAY


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("we have a cat named Milo", "we have a dog named Rex"),
        ("we have a cat named Milo", "we have a cat named Otis"),
        ("my sister Ana called", "my sister Eva called"),
        ("We use Postgres", "We use Redis"),
        ("We use Postgres", "We use DuckDB"),
        ("I speak German", "I speak French"),
        ("I love sushi", "I love ramen"),
        ("my main project is Atlas", "my side project is Lantern"),
        ("the Q2 report is due June 30", "the Q3 report is due September 30"),
        ("I live in Leeds", "my sister Ana lives in York"),
        ("Tom is our CTO", "Eva is our designer"),
        ("My name is Samuel", "Call me Sam"),
        ("My teacher is Jana", "My piano teacher is Udo"),
        ("My doctor is Dr. Lund", "My eye doctor is Dr. Weiss"),
        ("I'm a nurse", "I'm a barista on weekends"),
        ("I live in Berlin", "During the week I live in Hamburg"),
        ("I work at Lumen", "I also work part-time at a bakery called Kruste"),
        ("I work at Lumen", "I work for Sofia"),
        ("My older sister lives in Rome", "My younger sister lives in Oslo"),
    ],
)
def test_values_that_can_both_hold_stand_side_by_side(old: str, new: str) -> None:
    candidates = read_text(new, TUESDAY)
    for candidate in candidates:
        result = decide(replace(candidate, at=TUESDAY, message_id=9), [known(old)])
        assert result.verdict is Verdict.ADD, result


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Leeds", "i live in leeds"),
        ("We use Postgres", "we use PostgreSQL"),
        ("I can't stand cilantro", "i hate cilantro"),
        ("We decided on Postgres", "We use Postgres"),
        ("I'm a senior data engineer", "I'm a data engineer"),
        ("The Q2 report is due June 30", "Q2 report deadline is June 30"),
    ],
)
def test_the_same_thing_said_again_merges(old: str, new: str) -> None:
    result = outcome(new, old)
    assert (result.verdict, result.targets) == (Verdict.MERGE, (1,))


def test_without_order_in_time_both_are_kept_as_a_contradiction() -> None:
    first = known("our wiki says the SLA is 99.9%")
    second = said("the contract says the SLA is 99.95%", at=MONDAY + 1)
    assert decide(second, [first]).verdict is Verdict.CONTRADICT
    same_time = said("I live in York", at=MONDAY)
    assert decide(same_time, [known("I live in Leeds")]).verdict is Verdict.CONTRADICT


def test_a_correction_supersedes_even_at_the_same_time() -> None:
    fixed = replace(said("I live in York", at=MONDAY), correction=True)
    assert decide(fixed, [known("I live in Leeds")]).verdict is Verdict.SUPERSEDE


def test_what_is_less_sure_never_closes_what_is_sure() -> None:
    guess = replace(said("I live in York"), confidence=Confidence.LOW)
    assert decide(guess, [known("I live in Leeds")]).verdict is Verdict.CONTRADICT


@pytest.mark.parametrize("new", ["I live in York now", "I moved from Leeds to York"])
def test_what_is_trusted_less_never_closes_what_is_trusted_more(new: str) -> None:
    result = decide(said(new), [known("I live in Leeds")], trust=Trust.LOW)
    assert (result.verdict, result.targets) == (Verdict.CONTRADICT, (1,))


def test_older_evidence_that_comes_late_is_kept_as_history() -> None:
    late = said("I live in Leeds", at=MONDAY)
    result = decide(late, [known("I live in York", at=TUESDAY)])
    assert (result.verdict, result.closed_by) == (Verdict.ADD, 1)
    assert result.closes_at == TUESDAY


def test_the_same_sentence_is_read_once() -> None:
    again = said("I live in Leeds", at=MONDAY, message_id=1)
    assert decide(again, [known("I live in Leeds")]).verdict is Verdict.SKIP


def test_closed_and_retracted_facts_stand_in_nobodys_way() -> None:
    old = known("I live in Leeds")
    for closed in (
        replace(old, valid_to=TUESDAY),
        replace(old, retracted_at=TUESDAY),
        replace(old, superseded_by=7),
    ):
        assert decide(said("I live in York"), [closed]).verdict is Verdict.ADD
        assert decide(said("I live in Leeds"), [closed]).verdict is Verdict.ADD


VALUES = st.sampled_from(["Leeds", "York", "Leeds, UK", "port 80", "3 days", "no sugar", ""])
TIMES = st.sampled_from([MONDAY, TUESDAY])


@given(VALUES, VALUES, TIMES, TIMES, st.booleans(), st.booleans())
def test_every_target_is_about_the_same_subject(
    old: str, new: str, at: int, later: int, single: bool, correction: bool
) -> None:
    facts = [
        replace(known("I live in Leeds", at), value=old, text=f"old {old}", single=single),
        replace(known("I live in Leeds", at, 2), subject="Ana", value=old, text=f"old {old}"),
    ]
    candidate = replace(
        said("I live in Leeds", later),
        value=new,
        text=f"new {new}",
        single=single,
        correction=correction,
    )
    result = decide(candidate, facts)
    assert 2 not in result.targets
    assert (result.verdict in {Verdict.ADD, Verdict.SKIP}) == (not result.targets)


def test_statements_added_by_hand_supersede_too() -> None:
    old = known("I live in Leeds")
    assert (
        decide(parse_statement("User lives in York", TUESDAY), [old]).verdict is Verdict.SUPERSEDE
    )


def test_going_back_undoes_the_leaving() -> None:
    left = replace(known("I live in Linz"), text="User moved the game from Unity to Godot")
    back = replace(said("I live in Graz"), attribute="said:be", single=False, value="back on Unity")
    undone = decide(replace(back, text="User's team is back on Unity"), [left])
    assert undone.verdict is Verdict.SUPERSEDE
    assert undone.targets == (left.id,)
    elsewhere = decide(replace(back, text="User's team is back on Kafka"), [left])
    assert elsewhere.verdict is Verdict.ADD


def test_later_words_close_what_was_read_more_surely() -> None:
    narrow = replace(said("I live in Graz"), confidence=Confidence.MEDIUM)
    assert decide(narrow, [known("I live in Linz")]).verdict is Verdict.SUPERSEDE
    guessed = replace(narrow, confidence=Confidence.LOW)
    assert decide(guessed, [known("I live in Linz")]).verdict is Verdict.CONTRADICT


def test_the_same_words_with_a_not_stand_against_each_other() -> None:
    old = known("Hania is allergic to hazelnuts")
    denied = parse_statement("Hania is not allergic to hazelnuts", TUESDAY)
    assert decide(denied, [old]).targets == (old.id,)
    beside = parse_statement("Hania is not allergic to peanuts", TUESDAY)
    assert decide(beside, [old]).verdict is Verdict.ADD
