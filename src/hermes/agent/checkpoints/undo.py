"""Takes changes back, newest first, keeping whatever a person wrote in between or since.

Each change is undone as a three-way merge whose base is what Hermes left: where the file is still
so, the earlier content comes back exactly; where a person edited other lines, their edit stays;
where both touched the same lines the file is left alone and named. So is one whose content was not
kept, or that is too large to keep now: nothing is overwritten that could not be brought back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeGuard

from hermes.agent.checkpoints.blobs import Blobs
from hermes.agent.checkpoints.log import Change
from hermes.agent.checkpoints.merge import merge
from hermes.agent.checkpoints.tree import Kept
from hermes.errors import Corrupt


class Outcome(StrEnum):
    RESTORED = "restored"
    MERGED = "restored, your own edits kept"
    REMOVED = "removed"
    SAME = "already so"
    KEPT = "left alone: you changed the same lines since"
    UNKEPT = "not put back: it was too large to keep, or is no file that can be read"
    LOST = "not put back: what was kept of it is missing or damaged"
    BARRED = "not put back: a link or a file was put on the way to it"
    FAILED = "not put back: it, or its folder, cannot be changed"

    @property
    def is_change(self) -> bool:
        return self in (Outcome.RESTORED, Outcome.MERGED, Outcome.REMOVED)

    @property
    def is_failure(self) -> bool:
        return not self.is_change and self is not Outcome.SAME


@dataclass(frozen=True, slots=True)
class File:
    """A file's content and permissions; no content means there is no file, or it was not read."""

    content: bytes | None
    mode: int = 0o644
    mark: str = field(default="", compare=False)
    is_read: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class Undone:
    """What became, or would become, of one file."""

    path: str
    outcome: Outcome
    now: File
    then: File


def plan_undo(path: str, now: File, changes: Sequence[Change], blobs: Blobs) -> Undone:
    """What `path` should hold after `changes` (newest first) are taken back."""
    try:
        return _plan(path, now, changes, blobs)
    except Corrupt:
        return Undone(path, Outcome.LOST, now, now)


def _plan(path: str, now: File, changes: Sequence[Change], blobs: Blobs) -> Undone:
    if not now.is_read or any(_is_unkept(change.before) for change in changes):
        is_back = _is_unkept(first := changes[-1].before) and first.mark == now.mark
        return Undone(path, Outcome.SAME if is_back else Outcome.UNKEPT, now, now)
    then, is_merged = now, False
    for change in changes:
        step = _undo_one(then, change, blobs)
        if step is None:
            return Undone(path, Outcome.KEPT, now, now)
        is_merged |= step.content != _content(change.before, blobs)
        then = step
    return Undone(path, _outcome(now, then, is_merged=is_merged), now, then)


def _is_unkept(kept: Kept | None) -> TypeGuard[Kept]:
    """Whether there was something, and nobody knows what."""
    return kept is not None and not kept.digest


def _undo_one(file: File, change: Change, blobs: Blobs) -> File | None:
    before = _content(change.before, blobs)
    mode = change.before.mode if change.before else file.mode
    if _is_unkept(change.after):
        is_known = file.mark == change.after.mark or file.content == before
        return File(before, mode) if is_known else None
    after = _content(change.after, blobs)
    if file.content in (after, before):
        return File(before, mode)
    if file.content is None or after is None or before is None:
        return None
    merged = merge(after, file.content, before)
    return None if merged is None else File(merged, mode)


def _content(kept: Kept | None, blobs: Blobs) -> bytes | None:
    return blobs.get(kept.digest) if kept else None


def _outcome(now: File, then: File, *, is_merged: bool) -> Outcome:
    if now == then:
        return Outcome.SAME
    if then.content is None:
        return Outcome.REMOVED
    return Outcome.MERGED if is_merged else Outcome.RESTORED
