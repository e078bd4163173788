"""What is told of a summary by its lines: words that stand together are more than words apart."""

from hermes.memory.recall.summaries import held_in_a_line

TEXTS = {
    1: "deadline indigo search rewrite 9 may\nreporting slow today",
    2: "deadline indigo reporting rewrite 4 december\nsearch slow today",
    3: "the lamp is new",
    4: "",
}
ASKED = ("reporting", "rewrite", "indigo", "due")


def test_words_of_one_line_count_for_more_than_words_of_two() -> None:
    held = held_in_a_line(ASKED, TEXTS, str.split)
    assert held[2] == 1.0  # "due" stands nowhere: it tells nothing
    assert 0 < held[1] < held[2]
    assert held[3] == held[4] == 0.0


def test_a_rare_word_counts_for_more() -> None:
    texts = {1: "rewrite\nrewrite\nrewrite", 2: "indigo"}
    held = held_in_a_line(ASKED, texts, str.split)
    assert held[2] > held[1] > 0


def test_nothing_asked_is_held_nowhere() -> None:
    assert held_in_a_line((), TEXTS, str.split) == dict.fromkeys(TEXTS, 0.0)
