"""Takes changes back, newest first, keeping whatever a person wrote in between or since.

Each change is undone as a three-way merge whose base is what Hermes left: where the file is still
so, the earlier content comes back exactly; where a person edited other lines, their edit stays;
where both touched the same lines the file is left alone and named.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from hermes.agent.checkpoints.blobs import Blobs
from hermes.agent.checkpoints.log import Change
from hermes.agent.checkpoints.merge import merge


class Outcome(StrEnum):
    RESTORED = "restored"
    MERGED = "restored, your own edits kept"
    REMOVED = "removed"
    SAME = "already so"
    KEPT = "left alone: you changed the same lines since"


@dataclass(frozen=True, slots=True)
class File:
    """A file's content and permissions; no content means there is no file."""

    content: bytes | None
    mode: int = 0o644


@dataclass(frozen=True, slots=True)
class Undone:
    """What became, or would become, of one file."""

    path: str
    outcome: Outcome
    now: File
    then: File


def plan_undo(path: str, now: File, changes: Iterable[Change], blobs: Blobs) -> Undone:
    """What `path` should hold after `changes` (newest first) are taken back."""
    then, is_merged = now, False
    for change in changes:
        step = _undo_one(then, change, blobs)
        if step is None:
            return Undone(path, Outcome.KEPT, now, now)
        is_merged |= then.content not in (_content(change.after, blobs), None)
        then = step
    return Undone(path, _outcome(now, then, is_merged=is_merged), now, then)


def _undo_one(file: File, change: Change, blobs: Blobs) -> File | None:
    after, before = _content(change.after, blobs), _content(change.before, blobs)
    mode = change.before.mode if change.before else file.mode
    if file.content in (after, before):
        return File(before, mode)
    if file.content is None or after is None or before is None:
        return None
    merged = merge(after, file.content, before)
    return None if merged is None else File(merged, mode)


def _content(kept: object, blobs: Blobs) -> bytes | None:
    digest = getattr(kept, "digest", None)
    return blobs.get(digest) if digest else None


def _outcome(now: File, then: File, *, is_merged: bool) -> Outcome:
    if now == then:
        return Outcome.SAME
    if then.content is None:
        return Outcome.REMOVED
    return Outcome.MERGED if is_merged else Outcome.RESTORED
