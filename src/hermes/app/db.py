"""What can be done with the database itself: its schema, its state, how it is spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes.app.copying import (
    Advance,
    CutShort,
    copy_memory,
    count_memory,
    find_cut_short,
    tell_left,
)
from hermes.app.sharing import this_home
from hermes.app.stores import load_postgres, postgres_server
from hermes.errors import NotFound, UserError
from hermes.memory.notes.shared import HomeState, list_homes
from hermes.memory.portable.copying import Proof
from hermes.store.base import StoreStatus

if TYPE_CHECKING:
    from hermes.app.root import App


@dataclass(frozen=True, slots=True)
class DatabaseStatus:
    """The schema a database is at, the newest this program knows, what is in it, and whose homes
    share its notes.
    """

    backend: str
    location: str
    schema: int
    newest: int
    server: str = ""
    store: StoreStatus | None = None
    homes: Sequence[HomeState] = ()

    @property
    def is_current(self) -> bool:
        return self.schema == self.newest


class DbActions:
    def __init__(self, app: App) -> None:
        self._app = app

    def migrate(self) -> list[int]:
        """Bring the database to the newest schema; the versions it went through."""
        if self._app.config.memory.backend != "postgres":
            self._app.store.status()  # SQLite migrates when it is opened
            return []
        done: list[int] = load_postgres("schema").migrate(postgres_server(self._app))
        return done

    def build_ann(self) -> list[str]:
        """Build an index of the nearest vectors inside the server; what was done, in words."""
        if self._app.config.memory.backend != "postgres":
            raise UserError("SQLite needs no such index.", "It is for memory.backend: postgres.")
        done: list[str] = load_postgres("ann").build(postgres_server(self._app))
        return done

    def status(self) -> DatabaseStatus:
        if self._app.config.memory.backend != "postgres":
            kept = self._app.health.status().store
            return DatabaseStatus(kept.backend, kept.location, kept.schema, kept.schema, "", kept)
        server = postgres_server(self._app)
        version, newest, about = load_postgres("schema").look(server)
        there = self._app.store.status() if version == newest else None
        homes = self._app.store.read(list_homes) if there else ()
        return DatabaseStatus("postgres", server.location, version, newest, about, there, homes)

    def forget_home(self, name: str) -> None:
        """Let go of a home that is no more: nothing waits for it to follow."""
        if name == this_home(self._app).name:
            raise UserError("That is this home.", "It is forgotten from another one.")
        if not self._app.store.write(lambda tx: tx.notes.forget_home(name)):
            raise NotFound(f"There is no home {name!r}.", "See `hermes db status`.")

    def copy(
        self, source: str, target: str, advance: Advance, *, anew: bool = False
    ) -> list[Proof]:
        """Copy a memory from one store to another, and prove that both hold the same."""
        return copy_memory(self._app, source, target, advance, anew=anew)

    def list_left(self, source: str) -> list[str]:
        """What a copied memory still lies in, and how to be rid of it, in lines."""
        return tell_left(self._app, source)

    def find_cut_short(self) -> CutShort | None:
        """A copy that has not come to its end."""
        return find_cut_short(self._app)

    def count(self, address: str) -> int:
        """How many records a copy would have, for whoever watches it."""
        return count_memory(self._app, address)

    def plan(self, *, partitions: int = 0, citus: bool = False) -> list[str]:
        """The statements that spread the database; they are told, not run."""
        if bool(partitions) == citus:
            raise UserError("Say how it is to be spread.", "Give --partitions N, or --citus.")
        plan = load_postgres("plan")
        told: list[str] = plan.plan_citus() if citus else plan.plan_partitions(partitions)
        return told
