from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.recall.focus import asked_words, excerpt, find_focus
from hermes.memory.recall.render import (
    FOUND_CHARS,
    notice_tokens,
    render_alone,
    render_context,
    snippet_tokens,
)
from hermes.memory.recall.result import Item, Line
from hermes.memory.recall.tokens import count_tokens
from hermes.types import Kind, Role

FILL = "The quick brown fox went back over the lazy dog again and again. " * 60
ANSWER = "The consulate's back entrance is on Rue Haxo."
ASKED = asked_words(["back", "entrance", "consulate"], [0.2, 0.6, 0.7])


def test_the_focus_is_where_the_words_stand_together() -> None:
    text = FILL + ANSWER + FILL
    assert abs(find_focus(text, ASKED) - len(FILL)) < 40


def test_a_short_text_and_one_without_the_words_have_none() -> None:
    assert find_focus(ANSWER, ASKED) == 0
    assert find_focus(FILL, asked_words(["consulate"], [1.0])) == 0


def test_words_are_found_in_other_forms_and_scripts() -> None:
    assert find_focus(FILL + "We walked in.", asked_words(["walking"], [1.0])) >= len(FILL)
    chinese = "今天天气很好。" * 100
    assert find_focus(chinese + "数据库迁移", asked_words(["数据"], [1.0])) >= len(chinese)


def test_a_message_of_megabytes_of_one_word_is_looked_at_quickly() -> None:
    assert find_focus("back " * 400_000, ASKED) >= 0


@given(st.text(max_size=300), st.integers(0, 300), st.integers(1, 100))
def test_an_excerpt_is_no_longer_than_asked_and_a_part_of_the_text(
    text: str, focus: int, size: int
) -> None:
    shown = excerpt(text, focus, size)
    own = shown if len(text) <= size else shown.removeprefix("… ").removesuffix(" …")
    assert len(own) <= max(size, len(text) if len(text) <= size else 0)
    assert own in text


def test_the_block_shows_what_was_found_at_any_budget() -> None:
    text = FILL + ANSWER + FILL
    line = Line(1, 0, Role.ASSISTANT, "", text, focus=find_focus(text, ASKED))
    item = Item(Kind.EPISODE, "message:1", 0.9, 1.0, 0, text, lines=(line,))
    for budget in (200, 400, 1_000, 4_000):
        assert ANSWER in render_context([item], budget), budget


def test_a_long_neighbour_is_cut_around_what_is_asked_for() -> None:
    asked = Line(1, 0, Role.USER, "", "How do I get into the consulate?")
    answer = FILL + ANSWER + FILL
    said = Line(2, 1, Role.ASSISTANT, "", answer, focus=find_focus(answer, ASKED))
    item = Item(Kind.EPISODE, "message:1", 0.9, 1.0, 0, asked.text, lines=(asked, said))
    assert ANSWER in render_context([item], 1_000)


def test_an_empty_item_that_does_not_fit_is_left_out() -> None:
    assert render_alone(Item(Kind.EPISODE, "message:1", 0.9, 1.0, 0, ""), 1) == ""


def test_of_a_pasted_log_only_what_is_asked_for_is_shown_and_paid_for() -> None:
    text = FILL * 40 + ANSWER + FILL * 40
    line = Line(1, 0, Role.USER, "", text, focus=find_focus(text, ASKED))
    item = Item(Kind.EPISODE, "message:1", 0.9, 1.0, 0, text, lines=(line,))
    block = render_context([item], 20_000)
    assert ANSWER in block
    assert len(block) < FOUND_CHARS + 1_000
    assert count_tokens(block) <= snippet_tokens(item) + notice_tokens() < 4_000
