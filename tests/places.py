"""Where a store under test lies, in a form that a child process can be told.

A second kind of store joins every contract test by an entry in `KINDS` and `open_place`.
"""

import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from hermes.store.base import Store
from hermes.store.sqlite import Database, open_store

KINDS = ("sqlite",)


@dataclass(frozen=True, slots=True)
class Place:
    """A store that can be opened any number of times, here and in other processes."""

    kind: str
    where: str
    key: str

    def open(self) -> Store:
        return open_store(self.database())

    def database(self) -> Database:
        return Database(Path(self.where), bytes.fromhex(self.key))

    def render(self) -> str:
        return json.dumps(asdict(self))


def new_place(kind: str, folder: Path) -> Place:
    """An empty place of its own below `folder`."""
    return Place(kind, str(folder / "memory.db"), secrets.token_hex(32))


def parse_place(text: str) -> Place:
    return Place(**json.loads(text))
