"""The `fact_forget` tool: a fact that is wrong or not wanted is no longer believed."""

import asyncio

from pydantic import Field

from hermes.memory.facts.reference import render_line, render_ref
from hermes.tools.base import WHICH, Arguments, Question, Receipt, Tool, ToolContext, ToolResult
from hermes.tools.holding import ask_if_tainted, gone_with, told_gone
from hermes.types import Origin, Trust


class FactForgetArguments(Arguments):
    fact: str = Field(validation_alias=WHICH, description="Which one: fact:42")


async def run(args: FactForgetArguments, context: ToolContext) -> ToolResult:
    fact = await asyncio.to_thread(context.desk.forget_fact, args.fact, bank=context.bank)
    notes = await gone_with(context, fact)
    ref = f"restore:{render_ref(fact.number)}"
    receipt = Receipt(f"forgot {fact.text!r}", ref, before=notes)
    back = "`hermes memory fact restore` brings it back."
    text = f"Forgotten: {render_line(fact)}. {back}{told_gone(notes)}"
    return ToolResult(text, trust=min(Trust.MEDIUM, fact.trust), receipts=(receipt,))


def ask(args: FactForgetArguments, context: ToolContext) -> Question | None:
    return ask_if_tainted("fact_forget", f"forget {args.fact}", context)


TOOL = Tool(
    name="fact_forget",
    description="Stop believing a fact (fact:42) that is wrong or that the person wants forgotten.",
    arguments=FactForgetArguments,
    run=run,
    approval=ask,
    origin=Origin.AGENT,
    writes_memory=True,
)
