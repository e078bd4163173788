"""Summaries on PostgreSQL: their rows, each with its bank."""

from collections.abc import Iterable, Sequence

from hermes.store.archive import Row
from hermes.store.postgres.connection import Connection
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.raw_rows import RawRowsTable
from hermes.store.postgres.rows import MESSAGE, message, plain
from hermes.store.tables.summaries import COLUMNS, SummaryTable
from hermes.types import Message

_RAW_MESSAGES = f"""{MESSAGE} JOIN episodes e ON e.id = m.episode
  WHERE s.uid = ? AND e.state = 0 ORDER BY e.id, m.id"""
_ADD = f"""INSERT INTO summaries (id, bank, {COLUMNS})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_PARTS = """SELECT m.id, m.episode, m.at, m.role, m.origin, m.trust, m.speaker, m.call_id, m.calls,
  m.packed, m.text FROM messages m JOIN summary_parts p ON p.message = m.id
  WHERE p.summary = ? ORDER BY m.id"""


class PostgresSummaries(SummaryTable):
    def __init__(self, connection: Connection, parts: Parts) -> None:
        super().__init__(connection, parts.banks, RawRowsTable(connection, parts))
        self._server = connection
        self._shared = parts

    def _raw_messages(self, session_id: str) -> Iterable[Message]:
        found = self._server.execute(_RAW_MESSAGES, (session_id,))
        return [message(self._server, row) for row in found]

    def _parts(self, number: int) -> list[Row]:
        found = self._server.execute(_PARTS, (number,))
        return [(*row[:9], plain(self._server, *row[9:])) for row in found]

    def _insert(self, bank: int, values: Row, archive: bytes) -> int:
        number = self._shared.counters.take("summary")
        self._server.execute(_ADD, (number, bank, *values))
        sql = "INSERT INTO archives (bank, summary, content) VALUES (?, ?, ?)"
        self._server.execute(sql, (bank, number, archive))
        return number

    def _insert_parts(self, bank: int, parts: Sequence[Row], mentions: Sequence[Row]) -> None:
        sql = "INSERT INTO summary_parts (bank, message, summary, last) VALUES (?, ?, ?, ?)"
        self._server.executemany(sql, [(bank, *part) for part in parts])
        sql = "INSERT INTO message_mentions (bank, message, entity, key) VALUES (?, ?, ?, ?)"
        self._server.executemany(sql, [(bank, *mention) for mention in mentions])

    def _log(self, first: int, last: int) -> None:
        self._shared.changes.record("message", first, last, "change")
