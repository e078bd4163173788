"""Whatever is sent, the tools included, stays within the model's window, also a small one."""

import asyncio
import json
from collections.abc import Callable
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
from hermes.memory.notes.request import Target
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
    called = [call["function"] for m in messages for call in m.get("tool_calls", ())]
    said += sum(count_tokens(call["arguments"]) for call in called)
    return said + count_tokens(json.dumps(body["tools"])) + longest


def strict(window: int, step: Step | Callable[[Received], Step]) -> ScriptedServer:
    """A server that turns away, as many do, what does not fit its window with the answer."""

    def answer(received: Received) -> Step:
        if tokens_asked_for(received) > window:
            return Fail(400, "This model's maximum context length is exceeded.")
        return step(received) if callable(step) else step

    return ScriptedServer(answer)


def results_in(received: Received) -> list[str]:
    messages = received.body["messages"]
    assert isinstance(messages, list)
    return [str(message["content"]) for message in messages if message["role"] == "tool"]


def say(app: App, texts: list[str], workdir: Path) -> tuple[list[Outcome], list[str]]:
    events: list[Event] = []

    async def go() -> list[Outcome]:
        chat = app.agent.open_chat(ChatOptions(workdir=workdir))
        outcomes = [await chat.say(text, on_event=events.append) for text in texts]
        await chat.close()
        return outcomes

    return asyncio.run(go()), [event.text for event in events if isinstance(event, Noted)]


def test_short_turns_in_the_window_of_a_local_model_need_no_shortening(tmp_path: Path) -> None:
    with ScriptedServer(lambda received: Say(f"I see. {FILLER * 4}")) as server:
        flags = settings(server, 8_192)
        del flags["model_contextTokens"]
        with opened(tmp_path / "home", **flags) as app:
            app.notes.add(Target.MEMORY, FILLER * 20)
            for n in range(30):
                text = f"The lighthouse of island {n} was painted. {FILLER * 2}"
                app.conversations.record([Turn(NewSession(f"s{n}"), (Utterance(Role.USER, text),))])
            asked = [f"Which colour has the lighthouse of island {n}? {FILLER}" for n in range(9)]
            _, told = say(app, asked, tmp_path)
    assert not [text for text in told if "few words" in text]
    names = {tool["function"]["name"] for tool in server.requests[-1].body["tools"]}  # type: ignore[attr-defined]
    assert "terminal" in names
    assert names.isdisjoint({"todo", "skills", "schedule", "delegate"})


@pytest.mark.parametrize("window", [7_680, 8_192])
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


