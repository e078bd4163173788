"""Questions with a time that an event names: what lies in it is given, in an order that reads."""

from collections.abc import Iterator

import pytest
from days import embed_all, say_by_day

from hermes.clock import FixedClock, parse_time, render_time
from hermes.library import Hermes
from hermes.memory.recall.engine import Engine, RecallOptions
from hermes.memory.recall.select import is_only_new
from hermes.types import Kind

LOGO = "we picked the blue logo for Atlas"
SAID = {
    "2026-09-15": "I have been reading about tides all evening",
    "2026-09-20": LOGO,
    "2026-09-25": "The launch of Atlas is on 2 October 2026",
    "2026-10-05": "the launch went fine, 300 people signed up",
    "2026-10-12": "We hired Mara as support lead for Atlas",
    "2026-10-20": "my bike has a flat tyre",
    "2026-11-02": "my neighbour Oskar plays the trombone",
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(tmp_path_factory.mktemp("times") / "home") as opened:
        say_by_day(opened, SAID)
        list(opened.app.facts.extract(""))
        embed_all(opened)
        yield opened


def test_what_was_said_before_an_event_is_given(memory: Hermes) -> None:
    found = memory.recall("what did we choose before the launch")
    bearing = [item for item in found.items if not is_only_new(item, 0.65)]
    assert LOGO in [item.text for item in bearing]
    assert any("blue logo" in item.text for item in bearing if item.kind is Kind.FACT)
    later = parse_time("2026-10-03T00:00:00Z")
    assert all(item.at < later for item in bearing if item.kind is Kind.EPISODE)


def test_a_time_before_an_event_in_which_much_was_said_is_not_silent(memory: Hermes) -> None:
    assert not memory.recall("what happened before the launch").trace.reason


@pytest.mark.parametrize("task", ["after the launch of Atlas", "what did we do before the launch"])
def test_the_order_agrees_with_the_relevance_told(memory: Hermes, task: str) -> None:
    found = memory.recall(task)
    told = [round(i.relevance, 2) for i in found.items if not is_only_new(i, 0.65)]
    assert len(told) > 2
    assert told == sorted(told, reverse=True)


EVENTS = {
    "2026-02-20": "repainted the hallway, two coats",
    "2026-04-01": "sold the old piano",
    "2026-04-20": "shipped the invoice export",
    "2026-05-03": "a hundred people came",
    "2026-05-11": "gave the talk about caching at the meetup",
}
DATED = (
    "The kickoff was on 2 February 2026",
    "The offsite was on 12 March 2026",
    "The launch is on 3 May 2026",
    "The premiere of Hamlet is on 9 April 2026",
    "Adaeze's mum comes on 10 April 2026",
    "User moves house on 20 March 2026",
    "Jonas proposed on 14 February 2026",
    "User joined the gym on 5 January 2026",
)
ASKED_AT = parse_time("2026-05-13T15:00:00Z")


@pytest.fixture(scope="module")
def diary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with Hermes(tmp_path_factory.mktemp("diary") / "home") as opened:
        say_by_day(opened, EVENTS)
        for text in DATED:
            opened.remember(text)
        embed_all(opened)
        app = opened.app
        options = RecallOptions(zone="UTC")
        engine = Engine(app.store, FixedClock(ASKED_AT), embedder=app.embedder, options=options)
        yield engine
        engine.close()


def given(diary: Engine, task: str) -> list[str]:
    found = diary.recall(task, bank="default").items
    return [i.text for i in found if i.kind is Kind.EPISODE and not is_only_new(i, 0.65)]


@pytest.mark.parametrize(
    "task",
    [
        "what did I do in May?",
        "Did I do anything in May?",
        "what did I do earlier this week?",
        "what did I do so far this month?",
        "what did I already do this week?",
        "what did I say aloud this week?",
        "was habe ich im Mai gemacht?",
        "¿qué hice en mayo?",
        "what have I been up to this week?",
        "what happened recently?",
    ],
)
def test_what_is_gone_of_a_running_time_is_given(diary: Engine, task: str) -> None:
    assert EVENTS["2026-05-11"] in given(diary, task)


def test_of_a_running_time_that_is_ahead_nothing_is_given(diary: Engine) -> None:
    assert given(diary, "what should I cook this week?") == []


@pytest.mark.parametrize(
    "task",
    [
        "what did I do the other day?",
        "what did we talk about the other day?",
        "what happened about a few weeks ago?",
    ],
)
def test_a_vague_time_in_which_something_was_said_is_not_silent(diary: Engine, task: str) -> None:
    found = diary.recall(task, bank="default")
    assert not found.trace.reason
    assert given(diary, task)


def test_a_vague_time_in_which_nothing_was_said_is_silent(diary: Engine) -> None:
    assert (
        "nothing was said"
        in diary.recall("what happened several years ago?", bank="default").trace.reason
    )


@pytest.mark.parametrize(
    ("task", "span"),
    [
        (
            "what did I do between the offsite and the launch?",
            ("between the offsite and the launch", "2026-03-12", "2026-05-04"),
        ),
        (
            "what did I do between kickoff and launch?",
            ("between kickoff and launch", "2026-02-02", "2026-05-04"),
        ),
        (
            "what did we do from the offsite until the launch?",
            ("from the offsite until the launch", "2026-03-12", "2026-05-04"),
        ),
        ("what happened at the launch?", ("at the launch", "2026-05-03", "2026-05-04")),
        ("what happened on launch day?", ("on launch day", "2026-05-03", "2026-05-04")),
        ("the day of the launch", ("day of the launch", "2026-05-03", "2026-05-04")),
        (
            "what happened on the day of the launch of the practice?",
            ("on the day of the launch of the practice", "2026-05-03", "2026-05-04"),
        ),
        ("at the premiere of Hamlet", ("at the premiere of Hamlet", "2026-04-09", "2026-04-10")),
        ("the week of the offsite", ("week of the offsite", "2026-03-09", "2026-03-16")),
    ],
)
def test_events_are_times(diary: Engine, task: str, span: tuple[str, str, str]) -> None:
    _, trace = diary.search(task, bank="default")
    named, first, last = span
    assert [(t, render_time(a)[:10], render_time(b)[:10]) for t, a, b in trace.spans] == [
        (named, first, last)
    ]


def test_what_an_event_is_of_is_no_content(diary: Engine) -> None:
    task = "what did I do in the month before the launch of the practice?"
    assert EVENTS["2026-04-01"] in given(diary, task)


@pytest.mark.parametrize(
    ("task", "spans"),
    [
        ("what did I do the weekend after Adaeze's mum left?", []),
        ("what did I do the day after Adaeze's mum came?", ["day after Adaeze's mum came"]),
        ("what did I do before we moved?", ["before we moved"]),
        ("what did I do in the week after Jonas proposed?", ["in the week after Jonas proposed"]),
        ("what did I do after Jonas moved?", []),
        ("what did I do before I moved the sofa?", []),
    ],
)
def test_an_event_that_is_named_by_its_verb_is_of_that_verb(
    diary: Engine, task: str, spans: list[str]
) -> None:
    _, trace = diary.search(task, bank="default")
    assert [text for text, *_ in trace.spans] == spans


def test_an_event_of_something_else_is_another(diary: Engine) -> None:
    _, trace = diary.search("what did I do after the premiere of Macbeth?", bank="default")
    assert trace.spans == ()


def test_what_was_said_between_two_events_is_given(diary: Engine) -> None:
    told = given(diary, "what did I do between the kickoff and the offsite?")
    assert EVENTS["2026-02-20"] in told
    assert EVENTS["2026-05-11"] not in told


@pytest.mark.parametrize(
    ("task", "spans"),
    [
        ("what did I do at the gym?", []),
        ("at the gym before the launch", ["before the launch"]),
        ("what did I do on the first day of the month?", ["on the first day of the month"]),
    ],
)
def test_a_place_with_a_dated_fact_is_no_time(diary: Engine, task: str, spans: list[str]) -> None:
    _, trace = diary.search(task, bank="default")
    assert [text for text, *_ in trace.spans] == spans
