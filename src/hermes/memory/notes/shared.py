"""A page that several homes have: the store keeps it, and each home's file shows it.

Next to the file lies what it last showed. What differs from that was written by hand here, and is
merged into what the store has by now; so a file that was not touched follows without a question.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hermes.config.files import make_private_dir, write_atomic
from hermes.errors import Conflict
from hermes.memory.notes.files import load_notes
from hermes.memory.notes.merge import merge_pages
from hermes.store.base import Store, Tx
from hermes.store.base.notes import KeptPage, PageCopy
from hermes.types import EventKind


@dataclass(frozen=True, slots=True)
class SharedHome:
    """One of the homes of a profile; `shown` is where it remembers what its files show."""

    name: str
    shown: Path
    now: Callable[[], int]

    def shown_file(self, page: str) -> Path:
        return self.shown / page


class SharedPage:
    """The page behind one file, for one change; `erased` is the erasure the file is known to have
    been cleared after.
    """

    def __init__(self, store: Store, home: SharedHome, path: Path, *, erased: int) -> None:
        self._store = store
        self._home = home
        self._path = path
        self._erased = erased
        self._kept: KeptPage | None = None
        self._is_edited = False

    def settle(self, text: str) -> str:
        base = find_shown(self._home, self._path.name)
        if base is not None and not self._path.exists():
            text = base  # a file that is gone is written again: to empty a page, empty its file
        self._kept = self._store.read(lambda tx: tx.notes.find(self._path.name))
        if self._kept is None:
            return text
        if self._kept.erased > self._erased:
            raise Conflict(
                f"Something was erased from {self._path.name} in another home at this moment.",
                "Try again.",
            )
        self._is_edited = text not in (base, self._kept.text)
        return merge_pages(base, self._kept.text, text)

    def publish(self, text: str) -> bool:
        if self._kept is not None and self._kept.text == text:
            return True
        kept = self._store.write(lambda tx: self._save(tx, text))
        self._kept = kept or self._kept
        return kept is not None

    def show(self, text: str) -> None:
        file = self._home.shown_file(self._path.name)
        make_private_dir(file.parent)
        if find_shown(self._home, self._path.name) != text:
            write_atomic(file, text)
        version = self._kept.version if self._kept else 0
        page, home, now = self._path.name, self._home.name, self._home.now()
        if version != self._store.read(lambda tx: shown_version(tx, home, page)):
            copy = PageCopy(home, page, version, now)
            self._store.write(lambda tx: tx.notes.note_copy(copy))

    def _save(self, tx: Tx, text: str) -> KeptPage | None:
        page, now = self._path.name, self._home.now()
        if tx.notes.find(page) != self._kept:
            return None
        if self._is_edited:
            told = f"{page} was changed in the files of {self._home.name}"
            tx.events.add(EventKind.MEMORY, told, at=now, ref=f"note:{page}")
        return tx.notes.save(page, text, now=now)


def find_shown(home: SharedHome, page: str) -> str | None:
    """What the file of a page last showed here."""
    file = home.shown_file(page)
    return load_notes(file) if file.exists() else None


def shown_version(tx: Tx, home: str, page: str) -> int:
    """The version a home shows of a page, 0 for none."""
    copies = tx.notes.list_copies(home)
    return next((copy.version for copy in copies if copy.page == page), 0)


@dataclass(frozen=True, slots=True)
class HomeState:
    """A home of the profile, when it last followed, and whether it has yet to follow an erasure."""

    name: str
    at: int
    is_behind: bool


def list_homes(tx: Tx) -> list[HomeState]:
    """Every home that shows pages of the profile."""
    erased = {page.name: page.erased for page in tx.notes.list()}
    copies = tx.notes.list_copies()
    return [
        HomeState(
            name,
            max(copy.at for copy in copies if copy.home == name),
            any(c.version < erased.get(c.page, 0) for c in copies if c.home == name),
        )
        for name in dict.fromkeys(copy.home for copy in copies)
    ]


def erase_from_pages(tx: Tx, clear: Callable[[str], str], *, now: int) -> None:
    """Take what is erased out of every page, and have every home clear its files."""
    for page in tx.notes.list():
        tx.notes.save(page.name, clear(page.text), now=now, erasing=True)