@pytest.mark.parametrize(("window", "at_once"), [(8_192, 1), (16_000, 1), (32_000, 1), (16_000, 6)])
def test_a_task_of_many_calls_stays_within_the_window(
    tmp_path: Path, window: int, at_once: int
) -> None:
    for n in range(24):
        text = "\n".join(f"line {n} {k} alpha beta gamma delta" for k in range(300))
        (tmp_path / f"f{n}.txt").write_text(text)

    def answer(received: Received) -> Step:
        done = len(results_in(received))
        wanted = range(done, min(24, done + at_once))
        calls = tuple(call("read_file", n, path=f"f{n}.txt") for n in wanted)
        return Call(calls) if calls else Say("Done.")

    with strict(window, answer) as server:
        with opened(tmp_path / "home", **settings(server, window)) as app:
            [outcome], told = say(app, ["Sum up all files."], tmp_path)
    assert (outcome.end, outcome.steps) == (End.DONE, 24 // at_once + 1)
    assert max(tokens_asked_for(received) for received in server.requests) <= window
    assert len([text for text in told if "is shortened" in text]) == 1, "told once"
    assert not any("may not see all" in text for text in told)
    *older, newest = results_in(server.requests[-1])
    assert "call read_file again" in older[0]
    assert older[0].count("to make room") == 1, "and not shortened again"
    assert "line 23 " in newest
    if window > 16_000:
        assert "to make room" not in newest


def test_what_was_shortened_is_whole_in_the_store(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("\n".join(f"line {k} of it" for k in range(250)))

    def answer(received: Received) -> Step:
        done = len(results_in(received))
        return Call((call("read_file", done, path="long.txt"),)) if done < 9 else Say("Done.")

    with strict(20_000, answer) as server:
        with opened(tmp_path / "home", **settings(server, 20_000)) as app:
            [outcome], _ = say(app, ["Read it."], tmp_path)
            kept = app.conversations.list_messages(outcome.session_id, after_id=0, limit=100)
    whole = {message.text for message in kept if message.role is Role.TOOL}
    assert len(whole) == 1
    assert "line 125 of it" in whole.pop()
    assert "line 125 of it" not in results_in(server.requests[-1])[0]


def test_long_arguments_of_earlier_calls_are_shortened_too(tmp_path: Path) -> None:
    def answer(received: Received) -> Step:
        n = len(results_in(received))
        content = f"{n} is the number. " + "Some more words of it. " * 100
        todo = call("todo", n, todos=[{"text": "x"}], note=content)
        return Call((todo,)) if n < 12 else Say("Done.")

    with strict(9_216, answer) as server:
        with opened(tmp_path / "home", **settings(server, 9_216)) as app:
            [outcome], _ = say(app, ["Write them."], tmp_path)
    assert outcome.end is End.DONE
    messages = server.requests[-1].body["messages"]
    assert isinstance(messages, list)
    given = [each["tool_calls"][0]["function"] for each in messages if each.get("tool_calls")]
    first = json.loads(given[0]["arguments"])
    assert "it was given in full" in first["note"]
    assert first["todos"] == [{"text": "x"}]


def test_a_window_that_the_tools_alone_fill_is_told(tmp_path: Path) -> None:
    with ScriptedServer(lambda received: Say("Yes.")) as server:
        with opened(tmp_path / "home", **settings(server, 3_072)) as app:
            outcomes, told = say(app, ["Are you there?", "And now?"], tmp_path)
    assert {outcome.end for outcome in outcomes} == {End.DONE}
    [first, *_] = told
    assert "taken to be 3,072" in first
    assert "with its tools" in first


@pytest.mark.parametrize(("window", "times"), [(5_400, 1), (16_384, 0)])
def test_a_window_too_small_to_talk_in_is_told_once(
    tmp_path: Path, window: int, times: int
) -> None:
    with ScriptedServer(lambda received: Say("Yes.")) as server:
        with opened(tmp_path / "home", **settings(server, window)) as app:
            _, told = say(app, ["Are you there?", "And now?", "And then?"], tmp_path)
    assert sum("Set model.contextTokens to" in text for text in told) == times


@pytest.mark.parametrize("window", [500, 4_096, 6_144])
def test_a_conversation_goes_on_in_a_window_that_is_too_small(tmp_path: Path, window: int) -> None:
    with ScriptedServer(lambda received: Say("I see. " * 50)) as server:
        with opened(tmp_path / "home", **settings(server, window)) as app:
            asked = [f"message number {n}: my favourite colour is c{n}" for n in range(6)]
            outcomes, _ = say(app, asked, tmp_path)
    assert [outcome.error for outcome in outcomes] == [None] * len(asked)


def test_what_is_learnt_before_older_turns_are_shortened_shows_a_receipt(tmp_path: Path) -> None:
    with ScriptedServer(lambda received: Say("I see. " * 50)) as server:
        with opened(tmp_path / "home", **settings(server, 6_144)) as app:
            asked = [f"My favourite colour number {n} is c{n}. {FILLER}" for n in range(6)]
            outcomes, _ = say(app, asked, tmp_path)
            believed = {fact.text for fact in app.facts.list()}
    told = [receipt.text for outcome in outcomes for receipt in outcome.receipts]
    assert told
    assert believed.issuperset(told)
    assert len(told) == len(set(told)), "each is told once"


@given(left=st.integers(0, 3_000), before=st.integers(0, 3_000))
def test_what_is_left_for_recall_is_never_too_little_to_recall_by(left: int, before: int) -> None:
    said = Line(ChatMessage(Role.USER, "hello"), injected=Injected("block", tokens=before))
    budget = recall_budget(20_000, left)
    room = room_for_recall(Thread("s", "default", lines=[said]), budget)
    assert LEAST_BUDGET <= room <= budget
