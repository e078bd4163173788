"""Change a part of a file: one passage replaced by another."""

import asyncio
from difflib import get_close_matches
from pathlib import Path

from pydantic import Field

from hermes.errors import Conflict, NotFound, UserError
from hermes.tools.base import Arguments, Question, Tool, ToolContext, ToolResult
from hermes.tools.places import ask_outside, find_place, read_text
from hermes.tools.writing import lock_of, replace_text, tell_change


class Patch(Arguments):
    path: str = Field(description="File to change")
    old_text: str = Field(min_length=1, description="The passage as it stands, exactly, once")
    new_text: str = Field(description="What it shall be; empty removes the passage")
    replace_all: bool = Field(default=False, description="Replace every occurrence")


async def _run(args: Patch, context: ToolContext) -> ToolResult:
    path = find_place(args.path, context)
    return await asyncio.to_thread(_patch, path, args, context)


def _patch(path: Path, args: Patch, context: ToolContext) -> ToolResult:
    with lock_of(path):
        before = read_text(path)
        after = replace(before, args.old_text, args.new_text, replace_all=args.replace_all)
        if after == before:
            raise UserError("old_text and new_text are the same.", "Say what shall change.")
        replace_text(path, after, why=f"patch {path.name}", context=context)
    return tell_change("Changed", path, before, after)


def replace(text: str, old: str, new: str, *, replace_all: bool = False) -> str:
    """`text` with the one passage `old` (or all of them) replaced; told why where it cannot be.

    A file with CRLF line ends is matched by a passage with plain ones, and keeps its own.
    """
    if "\r\n" in text and "\r\n" not in old:
        old, new = (part.replace("\n", "\r\n") for part in (old, new))
    count = text.count(old)
    if count == 0:
        raise NotFound("old_text is not in the file.", _nearest(text, old))
    if count > 1 and not replace_all:
        raise Conflict(
            f"old_text is in the file {count} times.",
            "Give more of the lines around it, or set replace_all.",
        )
    return text.replace(old, new)


def _nearest(text: str, old: str) -> str:
    wanted = max(old.splitlines(), key=len, default="").strip()
    lines = {line.strip(): number for number, line in enumerate(text.splitlines(), 1)}
    found = get_close_matches(wanted, list(lines)[:5_000], n=1, cutoff=0.6)
    if not found:
        return "Read the file again: nothing in it is like this passage."
    return f"The nearest line is {lines[found[0]]}: {found[0][:200]!r}. Copy the passage exactly."


def _approval(args: Patch, context: ToolContext) -> Question | None:
    return ask_outside("patch", "change", args.path, context)


TOOL = Tool(
    name="patch",
    description="Replace one passage of a file by another; old_text must match exactly and once.",
    arguments=Patch,
    run=_run,
    approval=_approval,
)
