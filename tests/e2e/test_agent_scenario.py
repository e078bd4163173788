"""The whole story, by the real program over real HTTP: told, remembered, asked, corrected.

The server plays a plain model: it answers, and never calls a tool, so that whatever is remembered
is the doing of Hermes.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from real_program import Program

from hermes.testing import Call, Received, Say, ScriptedServer
from hermes.types import ToolCall


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


@pytest.fixture
def talking(program: Program) -> Iterator[tuple[Program, ScriptedServer]]:
    """The program with a plain model, told one preference in a process that has ended."""
    with ScriptedServer(answer) as server:
        program.ok(
            *("config", "set", "model.provider", "openai", "model.model", "small"),
            *("model.baseUrl", server.base_url, "memory.embeddings.provider", "none"),
        )
        program.ok("chat", stdin="I prefer dark mode.\n")
        yield program, server


def prefix_of_a_new_session(program: Program, server: ScriptedServer) -> str:
    program.ok("run", "good morning")
    return system_of(server.requests[-1])


def was_closed(program: Program, words: str) -> bool:
    facts = program.json("memory", "facts", "list", "--all")
    return any(words in fact["text"] and fact["superseded"] for fact in facts)


def was_deleted(program: Program, words: str) -> bool:
    facts = program.json("memory", "facts", "list", "--all")
    return any(words in fact["text"] and fact["retracted_at"] for fact in facts)


@pytest.mark.parametrize(
    "correction",
    [
        "Actually I prefer light mode.",
        "I prefer light mode now.",
        "Correction: I prefer light mode, not dark mode.",
    ],
)
def test_a_preference_is_corrected_in_other_words(
    talking: tuple[Program, ScriptedServer], correction: str
) -> None:
    program, server = talking
    assert "dark mode" in prefix_of_a_new_session(program, server)
    program.ok("chat", stdin=f"{correction}\n")
    prefix = prefix_of_a_new_session(program, server)
    assert "light mode" in prefix
    assert "Prefers dark mode" not in prefix
    assert was_closed(program, "dark mode")


def test_a_session_under_way_keeps_its_prefix_when_it_is_corrected(
    talking: tuple[Program, ScriptedServer],
) -> None:
    program, server = talking
    session = program.json("run", "good morning")["session_id"]
    before = system_of(server.requests[-1])
    program.ok("chat", stdin="Actually I prefer light mode.\n")
    program.ok("run", "and now?", "--resume", session)
    assert system_of(server.requests[-1]) == before, "frozen when the session began"
    assert "light mode" in prefix_of_a_new_session(program, server)


def test_a_preference_is_forgotten_in_the_chat_and_brought_back(
    talking: tuple[Program, ScriptedServer],
) -> None:
    program, server = talking
    forgotten = program.ok("chat", stdin="/forget dark mode\n")
    assert "Forgotten: User prefers dark mode · undo: /restore fact:001" in forgotten
    assert "dark mode" not in prefix_of_a_new_session(program, server)
    assert was_deleted(program, "dark mode")
    program.ok("chat", stdin="/restore fact:1\n")
    assert "dark mode" in prefix_of_a_new_session(program, server)


def reviewing(received: Received) -> Say | Call:
    """Answers the person, and notes something where it is asked to save what lasts."""
    told = json.dumps(received.body["messages"])
    if "Save what lasts." not in told or '"tool_call_id"' in told:
        return Say("Very well.")
    note = {"action": "add", "target": "user", "content": "Likes tea"}
    return Call((ToolCall("1", "memory", json.dumps(note)),))


def test_what_a_review_learnt_is_in_the_next_prefix(program: Program) -> None:
    with ScriptedServer(reviewing) as server:
        program.ok(
            *("config", "set", "model.provider", "openai", "model.model", "small"),
            *("model.baseUrl", server.base_url, "memory.embeddings.provider", "none"),
            *("memory.nudgeInterval", "2"),
        )
        done = program.run("chat", stdin="I like tea a lot.\nand biscuits\n")
        assert done.stdout.count("Very well.") == 2
        assert "remembered: Likes tea" in done.stderr
        assert "Likes tea" in prefix_of_a_new_session(program, server)


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
