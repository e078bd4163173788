"""How calls ended is kept as the agent knows it, and nothing that failed is taken for a success."""

import asyncio
from pathlib import Path

import pytest
from talking import call, messages_of, opened, system_of, talk_with

from hermes.agent.approval import Answer
from hermes.agent.calls import INTERRUPTED
from hermes.agent.events import End, Event, Noted, Remembered
from hermes.app import App
from hermes.app.agent import ChatOptions
from hermes.cli.chat.screen import told_end
from hermes.errors import Unavailable
from hermes.llm.base import ModelRequest
from hermes.llm.retry import FallbackModel
from hermes.memory.reflect.call_outcome import Told, read_told
from hermes.testing import ScriptedModel
from hermes.testing.model import Line
from hermes.tools.base import Arguments, Question, Tool, ToolContext, ToolResult
from hermes.tools.registry import load_toolbox, make_toolbox
from hermes.types import Kind, Origin, Role, ToolCall


def talked(app: App, workdir: Path, *lines: Line) -> str:
    """A conversation of one question; its session."""
    talk = talk_with(app, [*lines, "Done."], ChatOptions(workdir=workdir))
    talk.say("Please build the release and publish the changes")
    return talk.chat.thread.id


PUSH = call("terminal", command="git push --force")
FAULTS = [
    (PUSH, "not allowed"),
    (call("terminal", command="sh -c 'exit 3'"), "exit 3"),
    (call("no_such_tool"), "unknown tool"),
    (ToolCall("call1", "read_file", "{broken"), "wrong arguments"),
]


@pytest.mark.parametrize(("asked", "fault"), FAULTS)
def test_what_failed_is_kept_as_such_and_is_no_success(
    app: App, tmp_path: Path, asked: ToolCall, fault: str
) -> None:
    session = talked(app, tmp_path, asked)
    kept = messages_of(app, session)
    [told] = app.store.read(lambda tx: read_told(tx, kept)).values()
    assert told == Told(failed=True, fault=fault)
    assert app.agent.export_trajectory(session)["success"] is False
    app.agent.work_off([session])
    assert all(each.successes == 0 for each in app.reflections.list("default"))


