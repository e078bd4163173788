"""Searching everything a database holds, down to its pages, and leaving nothing in the unused ones.

Pages come decrypted from SQLite itself, so that what lies in free space is seen as well.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from hermes.store.base.erase import Look, ScanReport
from hermes.store.sqlite.connection import Connection, Database, connect, pragma, scalar, translated
from hermes.store.sqlite.maintenance import FREE_PAGES, fold_log
from hermes.store.sqlite.texts import quoted
from hermes.store.sqlite.tx import SqliteTx
from hermes.store.tables.scan import holds
from hermes.store.text import index_form

T = TypeVar("T")
MAX_IMAGE_BYTES = 1 << 30
AT_ONCE = 50  # phrases in one question to an index
_TABLES = """SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
  AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"""
_INDEXES = """SELECT name FROM sqlite_schema
  WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%' ORDER BY name"""
_NUMBERS_ONLY = frozenset({"vectors", "vector_blocks", "vector_cursors", "changes", "counters"})


class _Writes(Protocol):
    def write(self, change: Callable[[SqliteTx], T]) -> T: ...


def scan_database(database: Database, look: Look) -> ScanReport:
    """Where the words still are: cells, text indexes, raw pages."""
    connection = connect(database, writable=False)
    try:
        with translated(database.path):
            connection.execute("BEGIN")
            found: list[str] = []
            cells = 0
            for place, value in _cells(connection):
                cells += 1
                if holds(look, value):
                    found.append(place)
            found += _in_indexes(connection, look.phrases)
            pages = scalar(connection, "PRAGMA page_count")
            connection.execute("ROLLBACK")
            hits, skipped = _in_pages(connection, database.path, look)
            return ScanReport(cells, pages, tuple(found + hits), skipped)
    finally:
        connection.close()


def purge(store: _Writes, database: Database) -> bool:
    """Give free pages back and empty the log; false if a reader was in the way of that."""
    while store.write(lambda tx: _give_back(tx.connection)):
        pass
    return fold_log(database)


def _give_back(connection: Connection) -> bool:
    before = scalar(connection, "PRAGMA freelist_count")
    pragma(connection, f"incremental_vacuum({FREE_PAGES})")
    return scalar(connection, "PRAGMA freelist_count") < before


def _cells(connection: Connection) -> Iterator[tuple[str, str | bytes]]:
    """Every text and every blob, with the place it is at."""
    for (table,) in list(connection.execute(_TABLES)):
        if table in _NUMBERS_ONLY:
            continue
        columns = [str(row[1]) for row in pragma(connection, f'table_info("{table}")')]
        shown = [_expression(table, column) for column in columns]
        rows = connection.execute(f'SELECT {", ".join(shown)} FROM "{table}"')
        for number, row in enumerate(rows, 1):
            for column, value in zip(columns, row, strict=True):
                if value and isinstance(value, str | bytes):
                    yield f"table {table}, column {column}, row {number}", value


def _expression(table: str, column: str) -> str:
    return "plain(text)" if (table, column) == ("messages", "text") else f'"{column}"'


def _in_indexes(connection: Connection, phrases: Sequence[str]) -> list[str]:
    found = []
    asked = [quoted(index_form(words)) for words in phrases]
    for (table,) in list(connection.execute(_INDEXES)):
        sql = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"
        hits = 0
        for start in range(0, len(asked), AT_ONCE):
            any_of = " OR ".join(asked[start : start + AT_ONCE])
            hits += scalar(connection, sql, (f"body : ({any_of})",))
        if hits:
            found.append(f"text index {table}, {hits} entries")
    return found


def _in_pages(connection: Connection, path: Path, look: Look) -> tuple[list[str], str]:
    if look.is_in_page is None:
        return [], "the words are too short to be told from chance"
    if path.stat().st_size > MAX_IMAGE_BYTES:
        return [], "the database is too large to be held in memory"
    size = scalar(connection, "PRAGMA page_size")
    image = memoryview(connection.serialize("main"))
    pages = (bytes(image[start : start + size]) for start in range(0, len(image), size))
    hits = [number for number, page in enumerate(pages, 1) if look.is_in_page(page)]
    return [f"page {number} of the database" for number in hits], ""
