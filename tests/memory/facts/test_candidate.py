import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.errors import Refused
from hermes.memory.facts.candidate import Candidate, verify_quote
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


@given(st.text(min_size=1), st.text(), st.text())
def test_any_part_of_a_text_is_a_quote_of_it(quote: str, before: str, after: str) -> None:
    if quote.strip():
        verify_quote(quoting(quote), before + quote + after)
