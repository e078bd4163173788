"""Text laid out for a terminal: nothing lost, nothing too wide, in any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.cli.layout import count_cells, embolden, fit, hang_within, pad, tame, wrap
from hermes.cli.render import clean

ANY = st.text(st.characters(codec="utf-8"), max_size=200)
WIDTHS = st.integers(2, 90)


@given(ANY, WIDTHS)
def test_wrapping_keeps_every_character_in_order(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert "".join(text[start:end] for start, end in lines) == text
    assert lines


@given(ANY, WIDTHS)
def test_no_line_is_wider_than_asked(text: str, width: int) -> None:
    plain = tame(text)
    for start, end in wrap(plain, width):
        assert count_cells(plain[start:end].rstrip()) <= width


@given(ANY, WIDTHS)
def test_a_line_is_cut_to_fit(text: str, width: int) -> None:
    line = fit(text, width)
    assert count_cells(line) <= width and "\n" not in line


def test_words_stay_whole_and_wide_letters_count_twice() -> None:
    text = "one two three"
    assert [text[start:end] for start, end in wrap(text, 7)] == ["one two ", "three"]
    assert count_cells("数据库") == 6 and count_cells("می\u200cخواهم") == 7
    assert fit("数据库迁移", 7) == "数据库…"
    assert pad("数据", 6) == "数据  "


@given(ANY)
def test_taming_keeps_places(text: str) -> None:
    assert len(tame(text)) == len(text)


@pytest.mark.parametrize(
    ("span", "shown"),
    [
        ((0, 3), "\x1b[1mone\x1b[0m two"),
        ((4, 7), "one \x1b[1mtwo\x1b[0m"),
        ((9, 12), "one two"),
        ((2, 5), "on\x1b[1me t\x1b[0mwo"),
    ],
)
def test_marks_are_bold(span: tuple[int, int], shown: str) -> None:
    assert embolden("one two three", 0, 7, [span]) == shown


@given(ANY, st.integers(0, 12), st.integers(40, 100))
def test_what_hangs_fits_and_keeps_every_word(text: str, indent: int, width: int) -> None:
    shown = clean(text)
    lines = hang_within(shown, indent, width).split("\n")
    assert all(count_cells(line) <= width for line in lines)
    assert all(line.startswith(" " * indent) for line in lines[1:])
    assert "".join("".join(lines).split()) == "".join(shown.split())
