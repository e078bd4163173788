"""Which file a path means, and whether it lies where the agent may go without asking.

The working folder is free. Anywhere else is asked about. The home of Hermes, with its keys and its
memory, is closed: memory has tools of its own.

A path is followed once, before anything is asked, and used as it was then: on the way to the file
no link is followed any more, so that nobody can put one there between the answer and the deed.
"""

import errno
import os
import stat
from pathlib import Path

from hermes.errors import NotFound, Refused, UserError
from hermes.tools.base import Question, ToolContext

MAX_BYTES = 10 * 1024 * 1024
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe must not hold us up
_LINKED = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)


def find_place(text: str, context: ToolContext) -> Path:
    """The file or folder `text` names, free of links; whether it exists or not."""
    if (known := context.places.get(text)) is not None:
        return known
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
    context.places[text] = path
    return path


def ask_outside(tool: str, verb: str, text: str, context: ToolContext) -> Question | None:
    """What to ask before a path outside the working folder is used; None for one inside."""
    path = find_place(text, context)
    rule = f"{tool} {path.parent}/*"
    if path.is_relative_to(context.workdir.resolve()) or rule in context.allowed:
        return None
    reason = f"it is outside the working folder {context.workdir}"
    return Question(tool, f"{verb} {path}", reason=reason, rule=rule)


def open_folder(path: Path, *, make: bool = False) -> int:
    """A handle of the folder at a place that was found; made, with those above it, if asked for."""
    handle = os.open(path.anchor, _FOLDER)
    try:
        for name in path.parts[1:]:
            below = _step(handle, name, make=make)
            os.close(handle)
            handle = below
    except OSError as error:
        os.close(handle)
        if error.errno in _LINKED:
            raise _barred(path) from error
        raise
    return handle


def _step(handle: int, name: str, *, make: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=handle)
    except FileNotFoundError:
        if not make:
            raise
    try:
        os.mkdir(name, dir_fd=handle)
    except FileExistsError:
        pass  # somebody else made it just now; whether it is a folder shows next
    return os.open(name, _FOLDER, dir_fd=handle)


def _barred(path: Path) -> Refused:
    return Refused(
        f"{path} leads elsewhere now: a link or a file was put on the way to it.",
        "Look at the path again before you use it.",
    )


def read_whole(path: Path) -> bytes:
    """The bytes of a file that exists, is a plain file, and is not too big."""
    try:
        handle = _open_file(path)
    except FileNotFoundError:
        hint = "List the folder with read_file to see."
        raise NotFound(f"There is no file {path}.", hint) from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}", "Check its rights.") from error
    with os.fdopen(handle, "rb") as file:
        told = os.fstat(handle)
        if not stat.S_ISREG(told.st_mode):
            raise UserError(f"{path} is not a plain file.", "Name a file.")
        if told.st_size > MAX_BYTES:
            raise UserError(
                f"{path} is larger than {MAX_BYTES:,} bytes.", "Use terminal to look at it."
            )
        return file.read()


def _open_file(path: Path) -> int:
    folder = open_folder(path.parent)
    try:
        return os.open(path.name, _FILE, dir_fd=folder)
    except OSError as error:
        if error.errno in _LINKED:
            raise _barred(path) from error
        raise
    finally:
        os.close(folder)


def read_text(path: Path) -> str:
    """The text of a file, as it is; a file that is no UTF-8 text is refused."""
    try:
        return read_whole(path).decode()
    except UnicodeDecodeError:
        raise UserError(
            f"{path} is not UTF-8 text.", "Use terminal for files of another kind."
        ) from None
