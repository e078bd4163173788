"""Carrying memory out of SQLite and in again: its numbers, its bytes."""

from collections.abc import Sequence
from typing import Any

from hermes.store.base.portable import BLOB_PART_BYTES, NUMBERS, Section
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.sqlite.portable_put import Arrivals
from hermes.store.sqlite.portable_rows import SOURCES
from hermes.store.sqlite.texts import SqliteTexts
from hermes.store.tables.portable import PortableTable


class SqlitePortable(PortableTable):
    def __init__(self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts) -> None:
        super().__init__(connection, Arrivals(connection, banks, texts), SOURCES)
        self._database = connection

    def get_numbers(self) -> dict[str, int]:
        sql = """SELECT value FROM counters WHERE name = ?1 UNION ALL
          SELECT seq FROM sqlite_sequence WHERE name = ?1 || 's'"""
        return {name: scalar(self._database, sql, (name,)) for name in NUMBERS}

    def raise_numbers(self, numbers: dict[str, int]) -> None:
        sql = "UPDATE counters SET value = max(value, ?) WHERE name = ?"
        self._database.executemany(sql, [(n, name) for name, n in sorted(numbers.items())])
        last = numbers.get("reflection", 0)
        if last > self.get_numbers()["reflection"]:  # counted by SQLite itself
            self._database.execute("DELETE FROM sqlite_sequence WHERE name = 'reflections'")
            sql = "INSERT INTO sqlite_sequence (name, seq) VALUES ('reflections', ?)"
            self._database.execute(sql, (last,))

    def reset_numbers(self) -> None:
        sql = "UPDATE counters SET value = 0 WHERE name = ?"
        self._database.executemany(sql, [(name,) for name in NUMBERS])
        self._database.execute("DELETE FROM sqlite_sequence WHERE name = 'reflections'")

    def reserve(self, name: str, count: int) -> int:
        sql = "UPDATE counters SET value = value + ? WHERE name = ? RETURNING value"
        return scalar(self._database, sql, (count, name)) - count + 1

    def add_contradictions(self, pairs: Sequence[tuple[int, int, int]]) -> None:
        sql = """INSERT OR IGNORE INTO contradictions (fact, other, at)
          VALUES (min(?1, ?2), max(?1, ?2), ?3)"""
        self._database.executemany(sql, pairs)

    def _cells(self, section: Section, row: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(row)

    def _blob_part(self, sha256: bytes, part: int) -> bytes:
        sql = "SELECT substr(content, ?, ?) FROM blobs WHERE sha256 = ?"
        place = part * BLOB_PART_BYTES + 1
        ((content,),) = list(self._database.execute(sql, (place, BLOB_PART_BYTES, sha256)))
        return bytes(content or b"")  # of an empty one there is no part

    def _of_bank(self) -> str:
        return """EXISTS (SELECT 1 FROM payloads p JOIN messages m ON m.id = p.message
          JOIN episodes e ON e.id = m.episode JOIN banks k ON k.id = e.bank
          WHERE p.blob = b.id AND k.name = ?)"""

    def _drop_unused_blobs(self) -> None:
        self._database.execute("DELETE FROM blobs WHERE id NOT IN (SELECT blob FROM payloads)")

    def _renew_entities(self) -> None:
        sql = "UPDATE counters SET value = value + 1 WHERE name = 'entity_version'"
        self._database.execute(sql)

    def _log_changed(self, kind: str, first: int, last: int) -> None:
        sql = "INSERT INTO changes (kind, first, last, op) VALUES (?, ?, ?, 'change')"
        self._database.execute(sql, (kind, first, last))
