"""The contract for finding messages by their words.

A store gives postings; what a question means and how matches rank is decided once, in
`store.ranking`, so that every store answers alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Postings:
    """The newest messages that hold a word, newest first.

    `total` is exact when `complete`; else it is estimated from how densely the newest lie.
    """

    ids: list[int]
    total: int
    complete: bool


@dataclass(frozen=True, slots=True)
class TextScope:
    """Where to look: a bank ("" for all), roles (none for all), and messages `first`..`last`.

    With `session_id` in that session alone, however many others hold the same words.
    """

    bank: str = ""
    roles: tuple[str, ...] = ()
    first_id: int = 0
    last_id: int = 2**62
    session_id: str = ""


class TextIndex(Protocol):
    def postings(self, word: str, scope: TextScope, limit: int) -> Postings:
        """Messages holding `word`, which may be a phrase; `word*` matches beginnings."""

    def postings_all(self, words: Sequence[str], scope: TextScope, limit: int) -> list[int]:
        """The newest messages that hold every one of `words`."""

    def size(self, scope: TextScope) -> tuple[int, int]:
        """How many messages are indexed there, and their characters in sum."""

    def tokens(self, text: str) -> list[str]:
        """The words of `text` exactly as the index sees them: folded and stemmed."""
