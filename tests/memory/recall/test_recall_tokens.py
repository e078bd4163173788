"""Counting tokens: from above, and never for as long as a text is."""

from hermes.memory.recall.tokens import LOOKED_AT, count_tokens, most_tokens


def test_of_a_giant_only_the_beginning_is_looked_at() -> None:
    giant = "see \u00a0" * LOOKED_AT
    head = giant[:LOOKED_AT]
    assert count_tokens(giant) == count_tokens(head) + most_tokens(giant[LOOKED_AT:])
    assert count_tokens(head) < most_tokens(head)


def test_small_letters_are_those_of_ascii_only() -> None:
    assert count_tokens("İSTANBUL ÅNGSTRÖM ẞ") >= 3
    assert count_tokens("HELLO wörld") >= count_tokens("hello world")
