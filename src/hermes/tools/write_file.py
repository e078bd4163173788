"""Write a whole file."""

import asyncio
from pathlib import Path

from pydantic import Field

from hermes.counted import many
from hermes.errors import UserError
from hermes.tools.base import Arguments, Question, Tool, ToolContext, ToolResult
from hermes.tools.places import MAX_BYTES, ask_outside, find_place, read_text
from hermes.tools.writing import lock_of, replace_text, tell_change


class WriteFile(Arguments):
    path: str = Field(description="File to write; folders on the way are made")
    content: str = Field(description="The whole text the file shall hold")


async def _run(args: WriteFile, context: ToolContext) -> ToolResult:
    path = find_place(args.path, context)
    return await asyncio.to_thread(_write, path, args.content, context)


def _write(path: Path, content: str, context: ToolContext) -> ToolResult:
    if path.is_dir():
        raise UserError(f"{path} is a folder.", "Name a file in it.")
    if len(content.encode()) > MAX_BYTES:
        raise UserError(f"The text is larger than {MAX_BYTES:,} bytes.", "Write less at a time.")
    with lock_of(path):
        before = read_text(path) if path.exists() else None
        if before == content:
            return ToolResult(f"{path} already holds exactly this.")
        replace_text(path, content, why=f"write {path.name}", context=context)
    if before is None:
        lines = many(len(content.splitlines()), "line")
        return ToolResult(f"Wrote {path}: new, {lines}.")
    return tell_change("Wrote", path, before, content)


def _approval(args: WriteFile, context: ToolContext) -> Question | None:
    return ask_outside("write_file", "write", args.path, context)


TOOL = Tool(
    name="write_file",
    description="Create a file or replace all of it. To change a part of a file use patch.",
    arguments=WriteFile,
    run=_run,
    approval=_approval,
)
