"""The agent against a real server that answers in every wrong way: the message is always kept."""

import asyncio
import json
from pathlib import Path

import pytest

from hermes.agent.events import End, Outcome, Spoke
from hermes.app import App, open_app
from hermes.config.paths import Home
from hermes.llm.base import Finish
from hermes.store.base.events import EventFilter
from hermes.testing import (
    Call,
    Fail,
    Flood,
    Garbage,
    Hang,
    Html,
    Refuse,
    Say,
    ScriptedServer,
    Step,
    Truncate,
)
from hermes.types import Role, ToolCall

ASKED = "what is the plan?"
EVERYTHING = EventFilter()
QUICK = {"model.maxRetries": "1", "model.timeoutS": "30"}  # a busy machine is no fault
IMPATIENT = {"model.timeoutS": "1.0"}


def open_with(server: ScriptedServer, home: Path, provider: str, **more: str) -> App:
    flags = {
        "memory.embeddings.provider": "none",
        "model.provider": provider,
        "model.model": "m",
        "model.baseUrl": server.base_url,
        "model.apiKey": "k",
        "model.contextTokens": "100000",
        **QUICK,
        **more,
    }
    return open_app(Home(home.resolve()).profile("default"), {}, flags=flags)


def ask(app: App, *texts: str) -> list[Outcome]:
    async def go() -> list[Outcome]:
        chat = app.agent.open_chat()
        outcomes = [await chat.say(text) for text in texts]
        await chat.close()
        return outcomes

    return asyncio.run(go())


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ((Fail(500), Fail(500)), "server error"),
        ((Fail(429, headers={"retry-after": "0"}),) * 2, "rate limited"),
        ((Fail(401, "Incorrect API key"),), "key"),
        ((Hang(), Hang()), "too slow"),
        ((Garbage(), Garbage()), ""),
        ((Html(), Html()), ""),
        ((Html(502), Html(502)), ""),
        ((Flood(), Flood()), "large"),
    ],
    ids=["500", "429", "401", "hang", "garbage", "html", "html 502", "50 MB"],
)
def test_a_fault_is_told_with_what_to_do_and_the_message_kept(
    tmp_path: Path, provider: str, steps: tuple[Step, ...], told: str
) -> None:
    more = IMPATIENT if isinstance(steps[0], Hang) else {}
    with ScriptedServer(steps) as server, open_with(server, tmp_path, provider, **more) as app:
        [outcome] = ask(app, ASKED)
        assert outcome.end is End.FAILED
        assert outcome.error is not None
        assert told in outcome.error.message.lower()
        assert outcome.error.hint
        kept = app.conversations.list_messages(outcome.session_id, after_id=0, limit=10)
        assert kept[0].text == ASKED
        assert [m.role for m in kept][1:] in ([], [Role.ASSISTANT])
        assert app.events.list(EVERYTHING)[0].summary.startswith("A turn failed")


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_passing_fault_is_waited_out(tmp_path: Path, provider: str) -> None:
    steps: list[Step] = [Fail(429, headers={"retry-after": "0"}), Say("All is well.")]
    with ScriptedServer(steps) as server, open_with(server, tmp_path, provider) as app:
        [outcome] = ask(app, ASKED)
        assert (outcome.end, outcome.text) == (End.DONE, "All is well.")


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_reply_that_breaks_off_is_kept_as_far_as_it_came(tmp_path: Path, provider: str) -> None:
    broken = Truncate("We begin with the harbour and then")
    with ScriptedServer([broken, Say("go on")]) as server:
        with open_with(server, tmp_path, provider) as app:
            first, second = ask(app, ASKED, "go on")
            assert first.end is End.FAILED
            assert first.text.startswith("We begin with the harbour")
            assert second.text == "go on"
            kept = app.conversations.list_messages(first.session_id, after_id=0, limit=10)
            assert kept[1].text.startswith("We begin with the harbour")
            assert "[cut off:" in kept[1].text


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_refusal_and_a_cut_answer_are_told_apart(tmp_path: Path, provider: str) -> None:
    steps: list[Step] = [Refuse("No."), Say("The first half", Finish.LENGTH)]
    with ScriptedServer(steps) as server, open_with(server, tmp_path, provider) as app:
        refused, cut = ask(app, ASKED, "then half of it")
        assert (refused.end, cut.end) == (End.REFUSED, End.CUT)


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_tools_and_streams_over_http(tmp_path: Path, provider: str) -> None:
    note = {"target": "memory", "action": "add", "content": "Atlas ships in March"}
    search = json.dumps({"query": "Atlas"})
    calls = (
        ToolCall("c1", "memory", json.dumps(note)),
        ToolCall("c2", "session_search", search),
    )
    steps: list[Step] = [Call(calls, "Let me see."), Say("It ships in March."), Say("Yes.")]
    with ScriptedServer(steps) as server, open_with(server, tmp_path, provider) as app:

        async def go() -> tuple[str, Outcome, Outcome]:
            heard: list[str] = []
            chat = app.agent.open_chat()
            first = await chat.say(
                ASKED, on_event=lambda e: heard.append(e.text) if isinstance(e, Spoke) else None
            )
            second = await chat.say("sure?")
            await chat.close()
            return "".join(heard), first, second

        heard, first, second = asyncio.run(go())
        assert heard == "Let me see.It ships in March."
        assert (first.end, first.steps, len(first.receipts)) == (End.DONE, 2, 1)
        assert "Atlas ships in March" in app.paths.memory_note.read_text()
        assert second.usage.cached_tokens > 0.8 * second.usage.input_tokens
        [line] = app.spending.by_day()
        assert (line.role, line.calls) == ("model", 3)
        assert line.cached_tokens > 0


def test_the_fallback_answers_while_the_main_model_is_down(tmp_path: Path) -> None:
    with ScriptedServer([Fail(503), Fail(503)]) as down, ScriptedServer([Say("I stand in.")]) as up:
        spare = {
            "fallbackModel.provider": "openai",
            "fallbackModel.model": "spare",
            "fallbackModel.baseUrl": up.base_url,
        }
        with open_with(down, tmp_path, "openai", **spare) as app:
            [outcome] = ask(app, ASKED)
            assert (outcome.text, outcome.model) == ("I stand in.", "spare")


def test_the_days_cap_stops_the_model_and_says_until_when(tmp_path: Path) -> None:
    with ScriptedServer([Say("one")]) as server:
        capped = {
            "model.dailyBudgetUsd": "0.0001",
            "model.inputUsdPerMillion": "1000",
            "model.outputUsdPerMillion": "1000",
        }
        with open_with(server, tmp_path, "openai", **capped) as app:
            first, second = ask(app, "a", "b")
            assert first.end is End.DONE
            assert second.error is not None
            assert "budget of model is used up" in second.error.message
