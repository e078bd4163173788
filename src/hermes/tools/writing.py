"""Replaces a file's text whole or not at all, inside a checkpoint, and tells what changed."""

import os
import secrets
from difflib import unified_diff
from pathlib import Path

from hermes.errors import UserError
from hermes.tools.base import ToolContext

MAX_DIFF_LINES = 60


def replace_text(path: Path, text: str, *, why: str, context: ToolContext) -> None:
    """Write `text` to `path` so that the step can be taken back; permissions are kept."""
    try:
        with context.changing(path.parent, (path,), why):
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, text.encode(), _mode(path))
    except OSError as error:
        raise UserError(
            f"{path} cannot be written: {error.strerror}", "Check the path and its rights."
        ) from error


def _mode(path: Path) -> int | None:
    return path.stat().st_mode & 0o777 if path.exists() else None


def replace_file(path: Path, content: bytes, mode: int | None) -> None:
    """Put `content` in the place of a file, whole or not at all; None: the mode of a new file."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        with draft.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            draft.chmod(mode)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def render_change(path: Path, before: str, after: str) -> str:
    """The change as a short unified diff."""
    lines = list(
        unified_diff(before.splitlines(), after.splitlines(), str(path), str(path), lineterm="")
    )
    more = [f"… {len(lines) - MAX_DIFF_LINES} more lines"] if len(lines) > MAX_DIFF_LINES else []
    return "\n".join([*lines[:MAX_DIFF_LINES], *more])
