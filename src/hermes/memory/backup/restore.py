"""Restoring: unpacked aside, checked, cleared of what was erased since, only then swapped in."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hermes.config.files import locked, make_private_dir
from hermes.config.paths import ProfilePaths
from hermes.memory.backup.make import Check, Say, scratch, verify_backup
from hermes.memory.backup.manifest import DATABASE, Manifest
from hermes.memory.backup.swap import get_replaced, swap_in


@dataclass(frozen=True, slots=True)
class Settled:
    """What was taken out because it was erased since, and how many messages are there then."""

    left_out: Mapping[str, int]
    messages: int


Settle = Callable[[Path], Settled]
"""Brings a restored database up to date and takes out what was erased."""


@dataclass(frozen=True, slots=True)
class Restoring:
    """Where a backup is restored to, and how its database is checked and settled."""

    paths: ProfilePaths
    database: Path
    check: Check
    settle: Settle
    with_config: bool = False


@dataclass(frozen=True, slots=True)
class Restored:
    manifest: Manifest | None
    aside: Path
    left_out: Mapping[str, int]
    messages: int


def restore_backup(file: Path, identity: str, place: Restoring, *, now: int, say: Say) -> Restored:
    """Put the state in a backup in the place of the present one, which is moved aside."""
    with _workroom(place) as work:
        say("verifying")
        manifest = verify_backup(file, identity, place.check, work / "content")
        say("settling")
        settled = place.settle(work / "content" / DATABASE)
        say("swapping")
        swapped = _swap(place, work / "content", now)
    return Restored(manifest, swapped, settled.left_out, settled.messages)


def undo_restore(place: Restoring, *, now: int) -> Restored:
    """Put back the state that was moved aside last; the present one is moved aside in turn."""
    state = get_replaced(place.paths)
    settled = place.settle(state / DATABASE)
    return Restored(None, _swap(place, state, now), settled.left_out, settled.messages)


@contextmanager
def _workroom(place: Restoring) -> Iterator[Path]:
    """A folder on the profile's own file system, held by one restore at a time."""
    folder = place.paths.run
    make_private_dir(folder)
    with locked(folder / "restore.lock"), scratch(folder) as work:
        yield work


def _swap(place: Restoring, incoming: Path, now: int) -> Path:
    for end in ("-wal", "-shm", ".mark"):
        Path(f"{incoming / DATABASE}{end}").unlink(missing_ok=True)
    return swap_in(
        place.paths, place.database, incoming, now=now, with_config=place.with_config
    ).aside
