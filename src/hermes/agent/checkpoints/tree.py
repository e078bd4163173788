"""What a folder, or a few files, hold at one moment, with the contents kept as blobs.

A command may change any file below its folder, so all of them are looked at before it runs. Files
whose size, time and inode did not change since the last look are not read again. One that is too
big to keep is noted all the same: what was there before was not made by the command.
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


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a folder is kept; beyond `paths` it is not even known what there is."""

    files: int = 10_000
    file_bytes: int = 4 * 1024 * 1024
    total_bytes: int = 64 * 1024 * 1024
    paths: int = 50_000


@dataclass(frozen=True, slots=True)
class Kept:
    """One file as it was: which content, which permissions.

    Without a digest it was there but not kept: too large, not readable, or no regular file. Then
    `mark` tells whether it is still the same.
    """

    digest: str
    mode: int
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """A file and the marks by which an unchanged one is known without reading it."""

    kept: Kept
    size: int
    mtime_ns: int
    inode: int

    @property
    def marks(self) -> tuple[int, int, int]:
        return self.size, self.mtime_ns, self.inode

    def is_other_than(self, before: "Seen") -> bool:
        if self.kept.digest and before.kept.digest:
            return self.kept != before.kept
        return self.marks != before.marks


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of one moment by absolute path.

    `is_partial` says that some were not kept; `is_cut` that there are more than could be noted.
    `blind` are folders that could not be looked into, `passed` the inodes of those that were not.
    """

    files: Mapping[str, Seen]
    is_partial: bool = False
    is_cut: bool = False
    blind: frozenset[str] = frozenset()
    passed: frozenset[int] = frozenset()

    def find(self, path: str) -> Kept | None:
        seen = self.files.get(path)
        return seen.kept if seen else None

    def is_known_absent(self, path: str) -> bool:
        """Whether there was certainly no such file."""
        if path in self.files or self.is_cut:
            return False
        return not any(str(above) in self.blind for above in Path(path).parents)


def look_below(
    root: Path,
    blobs: Blobs,
    known: Tree | None = None,
    *,
    closed: Collection[str] = (),
    limits: Limits,
) -> Tree:
    """Every file below `root`; the content of those that are not too big is kept in `blobs`.

    Folders in `closed` are not looked into.
    """
    files: dict[str, Seen] = {}
    blind: set[str] = set()
    passed: set[int] = set()
    is_partial, count, total = False, 0, 0
    for path, status in _walk(root, closed, blind, passed):
        if len(files) >= limits.paths:
            return Tree(files, is_partial=True, is_cut=True, blind=frozenset(blind))
        fits = status.st_size <= min(limits.file_bytes, limits.total_bytes - total)
        if fits and count < limits.files and (seen := _keep(path, status, blobs, known)):
            count, total = count + 1, total + status.st_size
            files[path] = seen
        else:
            is_partial |= stat.S_ISREG(status.st_mode)
            files[path] = _note(status)
    return Tree(files, is_partial, blind=frozenset(blind), passed=frozenset(passed))


def look_at(paths: Iterable[Path], blobs: Blobs) -> Tree:
    """The named files alone, whatever their size; one that does not exist is simply not there."""
    files = {}
    for path in paths:
        try:
            status = path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        if not stat.S_ISDIR(status.st_mode):
            files[str(path)] = _keep(str(path), status, blobs, None) or _note(status)
    return Tree(files)


def mark_of(status: os.stat_result) -> str:
    """What a file is known by where its content is not."""
    return f"{status.st_size}:{status.st_mtime_ns}:{status.st_ino}"


def _walk(
    root: Path, closed: Collection[str], blind: set[str], passed: set[int]
) -> Iterator[tuple[str, os.stat_result]]:
    """Whatever is no folder; folders that cannot be read are added to `blind`.

    Those that are not to be looked into are added to `passed`.
    """
    pending = [str(root)] if str(root) not in closed else []
    while pending:
        folder = pending.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            blind.add(folder)
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name in SKIPPED_FOLDERS or entry.path in closed:
                    passed.add(entry.inode())
                else:
                    pending.append(entry.path)
            elif status := _find_status(entry):
                yield entry.path, status


def _find_status(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:
        return None  # gone since its folder was read


def _keep(path: str, status: os.stat_result, blobs: Blobs, known: Tree | None) -> Seen | None:
    """A regular file with its content kept; None where it is none, or cannot be read."""
    if not stat.S_ISREG(status.st_mode):
        return None
    mode = stat.S_IMODE(status.st_mode)
    marks = (status.st_size, status.st_mtime_ns, status.st_ino)
    before = known.files.get(path) if known else None
    is_same = before is not None and before.kept.digest and before.marks == marks
    if before and is_same and blobs.has(before.kept.digest):  # other processes drop what is old
        return Seen(Kept(before.kept.digest, mode), *marks)
    try:
        content = Path(path).read_bytes()
    except OSError:
        return None
    return Seen(Kept(blobs.put(content), mode), *marks)


def _note(status: os.stat_result) -> Seen:
    """A file that is there, without its content."""
    kept = Kept("", stat.S_IMODE(status.st_mode), mark_of(status))
    return Seen(kept, status.st_size, status.st_mtime_ns, status.st_ino)
