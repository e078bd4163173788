"""Read a file, or list a folder."""

import asyncio
from pathlib import Path

from pydantic import Field

from hermes.tools.base import Arguments, Question, Tool, ToolContext, ToolResult
from hermes.tools.places import ask_outside, find_place, read_text

MAX_LINE_CHARS = 2_000
MAX_ENTRIES = 500


class ReadFile(Arguments):
    path: str = Field(description="File to read, or folder to list; relative to the working folder")
    offset: int = Field(default=1, ge=1, description="First line to show, counted from 1")
    limit: int = Field(default=400, ge=1, le=2_000, description="How many lines to show")


async def _run(args: ReadFile, context: ToolContext) -> ToolResult:
    path = find_place(args.path, context)
    show = _list_folder if path.is_dir() else _show_lines
    return ToolResult(await asyncio.to_thread(show, path, args))


def _list_folder(path: Path, args: ReadFile) -> str:
    entries = sorted(path.iterdir(), key=lambda entry: (entry.is_file(), entry.name))
    names = [entry.name + ("/" if entry.is_dir() else "") for entry in entries[:MAX_ENTRIES]]
    more = [f"… and {len(entries) - MAX_ENTRIES} more"] if len(entries) > MAX_ENTRIES else []
    return "\n".join([f"{path}: {len(entries)} entries", *names, *more])


def _show_lines(path: Path, args: ReadFile) -> str:
    lines = read_text(path).split("\n")
    if lines[-1] == "":
        lines.pop()
    first, last = args.offset, min(args.offset + args.limit - 1, len(lines))
    shown = [f"{n:>6}\t{_cut(lines[n - 1])}" for n in range(first, last + 1)]
    told = f"{path}: lines {first}–{last} of {len(lines)}" if shown else f"{path}: no such lines"
    if not lines:
        told = f"{path}: empty"
    more = [f"… {len(lines) - last} more lines: offset {last + 1}"] if last < len(lines) else []
    return "\n".join([told, *shown, *more])


def _cut(line: str) -> str:
    if len(line) <= MAX_LINE_CHARS:
        return line
    return f"{line[:MAX_LINE_CHARS]} [… {len(line) - MAX_LINE_CHARS} more characters]"


def _approval(args: ReadFile, context: ToolContext) -> Question | None:
    return ask_outside("read_file", "read", args.path, context)


TOOL = Tool(
    name="read_file",
    description="Read a text file with line numbers, or list a folder.",
    arguments=ReadFile,
    run=_run,
    parallel=True,
    approval=_approval,
)
