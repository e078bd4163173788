"""Keeps the summary of a long conversation within its room: repeats go, then what tells least.

The oldest lines are not the least: who someone is, is said at the start.
"""

from collections.abc import Sequence

from hermes.memory.compress.dense import content_words, is_strong
from hermes.memory.recall.tokens import count_tokens

ALIKE = 0.8  # share of a line's words that another line holds


def fit_lines(lines: Sequence[str], limit_tokens: int) -> str:
    """The lines that tell the most, in order, within a limit."""
    kept = [line for line in lines if line.strip()]
    if _size(kept) > limit_tokens:
        kept = _without_repeats(kept)
    sizes = {place: count_tokens(line) + 1 for place, line in enumerate(kept)}
    total = sum(sizes.values())
    for place in sorted(sizes, key=lambda place: (_worth(kept[place], sizes[place]), place)):
        if total <= limit_tokens:
            break
        total -= sizes.pop(place)
    return "\n".join(kept[place] for place in sorted(sizes))


def _size(lines: Sequence[str]) -> int:
    return sum(count_tokens(line) + 1 for line in lines)


def _without_repeats(lines: Sequence[str]) -> list[str]:
    """Lines that say something that none before them says."""
    kept: list[str] = []
    known: list[frozenset[str]] = []
    for line in lines:
        words = content_words(line)
        if any(len(words & other) >= ALIKE * len(words) for other in known):
            continue
        kept.append(line)
        known.append(words)
    return kept


def _worth(line: str, tokens: int) -> float:
    """Names, numbers and dates for what they cost; a bare date heading is worth little."""
    strong = sum(is_strong(word, first=n == 0) for n, word in enumerate(line.split()))
    is_heading = line.startswith("[") and line.rstrip().endswith("]")
    return 0.0 if is_heading else strong / max(1, tokens)
