"""The contract for notes that several homes share: each page's text, and which home has which.

A store that one home alone works with keeps none: there the files are the pages. Every change gives
a page a higher version, so that a home can tell whether its file shows it, and whether what was
erased from the page may still stand in a home.
"""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page as it is; `erased` is the version with which something was last erased, 0 for none."""

    name: str
    text: str
    version: int
    erased: int
    at: int


@dataclass(frozen=True, slots=True)
class PageCopy:
    """That the file of a home shows a version of a page."""

    home: str
    page: str
    version: int
    at: int


class Notes(Protocol):
    def find(self, page: str) -> KeptPage | None: ...

    def save(self, page: str, text: str, *, now: int, erasing: bool = False) -> KeptPage:
        """Give a page a new text and version; `erasing` says that something must not come back."""

    def note_copy(self, copy: PageCopy) -> None:
        """Remember what the file of a home shows from now on."""

    def list_copies(self, home: str = "") -> list[PageCopy]:
        """By home and page; of all homes where none is named."""

    def forget_home(self, home: str) -> int:
        """Let go of what a home shows: it is gone. How many pages that was."""

    def get_settled(self) -> int:
        """The place in the sequence of changes up to which the notes on the user were brought."""

    def note_settled(self, seq: int) -> None:
        """Remember that place, for every program and home."""

    def list(self) -> list[KeptPage]:
        """By name."""
