"""By whose clock times are told and days are read: the person's, in everything a model sees."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from talking import NO_VECTORS, talk_with

from hermes.app import App, open_app
from hermes.app.agent_desk import AppDesk
from hermes.app.facts import NewFact
from hermes.clock import FixedClock, parse_time
from hermes.config.paths import Home
from hermes.tools.base import ToolContext, ToolResult
from hermes.tools.registry import load_toolbox, parse_arguments
from hermes.types import NewSession, Role, Turn, Utterance

EVENING = "2026-03-02T04:00:00Z"  # Sunday, 1 March, 20:00 in Los Angeles
CASING = "Falcon ships with the blue casing."


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    profile, clock = Home(tmp_path.resolve()).profile("default"), FixedClock(EVENING)
    environ = {"TZ": "America/Los_Angeles"}
    with open_app(profile, environ, flags=NO_VECTORS, clock=clock) as app:
        yield app


def record(app: App, text: str) -> None:
    said = Utterance(Role.USER, text, parse_time(EVENING))
    app.conversations.record([Turn(NewSession("before"), (said,))])


def use(app: App, name: str, arguments: str) -> ToolResult:
    tool = load_toolbox().get(name)
    context = ToolContext(AppDesk(app), "s", "default", Path.cwd())

    async def go() -> ToolResult:
        result: ToolResult = await tool.run(parse_arguments(tool, arguments), context)
        return result

    return asyncio.run(go())


def test_a_memory_is_dated_by_the_clock_that_the_model_is_told(app: App) -> None:
    record(app, CASING)
    talk = talk_with(app, ["ok"])
    talk.say("Which casing does Falcon ship with?")
    shown = next(m.text for m in talk.last.messages if CASING in m.text)
    assert "2026-03-01 20:00 PST" in shown
    assert f"[2026-03-01 20:00] user: {CASING}" in shown
    assert "2026-03-02" not in shown


def test_tools_tell_the_same_times(app: App) -> None:
    record(app, CASING)
    found = use(app, "session_search", '{"query": "casing"}').text
    assert "2026-03-01 20:00" in found
    listed = use(app, "session_search", "{}").text
    assert "[2026-03-01]" in listed


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("The deadline for the Falcon launch is Friday.", "2026-03-06"),
        ("The tax return is due in two weeks.", "2026-03-15"),
    ],
)
def test_days_are_read_as_where_they_were_said(app: App, said: str, day: str) -> None:
    record(app, said)
    list(app.facts.extract("before"))
    (fact,) = app.facts.list()
    assert day in fact.text
    assert fact.sources[0].at == parse_time(EVENING)


def test_so_are_those_of_a_fact_that_is_given(app: App) -> None:
    due = app.facts.add(NewFact("The deadline for the Falcon launch is in two weeks")).fact
    assert due is not None
    assert due.value == "2026-03-15"


def test_what_holds_since_it_was_said_holds_since_that_moment(app: App) -> None:
    record(app, "I live in Portland.")
    list(app.facts.extract("before"))
    (read,) = app.facts.list()
    given = app.facts.add(NewFact("User's name is Ann")).fact
    assert given is not None
    assert (read.valid_from, given.valid_from) == (parse_time(EVENING), parse_time(EVENING))
