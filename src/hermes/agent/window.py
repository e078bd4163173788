"""How much a model can read at once, where nobody said so, and what to offer in a small window."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes.tools.registry import Toolbox

LOCAL = 8_192  # what servers on one's own machine commonly start with
USUAL = 128_000
SMALL = 12_000  # in a smaller window the tools would take what the conversation needs
SPARED = frozenset({"delegate", "schedule", "skills", "todo"})  # tools that it can do without
FILL = 0.75  # of what the window has for talk: above it the oldest turns are put into few words
KEEP = 0.3  # of the window: what stays of them as it was said

_KNOWN = (
    (re.compile(r"claude", re.I), 200_000),
    (re.compile(r"gpt-4\.1|gemini", re.I), 1_000_000),
    (re.compile(r"gpt-5|\bo[134]\b|o[134]-", re.I), 200_000),
    (re.compile(r"gpt-4o|gpt-4-turbo", re.I), 128_000),
    (re.compile(r"gpt-3\.5", re.I), 16_000),
    (re.compile(r"hermes-?4|llama-?3\.[123]|qwen-?[23]|mistral|deepseek", re.I), 128_000),
)


def fit_tools(toolbox: Toolbox, window_tokens: int) -> Toolbox:
    """The tools that a window has room for beside a conversation."""
    return toolbox if window_tokens >= SMALL else toolbox.without(lambda tool: tool.name in SPARED)


def window_of(model: str, configured: int | None, *, is_local: bool) -> int:
    """The context window in tokens: as configured, as known, or a careful guess.

    A server of one's own cuts silently what is beyond the window it was started with, whatever the
    model could read: there only the setting counts.
    """
    if configured is not None:
        return configured
    if is_local:
        return LOCAL
    return next((size for known, size in _KNOWN if known.search(model)), USUAL)
