"""With `--json` everything is JSON: the answer on stdout, and whatever stands on stderr."""

import json
import sys
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

from conftest import Hermes
from hermes.cli.lazy import Entry, LazyCommand
from hermes.cli.main import COMMANDS, main

AWAY = ("start", "restart", "open", "service", "mcp", "bench", "demo", "backup restore", "chat")
"""They start processes, ask a person, or write outside of the home."""


def _leaves(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(command, TyperGroup):
        yield path, command
        return
    for name, below in command.commands.items():
        yield from _leaves(f"{path} {name}", below)


def _argv(path: str, command: Any) -> list[str]:
    """The command with nonsense for each argument it cannot do without."""
    with command.make_context(path, [], resilient_parsing=True) as context:
        needed = [p for p in command.get_params(context) if p.required]
    words = [w for p in needed for w in (["nope"] if p.param_type_name == "argument" else [])]
    options = [w for p in needed if p.param_type_name != "argument" for w in (p.opts[0], "nope")]
    return [*path.split(), *words, *options, "--json"]


def _commands() -> list[list[str]]:
    roots = ((name, LazyCommand(name, entry).load()) for name, entry in COMMANDS.items())
    leaves = [leaf for name, root in roots for leaf in _leaves(name, root)]
    return [
        _argv(path, command)
        for path, command in leaves
        if not path.startswith(AWAY) and any("--json" in p.opts for p in command.params)
    ]


@pytest.mark.parametrize("argv", _commands(), ids=" ".join)
def test_nothing_but_json_beside_the_answer(
    hermes: Hermes, argv: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO()))
    outcome = hermes(*argv)
    lines = [json.loads(line) for line in outcome.err.splitlines()]
    assert all(set(line) <= {"note", "error"} for line in lines)
    if outcome.code == 0:
        json.loads(outcome.out)
    elif not outcome.out:
        assert "error" in lines[-1]


@pytest.mark.parametrize("argv", [["sessions", "show", "x"], ["memory", "fact", "show", "fact:9"]])
def test_an_error_of_an_empty_memory_is_one_object(hermes: Hermes, argv: list[str]) -> None:
    error = json.loads(hermes(*argv, "--json").err)["error"]
    assert error["kind"] == "NotFound"


def test_the_recovery_key_is_a_note(hermes: Hermes) -> None:
    note = json.loads(hermes("memory", "fact", "add", "User likes tea", "--json").err)["note"]
    assert len(note["recovery_key"]) > 40
    assert note["key"].endswith("database.key")


def test_after_two_dashes_it_is_a_word(hermes: Hermes) -> None:
    outcome = hermes("sessions", "show", "--", "--json")
    assert "error: " in outcome.err


def interrupt(json_: bool = typer.Option(False, "--json")) -> None:
    raise KeyboardInterrupt


def test_an_interruption_is_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    table = {"interrupt": Entry(f"{__name__}:interrupt", "Stops")}
    assert main(["interrupt", "--json"], {}, table) == 130
    assert json.loads(capsys.readouterr().err)["error"]["kind"] == "Interrupted"
