"""Every command that a page or a hint prints is one the program takes, with its options."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.core import TyperGroup

from hermes.cli.lazy import LazyCommand
from hermes.cli.main import COMMANDS, build_cli

if TYPE_CHECKING:
    from typer._click import Command

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = sorted((ROOT / "src" / "hermes").rglob("*.py"))
SPAN = re.compile(r"`((?:\.venv/bin/)?hermes(?: [^`\n]+)?)`")
LINE = re.compile(r"^(?:    |\$ )?((?:\.venv/bin/)?hermes(?: .*)?)$", re.MULTILINE)
LABELS = {"hermes backup identity v1"}  # looks like a command, and is the name of a key
OPENS = {"-p", "--profile", "--home", "--set"}
ARGUMENT = re.compile(r"[A-Z…\[<{'\"0-9.$/]|.*[:=|…/]")
"""How what stands for an argument begins, or what it holds; a plain word must be a command."""


def printed(text: str) -> Iterator[str]:
    for found in (*SPAN.findall(text), *LINE.findall(text)):
        for part in re.split(r"&&|\||;| {2,}|  #", found.replace("…|", "… ")):
            command = part.partition(" #")[0].strip()
            if command.split(" ")[0].removeprefix(".venv/bin/") == "hermes":
                yield command


def words_of(command: str) -> list[str]:
    try:
        return shlex.split(command)[1:]
    except ValueError:  # an apostrophe in what follows the command
        return command.split()[1:]


def options_of(command: "Command") -> set[str]:
    named = {opt for each in command.params for opt in (*each.opts, *each.secondary_opts)}
    return named | {"--help"}


def problem_of(command: str) -> str:
    """Why the program would not take a command; "" if it would."""
    words = words_of(command)
    while words and words[0].split("=")[0] in OPENS:
        words = words[2:] if "=" not in words[0] else words[1:]
    if not words or words[0].startswith("-") or ARGUMENT.match(words[0]):
        bare = words[0].split("=")[0] if words else "--help"
        root = options_of(build_cli(COMMANDS)) | {"--install-completion", "--version"}
        return "" if not bare.startswith("-") or bare in root else f"no option {bare}"
    if words[0] not in COMMANDS:
        return f"no command {words[0]}"
    found: Command = LazyCommand(words[0], COMMANDS[words[0]]).load()
    rest = words[1:]
    while isinstance(found, TyperGroup) and rest and not rest[0].startswith("-"):
        if rest[0] not in found.commands:
            return "" if ARGUMENT.match(rest[0]) else f"no {rest[0]} in {found.name}"
        found, rest = found.commands[rest[0]], rest[1:]
    known = options_of(found)
    named = [word.strip("[]`").split("=")[0] for word in rest if word.strip("[").startswith("-")]
    wrong = [name for name in named if name not in known and re.fullmatch(r"-[-\w]+", name)]
    return f"no option {wrong[0]} in {found.name}" if wrong else ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_prints_only_commands_that_work(page: Path) -> None:
    commands = sorted(set(printed(page.read_text("utf-8"))) - LABELS)
    wrong = {each: problem for each in commands if (problem := problem_of(each))}
    assert not wrong


def test_hints_name_only_commands_that_work() -> None:
    wrong = {}
    for source in SOURCES:
        text = source.read_text("utf-8")
        if "hermes " not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for each in SPAN.findall(node.value):
                    if problem := problem_of(each):
                        wrong[f"{source.name}: {each}"] = problem
    assert not wrong


def test_what_is_not_there_is_noticed() -> None:
    assert problem_of("hermes memory fact lsit") == "no lsit in fact"
    assert problem_of("hermes recal x") == "no command recal"
    assert problem_of("hermes sessions list --jsno") == "no option --jsno in list"
    assert problem_of("hermes -p work sessions list --json") == ""
