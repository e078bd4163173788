"""Identifiers in a task: looked up whole, and what holds one goes first."""

from collections.abc import Iterator

import pytest
from days import embed_all

from hermes.library import Hermes
from hermes.memory.recall.fuse import SAID_FROM
from hermes.memory.recall.identifiers import find_identifiers, holds_any, is_identifier
from hermes.types import Role, Utterance


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("what is OPS-1200's state?", ["OPS-1200"]),
        ("since v2.31.3.", ["v2.31.3"]),
        ("(10.0.0.3, foo_bar0.baz)", ["10.0.0.3", "foo_bar0.baz"]),
        ("section 12-3 or snake_case", ["12-3", "snake_case"]),
        ("my 3-year-old is well-known for node.js, e.g. at 14:30", []),
        ("on 2026-03-01, on 1.3.2026, in 2026-03 and in 2021-23", []),
        ("PostgreSQL 16", []),
        ("", []),
    ],
)
def test_identifiers_are_told_from_dates_and_words(text: str, found: list[str]) -> None:
    assert find_identifiers(text) == found
    assert all(map(is_identifier, found))


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Host 10.0.0.3.", True),
        ("Host 10.0.0.3: up", True),
        ("Host 10.0.0.31", False),
        ("Host 110.0.0.3", False),
        ("Host 9.10.0.0.3", False),
        ("Host 10.0.0.3-b", False),
    ],
)
def test_an_identifier_is_held_whole(text: str, holds: bool) -> None:
    assert holds_any(text, ("10.0.0.3",)) is holds


SAID = [
    text
    for n in range(24)
    for text in (
        f"Ticket OPS-{1200 + n} is about pump number {n} on line {n % 7}, owner team {n % 5}.",
        f"Host 10.0.{n}.{n + 3} runs build v2.{n}.{n % 4}; config foo_bar{n}.baz.",
        f"Section {n}-3 of the manual covers valve {n}.",
    )
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(tmp_path_factory.mktemp("identifiers") / "home") as opened:
        for n, text in enumerate(SAID):
            opened.record([Utterance(Role.USER, text, 1_000 * n)], session=str(n // 8))
        list(opened.app.facts.extract(""))
        embed_all(opened)
        yield opened


@pytest.mark.parametrize(
    ("task", "held"),
    [
        ("what runs on 10.0.3.6", "10.0.3.6"),
        ("which build is on host 10.0.5.8?", "10.0.5.8"),
        ("where is v2.3.3 running", "v2.3.3"),
        ("v2.0.0", "v2.0.0"),
        ("2-3", "Section 2-3"),
        ("what does section 12-3 cover", "Section 12-3"),
        ("which host uses foo_bar8.baz", "foo_bar8.baz"),
        ("who owns ops-1203", "OPS-1203"),
    ],
)
def test_what_holds_the_identifier_asked_for_comes_first(
    memory: Hermes, task: str, held: str
) -> None:
    first = memory.recall(task).items[0]
    assert held in first.text
    assert first.relevance >= SAID_FROM


def test_where_nothing_holds_the_identifier_nothing_is_told_as_sure(memory: Hermes) -> None:
    found = memory.search("what is OPS-7777 about")
    assert found
    assert max(item.relevance for item in found) < SAID_FROM