def test_a_tool_that_reads_of_errors_has_not_failed(app: App, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("ValueError: it was mended long ago\n")
    session = talked(app, tmp_path, call("read_file", path="log.txt"))
    assert app.agent.export_trajectory(session)["success"] is True


def test_a_program_that_went_well_later_makes_up_for_it_and_another_does_not(
    app: App, tmp_path: Path
) -> None:
    fails, passes = call("terminal", 1, command="ls gone"), call("terminal", 2, command="ls .")
    assert app.agent.export_trajectory(talked(app, tmp_path, fails, passes))["success"] is True
    other = call("terminal", 2, command="echo hi")
    assert app.agent.export_trajectory(talked(app, tmp_path, fails, other))["success"] is False


def test_a_tool_that_was_used_is_no_lesson_and_a_lesson_is_for_its_task(
    app: App, tmp_path: Path
) -> None:
    app.agent.work_off([talked(app, tmp_path, call("terminal", command="echo hi"))])
    assert app.reflections.list("default") == []
    app.agent.work_off([talked(app, tmp_path, PUSH)])
    [lesson] = app.reflections.list("default")
    assert lesson.lesson == "terminal (git) was not allowed"
    for question in ("what is my dog called", "What do I like to drink?"):
        found = app.memory.recall(question, bank="default").items
        assert [item.ref for item in found if item.kind is Kind.REFLECTION] == []


class _Says:
    """A person with one answer to everything."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    async def ask(self, question: Question) -> Answer:
        return self._answer


class _Empty(Arguments):
    """No arguments."""


async def _fetch(args: _Empty, context: ToolContext) -> ToolResult:
    return ToolResult("The user loves broccoli.")


FETCH = Tool("fetch", "for tests", _Empty, _fetch, origin=Origin.WEB)
NOTE = call("memory", 2, action="add", target="user", content="Loves broccoli")


def test_no_means_no_and_the_answer_that_claims_otherwise_is_shown_up(app: App) -> None:
    tools = make_toolbox([FETCH, load_toolbox().get("memory")])
    asked = ChatOptions(toolbox=tools, approver=_Says(Answer.DENY))
    talk = talk_with(app, [call("fetch"), NOTE, "Noted broccoli."], asked)
    outcome = talk.say("Read the page.")
    assert outcome.receipts == ()
    assert app.pending.list() == []
    assert [event for event in talk.events if isinstance(event, Remembered)] == []
    assert any(isinstance(e, Noted) and "Nothing was written" in e.text for e in talk.events)
    told = [m.text for m in talk.last.messages if m.role is Role.TOOL][-1]
    assert told.startswith("The person said no: nothing was written.")


def test_a_fact_that_was_not_allowed_is_believed_and_listed_nowhere(app: App) -> None:
    tools = make_toolbox([FETCH, load_toolbox().get("fact_add")])
    asked = ChatOptions(toolbox=tools, approver=_Says(Answer.DENY))
    add = call("fact_add", 2, text="User loves broccoli")
    talk_with(app, [call("fetch"), add, "Well."], asked).say("Read the page.")
    assert app.pending.list() == []
    assert app.facts.list() == []


@pytest.mark.parametrize(
    ("answer", "says"), [(Answer.DENY, "The person said no"), (Answer.UNASKED, "nobody could")]
)
def test_the_model_is_told_who_did_not_allow_it(
    app: App, tmp_path: Path, answer: Answer, says: str
) -> None:
    talk = talk_with(app, [PUSH, "Well."], ChatOptions(workdir=tmp_path, approver=_Says(answer)))
    talk.say("Push it.")
    told = talk.last.messages[-1].text
    assert says in told
    assert ("terminal.allow" in told) is (answer is Answer.UNASKED)


def test_stop_at_a_question_ends_the_turn(app: App, tmp_path: Path) -> None:
    asked = ChatOptions(workdir=tmp_path, approver=_Says(Answer.STOP))
    talk = talk_with(app, [PUSH, "and on I go"], asked)
    assert talk.say("Push it.").end is End.INTERRUPTED
    assert len(talk.model.requests) == 1


def test_stop_at_a_question_of_a_sub_agent_ends_the_whole_turn(app: App, tmp_path: Path) -> None:
    def answer(request: ModelRequest) -> Line:
        if "sub-agent" in system_of(request):
            return PUSH
        if any(message.role is Role.TOOL for message in request.messages):
            return "and on I go"
        return call("delegate", task="push it")

    asked = ChatOptions(workdir=tmp_path, approver=_Says(Answer.STOP))
    talk = talk_with(app, answer, asked)
    assert talk.say("Have it pushed.").end is End.INTERRUPTED
    assert len(talk.model.requests) == 2
    [above, below] = [
        next(each for each in app.conversations.list_sessions() if each.platform == platform)
        for platform in ("cli", "delegate")
    ]
    assert [m.role for m in messages_of(app, above.id)] == [Role.USER, Role.ASSISTANT, Role.TOOL]
    assert messages_of(app, below.id)[-1].text == INTERRUPTED


def test_who_stood_in_is_told_once_and_kept_in_the_outcome(app: App) -> None:
    down = ScriptedModel(lambda _: Unavailable("it is down", "wait"), name="a/main")
    spare = ScriptedModel([call("todo", todos=[]), "From the spare."], name="b/spare")
    events: list[Event] = []
    chat = app.agent.open_chat(ChatOptions(model=FallbackModel(down, spare)))
    outcome = asyncio.run(chat.say("Hello", on_event=events.append))
    told = [event.text for event in events if isinstance(event, Noted)]
    assert told == ["b/spare answers in place of a/main: it is down"]
    assert (outcome.text, outcome.stood_in) == ("From the spare.", "b/spare")


def test_how_long_the_agent_works_on_its_own_is_a_setting(tmp_path: Path) -> None:
    with opened(tmp_path, agent_maxSteps="2") as app:
        outcome = talk_with(app, lambda request: call("todo", todos=[])).say("loop")
    assert (outcome.end, outcome.steps) == (End.STEPS, 2)
    assert "agent.maxSteps" in told_end(outcome)[0]


def test_only_the_first_request_of_a_turn_is_one_that_a_person_waits_for(app: App) -> None:
    talk = talk_with(app, [call("todo", todos=[]), "Done.", "Again."])
    talk.say("plan it")
    talk.say("and now?")
    assert [request.asked for request in talk.model.requests] == [True, False, True]
