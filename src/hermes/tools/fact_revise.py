"""The `fact_revise` tool: corrects a fact; how it was stays in its history."""

import asyncio

from pydantic import Field

from hermes.memory.facts.reference import render_line, render_ref
from hermes.tools.base import WHICH, Arguments, Question, Receipt, Tool, ToolContext, ToolResult
from hermes.tools.holding import ask_if_tainted, gone_with, told_gone
from hermes.types import Origin, Trust


class FactReviseArguments(Arguments):
    fact: str = Field(validation_alias=WHICH, description="Which one: fact:42")
    text: str = Field(min_length=3, max_length=2_000, description="The statement as it is true.")


async def run(args: FactReviseArguments, context: ToolContext) -> ToolResult:
    desk, bank = context.desk, context.bank
    before = await asyncio.to_thread(desk.get_fact, args.fact, bank=bank)
    worth = context.worth(args.text)
    fact = await asyncio.to_thread(desk.revise_fact, args.fact, args.text, bank=bank, trust=worth)
    notes = await gone_with(context, fact)
    text = f"Corrected: {render_line(fact)}\nbefore: {before.text}{told_gone(notes)}"
    ref = f"restore:{render_ref(fact.number)}"
    receipt = Receipt(f"corrected: {fact.text}", ref, before=notes)
    trust = min(Trust.MEDIUM, before.trust, fact.trust)
    return ToolResult(text, trust=trust, receipts=(receipt,))


def ask(args: FactReviseArguments, context: ToolContext) -> Question | None:
    return ask_if_tainted("fact_revise", f"change {args.fact} to: {args.text}", context)


TOOL = Tool(
    name="fact_revise",
    description="Correct a fact by its reference (fact:42); its history is kept.",
    arguments=FactReviseArguments,
    run=run,
    approval=ask,
    origin=Origin.AGENT,
    writes_memory=True,
)
