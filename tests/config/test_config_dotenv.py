"""`.env` as shells and people write it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.config.dotenv import parse_env
from hermes.errors import UserError


def quote(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "\\r") + '"'


@given(
    st.dictionaries(
        st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True),
        st.text(st.characters(codec="utf-8"), max_size=20),
        max_size=4,
    )
)
def test_quoted_values_come_back(values: dict[str, str]) -> None:
    text = "\n".join(f"export {name} = {quote(value)} # c" for name, value in values.items())
    assert parse_env(text, ".env") == values


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_its_line(text: str) -> None:
    try:
        parse_env(text, ".env")
    except UserError as error:
        assert error.message.startswith(".env:")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A=b", "b"),
        ("  export A = b  ", "b"),
        ("A=", ""),
        ("A= # nothing", ""),
        ("A=b # comment", "b"),
        ("A=b#c", "b#c"),
        ("A='b # $X \\n'", "b # $X \\n"),
        ('A="b # c" # d', "b # c"),
        ('A="a\\nb\\t\\"\\\\"', 'a\nb\t"\\'),
        ('A="two\nlines"', "two\nlines"),
        ("A=x=y", "x=y"),
        ("A=1\nA=2", "2"),
        ("\ufeff# c\r\n\r\nA=b\r\n", "b"),
        ("A=ключ ⚕", "ключ ⚕"),
    ],
)
def test_lines(text: str, value: str) -> None:
    assert parse_env(text, ".env") == {"A": value}


@pytest.mark.parametrize(
    ("text", "line"),
    [("A=1\n\nnonsense", 3), ("1A=2", 1), ('A="open', 1), ("A='x' y", 1), ("A B=1", 1), ("=1", 1)],
)
def test_a_broken_line_is_named(text: str, line: int) -> None:
    with pytest.raises(UserError, match=rf"^\.env:{line}: "):
        parse_env(text, ".env")
