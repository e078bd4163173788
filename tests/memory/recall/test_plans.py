"""Days to come: what a text or a fact tells of them, and whether that is what is asked about."""

import pytest

from hermes.clock import parse_time, to_datetime
from hermes.memory.recall.plans import find_due, read_facts, read_texts
from hermes.memory.recall.task import Task, read_task
from hermes.memory.recall.then import since
from hermes.types import Fact, FactKind

NOW = parse_time("2026-11-18T10:00:00Z")  # a Wednesday
MONDAY = parse_time("2026-11-16T09:00:00Z")


def ask(text: str, zone: str = "UTC") -> Task:
    return read_task(text, NOW, zone=zone)


def make_fact(text: str, value: str = "", kind: FactKind = FactKind.DEADLINE) -> Fact:
    return Fact(
        id=1, number=1, bank="default", text=text, kind=kind, recorded_at=MONDAY, value=value
    )


def as_is(fact: Fact) -> Fact:
    return fact


@pytest.mark.parametrize(
    ("text", "is_then", "is_other"),
    [
        ("we meet on Friday", True, False),
        ("we meet on Saturday", False, True),
        ("the report is due by Friday", True, False),
        ("I am away until Friday", True, False),
        ("the fair is in November", False, False),
        ("we met last Friday", False, False),
        ("we meet at noon on Friday", True, False),
        ("I like apples", False, False),
    ],
)
def test_a_text_counts_by_the_days_to_come_that_it_told(
    text: str, is_then: bool, is_other: bool
) -> None:
    told = read_texts(ask("what do I have on Friday"), [text], [MONDAY])
    assert (told.is_then.tolist(), told.is_other.tolist()) == ([is_then], [is_other])


def test_a_day_is_meant_where_a_part_of_it_is_asked_about() -> None:
    task = ask("what do I have on Friday morning")
    told = read_texts(task, ["we meet on Friday", "dinner on Friday evening"], [MONDAY, MONDAY])
    assert told.is_then.tolist() == [True, False]


@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles", "Pacific/Auckland"])
def test_a_fact_is_due_on_its_day_by_the_clock_of_whoever_asks(zone: str) -> None:
    facts = [make_fact(f"The report (due 2026-11-{day})", f"2026-11-{day}") for day in (23, 24, 25)]
    told = read_facts(ask("what is due next Tuesday", zone), facts, as_is)
    assert told.is_then.tolist() == [False, True, False]
    assert told.is_other.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("text", "value", "days"),
    [
        ("The report is due (due 2026-11-24)", "2026-11-24", ["2026-11-24"]),
        ("The visit is at 10 (on 2026-11-26)", "at 10", ["2026-11-26"]),
        ("The report (due 2026-11-20 or 2026-11-27)", "2026-11-20", ["2026-11-20", "2026-11-27"]),
        ("The report is due", "2026-11-24", ["2026-11-24"]),
        ("The report is due some day", "some day", []),
    ],
)
def test_a_deadline_is_due_on_the_days_it_names(text: str, value: str, days: list[str]) -> None:
    due = find_due(make_fact(text, value))
    assert [to_datetime(start).date().isoformat() for start, _ in due] == days
    assert not find_due(make_fact(text, value, FactKind.PREFERENCE))


def test_since_when_a_deadline_counts_is_its_day() -> None:
    assert since(make_fact("The visit (on 2026-11-26)", "at 10")) == parse_time("2026-11-26")
    assert since(make_fact("The visit is soon", "soon")) == MONDAY


def test_nothing_is_read_where_no_time_ahead_is_named() -> None:
    facts = [make_fact("The report", "2026-11-13")]
    told = read_facts(ask("what did I do last Friday"), facts, as_is)
    assert not told.is_then.any()
    assert not told.is_other.any()
