import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.errors import Refused
from hermes.memory.facts.candidate import SHORTEST_QUOTE, Candidate, verify_quote
from hermes.types import FactKind


def quoting(quote: str) -> Candidate:
    return Candidate("User lives in Leeds", FactKind.IDENTITY, quote=quote)


def test_a_quote_from_the_source_is_accepted() -> None:
    candidate = quoting("i live in leeds")
    assert verify_quote(candidate, "well, i live in leeds now") is candidate


@pytest.mark.parametrize("quote", ["I live in York", "", "   "])
def test_a_quote_that_is_not_in_the_source_is_refused(quote: str) -> None:
    with pytest.raises(Refused, match="quote"):
        verify_quote(quoting(quote), "well, i live in leeds now")


def test_typographic_marks_and_line_breaks_do_not_matter() -> None:
    verify_quote(quoting('I\'m in "Leeds"'), "so I’m in\n“Leeds” now")


@pytest.mark.parametrize("quote", ["a", "i", "in", "eds", "live in lee", "ive in leeds", "- ,"])
def test_letters_and_pieces_of_words_are_no_quote(quote: str) -> None:
    with pytest.raises(Refused, match="quote"):
        verify_quote(quoting(quote), "well, i live in leeds - a town, so")


@pytest.mark.parametrize(
    ("quote", "text"), [("Go", "Go"), ("ill", "bill is ill"), ("住在柏林", "我住在柏林了")]
)
def test_a_short_answer_and_a_script_without_spaces_are_quoted(quote: str, text: str) -> None:
    verify_quote(quoting(quote), text)


@given(st.text(min_size=1), st.text(), st.text())
def test_whole_words_of_a_text_are_a_quote_of_it(quote: str, before: str, after: str) -> None:
    if sum(map(str.isalnum, " ".join(quote.split()))) >= SHORTEST_QUOTE:
        verify_quote(quoting(quote), f"{before} {quote} {after}")
