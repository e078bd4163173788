"""When a note on the user and a fact say the same, by what both are read as."""

import pytest

from hermes.memory.agreement import covers, holds, says_only
from hermes.memory.facts.clauses.statement import parse_statement
from hermes.types import Fact


def fact(text: str) -> Fact:
    read = parse_statement(text, 0)
    return Fact(
        id=1,
        number=1,
        bank="default",
        text=text,
        kind=read.kind,
        recorded_at=0,
        subject=read.subject,
        attribute=read.attribute,
        value=read.value,
        ended=read.ended,
    )


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("Prefers green tea", "User prefers green tea"),
        ("prefers green tea.", "User prefers green tea"),
        ("The user prefers green tea", "User prefers green tea"),
        ("I prefer green tea", "User prefers green tea"),
        ("Works at Globex", "User works at Globex"),
        ("Lives in Lisbon", "User lives in Lisbon"),
        ("Name: Ana", "User's name is Ana"),
        ("Likes tea", "User likes tea"),
    ],
)
def test_a_note_leaves_out_of_whom_it_tells(note: str, said: str) -> None:
    assert covers(note, fact(said))
    assert says_only(note, fact(said))


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("Prefers green tea, brewed at 70 degrees", "User prefers green tea"),
        ("Prefers green tea and hates being called before noon", "User prefers green tea"),
        ("Lives in Lisbon, near the river", "User lives in Lisbon"),
    ],
)
def test_a_note_that_tells_more_says_not_only_that(note: str, said: str) -> None:
    assert holds(note, fact(said))
    assert not says_only(note, fact(said))


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("Prefers black tea", "User prefers green tea"),
        ("Does not prefer green tea", "User prefers green tea"),
        ("Works at Globex", "User lives in Globex"),
        ("Prefers green tea", "Tom prefers green tea"),
        ("Likes tea", "User dislikes tea"),
        ("Python 3.12", "User's Python version is 3.13"),
    ],
)
def test_another_statement_is_not_the_same(note: str, said: str) -> None:
    assert not covers(note, fact(said))
