"""Putting Hermes into the settings of other agents, and nothing else in them changed.

Files are changed as text: in JSON our entry is spliced in, in TOML our table is replaced or
appended, so that comments, order, lines and indentation stay. Nothing is written but by `save`.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from hermes.config.edit import set_value, unset_value
from hermes.config.files import write_atomic
from hermes.config.text import Document, Json, parse_document
from hermes.errors import Conflict, UserError

NAME = "hermes"
SERVERS = "mcpServers"
LONG_LINE = 500


class McpClient(StrEnum):
    """The agents whose settings we know."""

    CLAUDE_CODE = "claude-code"
    CLAUDE_DESKTOP = "claude-desktop"
    CURSOR = "cursor"
    CODEX = "codex"


@dataclass(frozen=True, slots=True)
class Command:
    """How a client starts our server."""

    program: str
    arguments: tuple[str, ...]
    environ: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Edit:
    """A file as it is and as it would be; `before` is None where there is none yet.

    `is_removal`: the file goes, as it holds what we put there and nothing else.
    """

    path: Path
    before: str | None
    after: str
    is_removal: bool = False

    @property
    def changes(self) -> bool:
        return self.is_removal or (self.before or "") != self.after

    def diff(self) -> str:
        """The change, line by line, as `diff -u` shows it; long lines are laid out for it."""
        name = str(self.path)
        before, after = self.before or "", self.after
        if max(map(len, after.splitlines()), default=0) > LONG_LINE:
            before, after = _laid_out(before), _laid_out(after)
            name += " (laid out to be read)"
        lines = before.splitlines(), after.splitlines()
        return "\n".join(difflib.unified_diff(*lines, name, name, lineterm=""))


def _laid_out(text: str) -> str:
    try:
        return json.dumps(parse_document(text, "").to_json(), ensure_ascii=False, indent=2)
    except UserError:  # it is TOML
        return text


def config_path(client: McpClient, environ: Mapping[str, str], platform: str) -> Path:
    """Where a client keeps its settings."""
    home = Path(environ.get("HOME") or Path.home())
    if client is McpClient.CLAUDE_CODE:
        return Path(environ.get("CLAUDE_CONFIG_DIR") or home) / ".claude.json"
    if client is McpClient.CURSOR:
        return home / ".cursor" / "mcp.json"
    if client is McpClient.CODEX:
        return Path(environ.get("CODEX_HOME") or home / ".codex") / "config.toml"
    return _desktop_folder(environ, platform, home) / "claude_desktop_config.json"


def _desktop_folder(environ: Mapping[str, str], platform: str, home: Path) -> Path:
    if platform == "darwin":
        return home / "Library" / "Application Support" / "Claude"
    if platform == "win32":
        return Path(environ.get("APPDATA") or home / "AppData" / "Roaming") / "Claude"
    return Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "Claude"


def plan_install(client: McpClient, path: Path, command: Command) -> Edit:
    """The client's file with our server in it; nothing is written yet."""
    before = _read(path)
    if client is McpClient.CODEX:
        return Edit(path, before, put_table(before or "", path, command))
    return Edit(path, before, put_json(before or "", path, command))


def plan_removal(client: McpClient, path: Path) -> Edit:
    """The client's file without our server."""
    before = _read(path)
    if before is None or not find_installed(client, path):
        return Edit(path, before, before or "")
    if client is McpClient.CODEX:
        left = cut_table(before, path)
        return Edit(path, before, left, is_removal=not left)
    if _is_ours_alone(before, path):
        return Edit(path, before, "", is_removal=True)
    return Edit(path, before, _cut_json(_parse_json(before, path), path))


def _is_ours_alone(text: str, path: Path) -> bool:
    """Whether settings are, to the letter, what we write where there were none."""
    entry = _servers(_parse_json(text, path), path).get(NAME)
    made = parse_document("", str(path))
    for key, value in entry.items() if isinstance(entry, dict) else ():
        made = set_value(made, (SERVERS, NAME, key), value)
    return text == made.text


def _cut_json(document: Document, path: Path) -> str:
    """JSON settings without our server, and without the section if that held nothing else."""
    left = unset_value(document, (SERVERS, NAME))
    return left.text if _servers(left, path) else unset_value(left, (SERVERS,)).text


