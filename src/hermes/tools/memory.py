"""The `memory` tool: the agent's notebook and its page on the person, both in every prompt."""

import asyncio
import re
from dataclasses import replace
from typing import Literal

from pydantic import Field

from hermes.errors import UserError
from hermes.memory.banks import DEFAULT
from hermes.memory.facts.reference import render_line, render_ref
from hermes.memory.notekeeping import Outcome
from hermes.memory.notes import Action, NotesFull, Operation
from hermes.memory.notes.request import MOST_OPERATIONS, MemoryRequest, Target, parse_request
from hermes.tools.base import Arguments, Receipt, Tool, ToolContext, ToolResult
from hermes.tools.fact_add import keep_facts
from hermes.tools.holding import joined, told_held
from hermes.types import Origin, Trust

Act = Literal["add", "replace", "remove"]
_SAID_OF_THEM = re.compile(
    r"(?:Is|Has|Was|Does|Prefers|Likes|Dislikes|Loves|Hates|Enjoys|Wants|Needs|Expects|Avoids|Asks|"
    r"Uses|Lives|Works|Speaks|Writes|Reads|Knows|Owns|Drives|Plays|Studies|Teaches|Leads|Manages|"
    r"Travels|Eats|Drinks|Moved|Cannot)\b"
)


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
        description=(
            "Several changes at once: all are made, or none. One that the person must allow first "
            "waits by itself and keeps back no other."
        ),
    )


async def run(args: MemoryArguments, context: ToolContext) -> ToolResult:
    request = parse_request(args.model_dump(exclude_none=True))
    if request.target is Target.USER and context.bank != DEFAULT:
        return await _keep_of_person(request, context)
    said = context.said[-1] if context.said else ""
    operations = tuple(replace(o, worth=_worth(o, context)) for o in request.operations)
    request = replace(request, operations=operations)
    most = max(each.worth for each in operations)
    outcome = await asyncio.to_thread(context.desk.change_notes, request, most, said)
    return _told(outcome)


async def _keep_of_person(request: MemoryRequest, context: ToolContext) -> ToolResult:
    """USER.md is about the person of the default bank: of another's person, facts are kept."""
    bank = context.bank
    if any(each.action != "add" for each in request.operations):
        raise UserError(
            f"In the bank {bank} there is no page on the person: what is known of them are facts.",
            "Find the fact by `fact_why` with words; then use `fact_revise` or `fact_forget`.",
        )
    notes = [each.content for each in request.operations]
    told = await keep_facts([_of_person(note, context) for note in notes], context)
    receipts = [receipt for each in told for receipt in each.receipts]
    where = f"Of the person of the bank {bank}, facts are kept, not notes:"
    return ToolResult(
        "\n".join([where, *(each.text for each in told)]),
        failed=all(each.failed for each in told),
        trust=Trust.MEDIUM,
        receipts=tuple(replace(r, text=f"{r.text} (a fact of the bank {bank})") for r in receipts),
    )


def _of_person(note: str, context: ToolContext) -> tuple[str, Trust]:
    """A note as a statement, and its worth: "Prefers tea" is said of the user."""
    said = f"User {note[0].lower()}{note[1:]}" if _SAID_OF_THEM.match(note) else note
    return said, context.worth(note)


def _worth(operation: Operation, context: ToolContext) -> Trust:
    """A note in the person's own words is theirs; what changes another note is not."""
    is_added = operation.action is Action.ADD
    return context.worth(operation.content) if is_added else context.trust


def _told(outcome: Outcome) -> ToolResult:
    """What was made, then what waits; each receipt says which it is."""
    waiting = [told_held(each) for each in outcome.held]
    if outcome.full is not None:
        made = [_overflown(outcome.full, outcome)]
    elif outcome.change is not None or not waiting:
        made = [_done(outcome)]
    else:
        made = []
    return joined([*made, *waiting])


def _overflown(full: NotesFull, outcome: Outcome) -> ToolResult:
    facts = [each.fact for each in outcome.overflow if each.fact]
    kept = ", ".join(render_ref(fact.number) for fact in facts)
    text = f"{full.message} Kept as {kept} meanwhile. {full.hint}"
    receipts = tuple(Receipt(fact.text, render_ref(fact.number)) for fact in facts)
    return ToolResult(text, failed=True, trust=Trust.MEDIUM, receipts=receipts)


def _done(outcome: Outcome) -> ToolResult:
    change = outcome.change
    if change is None:
        return ToolResult("Nothing was changed.", failed=True, trust=Trust.MEDIUM)
    notes = "\n".join(f"- {note.id}: {note.text}" for note in change.notes)
    told = "; ".join(change.done)
    text = f"{told}. Now ({change.size:,}/{change.limit:,} characters):\n{notes}"
    if outcome.closed:
        text += f"\nno longer believed with it: {'; '.join(map(render_line, outcome.closed))}"
    if outcome.believed:
        listed = "; ".join(map(render_line, outcome.believed))
        text += f"\nstill believed: {listed}. Use `fact_forget` for what is no longer so."
    receipts = tuple(
        _receipt(each, done, outcome)
        for each, done in zip(outcome.made, change.done, strict=True)
        if not done.endswith("already there")
    )
    return ToolResult(text, trust=Trust.MEDIUM, kept=told, receipts=receipts)


def _receipt(operation: Operation, done: str, outcome: Outcome) -> Receipt:
    said, ref = operation.content or f"removed {operation.old_text!r}", _ref(done)
    if ref.removeprefix("restore:note:") in outcome.lost:
        return Receipt(f"{said} (what stood there held a secret: no way back)", "restore:")
    if not ref.startswith("restore:note:"):
        return Receipt(said, ref)
    if outcome.believed:
        listed = ", ".join(render_ref(fact.number) for fact in outcome.believed)
        said += f" (still believed: {listed})"
    return Receipt(said, ref, before=tuple(f.text for f in outcome.closed))


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
        "in every future prompt and are short, so keep notes short. Taking a note off to make room "
        "unlearns no fact; `fact_forget` does. The result shows the page."
    ),
    arguments=MemoryArguments,
    run=run,
    origin=Origin.AGENT,
    writes_memory=True,
)
