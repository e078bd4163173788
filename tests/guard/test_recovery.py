"""A recovery key reads back to the same bytes, and a slip of the pen is noticed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.errors import UserError
from hermes.guard.recovery import parse_recovery_key, render_recovery_key

keys = st.binary(min_size=32, max_size=32)


@given(keys)
def test_round_trip(key: bytes) -> None:
    assert parse_recovery_key(render_recovery_key(key)) == key


def test_form_is_fourteen_groups_of_four() -> None:
    groups = render_recovery_key(bytes(range(32))).split("-")
    assert [len(group) for group in groups] == [4] * 14


@given(keys)
def test_case_spacing_and_look_alikes_do_not_matter(key: bytes) -> None:
    written = render_recovery_key(key)
    sloppy = written.lower().replace("-", "  ").replace("0", "o").replace("1", "l")
    assert parse_recovery_key(f"\n {sloppy}\t") == key


@given(keys, st.integers(0, 55), st.sampled_from("0123456789ABCDEFGHJKMNPQRSTVWXYZ"))
def test_one_wrong_character_is_noticed(key: bytes, place: int, letter: str) -> None:
    letters = list(render_recovery_key(key).replace("-", ""))
    if letters[place] == letter:
        return
    letters[place] = letter
    with pytest.raises(UserError, match="typing error"):
        parse_recovery_key("".join(letters))


@given(keys, st.integers(0, 54))
def test_two_characters_in_the_wrong_order_are_noticed(key: bytes, place: int) -> None:
    letters = list(render_recovery_key(key).replace("-", ""))
    if letters[place] == letters[place + 1]:
        return
    letters[place], letters[place + 1] = letters[place + 1], letters[place]
    with pytest.raises(UserError, match="typing error"):
        parse_recovery_key("".join(letters))


@pytest.mark.parametrize("text", ["", "ABCD", "0000-" * 14 + "0"])
def test_a_wrong_length_is_named(text: str) -> None:
    with pytest.raises(UserError, match="56 characters"):
        parse_recovery_key(text)


def test_a_character_outside_the_alphabet_is_named() -> None:
    with pytest.raises(UserError, match="'U'"):
        parse_recovery_key("U" * 56)


@given(st.text())
def test_any_other_text_is_a_user_error(text: str) -> None:
    with pytest.raises(UserError):
        parse_recovery_key(text)
