"""Giving space back and keeping indexes quick: by short writes, and VACUUM, which holds nobody up.

A message written alone leaves a row in the index for each of its words. These are brought together
a few hundred words at a time, so that a search reads few rows and the index stays small.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

from hermes.store.base import StoreStatus
from hermes.store.base.tidying import Tidied, Watch
from hermes.store.postgres.connection import translated
from hermes.store.postgres.server import SCHEMA, Server, connect
from hermes.store.postgres.tx import PostgresTx
from hermes.store.tables.tidying import fit_dictionary

_OURS = """SELECT c.relname FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
  WHERE s.nspname = %s AND c.relkind = 'r' AND pg_get_userbyid(c.relowner) = current_user
  ORDER BY c.relname"""


T = TypeVar("T")
WORDS_AT_ONCE = 300


class _Store(Protocol):
    def status(self) -> StoreStatus: ...
    def write(self, change: Callable[[PostgresTx], T]) -> T: ...


def tidy(store: _Store, server: Server, watch: Watch) -> Tidied:
    """Bring words together, then vacuum and analyse table by table, as far as `watch` lets it."""
    before = store.status().size_bytes
    fit_dictionary(store, watch)
    steps = 0
    while not watch.is_stopped() and store.write(merge_some):
        steps += 1
        watch.on_step("bringing the words of the index together")
    vacuum(server, watch)
    return Tidied(before, store.status().size_bytes, merge_steps=steps)


def merge_some(tx: PostgresTx) -> bool:
    """Bring some words together; whether there were any."""
    for table in tx.word_tables:
        if scattered := table.list_scattered(WORDS_AT_ONCE):
            table.merge(scattered)
            return True
    return False


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
