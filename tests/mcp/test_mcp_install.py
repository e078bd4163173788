"""Putting Hermes into other agents' settings: only our entry changes, and the diff says so."""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import Hermes
from hermes.errors import Conflict, UserError
from hermes.mcp_server.install import (
    Command,
    Edit,
    McpClient,
    config_path,
    find_installed,
    plan_install,
    plan_removal,
    put_json,
    put_table,
    save,
)

COMMAND = Command("/usr/bin/python3", ("-m", "hermes", "mcp", "serve"), {})
ANY = Path("settings")
CODEX = """\
# my settings
model = "o9"

[mcp_servers.other]   # keep me
command = "other"

[mcp_servers.hermes]
command = "old"
[mcp_servers.hermes.env]
A = "1"

[profiles.fast]
model = "o9-mini"
"""


@pytest.mark.parametrize("client", McpClient)
def test_it_is_put_in_found_and_taken_out(tmp_path: Path, client: McpClient) -> None:
    path = tmp_path / "deep" / "settings"
    assert not find_installed(client, path)
    save(plan_install(client, path, COMMAND))
    assert find_installed(client, path)
    assert not plan_install(client, path, COMMAND).changes
    save(plan_removal(client, path))
    assert not find_installed(client, path)
    assert not plan_removal(client, path).changes


def test_json_keeps_everything_else(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{\n    "theme": "dark",\n    "mcpServers": {"x": {"command": "y"}}\n}\n')
    path.chmod(0o640)
    edit = plan_install(McpClient.CURSOR, path, COMMAND)
    assert '{"x": {"command": "y"}, "hermes": {' in edit.diff()
    save(edit)
    found = json.loads(path.read_text())
    assert found["theme"] == "dark"
    assert found["mcpServers"]["x"] == {"command": "y"}
    assert found["mcpServers"]["hermes"]["args"] == ["-m", "hermes", "mcp", "serve"]
    assert path.read_text().startswith('{\n    "theme"')
    assert path.stat().st_mode & 0o777 == 0o640


ENTRY = '"hermes": {"command": "/usr/bin/python3", "args": ["-m", "hermes", "mcp", "serve"]}'
LINES = """\
"hermes": {
      "command": "/usr/bin/python3",
      "args": ["-m", "hermes", "mcp", "serve"]
    }"""

COMMENTED = """\
{{
  // mine
  "theme": "dark", /* why not */
  "mcpServers": {{
    "x": {{}}{}
  }}
}}
"""
TABS = '{{\r\n\t"n": 1e3,\r\n\t"big": 12345678901234567890.10{}\r\n}}'
TABBED = """\
"mcpServers": {
\t  "hermes": {
\t    "command": "/usr/bin/python3",
\t    "args": ["-m", "hermes", "mcp", "serve"]
\t  }
\t}""".replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a":1,"b":[1,2]}', f'{{"a":1,"b":[1,2], "mcpServers": {{{ENTRY}}}}}'),
        ('{"a": 1, "mcpServers": {}}', f'{{"a": 1, "mcpServers": {{{ENTRY}}}}}'),
        ('{"mcpServers":{"x":{}},"z":0}', f'{{"mcpServers":{{"x":{{}}, {ENTRY}}},"z":0}}'),
        (COMMENTED.format(""), COMMENTED.format(",\n    " + LINES)),
        (TABS.format(""), TABS.format(",\r\n\t" + TABBED)),
    ],
)
def test_json_stays_as_it_was_written_but_for_our_entry(before: str, after: str) -> None:
    """One line, comments, odd numbers, tabs and Windows' lines alike."""
    assert put_json(before, ANY, COMMAND) == after


def test_json_with_an_older_entry_of_ours_gets_the_new_one() -> None:
    before = '{"mcpServers": {"hermes": {"command": "old", "cwd": "/x", "args": []}, "y": {}}}'
    after = put_json(before, ANY, COMMAND)
    assert json.loads(after) == {
        "mcpServers": {"hermes": json.loads("{" + ENTRY + "}")["hermes"], "y": {}}
    }
    assert after.endswith(', "y": {}}}')


def test_a_long_line_is_laid_out_in_the_diff_only() -> None:
    before = json.dumps({"history": ["word " * 40] * 30})
    edit = Edit(ANY, before, put_json(before, ANY, COMMAND))
    assert '+      "command": "/usr/bin/python3",' in edit.diff()
    assert "\n" not in edit.after


