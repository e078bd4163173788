"""Carrying memory out of PostgreSQL and in again: its numbers, its bytes, its cells."""

import json
from collections.abc import Sequence
from typing import Any

from hermes.store.base.portable import BLOB_PART_BYTES, NUMBERS, Section
from hermes.store.postgres.connection import Connection
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.portable_put import Arrivals
from hermes.store.postgres.portable_rows import SOURCES
from hermes.store.postgres.raw_rows import drop_all_unused_blobs
from hermes.store.postgres.rows import plain
from hermes.store.postgres.values import unescape_all
from hermes.store.tables.portable import PortableTable


class PostgresPortable(PortableTable):
    def __init__(self, connection: Connection, parts: Parts) -> None:
        super().__init__(connection, Arrivals(connection, parts), SOURCES)
        self._server = connection
        self._counters = parts.counters
        self._changes = parts.changes

    def get_numbers(self) -> dict[str, int]:
        return {name: self._counters.get(name) for name in NUMBERS}

    def raise_numbers(self, numbers: dict[str, int]) -> None:
        for name, number in numbers.items():
            self._counters.raise_to(name, number)

    def reset_numbers(self) -> None:
        for name in NUMBERS:
            self._counters.set(name, 0)

    def reserve(self, name: str, count: int) -> int:
        return self._counters.take(name, count)

    def add_contradictions(self, pairs: Sequence[tuple[int, int, int]]) -> None:
        sql = """INSERT INTO contradictions (bank, fact, other, at)
          SELECT bank, least(?1::int8, ?2::int8), greatest(?1::int8, ?2::int8), ?3 FROM facts
          WHERE id = ?1 ON CONFLICT DO NOTHING"""
        self._server.executemany(sql, pairs)

    def _cells(self, section: Section, row: Sequence[Any]) -> tuple[Any, ...]:
        if section is Section.MESSAGES:
            row = (*row[:6], plain(self._server, *row[6:8]), *row[8:])
        return tuple(
            json.dumps(unescape_all(cell)) if isinstance(cell, list) else cell for cell in row
        )

    def _blob_part(self, sha256: bytes, part: int) -> bytes:
        sql = "SELECT substr(content, ?::int, ?::int) FROM blobs WHERE bank = 0 AND sha256 = ?"
        place = part * BLOB_PART_BYTES + 1
        ((content,),) = self._server.execute(sql, (place, BLOB_PART_BYTES, sha256))
        return bytes(content or b"")  # of an empty one there is no part

    def _of_bank(self) -> str:
        return """EXISTS (SELECT 1 FROM payloads p JOIN messages m ON m.id = p.message
          JOIN banks k ON k.id = m.bank WHERE p.sha256 = b.sha256 AND k.name = ?)"""

    def _drop_unused_blobs(self) -> None:
        drop_all_unused_blobs(self._server)

    def _renew_entities(self) -> None:
        self._counters.take("entity_version")

    def _log_changed(self, kind: str, first: int, last: int) -> None:
        self._changes.record(kind, first, last, "change")
