"""Find text in files, or files by name."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict

from pydantic import Field

from hermes.errors import NotFound, Unavailable, UserError
from hermes.terminals.environment import public_environ
from hermes.tools import searching
from hermes.tools.base import Arguments, Question, Tool, ToolContext, ToolResult
from hermes.tools.places import ask_outside, find_place
from hermes.tools.searching import Request
from hermes.tools.side_program import run_aside

TIMEOUT_S = 20.0


class SearchFiles(Arguments):
    pattern: str = Field(
        default="", max_length=1_000, description="Regular expression; empty lists files"
    )
    path: str = Field(default=".", description="Folder or file to search")
    glob: str = Field(default="*", max_length=200, description="Only files of this name: *.py")
    ignore_case: bool = False
    limit: int = Field(default=100, ge=1, le=1_000)


async def _run(args: SearchFiles, context: ToolContext) -> ToolResult:
    root = find_place(args.path, context)
    if not root.exists():
        raise NotFound(f"There is no {root}.", "List the folder above with read_file.")
    _check_pattern(args.pattern)
    closed = tuple(str(folder.resolve()) for folder in context.forbidden)
    request = Request(str(root), args.pattern, args.glob, args.limit, args.ignore_case, closed)
    lines = (await _search(request, public_environ(context.environ))).splitlines()
    if not lines:
        return ToolResult(f"Nothing found in {root}.")
    more = f"\n… stopped at {args.limit}; narrow the search" if len(lines) == args.limit else ""
    return ToolResult(f"{len(lines)} in {root}:\n" + "\n".join(lines) + more)


def _check_pattern(pattern: str) -> None:
    try:
        re.compile(pattern)
    except (re.error, RecursionError) as error:
        raise UserError(f"The pattern is wrong: {error}", "Escape ( ) [ ] . * + ? \\.") from None


async def _search(request: Request, environ: Mapping[str, str]) -> str:
    """In a process of its own: Python cannot interrupt a pattern that runs away."""
    asked = json.dumps(asdict(request)).encode()
    try:
        found, code = await run_aside(searching.__file__, asked, environ, timeout_s=TIMEOUT_S)
    except TimeoutError:
        raise Unavailable(
            f"The search took longer than {TIMEOUT_S:g} s.", "Narrow the folder or the pattern."
        ) from None
    if code != 0:
        raise Unavailable("The search broke off.", "Narrow the folder or the pattern.")
    return found.decode("utf-8", "replace")


def _approval(args: SearchFiles, context: ToolContext) -> Question | None:
    return ask_outside("search_files", "search", args.path, context)


TOOL = Tool(
    name="search_files",
    description="Find text in files by a regular expression, or list files by name.",
    arguments=SearchFiles,
    run=_run,
    parallel=True,
    approval=_approval,
)