def test_json_is_as_before_once_it_is_taken_out(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    for text in (
        '{"mcpServers": {"x": {}}, "z": 0}',
        '{\n  // c\n  "mcpServers": {\n    "x": {}\n  }\n}\n',
    ):
        path.write_text(text)
        save(plan_install(McpClient.CURSOR, path, COMMAND))
        save(plan_removal(McpClient.CURSOR, path))
        assert path.read_text() == text


def test_toml_keeps_comments_and_replaces_our_table(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(CODEX)
    save(plan_install(McpClient.CODEX, path, COMMAND))
    text = path.read_text()
    assert "# my settings" in text
    assert "# keep me" in text
    found = tomllib.loads(text)
    assert found["mcp_servers"]["hermes"] == {
        "command": "/usr/bin/python3",
        "args": ["-m", "hermes", "mcp", "serve"],
    }
    assert found["profiles"] == {"fast": {"model": "o9-mini"}}
    assert found["mcp_servers"]["other"] == {"command": "other"}


def test_toml_that_cannot_be_edited_safely_is_left_alone() -> None:
    with pytest.raises((Conflict, UserError)):
        put_table('mcp_servers = { other = { command = "x" } }\n', ANY, COMMAND)
    with pytest.raises((Conflict, UserError)):
        put_table('text = """\n[mcp_servers.hermes]\nx = 1\n"""\n', ANY, COMMAND)
    with pytest.raises(UserError):
        put_table("no toml", ANY, COMMAND)


@pytest.mark.parametrize("text", ["no json", "[]", '{"mcpServers": 3}'])
def test_json_that_cannot_be_read_is_left_alone(text: str) -> None:
    with pytest.raises(UserError):
        put_json(text, ANY, COMMAND)


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    edit = plan_install(McpClient.CURSOR, path, COMMAND)
    path.write_text('{"mine": 1}')
    with pytest.raises(Conflict):
        save(edit)
    assert path.read_text() == '{"mine": 1}'


scalars = st.none() | st.booleans() | st.integers() | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)


@given(st.dictionaries(st.text(), values), st.text(), st.lists(st.text()))
def test_any_json_comes_back_with_ours_in_it(
    settings: dict[str, object], program: str, arguments: list[str]
) -> None:
    settings.pop("mcpServers", None)
    command = Command(program, tuple(arguments), {})
    found = json.loads(put_json(json.dumps(settings), ANY, command))
    ours = found.pop("mcpServers")["hermes"]
    assert found == settings
    assert ours == {"command": program, "args": arguments}


names = st.text(st.characters(codec="utf-8"))


@given(names, st.lists(names), st.dictionaries(st.from_regex(r"\A[A-Z_]{1,8}\Z"), names))
def test_any_command_is_written_as_toml(
    program: str, arguments: list[str], environ: dict[str, str]
) -> None:
    command = Command(program, tuple(arguments), environ)
    found = tomllib.loads(put_table(CODEX, ANY, command))["mcp_servers"]["hermes"]
    assert found["command"] == program
    assert found["args"] == arguments
    assert found.get("env", {}) == environ


def test_places(tmp_path: Path) -> None:
    environ = {"HOME": "/h"}
    assert config_path(McpClient.CLAUDE_CODE, environ, "linux") == Path("/h/.claude.json")
    assert config_path(McpClient.CURSOR, environ, "linux") == Path("/h/.cursor/mcp.json")
    assert config_path(McpClient.CODEX, environ, "linux") == Path("/h/.codex/config.toml")
    desktop = config_path(McpClient.CLAUDE_DESKTOP, environ, "darwin")
    assert desktop.parent == Path("/h/Library/Application Support/Claude")


def test_the_command_shows_the_change_first(hermes: Hermes, tmp_path: Path) -> None:
    place = str(tmp_path)
    asked = hermes("mcp", "install", "codex", HOME=place)
    assert asked.code == 2
    assert "+[mcp_servers.hermes]" in asked.out
    assert not (tmp_path / ".codex").exists()
    assert hermes("mcp", "install", "codex", "--yes", HOME=place).code == 0
    listed = json.loads(hermes("mcp", "list", "--json", HOME=place).out)
    assert {each["client"]: each["installed"] for each in listed} == {
        "claude-code": "no",
        "claude-desktop": "no",
        "cursor": "no",
        "codex": "installed",
    }
    assert "nothing to change" in hermes("mcp", "install", "codex", "--yes", HOME=place).out
    assert hermes("mcp", "install", "codex", "--remove", "--yes", HOME=place).code == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"mcpServers": {}}', "{}"),
        ('{"theme": "dark"}', '{"theme": "dark"}'),
        ('{"mcpServers": {"other": {}}}', '{"mcpServers": {"other": {}}}'),
    ],
)
def test_a_removal_leaves_no_empty_section(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "mcp.json"
    path.write_text(before)
    save(plan_install(McpClient.CURSOR, path, COMMAND))
    save(plan_removal(McpClient.CURSOR, path))
    assert json.loads(path.read_text()) == json.loads(after)


@pytest.mark.parametrize("client", McpClient)
def test_a_file_that_only_we_wrote_to_goes_with_us(tmp_path: Path, client: McpClient) -> None:
    path = tmp_path / "settings"
    save(plan_install(client, path, COMMAND))
    edit = plan_removal(client, path)
    assert edit.is_removal
    save(edit)
    assert not path.exists()
    save(plan_install(client, path, Command("p", ("a", "b"), {"K": "v"})))
    save(plan_removal(client, path))
    assert not path.exists()
    comment = "# mine\n" if client is McpClient.CODEX else "// mine\n"
    save(plan_install(client, path, COMMAND))
    path.write_text(comment + path.read_text())
    save(plan_removal(client, path))
    assert "mine" in path.read_text()
