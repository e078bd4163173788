"""Which messages say the same, so that one of them is enough. Pure."""

from collections.abc import Sequence
from functools import lru_cache

SPARE = 4  # beyond how many are wanted, in the place of copies and of the newest
LONG_CHARS = 4_000
_MARKS = ".,;:!?…\"'()*_~"


@lru_cache(64)  # what is given is looked at twice
def fold(text: str) -> str:
    """What is alike in copies: all but case, blanks, and the marks at both ends.

    A very long text has no such copies: it is one with its own only.
    """
    if len(text) > LONG_CHARS:
        return text
    folded = " ".join(text.casefold().split())
    return folded.strip(_MARKS) or folded


def count_wanted(texts: Sequence[str], takes_room: Sequence[bool], limit: int) -> int:
    """How many of the first must be had so that `limit` of them take room and are no copies."""
    seen: set[str] = set()
    new = 0
    for number, (text, counts) in enumerate(zip(texts, takes_room, strict=True)):
        if new == limit:
            return number
        folded = fold(text)
        new += counts and folded not in seen
        seen.add(folded)
    return len(texts)
