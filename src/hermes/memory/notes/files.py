"""The notebooks on disk: read again under a lock before every change, so no edit is lost.

The lock is a file of its own, because the page is replaced as a whole. An editor knows nothing of
our lock, so the page is compared once more right before it is replaced. Where other homes have the
page as well, `Sharing` brings in what they did and lets them have what is done here.
"""

import stat
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from hermes.config.files import locked, make_private_dir, write_atomic
from hermes.errors import Conflict, Corrupt, Refused
from hermes.memory.notes.change import Change, Operation, apply_operations, size_of
from hermes.memory.notes.page import parse_notes
from hermes.memory.notes.projection import project

_ATTEMPTS = 5


class Sharing(Protocol):
    """How a page is kept the same in every home that has it."""

    def settle(self, text: str) -> str:
        """The page in full: what the file says, with what other homes did to it."""

    def publish(self, text: str) -> bool:
        """Let the others have the page; false where one of them has changed it since `settle`."""

    def show(self, text: str) -> None:
        """Remember that the file says this now."""


class Alone:
    """A page that one home has: its file is all there is."""

    def settle(self, text: str) -> str:
        return text

    def publish(self, text: str) -> bool:
        return True

    def show(self, text: str) -> None:
        return None


ALONE = Alone()


def load_notes(path: Path) -> str:
    """The page as it is now; empty if there is none."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise Refused(f"{path} is not a plain file.", "Replace it by the file it points to.")
        return path.read_bytes().decode()
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        hint = "Save it as UTF-8 in your editor; Hermes left it as it is."
        raise Corrupt(f"{path} is not UTF-8 text.", hint) from error


def change_notes(
    path: Path, operations: Sequence[Operation], *, limit: int, sharing: Sharing = ALONE
) -> Change:
    """Apply a batch to the page on disk, all of it or nothing, and return the live state."""
    return _update(path, lambda text: apply_operations(text, operations, limit=limit), sharing)


def project_user(
    path: Path,
    lines: Sequence[str],
    *,
    limit: int,
    said: Sequence[str] = (),
    sharing: Sharing = ALONE,
) -> Change:
    """Bring the projected lines of USER.md up to date beside what people wrote."""

    def renew(text: str) -> Change:
        page = project(text, lines, limit=limit, said=said)
        return Change(page, parse_notes(page), size_of(page), limit, ("projected the user model",))

    return _update(path, renew, sharing)


def follow_page(path: Path, sharing: Sharing) -> None:
    """Bring the file and the page that other homes have to the same text."""
    _update(path, lambda text: Change(text, (), 0, 0), sharing)


def locked_page(path: Path) -> AbstractContextManager[None]:
    """Keep everybody from a page, and from what is remembered of what it shows."""
    make_private_dir(path.parent)
    return locked(path.with_name(f".{path.name}.lock"))


def _update(path: Path, compute: Callable[[str], Change], sharing: Sharing) -> Change:
    with locked_page(path):
        for _ in range(_ATTEMPTS):
            text = load_notes(path)
            change = compute(sharing.settle(text))
            if load_notes(path) == text and sharing.publish(change.text):
                # What other homes have by now is kept, whatever this file shows.
                if _show(path, text, change.text, sharing) or sharing is not ALONE:
                    return change
    raise Conflict(f"{path.name} kept changing under our hands.", "Close the editor and try again.")


def _show(path: Path, before: str, text: str, sharing: Sharing) -> bool:
    """Write what was published, if no edit was saved meanwhile: that stays, to be taken in next."""
    if text != before:
        if load_notes(path) != before:
            return False
        write_atomic(path, text)
    sharing.show(text)
    return True
