"""Making a backup, and proving it: one that was not restored once is not called a backup."""

import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyrage

from hermes import __version__
from hermes.config.files import locked, make_private_dir, sync_dir
from hermes.config.paths import ProfilePaths
from hermes.errors import Corrupt
from hermes.memory.backup.archive import pack, unpack
from hermes.memory.backup.manifest import DATABASE, Manifest, describe_file, kept_folders
from hermes.memory.backup.shelf import Backup, Shelf, backup_name
from hermes.store.base.backup import Copied, Copies

Say = Callable[[str], None]
Check = Callable[[Path], Copied]
"""Reads every page of a copied database and says what it holds; Corrupt if it cannot be trusted."""
_SCRATCH = ".making-"


@dataclass(frozen=True, slots=True)
class Making:
    """What a backup is made of, and how its database is checked."""

    paths: ProfilePaths
    store: Copies
    check: Check
    label: str = ""


def make_backup(making: Making, shelf: Shelf, *, now: int, say: Say) -> tuple[Backup, Manifest]:
    """A new, verified backup on the shelf."""
    make_private_dir(shelf.folder)
    own = str(pyrage.x25519.Identity.from_str(shelf.identity).to_public())
    with locked(shelf.folder / ".lock"), scratch(shelf.folder) as work:
        say("copying")
        manifest = _gather(making, work / "content", now)
        say("encrypting")
        draft = work / "backup.age"
        pack(work / "content", manifest, draft, (own, *shelf.recipients))
        shutil.rmtree(work / "content")
        say("verifying")
        verify_backup(draft, shelf.identity, making.check, work / "restored")
        file = shelf.folder / backup_name(now, making.label)
        draft.replace(file)
        sync_dir(shelf.folder)
    return Backup(file, now, file.stat().st_size, making.label), manifest


def verify_backup(file: Path, identity: str, check: Check, target: Path) -> Manifest:
    """Restore a backup into `target` and check all of it: each file, each page, each count."""
    manifest = unpack(file, identity, target)
    found = check(target / DATABASE)
    if (found.schema, found.seq, dict(found.counts)) != (
        manifest.schema,
        manifest.seq,
        dict(manifest.counts),
    ):
        raise Corrupt(
            f"{file.name} holds other rows than it says.", "Use another backup, and make a new one."
        )
    return manifest


@contextmanager
def scratch(folder: Path) -> Iterator[Path]:
    """A private folder that is gone afterwards, and with it what a killed backup left behind.

    Whoever works here holds the lock of the folder.
    """
    for left in folder.glob(f"{_SCRATCH}*"):
        shutil.rmtree(left, ignore_errors=True)
    work = folder / f"{_SCRATCH}{secrets.token_hex(6)}"
    make_private_dir(work)
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _gather(making: Making, content: Path, now: int) -> Manifest:
    """Copy everything to one place, so that what is described is what is packed."""
    make_private_dir(content)
    copied = making.store.copy_to(content / DATABASE)
    for file in list_files(making.paths):
        target = content / file.relative_to(making.paths.root)
        make_private_dir(target.parent)
        shutil.copyfile(file, target, follow_symlinks=False)
    files = sorted(path for path in content.rglob("*") if path.is_file())
    return Manifest(
        hermes=__version__,
        profile=making.paths.name,
        created_at=now,
        schema=copied.schema,
        seq=copied.seq,
        counts=dict(copied.counts),
        entries=tuple(describe_file(content, file) for file in files),
        label=making.label,
    )


def list_files(paths: ProfilePaths) -> list[Path]:
    """The files beside the database that belong in a backup; never keys, never `.env`."""
    found = [paths.config_file] if paths.config_file.is_file() else []
    for folder in kept_folders(paths):
        found += [
            file
            for file in sorted(folder.rglob("*"))
            if file.is_file() and not file.is_symlink() and not file.name.endswith(".lock")
        ]
    return found
