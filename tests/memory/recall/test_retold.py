"""What later messages tell otherwise of the same thing, and what they only seem to."""

from pathlib import Path

import pytest
from days import embed_all, say_by_day

from hermes.library import Hermes
from hermes.memory.recall.result import Item

OTHERS = {
    "2026-02-01": "I bought a new lamp for the hall",
    "2026-02-02": "the tram was late again today",
    "2026-02-03": "can you explain monads?",
}
PORTUGUESE = "I started portuguese lessons, every Tuesday at 18:30 with a teacher called Graça"


def _recalled(path: Path, said: list[str], task: str, *, extracted: bool = False) -> list[Item]:
    with Hermes(path / "home") as memory:
        days = {f"2026-{3 + 2 * n:02d}-01": text for n, text in enumerate(said)}
        say_by_day(memory, OTHERS | days)
        if extracted:
            list(memory.app.facts.extract(""))
        embed_all(memory)
        return [item for item in memory.recall(task).items if item.text not in OTHERS.values()]


@pytest.mark.parametrize(
    ("said", "task"),
    [
        (["We live in Ghent", "we've moved to Mechelen last weekend"], "where do we live"),
        (["My boss is Gunnar", "Gunnar has left, Amelie is my boss since Monday"], "my boss"),
        (["My boss is Gunnar", "my new boss is Amelie"], "who is my boss"),
        (["I drive a red Fiat Panda", "Sold the Panda, I've got a Dacia now"], "which car is mine"),
        ([PORTUGUESE, "Graça moved my lesson to Thursdays at 19:00"], "when is my lesson"),
        (
            ["Book club is on Tuesdays at Paula's", "From now on book club is on Wednesdays"],
            "when is book club",
        ),
        (["I love coriander on everything", "I don't like coriander any more"], "coriander"),
        (
            [
                "Our dentist is dr. Lams",
                "we switched to another dentist, dr. Okafor, dr. Lams retired",
            ],
            "who is our dentist",
        ),
        (
            ["The deadline for the grant is 30 May", "They extended the grant deadline to 14 June"],
            "when is the grant deadline",
        ),
    ],
)
def test_what_tells_it_otherwise_stands_before_it(
    tmp_path: Path, said: list[str], task: str
) -> None:
    newer, older, *_ = _recalled(tmp_path, said, task)
    assert [newer.text, older.text] == list(reversed(said))
    assert older.note.startswith('no longer so since 2026-05-01: "')
    assert older.note.endswith(f"see {newer.ref}")
    assert newer.note == ""
    assert newer.relevance >= older.relevance


@pytest.mark.parametrize(
    ("said", "task"),
    [
        (
            ["My Portuguese lesson is on Tuesdays", "I moved my piano lesson to Thursdays"],
            "when is my Portuguese lesson",
        ),
        (
            [PORTUGUESE, "I moved my lesson with Pieter to Thursdays at 19:00"],
            "when is my portuguese lesson",
        ),
        (
            ["Book club is on Tuesdays at Paula's", "our second book club is on Wednesdays now"],
            "when is book club",
        ),
        (
            ["Book club is on Tuesdays", "The book club of my mother is on Wednesdays now"],
            "when is book club",
        ),
        (["We live in Ghent", "my brother has moved to Mechelen"], "where do we live"),
        (["We live in Ghent", "we might move to Mechelen next year"], "where do we live"),
        (["We live in Ghent", "should we move to Mechelen?"], "where do we live"),
        (["We live in Ghent", "we wanted to move to Mechelen but stayed"], "where do we live"),
        (["We live in Ghent", "in 2015 we moved to Mechelen for a year"], "where do we live"),
        (["I live in Ghent", "When I was a student I moved to Leuven"], "where do I live"),
        (["My boss is Gunnar", "Gunnar's new boss is Amelie"], "who is my boss"),
        (["Anna works at Bosch", "Anna's sister no longer works at Bosch"], "where does Anna work"),
        (["I drive a red Fiat Panda", "dreamt that I sold the Panda"], "which car do I drive"),
        (["I love coriander", "My husband doesn't like coriander any more"], "coriander"),
        (["I like coffee in the morning", "I don't like the coffee at work any more"], "coffee"),
        (
            ["The dentist appointment is on Tuesday", "the vet moved the appointment to Thursday"],
            "when is the dentist appointment",
        ),
        (["My lesson is on Tuesdays", "tomorrow my lesson is moved to 17:00"], "my lesson"),
    ],
)
def test_what_only_looks_like_it_marks_nothing(tmp_path: Path, said: list[str], task: str) -> None:
    assert {item.note for item in _recalled(tmp_path, said, task)} == {""}


def test_a_fact_says_it_too_and_the_newer_is_told_no_less(tmp_path: Path) -> None:
    said = ["I love coriander on everything", "I don't like coriander any more"]
    given = _recalled(tmp_path, said, "do I like coriander", extracted=True)
    assert given[0].text == said[1]
    old = next(item for item in given if item.text == "User loves coriander on everything")
    newer = next(item for item in given if item.text == "User doesn't like coriander any more")
    assert old.note.endswith(f"see {given[0].ref}")
    assert newer.relevance >= old.relevance
    assert given.index(newer) < given.index(old)


def test_who_asks_how_it_was_gets_the_old_with_its_note(tmp_path: Path) -> None:
    said = ["My boss is Gunnar", "Gunnar has left, Amelie is my boss since Monday"]
    old = next(
        i for i in _recalled(tmp_path, said, "who was my boss in March") if i.text == said[0]
    )
    assert old.note.startswith("no longer so since 2026-05-01")


def test_a_fact_written_by_hand_is_told_otherwise_as_any_other(tmp_path: Path) -> None:
    """It has no message, and so no line, to be told by."""
    with Hermes(tmp_path / "home") as memory:
        memory.remember("I live in Ghent")
        memory.record([("user", "we've moved to Mechelen")], session="later")
        embed_all(memory)
        found = memory.recall("where do we live")
    told = {item.text: item.note for item in found.items}
    assert told["I live in Ghent"].startswith("no longer so since")
