"""Raw episodes as rows: read with all that hangs on them, taken out of the tables, put back."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from hermes.store.archive import RawRows, Row
from hermes.store.base.vectors import VectorKind
from hermes.store.codec import HARD_LEVEL, USUAL_LEVEL
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.sqlite.rows import ROLES, parse_calls
from hermes.store.sqlite.texts import SqliteTexts, index_row
from hermes.store.tables.retries import ask_again
from hermes.store.text import indexed_part
from hermes.types import Role

CHUNK = 500
_ROLE, _CALLS, _TEXT = 3, 8, 9  # places in a message's row

_EPISODES = "SELECT id, session, bank, at, task FROM episodes WHERE id IN ({}) ORDER BY id"
_MESSAGES = """SELECT id, episode, at, role, origin, trust, speaker, call_id, calls, plain(text)
  FROM messages WHERE episode IN ({}) ORDER BY id"""
_PAYLOADS = """SELECT p.message, p.n, p.media_type, b.content FROM payloads p
  JOIN blobs b ON b.id = p.blob WHERE p.message IN ({}) ORDER BY p.message, p.n"""
_BLOBS = "SELECT DISTINCT blob FROM payloads WHERE message IN ({})"
_MENTIONS = """SELECT message, entity, key FROM message_mentions WHERE message IN ({})
  ORDER BY message, entity, key"""
_SOURCES = """SELECT id, message, episode, start, stop FROM fact_sources WHERE message IN ({})
  ORDER BY id"""
_EMBEDDED = f"""SELECT m.id FROM messages m WHERE m.id IN ({{}}) AND (
    EXISTS (SELECT 1 FROM vectors v WHERE v.kind = {int(VectorKind.MESSAGE)} AND v.item = m.id)
    OR EXISTS (SELECT 1 FROM vector_retries r
      WHERE r.kind = {int(VectorKind.MESSAGE)} AND r.item = m.id)
    OR m.id > ifnull((SELECT min(item) FROM vector_cursors
      WHERE kind = {int(VectorKind.MESSAGE)}), 0)) ORDER BY m.id"""
_ADD_MESSAGE = """INSERT INTO messages
  (id, episode, at, role, origin, trust, speaker, call_id, calls, text)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


