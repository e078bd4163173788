"""What a row fits but nobody meant is left out; the plain statement beside it is kept."""

import pytest

from hermes.memory.facts.clauses.reader import read_text

AT = 1_770_000_000_000  # 2026-02-02

PAIRS = [
    ("My colleague hates tabs", "I hate tabs"),
    ("I prefer an options object here, but up to you", "I prefer tables"),
    ("B it is", "Postgres it is"),
    ("we decided to meet at 5", "we decided to go with Snowflake"),
    ("I think my manager is Libra lol", "my manager is Dolores"),
    ("Max is my mother's cat", "my mother is Maxine"),
    ("I'm determined", "Hi, I'm Theo"),
    ("I'm in talks with Gatorade about a sponsorship", "I work at Gatorade"),
    ("Don't give up, buddy", "Please always answer in Spanish"),
    ("I take them to the park twice a week", "I play badminton on Mondays"),
    ("I am allergic to meetings", "I am allergic to latex"),
    ("Our options are MySQL and MariaDB", "Our main database is MariaDB 10.11"),
]


@pytest.mark.parametrize(("doubtful", "plain"), PAIRS)
def test_only_the_plain_statement_is_read(doubtful: str, plain: str) -> None:
    assert [each.text for each in read_text(doubtful, AT)] == []
    assert read_text(plain, AT)


def test_a_move_ahead_is_not_told_as_done() -> None:
    assert [each.text for each in read_text("I'm moving to Tallinn in spring", AT)] == [
        "User is moving to Tallinn in spring"
    ]