def save(edit: Edit) -> None:
    """Write a planned change, unless the file changed since it was looked at."""
    if _read(edit.path) != edit.before:
        hint = "Look at the new change and try again."
        raise Conflict(f"{edit.path} was changed meanwhile.", hint)
    if edit.is_removal:
        edit.path.resolve().unlink()
        return
    edit.path.parent.mkdir(parents=True, exist_ok=True)
    mode = edit.path.stat().st_mode if edit.path.exists() else None
    write_atomic(edit.path.resolve(), edit.after)
    if mode is not None:
        edit.path.chmod(mode)


def find_installed(client: McpClient, path: Path) -> bool:
    """Whether our server stands in a client's settings."""
    text = _read(path)
    if text is None:
        return False
    if client is McpClient.CODEX:
        servers = _parse_toml(text, path).get("mcp_servers", {})
        return isinstance(servers, dict) and NAME in servers
    return NAME in _servers(_parse_json(text, path), path)


def put_json(text: str, path: Path, command: Command) -> str:
    """A JSON file of settings with our server under `mcpServers`; all else as it was."""
    document = _parse_json(text, path)
    entry: dict[str, Json] = {"command": command.program, "args": list(command.arguments)}
    if command.environ:
        entry["env"] = dict(command.environ)
    there = _servers(document, path).get(NAME)
    if there is not None and not isinstance(there, dict):
        return set_value(document, (SERVERS, NAME), entry).text
    for key, value in entry.items():
        document = set_value(document, (SERVERS, NAME, key), value)
    for key in [key for key in there or () if key not in entry]:
        document = unset_value(document, (SERVERS, NAME, key))
    return document.text


def put_table(text: str, path: Path, command: Command) -> str:
    """A TOML file of settings with our server as a table of its own; all else as it was."""
    left = cut_table(text, path).rstrip("\n")
    lines = [
        f"[mcp_servers.{NAME}]",
        f"command = {_toml(command.program)}",
        f"args = [{', '.join(map(_toml, command.arguments))}]",
    ]
    if command.environ:
        pairs = ", ".join(f"{key} = {_toml(value)}" for key, value in command.environ.items())
        lines.append(f"env = {{ {pairs} }}")
    table = "\n".join(lines) + "\n"
    after = f"{left}\n\n{table}" if left else table
    _check_table(after, text, path)
    return after


def cut_table(text: str, path: Path) -> str:
    """A TOML file without our table and those below it."""
    _parse_toml(text, path)
    kept: list[str] = []
    is_ours = False
    for line in text.splitlines(keepends=True):
        header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]+", line)
        if header is not None:
            names = [part.strip().strip("\"'") for part in header[1].split(".")]
            is_ours = names[:2] == ["mcp_servers", NAME]
        if not is_ours:
            kept.append(line)
    return "".join(kept)


def _check_table(after: str, before: str, path: Path) -> None:
    """Refuse to write what would change anything else, however odd the file was."""
    new, old = _parse_toml(after, path), _parse_toml(before, path)
    for settings in (new, old):
        servers = settings.get("mcp_servers")
        if isinstance(servers, dict):
            servers.pop(NAME, None)
    new["mcp_servers"] = new.get("mcp_servers") or old.get("mcp_servers") or {}
    old["mcp_servers"] = old.get("mcp_servers") or {}
    if new != old:
        hint = f"Add [mcp_servers.{NAME}] by hand."
        raise Conflict(f"{path} is written in a way that cannot be edited safely.", hint)


def _servers(document: Document, path: Path) -> dict[str, Json]:
    settings = document.to_json()
    found = settings.get(SERVERS, {}) if isinstance(settings, dict) else {}
    if not isinstance(found, dict):
        raise UserError(f"`{SERVERS}` in {path} is no object.", "Mend it, or remove it.")
    return found


def _parse_json(text: str, path: Path) -> Document:
    """The settings of a client, which may hold comments."""
    try:
        return parse_document(text, str(path))
    except UserError as error:
        raise UserError(error.message, "Mend that line first.") from error


def _parse_toml(text: str, path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is not TOML: {error}", "Mend it first.") from error


def _toml(text: str) -> str:
    """A basic string; JSON's escapes are TOML's, but for a DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8.", "Mend it first.") from error


def list_arguments(profile: str, home: str, more: Sequence[str] = ()) -> tuple[str, ...]:
    """What our program is given to serve a profile of a home."""
    return ("-m", "hermes", "--home", home, "--profile", profile, "mcp", "serve", *more)