class RawRowsTable:
    def __init__(self, connection: Connection, texts: SqliteTexts) -> None:
        self._connection = connection
        self._texts = texts

    def read(self, episodes: Sequence[int]) -> RawRows:
        """All rows of some episodes, as they are now."""
        messages = self._select(_MESSAGES, episodes)
        ids = [row[0] for row in messages]
        return RawRows(
            episodes=self._select(_EPISODES, episodes),
            messages=messages,
            payloads=self._select(_PAYLOADS, ids),
            mentions=self._select(_MENTIONS, ids),
            sources=self._select(_SOURCES, ids),
            embedded=tuple(row[0] for row in self._select(_EMBEDDED, ids)),
        )

    def take_out(self, rows: RawRows) -> None:
        """Remove messages from tables, index, vectors and sums, and every episode but the first."""
        self._texts.remove(list(index_rows(rows)))
        blobs = [row[0] for row in self._select(_BLOBS, sorted({row[0] for row in rows.payloads}))]
        self._each("DELETE FROM messages WHERE id = ?", [(row[0],) for row in rows.messages])
        self._each("DELETE FROM episodes WHERE id = ?", [(row[0],) for row in rows.episodes[1:]])
        drop_unused_blobs(self._connection, blobs)
        self._add_to_sums(rows, -1)

    def put_back(self, rows: RawRows) -> None:
        """The opposite of `take_out`; rows that were of something gone since are left out."""
        sql = """INSERT OR IGNORE INTO episodes (id, session, bank, at, task)
          VALUES (?, ?, ?, ?, ?)"""
        self._each(sql, rows.episodes)
        sql = "UPDATE episodes SET state = 0, at = ?, task = ? WHERE id = ?"
        self._each(sql, [(row[3], row[4], row[0]) for row in rows.episodes])
        self._each(_ADD_MESSAGE, [self.encoded(row) for row in rows.messages])
        self._texts.add(list(index_rows(rows)))
        self._put_payloads_back(rows)
        sql = """INSERT INTO message_mentions (message, entity, key)
          SELECT ?, id, ?3 FROM entities WHERE id = ?2"""
        self._each(sql, rows.mentions)
        sql = """UPDATE fact_sources SET message = ?, episode = ?, start = ?, stop = ?
          WHERE id = ? AND message IS NULL"""
        self._each(sql, [(*row[1:], row[0]) for row in rows.sources])
        self.ask_for_vectors(rows.embedded)
        self._add_to_sums(rows, 1)

    def add(self, rows: Sequence[Row], bank: int, session: int) -> None:
        """Write the messages of a summary and index them."""
        self._each(_ADD_MESSAGE, [self.encoded(row, HARD_LEVEL) for row in rows])
        self._texts.add([_index_row(row, bank, session) for row in rows])

    def remove(self, rows: Sequence[Row], bank: int, session: int) -> None:
        """Remove messages `add` has written."""
        self._texts.remove([_index_row(row, bank, session) for row in rows])
        self._each("DELETE FROM messages WHERE id = ?", [(row[0],) for row in rows])

    def ask_for_vectors(self, messages: Iterable[int]) -> None:
        """Have messages embedded in every space that has passed them over already."""
        ask_again(self._connection, VectorKind.MESSAGE, list(messages))

    def add_to_sums(self, session: int, bank: int, counts: tuple[int, int, int]) -> None:
        """Change a session's episodes and messages, and a bank's messages and characters."""
        episodes, messages, chars = counts
        sql = "SELECT pending FROM extractions WHERE session = ?"
        pending = scalar(self._connection, sql, (session,))
        sql = "UPDATE sessions SET episodes = episodes + ?, messages = messages + ? WHERE id = ?"
        self._connection.execute(sql, (episodes, messages, session))
        # growing marks a session as unread, but these messages were read before
        sql = "UPDATE extractions SET pending = ? WHERE session = ?"
        self._connection.execute(sql, (pending, session))
        sql = "UPDATE banks SET messages = messages + ?, chars = chars + ? WHERE id = ?"
        self._connection.execute(sql, (messages, chars, bank))

    def encoded(self, row: Row, level: int = USUAL_LEVEL) -> Row:
        newest = scalar(self._connection, "SELECT max(id) FROM dictionaries")
        return (*row[:_TEXT], self._connection.codec.encode(row[_TEXT], newest, level))

    def _add_to_sums(self, rows: RawRows, sign: int) -> None:
        _, session, bank, *_ = rows.episodes[0]
        chars = sum(len(row[_TEXT]) for row in rows.messages)
        counts = (sign * (len(rows.episodes) - 1), sign * len(rows.messages), sign * chars)
        self.add_to_sums(session, bank, counts)

    def _put_payloads_back(self, rows: RawRows) -> None:
        for message, n, media_type, content in rows.payloads:
            digest = hashlib.sha256(content).digest()
            sql = "INSERT INTO blobs (sha256, content) VALUES (?, ?) ON CONFLICT DO NOTHING"
            self._connection.execute(sql, (digest, content))
            sql = """INSERT INTO payloads (message, n, media_type, blob)
              SELECT ?, ?, ?, id FROM blobs WHERE sha256 = ?"""
            self._connection.execute(sql, (message, n, media_type, digest))

    def _select(self, sql: str, ids: Sequence[int]) -> tuple[Row, ...]:
        found: list[Row] = []
        for start in range(0, len(ids), CHUNK):
            part = tuple(ids[start : start + CHUNK])
            marks = ",".join("?" * len(part))
            found += [tuple(row) for row in self._connection.execute(sql.format(marks), part)]
        return tuple(found)

    def _each(self, sql: str, values: Sequence[tuple[Any, ...]]) -> None:
        self._connection.executemany(sql, values)


def index_rows(rows: RawRows) -> Iterator[tuple[int, str]]:
    """What the text index holds of the messages, exactly."""
    _, session, bank, *_ = rows.episodes[0]
    return (_index_row(row, bank, session) for row in rows.messages)


def _index_row(row: Row, bank: int, session: int) -> tuple[int, str]:
    role = Role(ROLES[row[_ROLE]])
    body = indexed_part(role, row[_TEXT], parse_calls(row[_CALLS]) if row[_CALLS] else ())
    return index_row(row[0], body, bank=bank, session=session, role=role)


def drop_unused_blobs(connection: Connection, blobs: Collection[int]) -> int:
    """Drop those bytes that no message refers to any more; how many there were.

    Only what was just taken from a message: what an import brings in is there before its messages.
    """
    if not blobs:
        return 0
    sql = """DELETE FROM blobs WHERE id IN (SELECT value FROM json_each(?))
      AND id NOT IN (SELECT blob FROM payloads)"""
    connection.execute(sql, (json.dumps(sorted(blobs)),))
    return int(connection.changes())
