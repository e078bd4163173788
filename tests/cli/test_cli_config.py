"""`hermes config`, from the command line to the file and back."""

import json
import stat
from pathlib import Path

import pytest

from conftest import Hermes
from hermes.config.paths import Home


@pytest.fixture
def file(home: Home) -> Path:
    return home.root / "config.json"


def test_set_get_list_unset(hermes: Hermes, file: Path) -> None:
    assert hermes("config", "set", "memory.poolSize", "9").out == "memory.poolSize = 9\n"
    assert hermes("config", "get", "memory.poolSize").out == "9\n"
    rows = json.loads(hermes("config", "list", "--json").out)
    found = {row["key"]: (row["value"], row["origin"]) for row in rows}
    assert list(rows[0]) == ["key", "value", "origin"]
    assert found["memory.poolSize"] == (9, "file")
    assert found["memory.backend"] == ("sqlite", "default")
    assert "memory.poolSize\t9\tfile\n" in hermes("config", "list").out
    assert hermes("config", "unset", "memory.poolSize").code == 0
    assert hermes("config", "get", "memory.poolSize").out == "5\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_commands_of_the_spec(hermes: Hermes) -> None:
    assert hermes("config", "set", "memory.embeddings.provider", "ollama").code == 0
    assert hermes("config", "set", "memory.embeddings.model", "nomic-embed-text").code == 0
    section = json.loads(hermes("config", "get", "memory.embeddings").out)
    assert (section["provider"], section["model"]) == ("ollama", "nomic-embed-text")


def test_where_a_value_comes_from(hermes: Hermes) -> None:
    hermes("config", "set", "memory.poolSize", "6")
    outcome = hermes(
        "--set", "server.port=99", "config", "list", "--json", HERMES_MEMORY_POOL_SIZE="7"
    )
    rows = {row["key"]: row for row in json.loads(outcome.out)}
    assert (rows["memory.poolSize"]["value"], rows["memory.poolSize"]["origin"]) == (7, "env")
    assert (rows["server.port"]["value"], rows["server.port"]["origin"]) == (99, "flag")


def test_a_change_that_a_variable_hides_is_told(hermes: Hermes) -> None:
    outcome = hermes("config", "set", "memory.poolSize", "6", HERMES_MEMORY_POOL_SIZE="7")
    assert "HERMES_MEMORY_POOL_SIZE is set in the environment" in outcome.err


def test_secrets_are_covered(hermes: Hermes) -> None:
    outcome = hermes("config", "set", "model.apiKey", "hunter2")
    assert "hunter2" not in outcome.out + outcome.err
    assert "safer in .env" in outcome.err
    for command in (("list",), ("list", "--json"), ("get", "model.apiKey"), ("get", "model")):
        assert "hunter2" not in hermes("config", *command).out
    assert hermes("config", "get", "model.apiKey", "--show-secrets").out == "hunter2\n"
    assert hermes("config", "set", "model.apiKey", "${KEY}").err == ""
    assert hermes("config", "get", "model.apiKey", KEY="hunter2").out == "${KEY}\n"


def test_errors_are_two_lines_and_code_2(hermes: Hermes, file: Path) -> None:
    outcome = hermes("config", "set", "memory.poolSze", "9")
    assert outcome.code == 2
    error, hint = outcome.err.splitlines()
    assert error == "error: memory.poolSze is not a setting; did you mean memory.poolSize?"
    assert hint.startswith("hint: ")
    assert not file.exists()


def test_several_mistakes_are_told_with_their_lines(hermes: Hermes, home: Home, file: Path) -> None:
    home.root.mkdir()
    file.write_text('{\n"memory": {"poolSize": 0,\n"x": 1}}')
    outcome = hermes("config", "list")
    assert outcome.code == 2
    assert f"{file}:2: memory.poolSize must be greater" in outcome.err
    assert f"{file}:3: memory.x is not a setting" in outcome.err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("set", "memory.poolSize"), "has no value"),
        (("set",), "Missing argument"),
        (("set", "memory.poolSize", "-5"), "greater than or equal to 1, not -5"),
        (("get", "nope"), "nope is not a setting"),
        (("get", "mcpServers.gh.command"), "is not set"),
        (("unset", "memory.path"), "is not set in"),
        (("--bad",), "No such option: --bad"),
    ],
)
def test_wrong_usage(hermes: Hermes, argv: tuple[str, ...], words: str) -> None:
    outcome = hermes("config", *argv)
    assert outcome.code in (1, 2)
    assert words in outcome.err and "hint: " in outcome.err
    assert outcome.out == ""


def editor(tmp_path: Path, script: str) -> str:
    """An editor that is a shell script; `$1` is the file."""
    program = tmp_path / "my editor"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)
    return f"'{program}'"


def test_edit_replaces_the_file_when_it_is_right(
    hermes: Hermes, tmp_path: Path, home: Home, file: Path
) -> None:
    command = editor(tmp_path, """printf '{"memory": {"poolSize": 8}} // me' > "$1" """)
    outcome = hermes("config", "edit", EDITOR=command)
    assert outcome.code == 0, outcome.err
    assert file.read_text() == '{"memory": {"poolSize": 8}} // me'
    assert list((home.root / "run").glob("*.json")) == []
    assert hermes("config", "edit", EDITOR="true").out == "nothing was changed\n"


def test_edit_keeps_a_wrong_text_apart(
    hermes: Hermes, tmp_path: Path, home: Home, file: Path
) -> None:
    hermes("config", "set", "memory.poolSize", "6")
    before = file.read_text()
    command = editor(tmp_path, """printf '{"memory": {"poolSize": 0}}' > "$1" """)
    outcome = hermes("config", "edit", EDITOR=command)
    assert outcome.code == 2
    assert "memory.poolSize must be greater" in outcome.err
    draft = next((home.root / "run").glob("*.json"))
    assert str(draft) in outcome.err
    assert stat.S_IMODE(draft.stat().st_mode) == 0o600
    assert file.read_text() == before


def test_edit_sees_a_change_made_meanwhile(hermes: Hermes, tmp_path: Path, file: Path) -> None:
    hermes("config", "set", "memory.poolSize", "6")
    command = editor(tmp_path, f"""echo '{{}}' > "$1"; echo '{{"model": {{}}}}' > '{file}' """)
    outcome = hermes("config", "edit", EDITOR=command)
    assert outcome.code == 1 and "while it was being edited" in outcome.err
    assert file.read_text() == '{"model": {}}\n'


@pytest.mark.parametrize("command", ["/nowhere/editor", "false"])
def test_edit_without_a_working_editor(hermes: Hermes, file: Path, command: str) -> None:
    outcome = hermes("config", "edit", EDITOR=command)
    assert outcome.code == 2 and "hint: " in outcome.err
    assert not file.exists()


def test_an_exposed_env_file_is_warned_of(hermes: Hermes, home: Home) -> None:
    home.root.mkdir()
    (home.root / ".env").write_text("A=1")
    (home.root / ".env").chmod(0o644)
    assert "warning: " in hermes("config", "list").err


def test_edit_needs_a_terminal_or_an_editor_that_is_named(hermes: Hermes) -> None:
    outcome = hermes("config", "edit", EDITOR="", VISUAL="")
    assert outcome.code == 2
    assert "no terminal" in outcome.err
    assert "hermes config set" in outcome.err


def test_list_names_a_variable_that_is_not_set(hermes: Hermes) -> None:
    hermes("config", "set", "backups.path", "${NOT_SET_HERE}/b")
    outcome = hermes("config", "list")
    assert outcome.code == 0
    assert "backups.path uses ${NOT_SET_HERE}, which is not set" in outcome.err
