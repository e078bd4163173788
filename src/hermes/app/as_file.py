"""A memory kept in PostgreSQL as a file, so that backups are the same whatever the store.

A backup holds a SQLite file, encrypted with the profile's key. Of a PostgreSQL store it is made by
copying; restoring puts the file in its place and then copies it back.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hermes.app.sharing import follow, take_files
from hermes.app.stores import load_postgres, open_postgres, postgres_server
from hermes.clock import to_datetime
from hermes.errors import HermesError
from hermes.memory.backup.swap import get_replaced, swap_in
from hermes.memory.portable.copying import copy_store
from hermes.store.base import Store
from hermes.store.base.backup import Copied, Copies
from hermes.store.sqlite import Database, open_store
from hermes.store.sqlite.backup import check_copy

if TYPE_CHECKING:
    from hermes.app.root import App
    from hermes.store.postgres import Server

_BESIDE = ("", "-wal", "-shm", "-journal", ".mark")


def copies_of(app: App, key: bytes | None) -> Copies:
    """What makes the copy a backup is made from."""
    return FileCopies(app, key) if app.config.memory.backend == "postgres" else app.store


@dataclass(frozen=True, slots=True)
class FileCopies:
    """Copies a store of another kind into a SQLite file."""

    app: App
    key: bytes | None

    def copy_to(self, target: Path) -> Copied:
        write_file(self.app, self.app.store, Database(target, self.key, wal=False))
        return check_copy(Database(target, self.key), target)


@contextmanager
def as_file(app: App, database: Database) -> Iterator[None]:
    """Have the memory in `database` while something is put in its place, then take it over."""
    if app.config.memory.backend != "postgres":
        yield
        return
    follow(app)
    try:
        write_file(app, app.store, database)
        _let_go(app)
        yield
        _expect_taken_over(app, database)
    finally:
        _remove(database.path)
    follow(app)


def write_file(app: App, store: Store, database: Database) -> None:
    """Write all that a store holds at this moment into a new SQLite file."""
    _remove(database.path)
    file = open_store(database)
    try:
        _copy(app, store, file)
    finally:
        file.close()


def _expect_taken_over(app: App, database: Database) -> None:
    """Have the server hold what the file holds; where it cannot be, the files of the home are put
    back, for the server still has what they belong to.
    """
    try:
        _take_over(app, database)
    except BaseException:
        state = get_replaced(app.paths)
        now = app.clock.now()
        came = swap_in(app.paths, database.path, state, now=now, with_config=True).aside
        shutil.rmtree(came, ignore_errors=True)
        raise
    take_files(app)


def _take_over(app: App, database: Database) -> None:
    """Copy the file into a profile of its own, and only then let that be the profile."""
    server = postgres_server(app)
    incoming = f"{app.paths.name}~{to_datetime(app.clock.now()):%Y%m%dT%H%M%S}"
    named = replace(server, profile=incoming)
    try:
        _fill(app, database, named)
        load_postgres("profiles").replace_profile(server, incoming)
    except BaseException:
        with suppress(HermesError):  # a server that is away keeps rows that nobody reads
            load_postgres("profiles").clear_profile(named)
        raise


def _fill(app: App, database: Database, server: Server) -> None:
    file = open_store(database)
    try:
        store = open_postgres(app, server)
        try:
            _copy(app, file, store)
        finally:
            store.close()
    finally:
        file.close()


def _copy(app: App, source: Store, target: Store) -> None:
    """Without a stage: what is cut short here is thrown away."""
    copy_store(source, target, None, now=app.clock.now(), advance=lambda _, __: None)


def _let_go(app: App) -> None:
    for part in ("memory", "store"):
        opened = app.__dict__.pop(part, None)  # opened anew when it is next asked for
        if opened is not None:
            opened.close()


def _remove(path: Path) -> None:
    for end in _BESIDE:
        Path(f"{path}{end}").unlink(missing_ok=True)
