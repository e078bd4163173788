"""The anchor of the log: a small file beside the database that says how far the log had come.

Whoever cuts lines off the log, or puts an older copy of the database in place, does not find it
inside the database. It is moved on only after the lines up to it were verified.
"""

import os
from pathlib import Path

from hermes.config.files import write_atomic
from hermes.memory.events import BEGINNING, Verdict, has_head, verify_log
from hermes.store.base import Store
from hermes.store.chain import Head


class Anchor:
    def __init__(self, file: Path) -> None:
        self._file = file

    def load(self) -> Head:
        """What was last verified; the beginning where nothing was, or the file is not readable."""
        try:
            count, digest = self._file.read_text("ascii").split()
            return Head(int(count), bytes.fromhex(digest))
        except (FileNotFoundError, ValueError):
            return BEGINNING

    def save(self, head: Head) -> None:
        """Move it on; where nothing may be written it stays behind, which is safe."""
        if head != self.load() and os.access(self._file.parent, os.W_OK):
            write_atomic(self._file, f"{head.count} {head.hash.hex()}\n")


def anchor_file(database: Path) -> Path:
    return database.with_name(database.name + ".anchor")


def verify_all(store: Store, anchor: Anchor, *, accept: bool = False) -> Verdict:
    """Verify the whole log, and move the anchor to its end if it is sound.

    With `accept` the anchor does not count: after an older backup was restored on purpose.
    """
    known = BEGINNING if accept else anchor.load()
    verdict = store.read(lambda tx: verify_log(tx, known))
    if verdict.is_sound:
        anchor.save(verdict.head)
    return verdict


def verify_new(store: Store, anchor: Anchor) -> Verdict:
    """Verify what came since the anchor, and move it on if that is sound."""
    known = anchor.load()
    if not store.read(lambda tx: has_head(tx, known)):
        return verify_all(store, anchor)
    verdict = store.read(lambda tx: verify_log(tx, known, start=known))
    if verdict.is_sound:
        anchor.save(verdict.head)
    return verdict
