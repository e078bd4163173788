"""What is called ordinary is what cleaning and redacting would leave as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.bench.corpus import Speech
from hermes.guard.ordinary import is_ordinary
from hermes.guard.redact import redact
from hermes.guard.text import clean

PIECES = (
    *(
        "the plan",
        "pass",
        "word",
        "key",
        " ",
        ": ",
        "=",
        "token",
        "hunter2!",
        "4111 1111 1111 1111",
    ),
    *("\n", "\x07", "\u200b", "é", "AKIAIOSFODNN7EXAMPLE", "-u bob:sekret9", "user@host", "12"),
    *("cookie", "sid=a1b2c3d4e5", "ssn ", "social security ", "536-22-8145", "seed ", "phrase"),
)


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=12))
def test_ordinary_text_is_left_alone(pieces: list[str]) -> None:
    text = "".join(pieces)
    if is_ordinary(text):
        assert clean(text).text == text
        assert redact(text).text == text


@pytest.mark.parametrize("text", ["", "Deploy on Friday, 12 of us.\n\tThen lunch?", "a" * 15])
def test_prose_is_ordinary(text: str) -> None:
    assert is_ordinary(text)


def test_nearly_every_message_is_ordinary() -> None:
    speech = Speech(3)
    assert all(is_ordinary(speech.text()) for _ in range(200))


@pytest.mark.parametrize(
    "text",
    [
        "the password: hunter2!",
        "my pass phrase",
        "4111 1111 1111 1111",
        "ghp_0123456789abcdef0123456789abcdef0123",
        "curl -u bob:sekret9 http://x",
        "bell \x07",
        "naïve",
    ],
)
def test_what_must_be_looked_at_is_not(text: str) -> None:
    assert not is_ordinary(text)
