"""The whole story, by the real program over real HTTP: told, remembered, asked, corrected.

The server plays a plain model: it answers, and never calls a tool, so that whatever is remembered
is the doing of Hermes.
"""

import json
from pathlib import Path

import pytest
from real_program import Program

from hermes.testing import Received, Say, ScriptedServer


def system_of(received: Received) -> str:
    messages = received.body["messages"]
    assert isinstance(messages, list)
    return "\n".join(str(m["content"]) for m in messages if m["role"] == "system")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def answer(received: Received) -> Say:
    return Say("Very well.")


def test_a_preference_is_told_remembered_and_corrected(program: Program) -> None:
    with ScriptedServer(answer) as server:
        program.ok(
            *("config", "set", "model.provider", "openai", "model.model", "small"),
            *("model.baseUrl", server.base_url, "memory.embeddings.provider", "none"),
        )
        program.ok("chat", stdin="My name is Ana. I prefer dark mode.\n")
        assert "dark mode" not in system_of(server.requests[0])

        program.ok("run", "good morning, what is new?")
        later = system_of(server.requests[-1])
        assert "dark mode" in later, "another process, another session: it is in the prefix"
        assert "Ana" in later

        program.ok("run", "Actually, I prefer light mode now, not dark mode.")
        program.ok("run", "and today?")
        corrected = system_of(server.requests[-1])
        assert "light mode" in corrected
        assert "dark mode" not in corrected

        facts = program.json("memory", "facts", "list", "--all")
        closed = [fact for fact in facts if "dark mode" in fact["text"] and fact["superseded"]]
        assert closed, "the old one is in the history"


def test_a_piped_chat_answers_each_line_and_is_resumed(program: Program) -> None:
    with ScriptedServer(answer) as server:
        program.ok(
            *("config", "set", "model.provider", "openai", "model.model", "small"),
            *("model.baseUrl", server.base_url, "memory.embeddings.provider", "none"),
        )
        said = program.ok("chat", stdin="one\n\ntwo\n/usage\n")
        assert said.count("Very well.") == 2
        assert "tokens in" in said
        [session] = program.json("sessions", "list")
        program.ok("chat", "--resume", stdin="three\n")
        last = server.requests[-1].body["messages"]
        assert isinstance(last, list)
        roles = [m["role"] for m in last]
        assert roles == ["system", *["user", "assistant"] * 2, "user"]
        assert program.json("sessions", "list")[0]["id"] == session["id"]
        assert system_of(server.requests[-1]) == system_of(server.requests[0])
        line = json.loads(program.ok("sessions", "export", session["id"], "--format", "trajectory"))
        assert [turn["from"] for turn in line["conversations"]].count("human") == 3


def test_without_a_model_the_chat_opens_keeps_and_answers_from_memory(program: Program) -> None:
    program.ok("config", "set", "memory.embeddings.provider", "none")
    program.ok("chat", stdin="The staging server is called bluefin.\n")
    done = program.run("chat", stdin="what is the staging server called?\n")
    assert done.returncode == 0
    assert "No model is configured" in done.stderr
    assert "hermes model" in done.stderr
    assert "bluefin" in done.stdout
    assert "message:1" in done.stdout


def test_run_says_what_went_wrong_by_its_exit_code(program: Program) -> None:
    with ScriptedServer(api_key="right", models=("small",)) as server:
        program.ok(
            *("config", "set", "model.provider", "openai", "model.model", "large"),
            *("model.baseUrl", server.base_url, "memory.embeddings.provider", "none"),
        )
        done = program.run("run", "hello", "--json")
        assert done.returncode == 1
        told = json.loads(done.stdout)
        assert told["end"] == "failed"
        assert told["error"]["hint"]
        tested = program.run("model", "test", "--json")
        assert tested.returncode == 1
        assert json.loads(tested.stdout)["reason"] == "no key"
        program.home.joinpath(".env").write_text("MY_KEY=right\n")
        wrong = ("model", "set", "openai", "smal", "--base-url", server.base_url, "--key", "MY_KEY")
        refused = program.run(*wrong)
        assert refused.returncode == 1
        assert "Did you mean small?" in refused.stderr
        right = ("model", "set", "openai", "small", "--base-url", server.base_url)
        server.add(Say("ready"))
        assert "model is now openai/small" in program.ok(*right, "--key", "MY_KEY")
        assert "${MY_KEY}" in program.home.joinpath("config.json").read_text()
