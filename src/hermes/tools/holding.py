"""Writes for which the person's word is wanted: the question, and what is said while they wait."""

import asyncio
from collections.abc import Sequence

from hermes.guard.origin import is_tainted
from hermes.store.base import HeldWrite
from hermes.tools.base import Question, Receipt, ToolContext, ToolResult
from hermes.types import Fact, Trust


def told_held(write: HeldWrite) -> ToolResult:
    """Not written, why, and how the person allows it."""
    ref = f"held:{write.id}"
    text = (
        f"Not written yet: {write.text}\nThe person must allow it first ({write.reason}). It waits "
        f"as {ref}; /approve {ref} or `hermes memory approve {ref}` allows it. Do not say that you "
        "remembered it."
    )
    receipt = Receipt(write.text, ref, held=True, why=write.reason)
    return ToolResult(text, trust=Trust.MEDIUM, receipts=(receipt,))


def joined(results: Sequence[ToolResult]) -> ToolResult:
    """One result of several writes to memory; it failed only where each of them did."""
    first, *rest = results
    if not rest:
        return first
    return ToolResult(
        "\n\n".join(each.text for each in results),
        failed=all(each.failed for each in results),
        trust=Trust.MEDIUM,
        kept="\n\n".join(each.kept or each.text for each in results),
        receipts=tuple(receipt for each in results for receipt in each.receipts),
    )


async def gone_with(context: ToolContext, *facts: Fact) -> tuple[str, ...]:
    """The notes that left the page on the person with facts, as they are told."""
    listed = [await asyncio.to_thread(context.desk.list_gone_notes, fact) for fact in facts]
    return tuple(f"the note {text!r}" for texts in listed for text in texts)


def told_gone(notes: tuple[str, ...]) -> str:
    return f"\nleft USER.md with it: {'; '.join(notes)}" if notes else ""


def ask_if_tainted(tool: str, action: str, context: ToolContext) -> Question | None:
    """What was read from outside may not change what is believed without the person's word."""
    if not is_tainted(context.trust):
        return None
    why = "the agent had read text that is not yours"
    return Question(tool, action, why, personal=True)
