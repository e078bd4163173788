"""The `memory_recall` tool: what bears on a question, by meaning and by words, of every kind."""

import asyncio

from pydantic import AliasChoices, Field

from hermes.tools.base import Arguments, Tool, ToolContext, ToolResult
from hermes.types import Origin, Trust


class MemoryRecallArguments(Arguments):
    task: str = Field(
        min_length=1,
        validation_alias=AliasChoices("task", "question"),  # as it was called before
        description="What you are about to do, or want to know, in full.",
    )
    budget_tokens: int = Field(
        4_000,
        ge=200,
        le=20_000,
        validation_alias=AliasChoices("budget_tokens", "budget"),
        description="How long the answer may be, in tokens.",
    )


async def run(args: MemoryRecallArguments, context: ToolContext) -> ToolResult:
    recall = await asyncio.to_thread(
        context.desk.recall, args.task, bank=context.bank, budget_tokens=args.budget_tokens
    )
    block = recall.context()
    if not block:
        return ToolResult("Nothing in memory bears on that.", trust=Trust.HIGH)
    shown = [line.trust for item in recall.items for line in item.lines]
    trust = min([*shown, *(item.trust for item in recall.items)])
    refs = ", ".join(dict.fromkeys(item.ref for item in recall.items))
    told = f"recalled {refs}"
    return ToolResult(block, trust=trust, kept=f"[recalled: {refs}]", told=told)


TOOL = Tool(
    name="memory_recall",
    description=(
        "Recall what is remembered for a question, by meaning and by words: facts, past turns, "
        "lessons. What was recalled for the person's message is before you already; use this for "
        "other questions that come up."
    ),
    arguments=MemoryRecallArguments,
    run=run,
    parallel=True,
    origin=Origin.AGENT,
)
