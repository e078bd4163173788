"""Proving an erasure: everything under the home is searched, and what cannot be is named."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes.memory.backup.shelf import Backup
from hermes.memory.erase.files import is_in_file, list_files
from hermes.memory.erase.words import Phrases, Words, raw_pattern
from hermes.store.base import Store
from hermes.store.base.erase import Look


@dataclass(frozen=True, slots=True)
class Proof:
    """Where the words still are, what was searched, and what may hold them out of reach."""

    found: tuple[str, ...]
    cells: int
    pages: int
    files: int
    backups: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    @property
    def is_clean(self) -> bool:
        return not self.found


@dataclass(frozen=True, slots=True)
class Scope:
    """What is searched: the home, without the files the store is in; and what is older."""

    root: Path
    database: Path
    backups: Sequence[Backup]
    states: Sequence[Path]


def prove(store: Store, scope: Scope, phrases: Sequence[Words]) -> Proof:
    """Search cells, index, pages and files for each phrase."""
    found: dict[str, None] = {}
    skipped: dict[str, None] = {}
    cells = pages = 0
    for words in phrases:
        look = Look(" ".join(words), Phrases([words]).is_in, raw_pattern(words))
        report = store.scan(look)
        cells, pages = report.cells, report.pages
        found.update(dict.fromkeys(report.found))
        if report.skipped:
            skipped[report.skipped] = None
    files = _search_files(scope, phrases, found)
    return Proof(
        found=tuple(found),
        cells=cells,
        pages=pages,
        files=files,
        backups=tuple(backup.name for backup in scope.backups),
        states=tuple(str(state.relative_to(scope.root)) for state in scope.states),
        skipped=tuple(skipped),
    )


def _search_files(scope: Scope, phrases: Sequence[Words], found: dict[str, None]) -> int:
    patterns = [re.compile(_file_pattern(words)) for words in phrases]
    beside = ("", "-wal", "-shm", ".mark", ".anchor", ".erased")
    skipped = [Path(f"{scope.database}{end}") for end in beside]
    skipped += [backup.file for backup in scope.backups]
    count = 0
    for file in list_files(scope.root, frozenset(skipped)):
        count += 1
        if any(is_in_file(file, pattern) for pattern in patterns):
            found[f"file {file.relative_to(scope.root)}"] = None
    return count


def _file_pattern(words: Words) -> bytes:
    """As in pages; text has word boundaries, so short words can be told from chance too."""
    gap = rb"[^0-9A-Za-z\x80-\xff]{1,8}"
    joined = gap.join(re.escape(word.encode()) for word in words)
    return raw_pattern(words) or rb"(?i)(?<![0-9A-Za-z])" + joined + rb"(?![0-9A-Za-z])"
