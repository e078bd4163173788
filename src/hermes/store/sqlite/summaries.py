"""Summaries on SQLite: their rows."""

from collections.abc import Iterable, Sequence

from hermes.store.archive import Row
from hermes.store.sqlite import rows
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection
from hermes.store.sqlite.raw_rows import RawRowsTable
from hermes.store.sqlite.texts import SqliteTexts
from hermes.store.tables.summaries import COLUMNS, SummaryTable
from hermes.types import Message

_ADD = f"INSERT INTO summaries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_PARTS = """SELECT m.id, m.episode, m.at, m.role, m.origin, m.trust, m.speaker, m.call_id, m.calls,
  plain(m.text) FROM messages m JOIN summary_parts p ON p.message = m.id
  WHERE p.summary = ? ORDER BY m.id"""


class SqliteSummaries(SummaryTable):
    def __init__(self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts) -> None:
        super().__init__(connection, banks, RawRowsTable(connection, texts))
        self._database = connection

    def _raw_messages(self, session_id: str) -> Iterable[Message]:
        found = self._database.execute(rows.RAW_OF_SESSION, (session_id,))
        return [rows.message(row) for row in found]

    def _parts(self, number: int) -> list[Row]:
        return [tuple(row) for row in self._database.execute(_PARTS, (number,))]

    def _insert(self, bank: int, values: Row, archive: bytes) -> int:
        self._database.execute(_ADD, values)
        number = self._database.last_insert_rowid()
        sql = "INSERT INTO archives (summary, content) VALUES (?, ?)"
        self._database.execute(sql, (number, archive))
        return number

    def _insert_parts(self, bank: int, parts: Sequence[Row], mentions: Sequence[Row]) -> None:
        sql = "INSERT INTO summary_parts (message, summary, last) VALUES (?, ?, ?)"
        self._database.executemany(sql, parts)
        sql = "INSERT INTO message_mentions (message, entity, key) VALUES (?, ?, ?)"
        self._database.executemany(sql, mentions)

    def _log(self, first: int, last: int) -> None:
        sql = "INSERT INTO changes (kind, first, last, op) VALUES ('message', ?, ?, 'change')"
        self._database.execute(sql, (first, last))
