"""The tools an MCP client gets: those of our own agent, and three that look further.

Our own agent reaches these by other ways (commands, the task's context), so they stand here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import anyio.to_thread
from pydantic import Field

from hermes.app import App
from hermes.app.agent_desk import AppDesk
from hermes.clock import render_time
from hermes.guard.fence import NOTICE, fence
from hermes.memory.recall.result import Item, told
from hermes.memory.recall.when import parse_when
from hermes.memory.recall.when.zone import find_zone
from hermes.store.base.events import EventFilter
from hermes.tools import (
    fact_add,
    fact_forget,
    fact_revise,
    fact_why,
    memory,
    memory_recall,
    session_search,
)
from hermes.tools.base import AnyTool, Arguments, Tool, ToolContext, ToolResult
from hermes.types import Event, EventKind, Kind, Origin, Trust

MOST_EVENTS = 200
MOST_CHARS = 8_000_000  # of a question: as long as a message may be
RECALL = (
    "Recall what bears on a task or a question, by meaning and by words: facts, past turns, "
    "lessons, within a budget, ready to be read. Ask before you begin a task."
)


class MemorySearchArguments(Arguments):
    query: str = Field(min_length=1, max_length=MOST_CHARS, description="Words, or a question.")
    types: list[Kind] = Field(
        default_factory=list, max_length=4, description="Only these kinds; empty: all."
    )
    limit: int = Field(10, ge=1, le=50, description="How many at most.")


class ReflectArguments(Arguments):
    session: str = Field(min_length=1, max_length=200, description="The session's id.")


class LogSearchArguments(Arguments):
    words: str = Field("", max_length=1_000, description="Lines that hold all of them.")
    since: str = Field("", max_length=200, description='Such as "last tuesday" or 2026-03-01.')
    until: str = Field("", max_length=200, description="As since; the end of that time.")
    kinds: list[EventKind] = Field(
        default_factory=list, max_length=5, description="Only these kinds; empty: all."
    )
    limit: int = Field(20, ge=1, le=MOST_EVENTS, description="How many lines at most.")


def list_tools(app: App, *, may_write: bool) -> list[AnyTool]:
    """The tools of a profile; who may only read gets those that change nothing."""
    ours: Sequence[AnyTool] = (
        *(
            memory.TOOL,
            replace(memory_recall.TOOL, description=RECALL),
            _memory_search(app),
            session_search.TOOL,
        ),
        *(fact_add.TOOL, fact_revise.TOOL, fact_forget.TOOL, fact_why.TOOL),
        *(_reflect(app), _log_search(app)),
    )
    return [tool for tool in ours if may_write or not tool.writes_memory]


def new_context(app: App, bank: str, trust: Trust) -> ToolContext:
    """What tools work with when another's agent calls them, which has read what `trust` says."""
    return ToolContext(
        desk=AppDesk(app), session_id="", bank=bank, workdir=app.paths.workspace, trust=trust
    )


def _memory_search(app: App) -> AnyTool:
    async def run(args: MemorySearchArguments, context: ToolContext) -> ToolResult:
        items, trace = await anyio.to_thread.run_sync(
            lambda: app.memory.search(
                args.query, bank=context.bank, limit=args.limit, kinds=args.types
            )
        )
        if not items:
            return ToolResult(f"Nothing was found ({trace.went_by.value}).")
        return ToolResult(render_items(items), trust=trust_of_items(items))

    return Tool(
        name="memory_search",
        description=(
            "Search memory by meaning and by words: facts, past turns, lessons, best first, each "
            "with its reference. Unlike memory_recall it gives the `limit` best matches however "
            "weak, each whole: read how relevant each is said to be."
        ),
        arguments=MemorySearchArguments,
        run=run,
        parallel=True,
        origin=Origin.AGENT,
    )


def render_items(items: Sequence[Item]) -> str:
    """What was found, each piece between fences that say what it is."""
    labels = [{"ref": i.ref, "kind": i.kind.value, "note": i.note} for i in items]
    blocks = [fence(_told(item), label) for item, label in zip(items, labels, strict=True)]
    return "\n".join([NOTICE, *blocks])


def trust_of_items(items: Sequence[Item]) -> Trust:
    """The lowest of all that is shown."""
    lines = [line.trust for item in items for line in item.lines]
    return min([*lines, *(item.trust for item in items)], default=Trust.HIGH)


def _told(item: Item) -> str:
    return f"{render_time(item.at)} (relevance {told(item.relevance):.2f})\n{item.text}"


def _reflect(app: App) -> AnyTool:
    async def run(args: ReflectArguments, context: ToolContext) -> ToolResult:
        kept = await anyio.to_thread.run_sync(lambda: app.reflections.reflect(args.session))
        lines = [f"reflection:{each.id} ({each.task_type}): {each.lesson}" for each in kept]
        return ToolResult("\n".join(lines) or "There was nothing new to learn from it.")

    return Tool(
        name="reflect",
        description=(
            "Draw lessons from a session that was recorded: what worked, what failed, what to do "
            "next time. They are recalled with tasks of the same type."
        ),
        arguments=ReflectArguments,
        run=run,
        origin=Origin.AGENT,
        writes_memory=True,
    )


def _log_search(app: App) -> AnyTool:
    async def run(args: LogSearchArguments, context: ToolContext) -> ToolResult:
        found = await anyio.to_thread.run_sync(lambda: _search_log(app, args))
        lines = [f"{render_time(e.at)} {e.kind}: {e.summary}" + _about(e) for e in found]
        if not lines:
            return ToolResult("Nothing of that was logged.")
        text = f"{NOTICE}\n{fence(chr(10).join(lines), {'kind': 'log'})}"
        return ToolResult(text, trust=min(_trust_of_event(event) for event in found))

    return Tool(
        name="log_search",
        description=(
            "What was done and decided, and when: the log of tasks, decisions, results, failures "
            "and changes of memory, newest first. Times may be words: last tuesday, in march."
        ),
        arguments=LogSearchArguments,
        run=run,
        parallel=True,
        origin=Origin.AGENT,
    )


def _search_log(app: App, args: LogSearchArguments) -> Sequence[Event]:
    now, zone = app.clock.now(), find_zone(app.environ)
    since = parse_when(args.since, now, zone=zone).start_at if args.since else None
    until = parse_when(args.until, now, zone=zone).end_at if args.until else None
    wanted = EventFilter(since, until, tuple(kind.value for kind in args.kinds))
    return app.events.search(args.words, wanted, args.limit)


def _trust_of_event(event: Event) -> Trust:
    """The log keeps no trust: a line that may quote what others said counts as theirs."""
    quotes = event.ref and not event.ref.startswith("note:")  # what stands in notes was let in
    return Trust.LOW if quotes or event.kind == EventKind.FAILURE else Trust.MEDIUM


def _about(event: Event) -> str:
    return f" ({event.ref})" if event.ref else ""
