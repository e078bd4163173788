"""What a folder, or a few files, hold at one moment, with the contents kept as blobs.

A command may change any file below its folder, so all of them are looked at before it runs. Files
whose size, time and inode did not change since the last look are not read again.
"""

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hermes.agent.checkpoints.blobs import Blobs
from hermes.tools.searching import SKIPPED_FOLDERS as NEVER_SEARCHED

SKIPPED_FOLDERS = NEVER_SEARCHED | frozenset(
    "target dist build .cache .tox .pytest_cache .hypothesis".split()
)
MAX_FILES = 10_000
MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_TOTAL_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Kept:
    """One file as it was: which content, which permissions."""

    digest: str
    mode: int


@dataclass(frozen=True, slots=True)
class Seen:
    """A file and the marks by which an unchanged one is known without reading it."""

    kept: Kept
    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of one moment by absolute path; `is_partial` if some were left out as too big."""

    files: Mapping[str, Seen]
    is_partial: bool = False

    def find(self, path: str) -> Kept | None:
        seen = self.files.get(path)
        return seen.kept if seen else None


def look_below(
    root: Path, blobs: Blobs, known: Tree | None = None, *, closed: Collection[str] = ()
) -> Tree:
    """Every regular file below `root` that is not too big, its content kept in `blobs`.

    Folders in `closed` are not looked into.
    """
    files: dict[str, Seen] = {}
    is_partial, total = False, 0
    for path, status in _walk(root, closed):
        if status.st_size > MAX_FILE_BYTES:
            is_partial = True
            continue
        total += status.st_size
        if len(files) >= MAX_FILES or total > MAX_TOTAL_BYTES:
            return Tree(files, is_partial=True)
        if seen := _look(path, status, blobs, known):
            files[path] = seen
    return Tree(files, is_partial)


def look_at(paths: Iterable[Path], blobs: Blobs) -> Tree:
    """The named files alone, whatever their size; one that does not exist is simply not there."""
    files = {}
    for path in paths:
        try:
            status = path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        if stat.S_ISREG(status.st_mode) and (seen := _look(str(path), status, blobs, None)):
            files[str(path)] = seen
    return Tree(files)


def _walk(root: Path, closed: Collection[str]) -> Iterator[tuple[str, os.stat_result]]:
    pending = [str(root)] if str(root) not in closed else []
    while pending:
        try:
            entries = sorted(os.scandir(pending.pop()), key=lambda entry: entry.name)
        except OSError:
            continue  # a folder we may not read cannot be changed back by us either
        for entry in entries:
            if entry.is_symlink():
                continue
            if entry.is_dir():
                if entry.name not in SKIPPED_FOLDERS and entry.path not in closed:
                    pending.append(entry.path)
            elif entry.is_file():
                yield entry.path, entry.stat(follow_symlinks=False)


def _look(path: str, status: os.stat_result, blobs: Blobs, known: Tree | None) -> Seen | None:
    mode = stat.S_IMODE(status.st_mode)
    marks = (status.st_size, status.st_mtime_ns, status.st_ino)
    before = known.files.get(path) if known else None
    if before and (before.size, before.mtime_ns, before.inode) == marks:
        return Seen(Kept(before.kept.digest, mode), *marks)
    try:
        content = Path(path).read_bytes()
    except OSError:
        return None
    return Seen(Kept(blobs.put(content), mode), *marks)
