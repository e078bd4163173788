"""The times of a question: on which side of now, and what of them is ahead."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from when_rows import NOW, render_at

from hermes.clock import parse_time
from hermes.memory.recall.when import (
    TimeSpan,
    find_ahead,
    find_asked,
    find_past,
    find_times,
    read_tense,
)
from hermes.memory.recall.when.tense import Sentences


def render(spans: Iterable[TimeSpan]) -> list[str]:
    return [f"{render_at(span.start_at)} .. {render_at(span.end_at)}" for span in spans]


def windows(text: str) -> list[str]:
    return render(find_asked(text, NOW))


def ahead(text: str) -> list[str]:
    return render(find_ahead(text, find_asked(text, NOW), NOW))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what will I do in January?", ["2024-01-01 .. 2024-02-01"]),
        ("what did I do in January?", ["2023-01-01 .. 2023-02-01"]),
        ("what do I have on Friday?", ["2023-06-16 .. 2023-06-17"]),
        ("what did I have on Friday?", ["2023-06-09 .. 2023-06-10"]),
        ("what is on Friday?", ["2023-06-16 .. 2023-06-17"]),
        ("is there anything on Monday?", ["2023-06-19 .. 2023-06-20"]),
        ("do I have plans for the weekend?", ["2023-06-17 .. 2023-06-19"]),
        ("how was it over the weekend?", ["2023-06-10 .. 2023-06-12"]),
        ("what will I do before Friday?", ["2023-06-14T15:30 .. 2023-06-16"]),
        ("what did I finish by Friday?", ["1900-01-01 .. 2023-06-10"]),
        ("what happened by the end of April?", ["1900-01-01 .. 2023-05-01"]),
        ("what had I paid by noon today?", ["1900-01-01 .. 2023-06-14T12:01"]),
        ("what had I written by today?", ["1900-01-01 .. 2023-06-14T15:30"]),
        ("what must I finish by Friday?", ["2023-06-14T15:30 .. 2023-06-17"]),
        ("what did we do two weeks on Monday?", ["2023-06-12 .. 2023-06-13"]),
        ("what will we do two weeks on Monday?", ["2023-07-03 .. 2023-07-04"]),
        ("finish it by Friday", ["2023-06-14T15:30 .. 2023-06-17"]),
        ("what did I promise to send by Friday?", ["2023-06-14T15:30 .. 2023-06-17"]),
        ("what did I agree to by next Friday?", ["2023-06-14T15:30 .. 2023-06-17"]),
        (
            "What did I pay by Friday? I must call Ann by Friday.",
            ["1900-01-01 .. 2023-06-10", "2023-06-14T15:30 .. 2023-06-17"],
        ),
        ("was steht am Freitag an?", ["2023-06-16 .. 2023-06-17"]),
        ("was haben wir am Freitag gemacht?", ["2023-06-09 .. 2023-06-10"]),
        ("qu'est-ce qui est prévu vendredi ?", ["2023-06-16 .. 2023-06-17"]),
        ("¿qué tengo el viernes?", ["2023-06-16 .. 2023-06-17"]),
        (
            "what did we do on Friday? What will we do on Monday?",
            [
                "2023-06-09 .. 2023-06-10",
                "2023-06-19 .. 2023-06-20",
            ],
        ),
    ],
)
def test_the_tense_of_a_sentence_says_on_which_side_of_now_a_time_is(
    text: str, expected: list[str]
) -> None:
    assert windows(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "which bills did I say I'd pay by Friday",
        "what did I tell Ann I’d do by Friday",
        "what was I to finish by Friday",
        "which bills were to be paid by Friday",
        "what was I going to finish by Friday",
        "what was Ann supposed to send by Friday",
        "I had to send it by Friday, what was it",
        "what did I plan to finish by Friday",
        "which reports did I promise by Friday",
        "what did Ann ask me to bring by Friday",
        "what was I told to bring by Friday",
        "what did Ann say she is sending by Friday",
        "what did I say I could do by Friday",
    ],
)
def test_what_was_still_to_come_may_be_so_now(text: str) -> None:
    assert windows(text) == ["2023-06-14T15:30 .. 2023-06-17"]


@pytest.mark.parametrize(
    "text",
    [
        "what was sent to Ann by Friday",
        "what was given to the bank by Friday",
        "what did I say to her by Friday",
        "which mails did I say they'd already sent by Friday",
        "which mails did I say they'd finished by Friday",
        "what I wanted was done by Friday",
    ],
)
def test_what_was_by_then_is_not_still_to_come(text: str) -> None:
    assert windows(text) == ["1900-01-01 .. 2023-06-10"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the concert on the 20th", ["2023-05-20 .. 2023-05-21", "2023-06-20 .. 2023-06-21"]),
        ("the concert on the 10th", ["2023-06-10 .. 2023-06-11"]),
        ("Tuesday, May 7", ["2024-05-07 .. 2024-05-08"]),
    ],
)
def test_where_the_words_leave_it_open_the_nearer_ahead_may_be_meant(
    text: str, expected: list[str]
) -> None:
    assert windows(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what do I have next Tuesday?", ["2023-06-20 .. 2023-06-21"]),
        ("what do I have this week?", ["2023-06-12 .. 2023-06-19"]),
        ("what did I do this week?", ["2023-06-12 .. 2023-06-14T15:30"]),
        ("what did I say about this week?", ["2023-06-12 .. 2023-06-19"]),
        ("what did I do last week?", []),
        ("what is planned for next year?", ["2024-01-01 .. 2025-01-01"]),
        ("what is my budget this year?", []),
        ("what is planned after Friday?", ["2023-06-17 .. 2024-01-03"]),
    ],
)
def test_what_of_the_times_is_ahead(text: str, expected: list[str]) -> None:
    assert ahead(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what did I do last week?", ["2023-06-05 .. 2023-06-12"]),
        ("what did I do this week?", ["2023-06-12 .. 2023-06-14T15:30"]),
        ("what did I buy in 2023?", ["2023-01-01 .. 2023-06-14T15:30"]),
        ("what do I have this week?", []),
        ("what did I say about this week?", []),
    ],
)
def test_what_of_the_times_is_past(text: str, expected: list[str]) -> None:
    assert render(find_past(text, find_asked(text, NOW), NOW)) == expected


@pytest.mark.parametrize(
    ("sentence", "tense"),
    [
        ("what will happen", "future"),
        ("did Will call", "past"),
        ("what is on the list", "open"),
        ("what did I plan to do next", "open"),
        ("что я делал в мае?", "past"),
        ("что мне нужно сделать в мае?", "future"),
        ("was habe ich im Mai gelesen?", "past"),
        ("qu'ai-je mangé en mai ?", "past"),
    ],
)
def test_the_tense_of_words(sentence: str, tense: str) -> None:
    assert read_tense(sentence) == tense


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "piece", ["昨天", "yesterday. ", "what did I do by Friday? ", "did it by Friday "]
)
def test_the_tenses_of_a_long_text_are_read_in_linear_time(piece: str) -> None:
    text = piece * 40_000
    spans = find_asked(text, NOW)
    assert len(spans) == 40_000
    assert len(list(find_past(text, spans, NOW))) == 40_000


def test_a_sentence_is_read_once_for_all_the_times_in_it() -> None:
    text = "What did I do today, on Monday and on Friday? What will I do tomorrow?"
    sentences = Sentences(text)
    tenses = [sentences.tense_of(span) for span in find_times(text, NOW)]
    assert tenses == ["past", "past", "past", "future"]
    assert len(sentences.known) == 2


@given(st.text(max_size=120))
def test_every_time_asked_about_is_one_that_the_text_names(text: str) -> None:
    named = {(span.start, span.end) for span in find_times(text, NOW)}
    assert {(span.start, span.end) for span in find_asked(text, NOW)} == named


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what did I do in May and June", ["2026-05-01 .. 2026-06-01", "2026-06-01 .. 2026-07-01"]),
        ("what did I do in march or may", ["2026-03-01 .. 2026-04-01", "2026-05-01 .. 2026-06-01"]),
        ("did I meet May and June in April", ["2026-04-01 .. 2026-05-01"]),
        ("what happened between my birthday and Christmas", []),
        ("what happened between Easter and Halloween", ["2026-04-05 .. 2026-11-01"]),
    ],
)
def test_times_that_are_joined(text: str, expected: list[str]) -> None:
    found = find_asked(text, parse_time("2026-11-19T12:00:00Z"))
    assert render(found) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what did I say on 10/4", ["2026-10-04 .. 2026-10-05", "2026-04-10 .. 2026-04-11"]),
        ("what did I say on 4/10", ["2026-10-04 .. 2026-10-05", "2026-04-10 .. 2026-04-11"]),
        ("what did I say on 10/4/2025", ["2025-10-04 .. 2025-10-05", "2025-04-10 .. 2025-04-11"]),
        ("what did I say on 25/4", ["2026-04-25 .. 2026-04-26"]),
        ("what did I say on 4/25", ["2026-04-25 .. 2026-04-26"]),
        ("what did I say on 4/4", ["2026-04-04 .. 2026-04-05"]),
    ],
)
def test_a_day_and_a_month_are_read_either_way(text: str, expected: list[str]) -> None:
    found = find_asked(text, parse_time("2026-11-19T12:00:00Z"))
    assert render(found) == expected
