"""What a later message says to be otherwise, where no fact says so."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from days import embed_all, say_by_day

from hermes.clock import parse_time
from hermes.library import Hermes
from hermes.memory.recall.overtaken import PER_NAME
from hermes.memory.recall.result import Item
from hermes.types import Role, Utterance

REDIS = "Go 1.22 and chi, postgres 15 on RDS, redis for the retry queue"
SQS = "redis failed over again. Ruxandra and I decided to move the retry queue to SQS"
UPGRADED = "we upgraded postgres to 16 over the weekend, no issues"
SAID = {
    "2026-03-02": REDIS,
    "2026-03-09": SQS,
    "2026-04-13": UPGRADED,
    "2026-05-01": "the garden meeting is in room 4",
    "2026-05-02": "the garden meeting room has a new lamp",
    "2026-05-03": "I moved the garden meeting to Friday",
    "2026-05-04": "our alarm panel is made by Bosch",
    "2026-05-05": "we might move the alarm panel to the hall",
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(tmp_path_factory.mktemp("overtaken") / "home") as opened:
        say_by_day(opened, SAID)
        embed_all(opened)
        yield opened


def _asked(memory: Hermes, task: str) -> dict[str, Item]:
    return {item.text: item for item in memory.recall(task).items}


def test_what_was_moved_is_no_longer_where_it_was(memory: Hermes) -> None:
    given = _asked(memory, "what queue do we use for retries?")
    assert (
        f'no longer so since 2026-03-09: "redis for the retry queue", see {given[SQS].ref}'
        in given[REDIS].note
    )
    assert list(given).index(SQS) < list(given).index(REDIS)
    assert given[SQS].note == ""


def test_each_part_of_a_message_says_what_overtook_it(memory: Hermes) -> None:
    given = _asked(memory, "which version of postgres are we on?")
    assert f'"postgres 15 on RDS", see {given[UPGRADED].ref}' in given[REDIS].note
    assert next(iter(given)) == UPGRADED


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("in which room is the garden meeting?", "the garden meeting is in room 4"),  # no day
        ("is there a lamp in the garden meeting room", "the garden meeting room has a new lamp"),
        ("who made our alarm panel", "our alarm panel is made by Bosch"),  # might is not did
    ],
)
def test_what_is_told_of_something_else_stands(memory: Hermes, task: str, said: str) -> None:
    assert _asked(memory, task)[said].note == ""


@pytest.mark.parametrize(
    ("said", "task", "fact"),
    [
        (["Our cat Biscuit had to be put down on Monday."], "What pets do we have?", "Biscuit"),
        (
            ["We have a cat called Biscuit.", "Biscuit had to be put down on Monday."],
            "what pets do we have?",
            "Biscuit",
        ),
        (
            [
                "Our son Fionn is allergic to hazelnuts.",
                "Fionn got tested, he's not allergic to hazelnuts any more, only to walnuts.",
            ],
            "What is Fionn allergic to?",
            "hazelnuts",
        ),
    ],
)
def test_no_fact_hides_what_ended_it(tmp_path: Path, said: list[str], task: str, fact: str) -> None:
    """Whatever is kept as a fact: the message that tells the end is given, and comes first."""
    with Hermes(tmp_path / "home") as memory:
        say_by_day(memory, {f"2026-10-0{n}": text for n, text in enumerate(said, 1)})
        list(memory.app.facts.extract(""))
        embed_all(memory)
        given = [item for item in memory.recall(task).items if item.relevance]
        assert given[0].text == said[-1]
        for item in given[1:]:
            if item.sources and fact in item.text and "not" not in item.text.split():
                assert item.note.endswith(f"see {given[0].ref}")


def test_as_of_then_an_end_is_found_whatever_was_said_before_an_import(tmp_path: Path) -> None:
    """So many later messages name it that they would fill what is looked up of the name."""
    said = ("Our cat Biscuit is ten.", "Biscuit had to be put down on Monday.")
    later = [f"a photo of Biscuit, number {n}" for n in range(PER_NAME)]
    with Hermes(tmp_path / "home") as memory:
        say_by_day(memory, {f"2026-10-0{n}": text for n, text in enumerate(said, 1)})
        say_by_day(memory, {f"2026-09-{n}": f"went to meeting {n}" for n in range(10, 30)})
        list(memory.app.facts.extract(""))
        at = parse_time("2026-10-20T09:00:00Z")
        memory.record([Utterance(Role.USER, text, at) for text in later], session="photos")
        say_by_day(memory, {"2026-10-03": "an old note from an archive"})
        given = memory.recall("What pets do we have?", as_of="2026-10-10").items
        assert given[0].text == said[1]


def test_another_of_the_same_kind_ends_nothing(tmp_path: Path) -> None:
    said = ["We have a cat called Biscuit.", "Grandma's dog Rex died on Monday."]
    with Hermes(tmp_path / "home") as memory:
        say_by_day(memory, {f"2026-10-0{n}": text for n, text in enumerate(said, 1)})
        list(memory.app.facts.extract(""))
        embed_all(memory)
        cats = [i for i in memory.recall("do we have a cat?").items if "Biscuit" in i.text]
        assert {item.note for item in cats} == {""}
