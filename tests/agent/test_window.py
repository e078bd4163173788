"""Whatever is sent, the tools included, stays within the model's window, also a small one."""

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talking import call, opened

from hermes.agent.context import recall_budget, room_for_recall
from hermes.agent.events import End, Event, Noted, Outcome
from hermes.agent.thread import Injected, Line, Thread
from hermes.app import App
from hermes.app.agent import ChatOptions
from hermes.llm.base import ChatMessage
from hermes.memory.recall.engine import LEAST_BUDGET
from hermes.memory.recall.tokens import count_tokens
from hermes.testing import Call, Fail, Say, ScriptedServer
from hermes.testing.server import Received
from hermes.testing.steps import Step
from hermes.types import NewSession, Role, Turn, Utterance

FILLER = "We talked at length about the weather and other things of no weight. "


def settings(server: ScriptedServer, window: int) -> dict[str, str]:
    chosen = {"provider": "openai", "model": "m", "baseUrl": server.base_url}
    chosen |= {"contextTokens": str(window), "apiKey": "k", "maxRetries": "0"}
    return {f"model_{key}": text for key, text in chosen.items()}


def tokens_asked_for(received: Received) -> int:
    """What a request takes of the window: its words, its tools, and the answer."""
    body = received.body
    messages, longest = body["messages"], body["max_tokens"]
    assert isinstance(messages, list)
    assert isinstance(longest, int)
    said = sum(count_tokens(message["content"] or "") for message in messages)
    return said + count_tokens(json.dumps(body["tools"])) + longest


def strict(window: int, step: Step) -> ScriptedServer:
    """A server that turns away, as many do, what does not fit its window with the answer."""

    def answer(received: Received) -> Step:
        if tokens_asked_for(received) > window:
            return Fail(400, "This model's maximum context length is exceeded.")
        return step

    return ScriptedServer(answer)


def say(app: App, texts: list[str], workdir: Path) -> tuple[list[Outcome], list[str]]:
    events: list[Event] = []

    async def go() -> list[Outcome]:
        chat = app.agent.open_chat(ChatOptions(workdir=workdir))
        outcomes = [await chat.say(text, on_event=events.append) for text in texts]
        await chat.close()
        return outcomes

    return asyncio.run(go()), [event.text for event in events if isinstance(event, Noted)]


@pytest.mark.parametrize("window", [8_192, 9_216])
def test_the_tools_are_counted_before_a_window_is_full(tmp_path: Path, window: int) -> None:
    with strict(window, Say(f"I see. {FILLER * 4}")) as server:
        with opened(tmp_path / "home", **settings(server, window)) as app:
            for n in range(30):
                text = f"The lighthouse of island {n} was painted in the colour number {n}."
                app.conversations.record([Turn(NewSession(f"s{n}"), (Utterance(Role.USER, text),))])
            asked = [f"Which colour has the lighthouse of island {n}? {FILLER}" for n in range(16)]
            outcomes, told = say(app, asked, tmp_path)
    assert {outcome.end for outcome in outcomes} == {End.DONE}
    sent = [tokens_asked_for(received) for received in server.requests]
    assert max(sent) <= window, "nothing had to be turned away"
    shortened = [text for text in told if "put into few words" in text]
    assert 0 < len(shortened) <= len(asked) // 2, "not at every turn"
    assert not any("may not see all" in text for text in told)
    last = json.dumps(server.requests[-1].body["messages"])
    assert asked[-2] in last, "the turn before is still there as it was said"


def test_what_a_tool_gives_back_fits_beside_the_tools(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("We talked about the weather.\n" * 2_000)
    steps: list[Step] = [Call((call("read_file", path="long.txt"),)), Say("Read.")]
    with ScriptedServer(steps) as server:
        with opened(tmp_path / "home", **settings(server, 8_192)) as app:
            [outcome], _ = say(app, ["Read it."], tmp_path)
    assert outcome.end is End.DONE
    assert tokens_asked_for(server.requests[-1]) <= 8_192


def test_a_window_that_the_tools_alone_fill_is_told(tmp_path: Path) -> None:
    with ScriptedServer(lambda received: Say("Yes.")) as server:
        with opened(tmp_path / "home", **settings(server, 4_096)) as app:
            outcomes, told = say(app, ["Are you there?", "And now?"], tmp_path)
    assert {outcome.end for outcome in outcomes} == {End.DONE}
    [first, *_] = told
    assert "taken to be 4,096" in first
    assert "with its tools" in first


@pytest.mark.parametrize("window", [500, 4_096, 6_144])
def test_a_conversation_goes_on_in_a_window_that_is_too_small(tmp_path: Path, window: int) -> None:
    with ScriptedServer(lambda received: Say("I see. " * 50)) as server:
        with opened(tmp_path / "home", **settings(server, window)) as app:
            asked = [f"message number {n}: my favourite colour is c{n}" for n in range(6)]
            outcomes, _ = say(app, asked, tmp_path)
    assert [outcome.error for outcome in outcomes] == [None] * len(asked)


@given(left=st.integers(0, 3_000), before=st.integers(0, 3_000))
def test_what_is_left_for_recall_is_never_too_little_to_recall_by(left: int, before: int) -> None:
    said = Line(ChatMessage(Role.USER, "hello"), injected=Injected("block", tokens=before))
    budget = recall_budget(20_000, left)
    room = room_for_recall(Thread("s", "default", lines=[said]), budget)
    assert LEAST_BUDGET <= room <= budget
