"""Copying a memory between stores that are named by their addresses."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from hermes.app.stores import POSTGRES, file_at, load_postgres, open_address, server_at
from hermes.config.files import write_atomic
from hermes.config.running import find_daemon
from hermes.errors import Conflict, Corrupt, HermesError, UserError
from hermes.memory.portable.copying import Proof, copy_store
from hermes.store.base import Store
from hermes.store.base.portable import Section

if TYPE_CHECKING:
    from hermes.app.root import App

Advance = Callable[[str, int], None]
_PARTS = ("", "-wal", "-shm", "-journal", ".mark", ".anchor")


@dataclass(frozen=True, slots=True)
class CutShort:
    """A copy that is under way or was cut short; addresses as they may be shown."""

    source: str
    target: str
    digest: str
    """What tells the target from others, its password included."""


def copy_memory(
    app: App, source: str, target: str, advance: Advance, *, anew: bool = False
) -> list[Proof]:
    """Copy everything at `source` to the new store at `target`; an attempt cut short goes on.

    `anew` first clears away what an attempt at this target had brought before it was cut short.
    """
    _expect_stopped(app)
    if source == target:
        raise UserError("A memory cannot be copied onto itself.", "Name another, new store.")
    if target.startswith(POSTGRES):  # a new database has no tables yet
        load_postgres("schema").migrate(server_at(app, target))
    if anew:
        _clear_away(app, target)
    cut = find_cut_short(app)
    with _opened(app, source) as old, _opened(app, target, make=True) as new:
        seq = old.read(lambda tx: tx.changes.latest())
        name = hashlib.sha256(f"{source}\n{target}\n{seq}".encode()).hexdigest()[:16]
        if new.read(lambda tx: tx.portable.is_empty()):
            mark = CutShort(_shown(app, source), _shown(app, target), _digest(target))
            write_atomic(_mark_file(app), json.dumps(asdict(mark)))
        stage = new.open_stage(app.paths.run / f"copy-{name}.db")
        try:
            proofs = copy_store(old, new, stage, now=app.clock.now(), advance=advance)
        except (Conflict, Corrupt) as refused:
            stage.close()
            raise _explained(refused, target, cut) from refused
        except BaseException:
            stage.close()  # it stays, for the next attempt
            raise
        stage.discard()
        _mark_file(app).unlink(missing_ok=True)
        return proofs


def find_cut_short(app: App) -> CutShort | None:
    """The copy that was begun last, where it has not come to its end."""
    try:
        return CutShort(**json.loads(_mark_file(app).read_text("utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def tell_left(app: App, source: str) -> list[str]:
    """That a source keeps everything, and how to be rid of it once the copy is in use."""
    shown = _shown(app, source)
    if source.startswith(POSTGRES):
        how = f"On the server: DROP DATABASE, unless others than profile {app.paths.name} use it."
        return [f"{shown} keeps everything as it was.", how]
    file = file_at(app, source)
    parts = [Path(f"{file}{end}") for end in _PARTS]
    command = " ".join(["rm", *(quote(str(part)) for part in parts if part.exists())])
    kept = f"{shown} keeps everything, also what you erase from the copy later."
    return [kept, "Remove it once the copy is in use:", f"  {command}"]


def _explained(refused: HermesError, target: str, cut: CutShort | None) -> HermesError:
    """A target that holds something may hold what an attempt brought that was cut short."""
    if cut is None or cut.digest != _digest(target):
        return refused
    return Conflict(
        "An earlier copy to this store was cut short, and the memory has changed since.",
        "Begin again with --anew: it clears away what that copy had brought.",
    )


def _clear_away(app: App, target: str) -> None:
    cut = find_cut_short(app)
    if cut is None or cut.digest != _digest(target):
        raise Conflict(
            "No copy to this store was cut short here: what it holds is not cleared away.",
            "Copy without --anew, or to a new store.",
        )
    if target.startswith(POSTGRES):
        load_postgres("profiles").clear_profile(server_at(app, target))
        return
    file = file_at(app, target)
    for end in _PARTS:
        Path(f"{file}{end}").unlink(missing_ok=True)


def _mark_file(app: App) -> Path:
    return app.paths.run / "copy.json"


def _digest(target: str) -> str:
    return hashlib.sha256(target.encode()).hexdigest()


def _shown(app: App, address: str) -> str:
    if address.startswith(POSTGRES):
        return server_at(app, address).location
    return f"sqlite:{file_at(app, address)}"


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
