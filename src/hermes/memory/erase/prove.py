"""Proving an erasure: everything under the home is searched, and what cannot be is named."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hermes.errors import HermesError
from hermes.memory.backup.shelf import Backup
from hermes.memory.erase.files import is_in_file, list_files
from hermes.memory.erase.sought import Sought
from hermes.memory.erase.traces import Traces
from hermes.memory.erase.words import is_short
from hermes.store.base.erase import Look, ScanReport

Scan = Callable[[Look], ScanReport]
_BESIDE = ("", "-wal", "-shm", "-journal", ".mark", ".anchor", ".erased")
EARLIER = "the earlier state"  # what a restore moved aside
_AGE = b"age-encryption.org/"
_PLAIN = b"SQLite format 3\x00"
_SEALED_NAMES = (".db", ".db-wal", ".db-journal")


@dataclass(frozen=True, slots=True)
class Searched:
    """A database whose every cell and page was read."""

    name: str
    cells: int
    pages: int


@dataclass(frozen=True, slots=True)
class Proof:
    """Where the words still are, what was searched, and what could not be, with the reason."""

    found: tuple[str, ...]
    databases: tuple[Searched, ...] = ()
    files: tuple[str, ...] = ()
    unsearched: tuple[tuple[str, str], ...] = ()
    log_bytes: int | None = None  # of what is in use; None where that is a server
    texts: int = 0
    common: int = 0  # texts that were not searched for: what stays says them, too
    aside: tuple[tuple[str, int], ...] = ()  # in how many of the places, of what is not in use
    in_use: tuple[str, ...] = ()  # those of the places that are

    @property
    def is_clean(self) -> bool:
        return not self.found

    @property
    def cells(self) -> int:
        return sum(each.cells for each in self.databases)

    @property
    def pages(self) -> int:
        return sum(each.pages for each in self.databases)


@dataclass(frozen=True, slots=True)
class Searchable:
    """A database, and the way to search it: a file under the home, or a server by its `name`;
    `owner` says whose it is where it is not what is in use.
    """

    file: Path | None
    scan: Scan
    owner: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is searched: a home, the databases in it, and its backups, which cannot be.

    `own` is the folder in it of the profile that is in use.
    """

    root: Path
    own: Path
    databases: Sequence[Searchable]
    backups: Sequence[Backup] = ()
    closed: Sequence[Path] = ()  # folders that are not for whoever asks
    elsewhere: Sequence[tuple[str, str]] = ()  # places no search reaches, and what is known of them


@dataclass(slots=True)
class _Search:
    scope: Scope
    look: Look
    found: dict[str, str] = field(default_factory=dict)  # each place, and whose it is
    databases: list[Searched] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    unsearched: dict[str, str] = field(default_factory=dict)

    def name(self, file: Path) -> str:
        inside = file.is_relative_to(self.scope.root)
        return str(file.relative_to(self.scope.root) if inside else file)

    def look_into(self, database: Searchable) -> None:
        """Search the cells, the index and the pages of one database."""
        name = self.name(database.file) if database.file else database.name
        where = f"{database.owner}: " if database.owner else ""
        try:
            report = database.scan(self.look)
        except HermesError as error:
            self.unsearched[name] = error.message
            return
        places = (f"{where}{place}" for place in report.found)
        self.found.update(dict.fromkeys(places, database.owner))
        if report.skipped:
            self.unsearched[f"raw pages of {name}"] = report.skipped
        pages = 0 if report.skipped else report.pages
        self.databases.append(Searched(name, report.cells, pages))

    def look_at_files(self) -> None:
        """Search every other file; what is sealed is named."""
        files = [each.file for each in self.scope.databases if each.file]
        known = [Path(f"{file}{end}") for file in files for end in _BESIDE]
        for file in list_files(self.scope.root, frozenset(known)):
            if any(file.is_relative_to(folder) for folder in self.scope.closed):
                continue
            sealed = _sealed(file)
            if sealed:
                self.unsearched[self.name(file)] = sealed
                continue
            self.files.append(self.name(file))
            if is_in_file(file, self.look.is_in_bytes):
                self.found[f"file {self.name(file)}"] = self.owner(file)

    def owner(self, file: Path) -> str:
        """Whose a file is: of the folders above it, the nearest that is somebody's."""
        folders = {each.file.parent: each.owner for each in self.scope.databases if each.file}
        folders[self.scope.own] = ""
        return next((folders[above] for above in file.parents if above in folders), "")


def prove(scope: Scope, sought: Sought) -> Proof:
    """Search databases and files for each text; the first database is the one erased from."""
    search = _Search(scope, _look(sought))
    own = scope.databases[0].file
    for database in scope.databases:
        search.look_into(database)
    search.look_at_files()
    for backup in scope.backups:  # they may lie outside of the home
        search.unsearched[search.name(backup.file)] = "an encrypted backup, made before or after"
    search.unsearched |= dict(scope.elsewhere)
    return Proof(
        found=tuple(search.found),
        databases=tuple(search.databases),
        files=tuple(search.files),
        unsearched=tuple(search.unsearched.items()),
        log_bytes=_size(Path(f"{own}-wal")) if own else None,
        texts=len(sought.texts),
        common=sought.common,
        aside=tuple(Counter(owner for owner in search.found.values() if owner).items()),
        in_use=tuple(place for place, owner in search.found.items() if not owner),
    )


def _look(sought: Sought) -> Look:
    traces = Traces(sought.phrases)
    in_pages = Traces(phrase for phrase in sought.phrases if not is_short(phrase))
    return Look(
        phrases=[" ".join(words) for words in sought.known_by],
        is_in=traces.is_in,
        is_in_bytes=traces.is_in_bytes,
        is_in_page=in_pages.is_in_bytes if in_pages else None,
    )


def _sealed(file: Path) -> str:
    """Why a file's bytes tell nothing; empty where they do."""
    with file.open("rb") as stream:
        head = stream.read(len(_AGE))
    if head.startswith(_AGE):
        return "an encrypted backup"
    is_database = file.name.endswith(_SEALED_NAMES)
    if is_database and head and not head.startswith(_PLAIN[: len(head)]):
        return "a database of no profile here, encrypted"
    return ""


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
