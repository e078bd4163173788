"""The notebooks on disk: read again under a lock before every change, so no edit is lost.

The lock is a file of its own, because the page is replaced as a whole. An editor knows nothing of
our lock, so the page is compared once more right before it is replaced.
"""

import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from hermes.config.files import locked, make_private_dir, write_atomic
from hermes.errors import Conflict, Corrupt, Refused
from hermes.memory.notes.change import Change, Operation, apply_operations, size_of
from hermes.memory.notes.page import parse_notes
from hermes.memory.notes.projection import project

_ATTEMPTS = 5


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


def change_notes(path: Path, operations: Sequence[Operation], *, limit: int) -> Change:
    """Apply a batch to the page on disk, all of it or nothing, and return the live state."""
    return _update(path, lambda text: apply_operations(text, operations, limit=limit))


def project_user(path: Path, lines: Sequence[str], *, limit: int) -> Change:
    """Bring the projected lines of USER.md up to date beside what people wrote."""

    def renew(text: str) -> Change:
        page = project(text, lines, limit=limit)
        return Change(page, parse_notes(page), size_of(page), limit, ("projected the user model",))

    return _update(path, renew)


def _update(path: Path, compute: Callable[[str], Change]) -> Change:
    make_private_dir(path.parent)
    with locked(path.with_name(f".{path.name}.lock")):
        for _ in range(_ATTEMPTS):
            text = load_notes(path)
            change = compute(text)
            if change.text == text:
                return change
            if load_notes(path) == text:
                write_atomic(path, change.text)
                return change
    raise Conflict(f"{path.name} kept changing under our hands.", "Close the editor and try again.")
