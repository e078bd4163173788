"""What people type first, by the product's path: told apart, put right, moved, remembered."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.bench.facts.runner import rule_reader
from hermes.clock import DAY_MS, FixedClock
from hermes.memory.facts.extraction import Reader, extract_session
from hermes.memory.facts.given import ALL
from hermes.memory.record import record_turns
from hermes.store.base import FactFilter, Store
from hermes.store.sqlite import Database, open_store
from hermes.types import Fact, NewSession, Role, Turn, Utterance

AT = 1_794_996_000_000  # a Wednesday, 2026-11-18
KEY = bytes(32)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return rule_reader()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(Database(tmp_path / "memory.db", KEY))
    yield opened
    opened.close()


def told(store: Store, reader: Reader, *lines: str, session: str = "s", at: int = AT) -> None:
    of = NewSession(id=session, bank="b")
    said = [Utterance(Role.USER, line, at=at + n * 60_000) for n, line in enumerate(lines)]
    record_turns(store, [Turn(of, (each,)) for each in said], AT + DAY_MS)
    extract_session(store, session, reader, FixedClock(AT + DAY_MS))


def believed(store: Store) -> list[str]:
    facts = store.read(lambda tx: tx.facts.list(FactFilter(bank="b"), ALL))[::-1]
    return [fact.text for fact in facts if _is_open(fact)]


def _is_open(fact: Fact) -> bool:
    return fact.valid_to is None and fact.superseded_by is None


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I always use pnpm, never npm.", ["User uses pnpm, never npm"]),
        ("I only use vim, never emacs", ["User uses vim, never emacs"]),
        ("I prefer coffee, not tea.", ["User prefers coffee to tea"]),
        ("I changed my mind: I prefer coffee, not tea", ["User prefers coffee to tea"]),
        (
            "I'd like all dates in ISO format, remember that.",
            ["User would like all dates in ISO format"],
        ),
        (
            "I'd like all dates in ISO format. Remember that.",
            ["User would like all dates in ISO format"],
        ),
        (
            "the meeting with the council is on 3 December at 2pm",
            ["The meeting with the council is on 3 December at 2pm (on 2026-12-03)"],
        ),
        (
            "the meeting with the council is next Thursday at 2pm",
            ["The meeting with the council is next Thursday at 2pm (on 2026-11-19 or 2026-11-26)"],
        ),
        (
            "The tender deadline is 24 April now",
            ["The tender deadline is 24 April (due 2027-04-24)"],
        ),
        (
            "My wife Sara and I are expecting a baby in March",
            ["User's wife is Sara", "User and their wife Sara are expecting a baby in March"],
        ),
        ("not planning to, just a bet with a mate", []),
        ("note the repo things", []),
        ("don't forget the meeting tomorrow", []),
        (
            "My grandson is Oliver. He is at university in Leeds studying physics, I think, or was "
            "it maths.",
            ["User's grandson is Oliver"],
        ),
        (
            "i prefer bullet points over paragraphs and no emojis pls, never sign off with 'best'",
            [
                "User prefers bullet points over paragraphs and no emojis",
                "User wants Hermes to never sign off with 'best'",
            ],
        ),
        (
            "i use fish shell, never give me bash snippets",
            ["User uses fish shell", "User wants Hermes to never give them bash snippets"],
        ),
        ("i turned 30 today", ["User turned 30 today (said 2026-11-18)"]),
        (
            "im a data analyst at Fjordkraft in bergen, 4 yrs now, kinda bored",
            ["User is a data analyst at Fjordkraft in bergen, 4 years now (said 2026-11-18)"],
        ),
        (
            "I am moving to stavanger w/ my boyfriend Håkon",
            ["User is moving to stavanger with their boyfriend Håkon"],
        ),
        ("we use vim with plugins", ["User's team uses vim with plugins"]),
        ("my son eats nothing green", ["User's son eats nothing green"]),
        ("I ate nothing today", []),
        ("i have no driving licence", ["User has no driving licence"]),
        (
            "prof Okonkwo took over as my supervisor",
            ["Prof Okonkwo took over as the user's supervisor"],
        ),
        (
            "code samples in Python with type hints, please, always",
            ["User always wants code samples in Python with type hints"],
        ),
        ("late again, always", []),
        ("Pieter van den Berg is my landlord", ["User's landlord is Pieter van den Berg"]),
        ("my supervisor is Dr. van den Berg", ["User's supervisor is Dr. van den Berg"]),
        ("did Ana do Atlas", []),
        ("Robert's birthday is 4 May", ["Robert's birthday is 4 May"]),
        ("I'm on an m1 air with 8 gigs", ["User is on an m1 air with 8 gigs"]),
    ],
)
def test_one_line_is_read_as_it_was_meant(
    store: Store, reader: Reader, said: str, kept: list[str]
) -> None:
    told(store, reader, said)
    assert believed(store) == kept


@pytest.mark.parametrize(
    ("first", "then", "kept"),
    [
        ("my sister is Maryam", "no wait, it's not Maryam, it's Mariam", "User's sister is Mariam"),
        ("my sister is Maryam", "Her name is not Maryam, it's Mariam.", "User's sister is Mariam"),
        (
            "my sister is Maryam",
            "I was wrong about my sister: her name is Mina.",
            "User's sister is Mina",
        ),
        (
            "my sister is Mariam",
            "my sister is called Mariam, not Maryam",
            "User's sister is Mariam",
        ),
        (
            "the office wifi is Koala-5",
            "the office wifi is called Wombat now",
            "The office wifi is Wombat",
        ),
        (
            "my rate is 35 eur an hour",
            "my rate went from 35 to 45",
            "User's rate went from 35 to 45",
        ),
        ("My manager is Sofia.", "My new manager is Sofia.", "User's manager is Sofia"),
        (
            "The deadline for the report is Friday.",
            "The report slipped to next Monday.",
            "The report slipped to next Monday (due 2026-11-23)",
        ),
        (
            "The deadline for the report is Friday.",
            "it slipped to next Monday",
            "The deadline for the report is next Monday (due 2026-11-23)",
        ),
    ],
)
def test_a_second_line_leaves_one_fact(
    store: Store, reader: Reader, first: str, then: str, kept: str
) -> None:
    told(store, reader, first, then)
    assert believed(store) == [kept]


def test_older_words_that_are_read_later_are_history(store: Store, reader: Reader) -> None:
    told(store, reader, "I changed my mind: I prefer coffee, not tea", session="new")
    told(store, reader, "I prefer tea.", session="old", at=AT - 5 * DAY_MS)
    assert believed(store) == ["User prefers coffee to tea"]
    assert len(store.read(lambda tx: tx.facts.list(FactFilter(bank="b"), ALL))) == 2


def test_what_slips_has_the_new_day_and_not_what_it_waits_for(store: Store, reader: Reader) -> None:
    told(
        store,
        reader,
        "beta goes out on december 4",
        "beta slips: Lumen's review isn't done so it's december 11 now instead of december 4",
    )
    assert believed(store) == ["Beta goes out on december 11 (due 2026-12-11)"]


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (
            ["p99 is 840ms", "TLS mostly, we weren't reusing any. No wait, it's DNS lookups"],
            "P99 is 840ms",
        ),
        (
            ["My dog is Rex.", "Tom came over on Monday with cake. No wait, Sunday."],
            "User's dog is Rex",
        ),
    ],
)
def test_a_correction_of_words_beside_it_leaves_earlier_facts(
    store: Store, reader: Reader, lines: list[str], kept: str
) -> None:
    told(store, reader, *lines)
    assert kept in believed(store)


def test_she_is_neither_an_answer_nor_a_he(store: Store, reader: Reader) -> None:
    said = [
        (Role.USER, "Saoirse is my eldest. My son Fionn is five. He's allergic to hazelnuts."),
        (Role.ASSISTANT, "A nut-free cake then. Any favourite flavour?"),
        (Role.USER, "Lemon. She doesn't like chocolate."),
    ]
    turns = [Utterance(role, text, at=AT + n) for n, (role, text) in enumerate(said)]
    record_turns(
        store, [Turn(NewSession(id="s", bank="b"), (each,)) for each in turns], AT + DAY_MS
    )
    extract_session(store, "s", reader, FixedClock(AT + DAY_MS))
    disliking = [text for text in believed(store) if "chocolate" in text]
    assert not any(text.startswith(("Lemon", "Fionn")) for text in disliking)
