"""Copying a memory between stores that are named by their addresses."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hermes.app.stores import POSTGRES, load_postgres, open_address, server_at
from hermes.config.running import find_daemon
from hermes.errors import Conflict, UserError
from hermes.memory.portable.copying import Proof, copy_store
from hermes.store.base import Store
from hermes.store.base.portable import Section

if TYPE_CHECKING:
    from hermes.app.root import App

Advance = Callable[[str, int], None]


def copy_memory(app: App, source: str, target: str, advance: Advance) -> list[Proof]:
    """Copy everything at `source` to the new store at `target`; an attempt cut short goes on."""
    _expect_stopped(app)
    if source == target:
        raise UserError("A memory cannot be copied onto itself.", "Name another, new store.")
    if target.startswith(POSTGRES):  # a new database has no tables yet
        load_postgres("schema").migrate(server_at(app, target))
    with _opened(app, source) as old, _opened(app, target, make=True) as new:
        seq = old.read(lambda tx: tx.changes.latest())
        name = hashlib.sha256(f"{source}\n{target}\n{seq}".encode()).hexdigest()[:16]
        stage = new.open_stage(app.paths.run / f"copy-{name}.db")
        try:
            proofs = copy_store(old, new, stage, now=app.clock.now(), advance=advance)
        except BaseException:
            stage.close()  # it stays, for the next attempt
            raise
        stage.discard()
        return proofs


def count_memory(app: App, address: str) -> int:
    """How many records the memory at `address` has."""
    with _opened(app, address) as store:
        return store.read(lambda tx: sum(tx.portable.count(section, "") for section in Section))


@contextmanager
def _opened(app: App, address: str, *, make: bool = False) -> Iterator[Store]:
    store = open_address(app, address, make=make)
    try:
        yield store
    finally:
        store.close()


def _expect_stopped(app: App) -> None:
    daemon = find_daemon(app.paths)
    if daemon is not None:
        raise Conflict(
            f"A daemon runs for this profile (process {daemon.pid}) and may write meanwhile.",
            "Stop it with `hermes stop`, copy, and start it again.",
        )
