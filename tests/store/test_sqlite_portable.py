"""Nothing that is memory is left out of an export without someone having said so."""

import re

from hermes.store.base import Store
from hermes.store.sqlite import SqliteStore
from hermes.store.sqlite.portable_rows import SOURCES

NOT_CARRIED = {
    "archives": "the raw rows behind summaries, kept for a while to undo them",
    "changes": "what changed, for other processes",
    "counters": "carried as `numbers`",
    "dictionaries": "how texts are compressed here",
    "event_head": "follows from the events",
    "extractions": "carried with each session",
    "jobs": "work, not memory",
    "meta": "state of this store",
    "note_copies": "which home shows which page, of no use elsewhere",
    "note_pages": "the pages of notes, which are files and in every backup",
    "reflected": "carried with each session",
    "schedules": "work, not memory",
    "spending": "what models cost here, not memory",
    "tombstones": "under this profile's secret, of no use elsewhere",
    "vector_blocks": "made anew",
    "vector_cursors": "made anew",
    "vector_retries": "made anew",
    "vector_spaces": "made anew",
    "vectors": "made anew",
    "payloads": "carried with each message",
    "blobs": "carried in parts",
}


def test_every_table_is_carried_or_named(store: Store) -> None:
    assert isinstance(store, SqliteStore)
    sql = """SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"""
    tables = store.read(lambda tx: {str(name) for (name,) in tx.connection.execute(sql)})
    named = {word for source in SOURCES.values() for word in re.findall(r"\w+", source.select)}
    carried = tables & named
    assert tables - carried - NOT_CARRIED.keys() == set()
    assert NOT_CARRIED.keys() - tables == set()
