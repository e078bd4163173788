"""The files beside the store: notes and readable logs are cleared, and every file can be searched.

The person's own seed file is never written; if it holds the words, that is said.
"""

import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import zstandard

from hermes.config.files import locked, write_atomic
from hermes.config.paths import ProfilePaths
from hermes.errors import Conflict
from hermes.memory.notes import load_notes, parse_notes

_CHUNK = 1 << 20
_OVERLAP = 4096
_ATTEMPTS = 5
_LISTINGS = 20  # of logs: each new one is turned over by a daemon that has just written megabytes
_ERASED = b"[erased]"
IsGone = Callable[[str], bool]
"""Whether a line says something that was erased."""


def clear_files(paths: ProfilePaths, is_gone: IsGone, *, logs: bool = True) -> list[str]:
    """Take what is gone out of notes, reflections and logs; which files were changed."""
    changed = [file for file in _pages(paths) if _clear_page(file, is_gone)]
    if logs:
        changed += _clear_logs(paths.logs, is_gone)
    return [str(file.relative_to(paths.root)) for file in changed]


def _clear_logs(folder: Path, is_gone: IsGone) -> list[Path]:
    """Clear every log; listed again until no new one is there, as a daemon may turn them over."""
    changed: list[Path] = []
    seen: set[int] = set()
    for _ in range(_LISTINGS):
        before = len(seen)
        for file in sorted(folder.glob("*.log*")):
            with suppress(FileNotFoundError):  # renamed: the next listing has it
                if not file.is_symlink() and _clear_log(file, is_gone, seen):
                    changed.append(file)
        if len(seen) == before:
            break
    return changed


def check_pages(paths: ProfilePaths) -> None:
    """Refuse before anything is erased if a page cannot be read: it could not be cleared."""
    for file in _pages(paths):
        load_notes(file)


def _pages(paths: ProfilePaths) -> list[Path]:
    pages = (paths.memory_note, paths.user_note, paths.reflections_file)
    return [file for file in pages if file.is_file()]


def clear_page(text: str, is_gone: IsGone) -> str:
    """A page without the notes, and without the other lines, that say what is gone."""
    for note in reversed(parse_notes(text)):
        if is_gone(note.text):
            text = text[: note.start] + text[note.end :].removeprefix("\n")
    lines = text.split("\n")
    return "\n".join(line for line in lines if not is_gone(line))


def _clear_page(file: Path, is_gone: IsGone) -> bool:
    with locked(file.with_name(f".{file.name}.lock")):
        for _ in range(_ATTEMPTS):
            text = load_notes(file)
            cleared = clear_page(text, is_gone)
            if cleared == text:
                return False
            if load_notes(file) == text:  # an editor knows nothing of our lock
                write_atomic(file, cleared)
                return True
    raise Conflict(f"{file.name} kept changing under our hands.", "Close the editor and try again.")


def _clear_log(file: Path, is_gone: IsGone, seen: set[int]) -> bool:
    """Overwrite the lines that say what is gone where they stand: a daemon may be writing on.

    Those whose number is among `seen` are left alone; it is added there.
    """
    if file.suffix in (".gz", ".zst") or not file.is_file():
        return False
    is_changed, place = False, 0
    with file.open("r+b") as stream:
        number = os.fstat(stream.fileno()).st_ino
        if number in seen:
            return False
        seen.add(number)
        for line in stream.read().split(b"\n"):
            if line and is_gone(line.decode("utf-8", "replace")):
                stream.seek(place)
                stream.write(_ERASED.ljust(len(line))[: len(line)])
                is_changed = True
            place += len(line) + 1
        stream.flush()
        os.fsync(stream.fileno())
    return is_changed


def list_files(root: Path, skipped: frozenset[Path]) -> Iterator[Path]:
    """Every plain file below `root`, links not followed."""
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            file = Path(folder, name)
            if file not in skipped and file.is_file() and not file.is_symlink():
                yield file


def is_in_file(file: Path, is_in: Callable[[bytes], bool]) -> bool:
    """Whether the bytes of a file, unpacked where it is a packed log, hold what is looked for."""
    tail = b""
    for chunk in _chunks(file):
        if is_in(tail + chunk):
            return True
        tail = (tail + chunk)[-_OVERLAP:]
    return False


def _chunks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as stream:
        if file.suffix == ".zst":
            unpacked = zstandard.ZstdDecompressor().stream_reader(stream)
            yield from iter(lambda: unpacked.read(_CHUNK), b"")
            return
        unzip = zlib.decompressobj(wbits=31) if file.suffix == ".gz" else None
        while chunk := stream.read(_CHUNK):
            yield unzip.decompress(chunk) if unzip else chunk
