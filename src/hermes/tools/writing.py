"""Replaces a file's text whole or not at all, inside a checkpoint, and tells what changed."""

import os
import secrets
import threading
from contextlib import suppress
from difflib import unified_diff
from pathlib import Path

from hermes.counted import many
from hermes.errors import UserError
from hermes.tools.base import ToolContext, ToolResult
from hermes.tools.places import open_folder

MAX_DIFF_LINES = 60
_LOCKS = tuple(threading.Lock() for _ in range(64))


def lock_of(path: Path) -> threading.Lock:
    """To be held from the reading of a file to its writing: agents work side by side.

    Several files may share one, so nobody holds two.
    """
    return _LOCKS[hash(path) % len(_LOCKS)]


def replace_text(path: Path, text: str, *, why: str, context: ToolContext) -> None:
    """Write `text` to `path` so that the step can be taken back; permissions are kept."""
    try:
        with context.changing(path.parent, (path,), why):
            replace_file(path, text.encode(), _mode(path))
    except OSError as error:
        raise UserError(
            f"{path} cannot be written: {error.strerror}", "Check the path and its rights."
        ) from error


def _mode(path: Path) -> int | None:
    return path.stat().st_mode & 0o777 if path.exists() else None


def replace_file(path: Path, content: bytes, mode: int | None) -> None:
    """Put `content` in the place of a file, whole or not at all; None: the mode of a new file.

    Folders on the way are made, and no link on it is followed.
    """
    folder = open_folder(path.parent, make=True)
    draft = f".{path.name}.{secrets.token_hex(6)}.tmp"
    try:
        _write_draft(draft, folder, content, mode)
        os.replace(draft, path.name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft, dir_fd=folder)
        os.close(folder)


def _write_draft(name: str, folder: int, content: bytes, mode: int | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(name, flags, 0o666, dir_fd=folder)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        if mode is not None:
            os.fchmod(handle, mode)
        os.fsync(handle)


def tell_change(verb: str, path: Path, before: str, after: str) -> ToolResult:
    """What became of a file: the model gets a short unified diff, the person how many lines."""
    name = str(path)
    lines = list(unified_diff(before.splitlines(), after.splitlines(), name, name, lineterm=""))
    more = [f"… {len(lines) - MAX_DIFF_LINES} more lines"] if len(lines) > MAX_DIFF_LINES else []
    diff = "\n".join([*lines[:MAX_DIFF_LINES], *more])
    return ToolResult(f"{verb} {path}:\n{diff}", told=f"{verb} {path}: {_count(lines[2:])}")


def _count(lines: list[str]) -> str:
    """`1 line added, 2 removed` of a diff without its head."""
    added, removed = (sum(line.startswith(mark) for line in lines) for mark in "+-")
    if not lines:
        return "only its line ends"
    if added == removed:
        return f"{many(added, 'line')} changed"
    counts = ((added, "added"), (removed, "removed"))
    (first, done), *rest = ((n, told) for n, told in counts if n)
    also = "".join(f", {n:,} {told}" for n, told in rest)
    return f"{many(first, 'line')} {done}{also}"
