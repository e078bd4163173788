"""The texts a message is embedded as: who speaks, what it answers, and no more than fits a vector.

A turn such as "Yes, last Friday!" means nothing alone; with the end of the message before it, it
does (LoCoMo recall@10 +0.01, recall@5 +0.02). Only of a short one: a long answer is about many
things, and its end would drown what follows it. A long message is about many things too: it is
embedded in windows, each a vector of its own, so that what stands at its end is found as well as
what stands at its beginning. A part of a summary is written to fit one vector, and is left whole.
Vectors made by another recipe than this are made anew.
"""

from hermes.store.base.vectors import PendingText
from hermes.types import Role

RECIPE = "turns in context 2"
CONTEXT_CHARS = 120
LONGEST_BEFORE_CHARS = 300
WINDOW_CHARS = 900
WHOLE_CHARS = 1_300  # up to this a message is one vector: a last window of a few words says little
SUMMARY_CHARS = 2_200  # telegram style has few tokens: the bundled model reads so much at once
MOST_WINDOWS = 64
TOOL_WINDOWS = 4  # what a tool answered is mostly long and seldom asked for: its beginning will do
_BETWEEN = " · "
_ENDS = ("\n\n", "\n", ". ", "! ", "? ", "。", "; ", ", ", " ")


def stored_name(model: str) -> str:
    """The model as a space names it: with the recipe of its passages."""
    return f"{model}{_BETWEEN}{RECIPE}"


def model_of(stored: str) -> str:
    """The model of a space, whichever the recipe."""
    return stored.partition(_BETWEEN)[0]


def is_worth_embedding(text: PendingText) -> bool:
    """Instructions to a model and empty texts are no memories."""
    return text.role != Role.SYSTEM and not text.text.isspace() and bool(text.text)


def passages_of(text: PendingText, *, is_part: bool = False) -> list[str]:
    """What to embed for a text, a vector each: with its speaker and, in talk, what it follows.

    Only the store knows what `is_part` of a summary: chats and logs may look like one.
    """
    lead = _lead(text)
    if is_part and len(text.text) <= SUMMARY_CHARS:
        return [text.text]
    most = TOOL_WINDOWS if text.role == Role.TOOL else MOST_WINDOWS
    return [f"{lead}{part}" for part in windows_of(text.text, most)]


def windows_of(text: str, most: int = MOST_WINDOWS) -> list[str]:
    """A text in pieces that each fit a vector, cut where a sentence or at least a word ends."""
    pieces: list[str] = []
    start = 0
    while len(text) - start > WHOLE_CHARS and len(pieces) < most - 1:
        end = _cut_at(text, start)
        pieces.append(text[start:end])
        start = end
    pieces.append(text[start : start + WHOLE_CHARS])
    return [piece for piece in pieces if not piece.isspace()] or [text[:WHOLE_CHARS]]


def _cut_at(text: str, start: int) -> int:
    """Where the window that begins at `start` ends: at the best break in its last third."""
    low, high = start + WINDOW_CHARS * 2 // 3, start + WINDOW_CHARS
    for end in _ENDS:
        found = text.rfind(end, low, high)
        if found != -1:
            return found + len(end)
    return high


def _lead(text: PendingText) -> str:
    by = text.speaker or text.role
    own = f"{by}: " if by else ""
    if not text.before.strip() or len(text.before) > LONGEST_BEFORE_CHARS:
        return own
    if text.before_by == Role.SYSTEM:
        return own
    return f"{text.before_by}: {_end_of(text.before)} {own}"


def _end_of(text: str) -> str:
    """The last words of a text, beginning at a whole one where words are set apart."""
    if len(text) <= CONTEXT_CHARS:
        return text
    end = text[-CONTEXT_CHARS:]
    gap = end.find(" ", 0, CONTEXT_CHARS // 2)
    return end[gap + 1 :]
