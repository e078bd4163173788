"""Where a store under test lies, in a form that a child process can be told.

Every kind of store joins every contract test by an entry in `KINDS` and `new_place`.
"""

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from hermes.store.base import Store
from hermes.store.sqlite import Database, open_store

PARTS = 4  # that each table of a partitioned database is cut into
KINDS = tuple(os.environ.get("HERMES_TEST_STORES", "sqlite,postgres,partitioned").split(","))


@dataclass(frozen=True, slots=True)
class Place:
    """A store that can be opened any number of times, here and in other processes.

    Of a PostgreSQL store `where` is the address and `key` the profile.
    """

    kind: str
    where: str
    key: str

    def open(self) -> Store:
        if self.kind == "sqlite":
            return open_store(self.database())
        # The driver of PostgreSQL is loaded by those tests only that need it.
        from hermes.store import postgres

        return postgres.open_store(postgres.Server(self.where, self.key))

    def database(self) -> Database:
        return Database(Path(self.where), bytes.fromhex(self.key))

    def render(self) -> str:
        return json.dumps(asdict(self))


def new_place(kind: str, folder: Path) -> Place:
    """An empty place of its own: below `folder`, or a database of the tests' server."""
    if kind == "sqlite":
        return Place(kind, str(folder / "memory.db"), secrets.token_hex(32))
    from postgres_server import new_database

    return Place(kind, new_database(parts=PARTS if kind == "partitioned" else 0), "default")


def parse_place(text: str) -> Place:
    return Place(**json.loads(text))
