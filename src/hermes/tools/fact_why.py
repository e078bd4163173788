"""The `fact_why` tool: why something is believed: the words it rests on, and what it replaced."""

import asyncio
from datetime import tzinfo

from pydantic import Field

from hermes.clock import to_datetime
from hermes.guard.fence import fence
from hermes.memory.facts.reference import render_line, render_ref
from hermes.memory.facts.why import Evidence, Why
from hermes.tools.base import WHICH, Arguments, Tool, ToolContext, ToolResult
from hermes.types import Origin, Trust

MOST_EVIDENCE = 8
FOUND = 8


class FactWhyArguments(Arguments):
    fact: str = Field("", validation_alias=WHICH, description="Which one: fact:42")
    words: str = Field("", description="Or words to find facts by; gives their references.")


async def run(args: FactWhyArguments, context: ToolContext) -> ToolResult:
    if args.fact.strip():
        why = await asyncio.to_thread(context.desk.explain_fact, args.fact, bank=context.bank)
        ref = render_ref(why.fact.number)
        kept, told = f"[explained {ref}]", f"{ref} {why.fact.text}"
        return ToolResult(
            _render(why, context.desk.zone), trust=trust_of_why(why), kept=kept, told=told
        )
    found = await asyncio.to_thread(
        context.desk.find_facts, args.words, bank=context.bank, limit=FOUND
    )
    lines = [render_line(fact) for fact in found] or ["No fact holds these words."]
    trust = min((fact.trust for fact in found), default=None)
    return ToolResult("\n".join(lines), trust=trust, kept="[facts were looked up]")


def _render(why: Why, zone: tzinfo) -> str:
    told = [render_line(why.fact)]
    giver = "by hand" if why.fact.extractor == "person" else f"by {why.fact.extractor}"
    told += [_evidence(each, giver, zone) for each in why.evidence[:MOST_EVIDENCE]]
    told += [f"replaced: {render_line(fact)}" for fact in why.replaced]
    if why.replaced_by is not None:
        told.append(f"replaced by: {render_line(why.replaced_by)}")
    told += [f"contradicts: {render_line(fact)}" for fact in why.contradicts]
    return fence("\n".join(told), {"kind": "fact", "ref": render_ref(why.fact.number)})


def trust_of_why(why: Why) -> Trust:
    """The lowest of all that is shown: what stands against a fact may be worth less than it."""
    facts = [why.fact, *why.replaced, *why.contradicts]
    if why.replaced_by is not None:
        facts.append(why.replaced_by)
    around = [each.message.trust for each in why.evidence if each.message is not None]
    return min(
        [*(fact.trust for fact in facts), *(each.source.trust for each in why.evidence), *around]
    )


def _evidence(evidence: Evidence, giver: str, zone: tzinfo) -> str:
    source, when = evidence.source, "at some time"
    if source.at is not None:
        when = to_datetime(source.at).astimezone(zone).date().isoformat()
    where = f"message:{source.message_id}" if source.message_id else f"given {giver}"
    return f"because ({when}, {where}): “{evidence.before}{source.quote}{evidence.after}”"


TOOL = Tool(
    name="fact_why",
    description=(
        "Why a fact is believed: the exact words it rests on, when they were said, and what it "
        "replaced or contradicts. With `words`, find facts and their references."
    ),
    arguments=FactWhyArguments,
    run=run,
    parallel=True,
    origin=Origin.AGENT,
)
