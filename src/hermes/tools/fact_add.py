"""The `fact_add` tool: one statement that will still matter, with what it replaces told."""

import asyncio

from pydantic import Field

from hermes.errors import Refused
from hermes.memory.facts.decide import Verdict
from hermes.memory.facts.given import Kept
from hermes.memory.facts.reference import render_line, render_ref
from hermes.store.base import HeldWrite
from hermes.tools.base import Arguments, Receipt, Tool, ToolContext, ToolResult
from hermes.tools.holding import told_held
from hermes.types import Origin, Trust


class FactAddArguments(Arguments):
    text: str = Field(
        min_length=3,
        max_length=2_000,
        description='One statement in a whole sentence: "User prefers tea to coffee".',
    )


async def run(args: FactAddArguments, context: ToolContext) -> ToolResult:
    if context.incognito:
        raise Refused("This session is incognito: nothing is kept.", "Tell the person so.")
    kept = await asyncio.to_thread(
        context.desk.add_fact, args.text, bank=context.bank, trust=context.worth(args.text)
    )
    held = await _held(kept, context)
    return told_held(held) if held is not None else _told(kept)


async def _held(kept: Kept, context: ToolContext) -> HeldWrite | None:
    if kept.fact is None or not kept.fact.held:
        return None
    return await asyncio.to_thread(context.desk.find_held, kept.fact)


def _told(kept: Kept) -> ToolResult:
    fact = kept.fact
    if fact is None:
        return ToolResult(f"Not kept: {kept.reason}", failed=True, trust=Trust.MEDIUM)
    others = "".join(f"\nbefore: {render_line(other)}" for other in kept.others)
    why = f" ({kept.reason})" if kept.reason else ""
    text = f"{kept.verdict}: {render_line(fact)}{why}{others}"
    replaced = kept.others if kept.verdict is Verdict.SUPERSEDE else ()
    before = tuple(other.text for other in replaced)
    receipt = Receipt(fact.text, render_ref(fact.number), before=before)
    return ToolResult(text, trust=Trust.MEDIUM, receipts=(receipt,))


TOOL = Tool(
    name="fact_add",
    description=(
        "Keep one fact for good: a preference, decision, deadline, relation, place. It is recalled "
        "when it matters, and replaces an older one of the same subject and attribute."
    ),
    arguments=FactAddArguments,
    run=run,
    origin=Origin.AGENT,
    writes_memory=True,
)
