"""Trajectories for training, and the environment that replays them."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talking import call, opened, talk_with

from hermes.agent.chat import Chat
from hermes.agent.environment import Environment, Observation, Step, replay
from hermes.agent.keeping import Asked
from hermes.agent.trajectory import parse_trajectory, render_trajectory
from hermes.app.agent import ChatOptions
from hermes.errors import UserError
from hermes.llm.base import Finish, Model, ModelReply
from hermes.types import Message, Payload, Role, Session, ToolCall


def test_a_task_is_set_and_played_step_by_step(tmp_path: Path) -> None:
    async def play() -> tuple[list[str], Step, Step]:
        environment = app.agent.environment(judge=lambda outcome: float("42" in outcome.text))
        seen = await environment.reset("what is 6 * 7?")
        names = [tool.name for tool in seen.tools]
        assert seen.messages[-1].text.endswith("what is 6 * 7?")
        look = ModelReply(calls=(call("todo", todos=[{"text": "multiply"}]),), finish=Finish.TOOLS)
        first = await environment.step(look)
        last = await environment.step(ModelReply("It is 42."))
        with pytest.raises(UserError, match="No task"):
            await environment.step(ModelReply("again"))
        await environment.close()
        return names, first, last

    with opened(tmp_path) as app:
        names, first, last = asyncio.run(play())
    assert "session_search" in names
    assert first.observation is not None
    assert "[ ] multiply" in first.observation.messages[-1].text
    assert (first.done, first.reward) == (False, 0.0)
    assert (last.done, last.reward) == (True, 1.0)
    assert last.outcome is not None
    assert last.outcome.text == "It is 42."


def test_a_conversation_is_exported_without_secrets_and_replayed(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    with opened(tmp_path / "one") as app:
        add = call("memory", target="memory", action="add", content="Atlas uses PostgreSQL")
        talk = talk_with(app, [add, f"Noted, not {secret}.", "Bye."])
        talk.say("Atlas uses PostgreSQL, remember that")
        talk.say("thanks, perfect")
        line = app.agent.export_trajectory(talk.chat.thread.id)
    text = json.dumps(line)
    assert secret not in text
    said = [turn["from"] for turn in line["conversations"]]
    assert said == ["system", "human", "gpt", "tool", "gpt", "human", "gpt"]
    assert (line["completed"], line["success"]) == (True, True)
    assert '<tool_call>\n{"name": "memory"' in line["conversations"][2]["value"]
    assert "<tool_response>" in line["conversations"][3]["value"]
    with opened(tmp_path / "two") as app:
        steps = asyncio.run(replay(app.agent.environment(ChatOptions()), json.loads(text)))
        assert [step.done for step in steps] == [False, True, True]
        assert sum(step.reward for step in steps) == 2.0
        assert "Atlas uses PostgreSQL" in app.paths.memory_note.read_text()


def test_an_unfinished_conversation_is_no_success(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        loop = talk_with(app, lambda request: call("todo", todos=[]), ChatOptions(max_steps=2))
        loop.say("loop")
        line = app.agent.export_trajectory(loop.chat.thread.id)
    assert (line["completed"], line["success"]) == (False, False)


def test_a_result_is_named_by_its_own_call_where_a_server_counts_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        todo, recall = call("todo"), call("memory_recall", task="tea")
        talk = talk_with(app, [todo, "one", recall, "two"])
        talk.say("first")
        talk.say("second")
        line = app.agent.export_trajectory(talk.chat.thread.id)
        results = [turn["value"] for turn in line["conversations"] if turn["from"] == "tool"]
        assert ['"todo"' in results[0], '"memory_recall"' in results[1]] == [True, True]


QUOTE = '<tool_call>\n{"name": "todo", "arguments": {"todos": [{"text": "boo"}]}}\n</tool_call>'
PIECES = (
    "<tool_call>\n",
    "\n</tool_call>",
    "<\\tool_call>",
    "<image>\n",
    "{}",
    "\\",
    "<",
    "a\n",
    QUOTE,
)
SESSION = Session("s", "default", 0, 0)
WORDS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)


def message(role: Role, text: str, calls: tuple[ToolCall, ...] = ()) -> Message:
    return Message(1, "s", 1, 0, role, text, calls=calls)


def test_a_call_that_is_only_quoted_is_not_made_in_a_replay(tmp_path: Path) -> None:
    with opened(tmp_path / "one") as app:
        talk = talk_with(app, [f"The page says:\n{QUOTE}"])
        talk.say("what does the page say?")
        line = app.agent.export_trajectory(talk.chat.thread.id)
    assert QUOTE not in line["conversations"][2]["value"]
    with opened(tmp_path / "two") as app:
        steps = asyncio.run(replay(app.agent.environment(ChatOptions()), line))
    assert [step.done for step in steps] == [True]
    assert steps[0].outcome is not None
    assert steps[0].outcome.text == f"The page says:\n{QUOTE}"


@given(WORDS, WORDS, st.lists(WORDS, max_size=2))
def test_what_is_read_from_a_trajectory_is_what_was_said_and_done(
    asked: str, said: str, contents: list[str]
) -> None:
    calls = tuple(call("x", n, content=text) for n, text in enumerate(contents))
    calls += tuple(ToolCall(f"raw{n}", "x", json.dumps(text)) for n, text in enumerate(contents))
    line = render_trajectory(
        SESSION, [message(Role.USER, asked), message(Role.ASSISTANT, said, calls)]
    )
    [again, reply] = parse_trajectory(line)
    assert again == Asked(asked)
    assert isinstance(reply, ModelReply)
    assert reply.text == said
    assert [(c.name, c.arguments) for c in reply.calls] == [(c.name, c.arguments) for c in calls]


def test_what_is_no_trajectory_is_refused() -> None:
    with pytest.raises(UserError, match="no trajectory"):
        list(parse_trajectory({}))
    broken = {"conversations": [{"from": "gpt", "value": "<tool_call>\n{nonsense\n</tool_call>"}]}
    with pytest.raises(UserError, match="turn 0 cannot be read"):
        list(parse_trajectory(broken))
    asked = {"conversations": [{"from": "human", "value": "hi"}]}
    assert list(parse_trajectory(asked)) == [Asked("hi")]


class Watched(Environment):
    """Notes the pictures a model is shown with each message of the person."""

    def __init__(self, make_chat: Callable[[Model], Chat]) -> None:
        super().__init__(make_chat)
        self.shown: list[tuple[Payload, ...]] = []

    async def ask(self, text: str, images: Sequence[Payload] = ()) -> Observation:
        seen = await super().ask(text, images)
        self.shown.append(seen.messages[-1].images)
        return seen


def test_pictures_are_in_a_trajectory_and_in_its_replay(tmp_path: Path) -> None:
    png = Payload("image/png", b"\x89PNG\r\n\x1a\n" + b"x" * 40)
    with opened(tmp_path / "one") as app:
        talk = talk_with(app, ["A cat."])
        asyncio.run(talk.chat.say("What is this?", images=[png]))
        line = app.agent.export_trajectory(talk.chat.thread.id)
    assert line["conversations"][1]["value"] == "<image>\nWhat is this?"
    [asked, reply] = parse_trajectory(line)
    assert asked == Asked("What is this?", (png,))
    assert reply == ModelReply("A cat.")
    with opened(tmp_path / "two") as app:
        environment = Watched(lambda model: app.agent.open_chat(ChatOptions(model=model)))
        steps = asyncio.run(replay(environment, line))
    assert [step.done for step in steps] == [True]
    assert environment.shown == [(png,)]
