"""The `memory` tool: the agent's notebook and its page on the person, both in every prompt."""

import asyncio
from typing import Literal

from pydantic import Field

from hermes.errors import Refused
from hermes.memory.facts.reference import render_ref
from hermes.memory.notekeeping import Outcome
from hermes.memory.notes import Operation
from hermes.memory.notes.request import MOST_OPERATIONS, MemoryRequest, parse_request
from hermes.tools.base import Arguments, Receipt, Tool, ToolContext, ToolResult
from hermes.tools.holding import told_held
from hermes.types import Origin, Trust

Act = Literal["add", "replace", "remove"]


class OneChange(Arguments):
    action: Act
    content: str = ""
    old_text: str = ""


class MemoryArguments(Arguments):
    target: Literal["memory", "user"] = Field(
        description="memory: your notebook; user: what you know of the person."
    )
    action: Act | None = None
    content: str = Field("", description="The note to add, or the new wording. One short line.")
    old_text: str = Field(
        "", description="For replace and remove: a note's id, or words only that note holds."
    )
    operations: list[OneChange] = Field(
        default_factory=list,
        max_length=MOST_OPERATIONS,
        description="Several changes at once; all are made, or none.",
    )


async def run(args: MemoryArguments, context: ToolContext) -> ToolResult:
    if context.incognito:
        raise Refused("This session is incognito: nothing is kept.", "Tell the person so.")
    request = parse_request(args.model_dump(exclude_none=True))
    outcome = await asyncio.to_thread(context.desk.change_notes, request, _worth(request, context))
    return _told(outcome, request)


def _worth(request: MemoryRequest, context: ToolContext) -> Trust:
    """What only adds the person's own words is theirs; what changes other notes is not."""
    adds = [each.content for each in request.operations if each.action == "add"]
    return context.worth(*adds) if len(adds) == len(request.operations) else context.trust


def _told(outcome: Outcome, request: MemoryRequest) -> ToolResult:
    if outcome.held is not None:
        return told_held(outcome.held)
    if outcome.full is not None:
        kept = [render_ref(each.fact.number) for each in outcome.overflow if each.fact]
        text = f"{outcome.full.message} {outcome.full.hint} Kept as {', '.join(kept)} meanwhile."
        receipts = tuple(
            Receipt(each.fact.text, render_ref(each.fact.number))
            for each in outcome.overflow
            if each.fact
        )
        return ToolResult(text, failed=True, trust=Trust.MEDIUM, receipts=receipts)
    return _done(outcome, request)


def _done(outcome: Outcome, request: MemoryRequest) -> ToolResult:
    change = outcome.change
    if change is None:
        return ToolResult("Nothing was changed.", failed=True, trust=Trust.MEDIUM)
    notes = "\n".join(f"- {note.id}: {note.text}" for note in change.notes)
    told = "; ".join(change.done)
    text = f"{told}. Now ({change.size:,}/{change.limit:,} characters):\n{notes}"
    receipts = tuple(
        _receipt(each, done, outcome.lost)
        for each, done in zip(request.operations, change.done, strict=True)
        if not done.endswith("already there")
    )
    return ToolResult(text, trust=Trust.MEDIUM, kept=told, receipts=receipts)


def _receipt(operation: Operation, done: str, lost: tuple[str, ...]) -> Receipt:
    said, ref = operation.content or f"removed {operation.old_text!r}", _ref(done)
    if ref.removeprefix("restore:note:") in lost:
        return Receipt(f"{said} (what stood there held a secret: no way back)", "restore:")
    return Receipt(said, ref)


def _ref(done: str) -> str:
    """How a change is taken back: `added 3f9a` → `note:3f9a`, to forget; `removed 3f9a` →
    `restore:note:3f9a`.
    """
    verb, *rest = done.split()
    if verb == "added" and rest:
        return f"note:{rest[-1]}"
    return f"restore:note:{rest[0]}" if rest and verb in ("replaced", "removed") else ""


TOOL = Tool(
    name="memory",
    description=(
        "Write, correct or remove a note of lasting worth: target 'user' for who the person is, "
        "likes and wants, 'memory' for projects, places, tools and conventions. Both pages stand "
        "in every future prompt and are short, so keep notes short. The result shows the page."
    ),
    arguments=MemoryArguments,
    run=run,
    origin=Origin.AGENT,
    writes_memory=True,
)
