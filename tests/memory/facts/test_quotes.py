"""A quote is found where it stands, whatever the spacing and the typographic marks."""

from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.facts.quotes import locate

WORDS = st.lists(st.text("abcäö'’\"“.*+?[(\\", min_size=1, max_size=6), min_size=1, max_size=6)
SPACE = st.sampled_from([" ", "  ", "\n", "\t "])


def plain(text: str) -> list[str]:
    return text.translate(str.maketrans("’‘“”", "''\"\"")).split()


@given(WORDS, st.text("xyz ", max_size=8), SPACE)
def test_a_quote_is_found_with_other_spacing_and_marks(
    words: list[str], around: str, space: str
) -> None:
    said = space.join(words).replace("'", "’")
    text = f"{around} {said} {around}"
    place = locate(" ".join(words), text)
    assert place is not None
    assert plain(text[slice(*place)]) == plain(" ".join(words))


@given(st.text(), st.text())
def test_any_two_texts_can_be_asked(quote: str, text: str) -> None:
    place = locate(quote, text)
    assert place is None or 0 <= place[0] < place[1] <= len(text)


def test_what_is_not_there_is_not_found() -> None:
    assert locate("I live in Paris", "I live in Utrecht") is None
    assert locate("", "anything") is None
    assert locate("  ", "anything") is None
