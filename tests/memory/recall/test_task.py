"""Reading a task: words, names, and whom it is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.clock import DAY_MS
from hermes.memory.recall.task import (
    ASKED_CHARS,
    Subject,
    asked_part,
    read_task,
    telling_words,
)

AT = 1_700_000_000_000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("When did Caroline go to the zoo?", ["Caroline", "go", "zoo"]),
        ("What's John's favourite band?", ["John", "favourite", "band"]),
        ("the career-high game", ["career", "high", "game"]),
        ("how do I use c++ here", ["use", "cplusplus"]),
        ('who said "red balloon" first?', ["red balloon", "red", "balloon", "said", "first"]),
        ("北京天气", ["北京", "京天", "天气"]),
        ("what is it?", ["what", "is", "it"]),
        ("", []),
    ],
)
def test_telling_words(text: str, words: list[str]) -> None:
    assert sorted(telling_words(text)) == sorted(words)


@given(st.text(max_size=300))
def test_any_string_is_a_task(text: str) -> None:
    task = read_task(text, AT)
    assert task.text == text
    assert len(task.terms) == len(set(task.terms))


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("what did I buy in May?", Subject.USER),
        ("my dentist's name", Subject.USER),
        ("what did you recommend for my back?", Subject.ASSISTANT),
        ("who won the game?", Subject.ANYONE),
    ],
)
def test_subject(text: str, subject: Subject) -> None:
    assert read_task(text, AT).subject is subject


@pytest.mark.parametrize(
    ("text", "person", "named"),
    [
        ("What did Caroline paint?", "Caroline", True),
        ("what did caroline paint?", "Caroline Smith", True),
        ("Where is Carol's bike?", "Carol", True),
        ("What did Caroline paint?", "Carol", False),
        ("what will he do?", "Will", False),
        ("anything", "", False),
    ],
)
def test_names(text: str, person: str, named: bool) -> None:
    assert read_task(text, AT).names(person) is named


@pytest.mark.parametrize(
    ("text", "order", "is_lookup"),
    [
        ("write a haiku", {"write"}, False),
        ("Plan the heist", {"plan"}, False),
        ("plan", set(), True),
        ("heist plan", set(), True),
        ("which plan did we choose", set(), False),
    ],
)
def test_an_order_says_what_to_do_not_what_about(
    text: str, order: set[str], is_lookup: bool
) -> None:
    task = read_task(text, 0)
    assert (set(task.order), task.is_lookup) == (order, is_lookup)


@pytest.mark.parametrize(
    ("text", "is_about_time"),
    [
        ("what did I do in May?", True),
        ("Did I do anything in May?", True),
        ("what did I do so far this month?", True),
        ("what did I already do this week?", True),
        ("what happened earlier this week?", True),
        ("what happened 2-3 weeks ago?", True),
        ("what happened in 05-2023?", True),
        ("what happened recently?", True),
        ("what have I been up to lately?", True),
        ("what did we talk about not long ago?", True),
        ("what did I say on 17 March?", True),
        ("what did I write in October?", True),
        ("what did I write about last week?", True),
        ("what have I told you in May?", True),
        ("what was mentioned on Monday?", True),
        ("did I mention anything yesterday?", True),
        ("what did I mention lately?", True),
        ("what did my doctor say in May?", False),
        ("what did my doctor say about salt?", False),
        ("which letter did I write in May?", False),
        ("write something for May", False),
        ("what should I write on Monday?", False),
        ("what did I plant in May?", False),
        ("which film did I see recently?", False),
        ("what should I cook today?", False),
        ("what did I do?", False),
    ],
)
def test_whether_nothing_but_a_time_is_asked_for(text: str, is_about_time: bool) -> None:
    assert read_task(text, AT).is_about_time is is_about_time


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("what did I say on 17 March?", {"say"}),
        ("what did I write in October?", {"write"}),
        ("what did I tell you last week?", set()),
        ("what did we talk about on Monday?", {"talk"}),
        ("what did you say yesterday?", {"say"}),
        ("what happened on Monday?", set()),
        ("what did my doctor say in May?", set()),
        ("what did I say?", set()),
    ],
)
def test_of_a_time_alone_that_it_was_told_says_nothing(text: str, words: set[str]) -> None:
    assert read_task(text, AT).little_words == words


def test_lately_is_the_month_up_to_now_where_nothing_else_is_asked() -> None:
    (span,) = read_task("What did I do lately?", AT).spans
    assert (span.text, span.start_at, span.end_at) == ("lately", AT - 30 * DAY_MS, AT)
    assert not read_task("which film did I see lately?", AT).spans


def test_of_a_task_with_a_log_in_it_both_ends_are_read() -> None:
    log = "2026-03-01 12:00 ERROR module failed on Tuesday\n" * 20_000
    part = asked_part(f"Why does Falcon stop? {log} Compare it with Kestrel.")
    assert len(part) <= ASKED_CHARS + 1
    assert part.startswith("Why does Falcon stop?")
    assert part.endswith("Compare it with Kestrel.")
    assert asked_part("Why does Falcon stop?") == "Why does Falcon stop?"
