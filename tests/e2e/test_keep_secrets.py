"""A secret that its owner asked to be kept: it is, and stands nowhere they did not ask for."""

import json
from pathlib import Path

import pytest
from real_program import Program

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PASSWORD = "hunter2ab"


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def page(program: Program, name: str) -> str:
    return (program.home / "memories" / name).read_text()


def test_a_kept_fact_is_recalled_and_stands_not_in_the_page_of_the_user(program: Program) -> None:
    add = ("memory", "fact", "add", "--keep-secrets")
    assert TOKEN in program.ok(*add, f"User's deploy token is {TOKEN}")
    program.ok(*add, f"User's wifi password is {PASSWORD}")
    program.ok(*add, "User lives in Lisbon")
    written = page(program, "USER.md")
    assert "Lisbon" in written
    assert TOKEN not in written and PASSWORD not in written
    assert PASSWORD in program.ok("memory", "recall", "what is the wifi password")
    assert PASSWORD in program.ok("user", "show")


def test_a_kept_note_is_in_the_notebook_and_not_in_the_prompt(program: Program) -> None:
    said = f"The CI token is {TOKEN}"
    program.ok("memory", "notes", "add", said)
    assert TOKEN not in page(program, "MEMORY.md")
    program.ok("memory", "notes", "replace", "CI", said, "--keep-secrets")
    program.ok("memory", "notes", "add", f"{said}, again", "--keep-secrets")
    assert page(program, "MEMORY.md").count(TOKEN) == 2
    prompt = program.ok("memory", "notes", "show", "--prompt")
    assert TOKEN not in prompt and "The CI token is [redacted:github-token]" in prompt
    assert TOKEN not in program.ok("log")


def test_the_page_of_the_user_takes_no_secret_and_says_where_it_may_go(program: Program) -> None:
    note = ("memory", "notes", "add", "--target", "user", "--keep-secrets")
    done = program.run(*note, f"My token is {TOKEN}")
    assert done.returncode == 2
    assert "USER.md keeps no secret" in done.stderr
    assert "hermes memory fact add --keep-secrets" in done.stderr
    program.ok(*note, "I like tea")
    assert "tea" in page(program, "USER.md") and TOKEN not in page(program, "USER.md")


def test_an_agent_cannot_ask_for_a_secret_to_be_kept(program: Program) -> None:
    note = ("memory", "notes", "add", f"The CI token is {TOKEN}", "--keep-secrets")
    assert program.run(*note, HERMES_AGENT="3").returncode == 0
    written = page(program, "MEMORY.md")
    assert "The CI token is [redacted:github-token]" in written and TOKEN not in written


def test_a_kept_turn_is_found_as_it_was_said_and_shows_in_no_page(program: Program) -> None:
    call = {"id": "c1", "function": {"name": "login", "arguments": json.dumps({"key": TOKEN})}}
    talk = [
        {"role": "user", "content": f"I live in Utrecht. My wifi password is {PASSWORD}."},
        {"role": "assistant", "content": "", "tool_calls": [call]},
    ]
    for session, options in (("plain", ()), ("kept", ("--keep-secrets",))):
        program.ok("sessions", "record", "--session", session, *options, stdin=json.dumps(talk))
    plain, kept = (program.ok("sessions", "export", name) for name in ("plain", "kept"))
    assert PASSWORD not in plain and TOKEN not in plain
    assert PASSWORD in kept and TOKEN in kept
    program.ok("memory", "extract")
    assert "Utrecht" in page(program, "USER.md") and PASSWORD not in page(program, "USER.md")
