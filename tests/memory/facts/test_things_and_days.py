"""What is read of things, decisions and days, in the forms in which people tell of them."""

import pytest

from hermes.clock import parse_time
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.days import find_day
from hermes.memory.facts.clauses.gate import AS_SAID
from hermes.memory.facts.clauses.reader import RuleExtractor, propose
from hermes.types import Message, Role

AT = parse_time("2026-01-12T12:00:00Z")  # a Monday
HOUR_MS = 3_600_000


def understood(text: str, question: str = "") -> list[str]:
    """What readers with a form for it make of a message."""
    found = propose(text, AT, question=question)
    return [each.text for each in found if AS_SAID not in each.signs]


def proposed(*texts: str, gap_ms: int = 60_000) -> list[str]:
    """All that is proposed out of messages of the user, whatever a gate says."""

    def keep(candidate: Candidate, _: object) -> Candidate:
        return candidate

    said = [
        Message(n, "s", 1, AT + n * gap_ms, Role.USER, text)
        for n, text in enumerate(texts, start=1)
    ]
    return [each.text for each in RuleExtractor(judge=keep).extract(said)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("jobs go through slurm", "Jobs go through slurm"),
        ("all payments go via Mollie", "Payments go via Mollie"),
        ("recruiting goes through Panelwise", "Recruiting goes through Panelwise"),
        ("transcripts live in Dovetree, the team tags there", "Transcripts live in Dovetree"),
        ("the keys are kept in the blue cupboard", "The keys are kept in the blue cupboard"),
        ("our invoices are stored in the red binder", "are stored in the red binder"),
        ("staging db is refreshed nightly from prod", "Staging db is refreshed nightly from prod"),
        ("the flat is cleaned every other week", "The flat is cleaned every other week"),
        ("we're stuck on spark 2.4", "User's team is stuck on spark 2.4"),
        ("im on pandas 2.2 now", "User is on pandas 2.2"),
        ("partition is `short` by default", "Partition is `short` by default"),
        ("branches are <initials>/<ticket> here, for all", "Branches are <initials>/<ticket>"),
        ("'otter' runs proxmox", "'otter' runs proxmox"),
        ("the proxmox host runs PVE 8.3", "The proxmox host runs PVE 8.3"),
        (
            "the nas is called heron, 10.0.20.9",
            "The nas is called heron, 10.0.20.9",
        ),
        ("my thesis is on anomaly detection", "User's thesis is on anomaly detection"),
        ("I'm researching my family tree", "User is researching their family tree"),
        ("my oven only goes to 230", "User's oven only goes to 230"),
    ],
)
def test_how_things_are_arranged_is_read(text: str, told: str) -> None:
    assert any(told in each for each in understood(text))


@pytest.mark.parametrize(
    "text",
    [
        "the train goes through Lyon",
        "do jobs go through slurm?",
        "if jobs go through slurm we are fine",
        "the fix goes through now",
        "my thesis is on hold",
        "the book is on the shelf",
        "the build is broken every time",
        "I'm stuck on page 2.3",
        "we're on chapter 4.1",
        "I'm writing a mail",
        "maybe we drop ios 16 with 4.1, not sure yet",
    ],
)
def test_what_is_of_the_hour_or_open_is_no_arrangement(text: str) -> None:
    assert understood(text) == []


@pytest.mark.parametrize(
    ("asked", "answer", "told"),
    [
        ("What car is it?", "skoda fabia 2014", ["User's car is a skoda fabia 2014"]),
        (
            "Which camera do you have?",
            "an old nikon d5600",
            ["User's camera is an old nikon d5600"],
        ),
        ("Which error do you have?", "no idea", []),
        ("What time is it?", "half past nine", []),
    ],
)
def test_an_answer_names_the_thing_that_was_asked_for(
    asked: str, answer: str, told: list[str]
) -> None:
    assert understood(answer, asked) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("metric is pr-auc, agreed with the business side", "Metric is pr-auc"),
        (
            "add that 3.8 gets dropped in Tarnish 3.0, that's decided",
            "3.8 gets dropped in Tarnish 3.0",
        ),
        ("we've decided not to renew", "User (with others) has decided not to renew"),
        (
            "the rate thing: they all agreed. 0.13 it is, from 1 January",
            "User decided on 0.13 for the rate, from 1 January",
        ),
    ],
)
def test_a_decision_is_read(text: str, told: str) -> None:
    assert told in proposed(text)


