"""Giving space back and keeping indexes quick: by VACUUM, which holds no writer up."""

from typing import Protocol

from hermes.store.base import StoreStatus
from hermes.store.base.tidying import Tidied, Watch
from hermes.store.postgres.connection import translated
from hermes.store.postgres.server import SCHEMA, Server, connect

_OURS = """SELECT c.relname FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
  WHERE s.nspname = %s AND c.relkind = 'r' AND pg_get_userbyid(c.relowner) = current_user
  ORDER BY c.relname"""


class _Sized(Protocol):
    def status(self) -> StoreStatus: ...


def tidy(store: _Sized, server: Server, watch: Watch) -> Tidied:
    """Vacuum and analyse table by table, as far as `watch` lets it."""
    before = store.status().size_bytes
    vacuum(server, watch)
    return Tidied(before, store.status().size_bytes)


def vacuum(server: Server, watch: Watch | None = None) -> None:
    with translated(server.location):
        raw = connect(server)
        try:
            raw.execute("SET statement_timeout = 0")
            for (table,) in raw.execute(_OURS, (SCHEMA,)).fetchall():
                if watch is not None and watch.is_stopped():
                    return
                raw.execute(f'VACUUM (ANALYZE) {SCHEMA}."{table}"')
                if watch is not None:
                    watch.on_step(f"tidying {table}")
        finally:
            raw.close()
