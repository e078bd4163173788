"""The `fact_add` tool: one statement that will still matter, with what it replaces told."""

import asyncio
from collections.abc import Sequence

from pydantic import Field

from hermes.memory.facts.decide import Verdict
from hermes.memory.facts.given import Kept
from hermes.memory.facts.reference import render_line, render_ref
from hermes.store.base import HeldWrite
from hermes.tools.base import Arguments, Receipt, Tool, ToolContext, ToolResult
from hermes.tools.holding import gone_with, told_gone, told_held
from hermes.types import Origin, Trust


class FactAddArguments(Arguments):
    text: str = Field(
        min_length=3,
        max_length=2_000,
        description='One statement in a whole sentence: "User prefers tea to coffee".',
    )


async def run(args: FactAddArguments, context: ToolContext) -> ToolResult:
    [told] = await keep_facts([(args.text, context.worth(args.text))], context)
    return told


async def keep_facts(told: Sequence[tuple[str, Trust]], context: ToolContext) -> list[ToolResult]:
    """Keep statements in the bank of the conversation, all or none; what became of each."""
    kept = await asyncio.to_thread(context.desk.add_facts, told, bank=context.bank)
    return [await _tell(each, context) for each in kept]


async def _tell(kept: Kept, context: ToolContext) -> ToolResult:
    held = await _held(kept, context)
    if held is not None:
        return told_held(held)
    changed = [fact for fact in (*kept.others, kept.fact) if fact is not None]
    return _told(kept, await gone_with(context, *changed))


async def _held(kept: Kept, context: ToolContext) -> HeldWrite | None:
    if kept.fact is None or not kept.fact.held:
        return None
    return await asyncio.to_thread(context.desk.find_held, kept.fact)


def _told(kept: Kept, notes: tuple[str, ...]) -> ToolResult:
    fact = kept.fact
    if fact is None:
        return ToolResult(f"Not kept: {kept.reason}", failed=True, trust=Trust.MEDIUM)
    others = "".join(f"\nbefore: {render_line(other)}" for other in kept.others)
    why = f" ({kept.reason})" if kept.reason else ""
    text = f"{kept.verdict}: {render_line(fact)}{why}{others}{told_gone(notes)}"
    replaced = kept.others if kept.verdict is Verdict.SUPERSEDE else ()
    before = (*(other.text for other in replaced), *notes)
    receipt = Receipt(fact.text, render_ref(fact.number), before=before)
    trust = min(Trust.MEDIUM, *(other.trust for other in (fact, *kept.others)))
    return ToolResult(text, trust=trust, receipts=(receipt,))


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