@pytest.mark.parametrize(
    "text", ["0.13 it is", "ok 12:30 it is then", "I've decided to fix the test"]
)
def test_no_decision_is_made_of_what_nobody_could_tell(text: str) -> None:
    assert understood(text) == []


def test_what_is_decided_is_no_thing_that_was_named() -> None:
    told = proposed("we drop Python 3.8 in Tarnish 3.0. that's decided, no date yet")
    assert not any("is decided" in each for each in told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("im running the Ostermoor Half on 18 October", "(2026-10-18)"),
        ("I'm on holiday 3 to 14 August, no laptop", "(2026-08-03)"),
        ("we fly out 14 May and come back on the 21st", "(2026-05-21)"),
        ("start with Deusto on Monday 4 May, then one shop a week", "User's plan: start with"),
        ("the readout is on 27 March, in person in Rotterdam", "(due 2026-03-27)"),
        ("baby is due 10 May, leave starts 27 April", "Leave starts 27 April (due 2026-04-27)"),
        ("QA found a crash so 4.0 slips to 2 April", "4.0 slips to 2 April (due 2026-04-02)"),
        ("written exams start 19 May", "Written exams start 19 May (due 2026-05-19)"),
        ("call closes 15 March 17:00 CET", "(due 2026-03-15)"),
        ("theory test is a week from tomorrow", "(due 2026-01-20)"),
        ("bloods are booked for 27 March", "(on 2026-03-27)"),
        ("Adaeze told me the readout moved to 10 April", "The readout moved to 10 April"),
        ("the thesis is due 30 June, so you'll see a lot of me", "due 30 June (due 2026-06-30)"),
        ("we want to ship 4.0 on 20 March", "(due 2026-03-20)"),
        ("inspection is due in april anyway", "(due 2026-04)"),
    ],
)
def test_a_plan_is_read_with_its_day(text: str, told: str) -> None:
    assert any(told in each for each in understood(text))


@pytest.mark.parametrize(
    "text",
    [
        "I might start on 4 May",
        "do I start on 4 May?",
        "if I start on 4 May I need a visa",
        "I started on 4 May",
        "I'm away until 4 May",
        "I run every 18 October",
        "I don't fly on 14 May",
        "please start the migration on 4 May",
        "Priya says the launch is not in May",
        "I fly out on the 14th",
    ],
)
def test_what_is_open_over_or_near_is_no_plan(text: str) -> None:
    assert not any("(2026-" in each or "(due" in each for each in understood(text))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("a week from tomorrow", "2026-01-20"),
        ("two weeks after 4 May", "2026-05-18"),
        ("3 days before the 20th", "2026-01-17"),
        ("a week from friday", "2026-01-23"),
        ("two weeks from now", "2026-01-26"),
    ],
)
def test_a_day_is_counted_from_the_one_that_is_named(text: str, day: str) -> None:
    found = find_day(text, AT)
    assert found is not None and found.iso == day


def test_a_game_is_over_when_much_time_has_passed() -> None:
    said = ("you are the interviewer, ask me things", "I live in Leeds")
    assert proposed(*said) == []
    assert "User lives in Leeds" in proposed(*said, gap_ms=24 * HOUR_MS)


def test_it_is_what_was_announced_before() -> None:
    told = proposed("ok so the ups. its an old eaton 5e behind the rack, badger hangs on it")
    assert "The ups is an old eaton 5e behind the rack" in told
    told = proposed("readme is stale. we dropped conda, it's uv everywhere now, python 3.12")
    assert "User's team uses uv, python 3.12" in told


def test_a_due_date_is_that_of_the_child_that_was_spoken_of() -> None:
    told = proposed("baby name ideas?", "we like Ida. due date is 9 July")
    assert "Baby's due date is 9 July (due 2026-07-09)" in told


def test_why_one_moves_is_no_place() -> None:
    text = "we're moving in with my mum in Leeds for a year to save"
    assert all(each.value != "Save" for each in propose(text, AT))
