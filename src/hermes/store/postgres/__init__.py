"""The shared store: one PostgreSQL database for the profiles of many daemons."""

from hermes.store.postgres.server import Server
from hermes.store.postgres.store import PostgresStore, open_store

__all__ = ["PostgresStore", "Server", "open_store"]
