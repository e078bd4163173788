"""The embedded store: one SQLite file, encrypted, durable, searchable."""

from hermes.store.sqlite.connection import Database
from hermes.store.sqlite.store import SqliteStore, open_store

__all__ = ["Database", "SqliteStore", "open_store"]
