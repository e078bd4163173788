"""Finds text in files, as a program of its own: a pattern that never ends can be stopped.

It reads one JSON request on standard input and writes lines.
"""

import fnmatch
import json
import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SKIPPED_FOLDERS = frozenset(
    ".git .hg .svn .venv venv node_modules __pycache__ .mypy_cache .ruff_cache".split()
)
MAX_BYTES = 4 * 1024 * 1024
MAX_LINE_CHARS = 300


@dataclass(frozen=True, slots=True)
class Request:
    """What to look for and where; an empty pattern lists the files."""

    root: str
    pattern: str = ""
    glob: str = "*"
    limit: int = 100
    ignore_case: bool = False
    closed: tuple[str, ...] = ()


def search(request: Request) -> Iterator[str]:
    """Lines `path:number:text`, or paths where there is no pattern; at most `limit`."""
    flags = re.IGNORECASE if request.ignore_case else 0
    pattern = re.compile(request.pattern, flags) if request.pattern else None
    left = request.limit
    for path in _files(Path(request.root), request.glob, request.closed):
        found = _matches(path, pattern, request.root) if pattern else iter((_short(path, request),))
        for line in found:
            yield line
            left -= 1
            if left == 0:
                return


def _files(root: Path, glob: str, closed: Sequence[str]) -> Iterator[Path]:
    if root.is_file():
        yield root
        return
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if name not in SKIPPED_FOLDERS and os.path.join(folder, name) not in closed
        )
        for name in sorted(names):
            path = Path(folder, name)
            relative = path.relative_to(root).as_posix()
            if fnmatch.fnmatch(name, glob) or fnmatch.fnmatch(relative, glob):
                yield path


def _matches(path: Path, pattern: re.Pattern[str], root: str) -> Iterator[str]:
    try:
        told = path.lstat()
        if not stat.S_ISREG(told.st_mode) or told.st_size > MAX_BYTES:
            return  # a link, or a pipe that nobody writes to
        content = path.read_bytes()
    except OSError:
        return
    if b"\x00" in content[:4_096]:
        return
    for number, line in enumerate(content.decode("utf-8", "replace").split("\n"), 1):
        if pattern.search(line):
            yield f"{_relative(path, root)}:{number}:{line.strip()[:MAX_LINE_CHARS]}"


def _relative(path: Path, root: str) -> str:
    return os.path.relpath(path, root) if Path(root).is_dir() else str(path)


def _short(path: Path, request: Request) -> str:
    return _relative(path, request.root)


def main() -> None:
    request = Request(**json.load(sys.stdin))
    for line in search(request):
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
