"""What can be done with backups: make, list, verify, restore, take back, remove."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app.as_file import as_file, copies_of
from hermes.app.following import list_other_daemons
from hermes.app.keys import restore_database_key
from hermes.app.secret import existing_secret, profile_secret
from hermes.app.sharing import follow, shares
from hermes.config.running import damage_file, find_daemon
from hermes.errors import Conflict, Corrupt
from hermes.guard.crypto import Encryption, render_recovery_key
from hermes.memory.backup.disk import on_disk
from hermes.memory.backup.identity import backup_identity
from hermes.memory.backup.make import Making, make_backup, scratch, verify_backup
from hermes.memory.backup.manifest import Manifest
from hermes.memory.backup.restore import (
    Restored,
    Restoring,
    Settled,
    restore_backup,
    undo_restore,
)
from hermes.memory.backup.shelf import Backup, Keep, Shelf, get_backup, list_backups, rotate
from hermes.memory.backup.swap import list_replaced
from hermes.memory.events import add_event
from hermes.store.base.backup import Copied
from hermes.store.sqlite import Database, open_store
from hermes.store.sqlite.backup import check_copy, refuse_if_used
from hermes.types import EventKind

if TYPE_CHECKING:
    from hermes.app.root import App

Say = Callable[[str], None]
_PASSING = ".restoring.db"
Folders = list[Path]  # a class with a method `list` cannot say so itself


def _quietly(_: str) -> None:
    return None


class BackupActions:
    def __init__(self, app: App) -> None:
        self._app = app

    @property
    def folder(self) -> Path:
        return self._app.paths.resolve(self._app.config.backups.path, self._app.paths.backups)

    @property
    def _file(self) -> Path:
        """Where a state is put in the place of another: on a server by way of a file of its own,
        so that a memory.db that was copied from stays as it is.
        """
        if self._app.config.memory.backend == "postgres":
            return self._app.paths.root / _PASSING
        return self._app.paths.resolve(self._app.config.memory.path, self._app.paths.database)

    def make(self, *, label: str = "", say: Say = _quietly) -> tuple[Backup, list[Backup]]:
        """A new, verified backup, and the ones that were removed because they were too many."""
        app = self._app
        follow(app)
        key = self._key_for(profile_secret(app))
        making = Making(app.paths, copies_of(app, key), _checker(key), label)
        shelf = Shelf(self.folder, self._identity(), app.config.backups.recipients)
        with on_disk("The backup could not be made"):
            backup, manifest = make_backup(making, shelf, now=app.clock.now(), say=say)
        gone = self.rotate()
        self._note(f"Made and verified backup {backup.name}", manifest, backup)
        return backup, gone

    def rotate(self) -> list[Backup]:
        settings = self._app.config.backups
        keep = Keep(settings.keep_daily, settings.keep_weekly, settings.keep_monthly)
        return rotate(self.folder, keep, self._app.clock.now())

    def list(self) -> list[Backup]:
        """Newest first."""
        return list_backups(self.folder)

    def get(self, name: str) -> Backup:
        return get_backup(self.folder, name)

    def verify(self, name: str, *, recovery_key: str = "") -> Manifest:
        """Restore a backup into a scratch folder and check all of it."""
        secret = existing_secret(self._app, recovery_key)
        backup = self.get(name)
        with on_disk("The backup could not be checked"), scratch(self._app.paths.run) as work:
            check = _checker(self._key_for(secret))
            return verify_backup(backup.file, backup_identity(secret), check, work / "restored")

    def restore(
        self,
        name: str,
        *,
        recovery_key: str = "",
        with_config: bool = False,
        say: Say = _quietly,
    ) -> Restored:
        """Put a backup in the place of what is there, which is moved aside.

        In a daemon, whoever calls this has everything else stand still first.
        """
        secret = existing_secret(self._app, recovery_key)
        backup = self.get(name)
        now = self._app.clock.now()
        self._expect_stopped()
        self._expect_alone()
        with on_disk("Nothing was restored"), as_file(self._app, self._database(secret)):
            place = self._place(secret, recovery_key, with_config=with_config)
            done = restore_backup(backup.file, backup_identity(secret), place, now=now, say=say)
        damage_file(self._app.paths).unlink(missing_ok=True)
        return done

    def undo_restore(self) -> Restored:
        """Put back what the last restore or reset moved aside."""
        secret = existing_secret(self._app, "")
        self._expect_stopped()
        self._expect_alone()
        with on_disk("Nothing was put back"), as_file(self._app, self._database(secret)):
            place = self._place(secret, "", with_config=True)
            return undo_restore(place, now=self._app.clock.now())

    def remove(self, name: str) -> Backup:
        backup = self.get(name)
        backup.file.unlink()
        return backup

    def list_replaced(self) -> Folders:
        """The states that restores moved aside, newest first."""
        return list_replaced(self._app.paths)

    def drop_replaced(self) -> int:
        """Delete the states that restores moved aside; how many there were."""
        self._expect_stopped()
        states = self.list_replaced()
        with on_disk("Not all of them were deleted"):
            for state in states:
                shutil.rmtree(state)
        return len(states)

    def recovery_text(self) -> str:
        """What opens the backups if this machine is lost, as a person writes it down."""
        return render_recovery_key(profile_secret(self._app))

    def _place(self, secret: bytes, recovery_key: str, *, with_config: bool) -> Restoring:
        database = self._database(secret)
        if shares(self._app):
            self._app.erasing.note_stones()
        self._let_go(database)
        return Restoring(
            paths=self._app.paths,
            database=database.path,
            check=_checker(database.key),
            settle=lambda path: self._settle(path, database.key, recovery_key),
            with_config=with_config,
        )

    def _database(self, secret: bytes) -> Database:
        return Database(self._file, self._key_for(secret))

    def _expect_stopped(self) -> None:
        daemon = find_daemon(self._app.paths)
        if daemon is not None and daemon.pid != os.getpid():
            raise Conflict(
                f"A daemon runs for this profile (process {daemon.pid}).",
                "Restore on the dashboard (`hermes open`), or after `hermes stop`.",
            )

    def _expect_alone(self) -> None:
        """Refuse while daemons of other homes work with what would be replaced."""
        others = list_other_daemons(self._app)
        if others:
            raise Conflict(
                f"Daemons of other homes work with this profile: {', '.join(others)}.",
                "Stop each of them there with `hermes stop`, restore, and start them again.",
            )

    def _let_go(self, database: Database) -> None:
        """Close our own store, and make sure that nobody else has it open."""
        for part in ("overview", "events", "memory", "store"):
            opened = self._app.__dict__.pop(part, None)  # opened anew when it is next asked for
            if part in ("memory", "store") and opened is not None:
                opened.close()
        try:
            refuse_if_used(database)
        except Corrupt:
            return  # a damaged database is what restoring is for

    def _settle(self, path: Path, key: bytes | None, recovery_key: str) -> Settled:
        """Put the key back now that it is known to be right, and take out what was erased."""
        if recovery_key:
            restore_database_key(self._app.paths, self._app.config.memory, recovery_key)
        store = open_store(Database(path, key, wal=False))
        try:
            left_out = self._app.erasing.reapply(store, path.parent)
            return Settled(left_out, store.status().counts["messages"])
        finally:
            store.close()

    def _note(self, summary: str, manifest: Manifest, backup: Backup) -> None:
        details = {"bytes": backup.size, "messages": manifest.counts.get("messages", 0)}
        now = self._app.clock.now()
        self._app.store.write(
            lambda tx: add_event(tx, EventKind.MEMORY, summary, now=now, details=details)
        )

    def _identity(self) -> str:
        return backup_identity(profile_secret(self._app))

    def _key_for(self, secret: bytes) -> bytes | None:
        """The key of the database in a backup that this secret opens."""
        return None if Encryption(self._app.config.memory.encryption) is Encryption.OFF else secret


def _checker(key: bytes | None) -> Callable[[Path], Copied]:
    return lambda path: check_copy(Database(path, key), path)
