"""Run a command in a shell."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import Field

from hermes.errors import NotFound, Refused
from hermes.guard.door import MARK, limits_for, render_mark
from hermes.terminals.base import Command, Finished
from hermes.terminals.environment import public_environ
from hermes.terminals.local import LocalTerminal
from hermes.tools.base import Arguments, Question, Tool, ToolContext, ToolResult
from hermes.tools.calling import DOOR, opens_door
from hermes.tools.danger import MAX_LINE, Danger, join_dangers, list_dangers
from hermes.tools.places import ask_outside, find_place
from hermes.tools.reach import HOME, Places, find_closed, is_beyond, list_reaches
from hermes.tools.reading import is_reading
from hermes.tools.shellwords import Line, parse_line

RULE = "terminal: "
LONGEST_TOLD = 120


class Terminal(Arguments):
    command: str = Field(min_length=1, max_length=MAX_LINE, description="A line for the shell")
    workdir: str = Field(default=".", description="Folder it runs in")
    timeout_s: float = Field(default=180.0, gt=0, le=1_800)


async def _run(args: Terminal, context: ToolContext) -> ToolResult:
    folder = find_place(args.workdir, context)
    if not folder.is_dir():
        raise NotFound(f"There is no folder {folder}.", "Leave workdir out.")
    environ = public_environ(context.environ) | {MARK: render_mark(context.trust)}
    limits = limits_for(context.trust)
    command = Command(args.command, folder, args.timeout_s, environ, limits=limits)
    async with _kept(args.command, folder, context):
        done = await LocalTerminal().run(command, _Teller(context.on_progress))
    return ToolResult(_render(done, args.timeout_s), failed=done.exit_code != 0, fault=_fault(done))


@asynccontextmanager
async def _kept(line: str, folder: Path, context: ToolContext) -> AsyncIterator[None]:
    """Files are kept before a command that may change them, off the event loop.

    A command may reach from its folder to any other below the working folder.
    """
    if is_reading(line):
        yield
        return
    root = context.workdir if folder.is_relative_to(context.workdir) else folder
    step = context.changing(root, (), f"run {line[:80]}")
    await asyncio.to_thread(step.__enter__)
    try:
        yield
    finally:
        await asyncio.shield(asyncio.to_thread(step.__exit__, None, None, None))


class _Teller:
    """Tells the last whole line of each piece of output; a piece may end within a line."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._begun = ""

    def __call__(self, text: str) -> None:
        whole, end, rest = (self._begun + text.replace("\r", "\n")).rpartition("\n")
        self._begun = rest[:LONGEST_TOLD]
        if line := whole.rstrip().rpartition("\n")[2].strip() if end else "":
            self._tell(line[:LONGEST_TOLD])


def _fault(done: Finished) -> str:
    if done.exit_code is None:
        return "timed out"
    return f"exit {done.exit_code}" if done.exit_code else ""


def _render(done: Finished, timeout_s: float) -> str:
    if done.exit_code is None:
        end = f"[stopped after {timeout_s:g} s]"
    else:
        end = f"[exit {done.exit_code}, {done.seconds:.1f} s]"
    return f"{done.output.rstrip()}\n{end}".lstrip("\n")


def _approval(args: Terminal, context: ToolContext) -> Question | None:
    outside = ask_outside("terminal", "run in", args.workdir, context)
    danger = join_dangers(_list_dangers(args, context))
    if outside is not None:
        reasons = [outside.reason, *([danger.reason] if danger else [])]
        action = f"{args.command} (in {find_place(args.workdir, context)})"
        asked = Question("terminal", action, reason="; ".join(reasons), rule=outside.rule)
        if danger is None:
            return asked
        return replace(asked, rule="", personal=danger.personal, lasting=danger.lasting)
    if danger is None:
        return None
    rule = RULE + danger.rule if danger.rule else ""
    asked = Question("terminal", args.command, reason=danger.reason, rule=rule)
    return replace(asked, personal=danger.personal, lasting=danger.lasting)


def _list_dangers(args: Terminal, context: ToolContext) -> list[Danger]:
    """All that speaks against a line and is not allowed yet: what one yes would let happen."""
    rules = tuple(rule[len(RULE) :] for rule in context.allowed if rule.startswith(RULE))
    read = parse_line(args.command)
    found = [Danger(DOOR, "", personal=True)] if any(map(opens_door, read.commands)) else []
    found += list_dangers(args.command, rules)
    places = _places(args, context)
    places.note(read.commands)
    _require_open(read, places)
    home = _find_home(args.command, context)
    found += [home] if home else list_reaches(read, places, rules)
    if found and not is_reading(args.command) and is_beyond(read, places):
        found = [replace(each, lasting=True) for each in found]
    return found


def _require_open(read: Line, places: Places) -> None:
    """Refuse a line that names a file in the home of Hermes, as the file tools do."""
    if path := find_closed(read, places):
        raise Refused(
            f"{path} is in the home of Hermes, which commands may not touch.",
            "Use the memory tools for what Hermes knows; the person can run this themselves.",
        )


def _places(args: Terminal, context: ToolContext) -> Places:
    folder = find_place(args.workdir, context)
    is_inside = folder.is_relative_to(context.workdir.resolve())
    workdir = context.workdir.resolve() if is_inside else folder
    closed = tuple(each.resolve() for each in context.forbidden)
    return Places(folder, workdir, closed, public_environ(context.environ))


def _find_home(line: str, context: ToolContext) -> Danger | None:
    """A command that names the home of Hermes reaches keys and memory past their own tools."""
    names = (".hermes", "HERMES_HOME", *(str(folder) for folder in context.forbidden))
    return Danger(HOME, "", lasting=True) if any(name in line for name in names) else None


TOOL = Tool(
    name="terminal",
    description=(
        "Run a command in a shell of this machine, in the working folder; gives its output and "
        "exit code. It gets no input: use flags that need no answer."
    ),
    arguments=Terminal,
    run=_run,
    approval=_approval,
    timeout_s=1_860.0,
)
