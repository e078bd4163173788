"""Replaces a file's text whole or not at all, inside a checkpoint, and tells what changed."""

import os
import secrets
from contextlib import suppress
from difflib import unified_diff
from pathlib import Path

from hermes.errors import UserError
from hermes.tools.base import ToolContext
from hermes.tools.places import open_folder

MAX_DIFF_LINES = 60


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


def render_change(path: Path, before: str, after: str) -> str:
    """The change as a short unified diff."""
    lines = list(
        unified_diff(before.splitlines(), after.splitlines(), str(path), str(path), lineterm="")
    )
    more = [f"… {len(lines) - MAX_DIFF_LINES} more lines"] if len(lines) > MAX_DIFF_LINES else []
    return "\n".join([*lines[:MAX_DIFF_LINES], *more])
