"""Writes for which the person's word is wanted: the question, and what is said while they wait."""

from hermes.guard.origin import is_tainted
from hermes.store.base import HeldWrite
from hermes.tools.base import Question, Receipt, ToolContext, ToolResult
from hermes.types import Trust


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


def ask_if_tainted(tool: str, action: str, context: ToolContext) -> Question | None:
    """What was read from outside may not change what is believed without the person's word."""
    if not is_tainted(context.trust):
        return None
    return Question(tool, action, "the agent had read text that is not yours")
