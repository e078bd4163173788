"""What a model is told of a write that waits for the person's word, and the receipt for it."""

from hermes.store.base import HeldWrite
from hermes.tools.base import Receipt, ToolResult
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
