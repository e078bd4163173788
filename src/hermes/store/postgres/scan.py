"""Searching everything a profile holds: every cell of every table, and the index of words."""

from collections.abc import Iterator, Sequence

from hermes.store.base.erase import Look, ScanReport
from hermes.store.base.texts import TextScope
from hermes.store.postgres.connection import Connection, scalar
from hermes.store.postgres.rows import plain
from hermes.store.postgres.tx import PostgresTx
from hermes.store.tables.scan import holds
from hermes.store.text import index_form

_TABLES = """SELECT DISTINCT c.relname FROM pg_class c
  JOIN pg_namespace s ON s.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'profile'
  WHERE s.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname"""
_PAGES = """SELECT coalesce(sum(pg_relation_size(c.oid)), 0)::int8 / 8192 FROM pg_class c
  JOIN pg_namespace s ON s.oid = c.relnamespace
  WHERE s.nspname = current_schema() AND c.relkind IN ('r', 'i')"""
_NUMBERS_ONLY = frozenset(
    {"vectors", "vector_blocks", "vector_codes", "vector_cursors", "changes", "counters", "words"}
)


def scan_profile(tx: PostgresTx, look: Look) -> ScanReport:
    """Where the words still are: cells and text indexes."""
    found: list[str] = []
    cells = 0
    for place, value in _cells(tx.connection):
        cells += 1
        if holds(look, value):
            found.append(place)
    found += _in_indexes(tx, look.phrases)
    skipped = "they are the server's; VACUUM has emptied them"
    return ScanReport(cells, scalar(tx.connection, _PAGES), tuple(found), skipped)


def _cells(connection: Connection) -> Iterator[tuple[str, str | bytes]]:
    """Every text and every blob, with the place it is at."""
    for (table,) in connection.execute(_TABLES):
        if table in _NUMBERS_ONLY:
            continue
        sql = """SELECT attname FROM pg_attribute WHERE attrelid = ?::text::regclass
          AND attnum > 0 AND NOT attisdropped ORDER BY attnum"""
        columns = [str(name) for (name,) in connection.execute(sql, (table,))]
        named = ", ".join(f'"{column}"' for column in columns)
        for number, row in enumerate(connection.execute(f'SELECT {named} FROM "{table}"'), 1):
            cells = dict(zip(columns, row, strict=True))
            if table == "messages":
                cells["text"] = plain(connection, cells["packed"], cells["text"])
            for column, value in cells.items():
                if value and isinstance(value, str | bytes):
                    yield f"table {table}, column {column}, row {number}", value


def _in_indexes(tx: PostgresTx, phrases: Sequence[str]) -> list[str]:
    asked = [index_form(words) for words in phrases]
    indexes = (
        ("messages", tx.texts.postings_all),
        ("facts", tx.facts.texts.postings_all),
        ("reflections", tx.reflections.texts.postings_all),
    )
    counted = [
        (name, sum(len(search([phrase], TextScope(), 1_000_000)) for phrase in asked))
        for name, search in indexes
    ]
    return [f"text index of {name}, {hits} entries" for name, hits in counted if hits]
