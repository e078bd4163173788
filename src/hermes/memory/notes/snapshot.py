"""What the system prompt holds of the notes: one block, frozen when a session starts.

The same pages give the same text, byte for byte, so the cached prompt prefix stays valid.
"""

from hermes.guard.fence import defuse
from hermes.memory.notes.change import size_of
from hermes.memory.notes.page import BLOCK, is_sectioned, parse_notes, render_note, visible_text

SEED_LIMIT = 8_000
_PAST_CAP = 2  # a page edited by hand far over its cap is shown up to twice the cap


def render_snapshot(
    memory: str, user: str, seed: str = "", *, memory_limit: int = 2_200, user_limit: int = 1_375
) -> str:
    """The block for the system prompt, or nothing if there is nothing to say."""
    parts = [
        _page("What you know of the user (USER.md)", user, user_limit),
        _page("Your notebook (MEMORY.md)", memory, memory_limit),
        _seed(seed),
    ]
    return "\n\n".join(part for part in parts if part)


def _page(title: str, text: str, limit: int) -> str:
    shown = _as_bullets(text) if is_sectioned(text) else visible_text(text)
    if not shown:
        return ""
    size = size_of(text)
    heading = f"## {title} [{size:,}/{limit:,} characters]"
    if size > limit * _PAST_CAP:
        count = len(parse_notes(text))
        shown = f"{_cut(shown, limit * _PAST_CAP)}\n[{count} notes in all; not all fit here]"
    return f"{heading}\n{defuse(shown)}"


def _as_bullets(text: str) -> str:
    notes = [render_note(note.text, sectioned=False) for note in parse_notes(text)]
    block = BLOCK.search(text)
    return "\n".join([*notes, block["body"].strip() if block else ""]).strip()


def _seed(text: str) -> str:
    """workspace/MEMORY.md: the person's own words, in every task."""
    shown = text.strip()
    if not shown:
        return ""
    if len(shown) > SEED_LIMIT:
        shown = f"{_cut(shown, SEED_LIMIT)}\n[cut at {SEED_LIMIT:,} characters]"
    return f"## From the person (workspace/MEMORY.md)\n{defuse(shown)}"


def _cut(text: str, limit: int) -> str:
    """Up to the last whole line that fits."""
    head = text[:limit]
    return head[: head.rfind("\n")] if "\n" in head else head
