"""Which file a path means, and whether it lies where the agent may go without asking.

The working folder is free. Anywhere else is asked about. The home of Hermes, with its keys and its
memory, is closed: memory has tools of its own.
"""

from pathlib import Path

from hermes.errors import NotFound, Refused, UserError
from hermes.tools.base import Question, ToolContext

MAX_BYTES = 10 * 1024 * 1024


def find_place(text: str, context: ToolContext) -> Path:
    """The file or folder `text` names, free of links; whether it exists or not."""
    if not text or "\x00" in text:
        raise UserError(f"{text[:80]!r} is not a path.", "Give a path below the working folder.")
    try:
        path = (context.workdir / Path(text).expanduser()).resolve()
    except (OSError, RuntimeError) as error:
        raise UserError(f"{text[:80]!r} cannot be followed: {error}", "Check the path.") from error
    for folder in context.forbidden:
        if path.is_relative_to(folder.resolve()):
            raise Refused(
                f"{path} is in the home of Hermes, which file tools may not touch.",
                "Use the memory tools for what Hermes knows.",
            )
    return path


def ask_outside(tool: str, verb: str, text: str, context: ToolContext) -> Question | None:
    """What to ask before a path outside the working folder is used; None for one inside."""
    path = find_place(text, context)
    rule = f"{tool} {path.parent}/*"
    if path.is_relative_to(context.workdir.resolve()) or rule in context.allowed:
        return None
    reason = f"it is outside the working folder {context.workdir}"
    return Question(tool, f"{verb} {path}", reason=reason, rule=rule)


def read_whole(path: Path) -> bytes:
    """The bytes of a file that exists, is a plain file, and is not too big."""
    if not path.exists():
        raise NotFound(f"There is no file {path}.", "List the folder with read_file to see.")
    if not path.is_file():
        raise UserError(f"{path} is not a plain file.", "Name a file.")
    if path.stat().st_size > MAX_BYTES:
        raise UserError(
            f"{path} is larger than {MAX_BYTES:,} bytes.", "Use terminal to look at it."
        )
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}", "Check its rights.") from error


def read_text(path: Path) -> str:
    """The text of a file, as it is; a file that is no UTF-8 text is refused."""
    try:
        return read_whole(path).decode()
    except UnicodeDecodeError:
        raise UserError(
            f"{path} is not UTF-8 text.", "Use terminal for files of another kind."
        ) from None
