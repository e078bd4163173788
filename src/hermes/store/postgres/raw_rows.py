"""Raw episodes as rows: read with all that hangs on them, taken out of the tables, put back."""

from collections.abc import Iterable, Sequence
from typing import Any

from hermes.store.archive import RawRows, Row
from hermes.store.base.vectors import VectorKind
from hermes.store.codec import HARD_LEVEL
from hermes.store.postgres.connection import Connection
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.record import MESSAGES, keep_payloads
from hermes.store.postgres.rows import plain, stored
from hermes.store.postgres.vector_rows import remove_vectors
from hermes.store.postgres.words import Entry
from hermes.store.rows import ROLES, parse_calls
from hermes.store.tables.retries import ask_again
from hermes.store.text import index_form, indexed_part
from hermes.types import Payload, Role

_ROLE, _CALLS, _TEXT = 3, 8, 9  # places in a message's row

_EPISODES = "SELECT id, session, bank, at, task FROM episodes WHERE id = ANY(?) ORDER BY id"
_MESSAGES = """SELECT id, episode, at, role, origin, trust, speaker, call_id, calls, packed, text
  FROM messages WHERE episode = ANY(?) ORDER BY id"""
_PAYLOADS = """SELECT p.message, p.n, p.media_type, b.content FROM payloads p
  JOIN blobs b ON b.sha256 = p.sha256 WHERE b.bank = 0 AND p.message = ANY(?)
  ORDER BY p.message, p.n"""
_DROP_BLOBS = """DELETE FROM blobs b WHERE NOT EXISTS
  (SELECT 1 FROM payloads p WHERE p.sha256 = b.sha256)"""
_MENTIONS = """SELECT message, entity, key FROM message_mentions WHERE message = ANY(?)
  ORDER BY message, entity, key"""
_SOURCES = """SELECT id, message, episode, start, stop FROM fact_sources WHERE message = ANY(?)
  ORDER BY id"""
_EMBEDDED = f"""SELECT m.id FROM messages m WHERE m.id = ANY(?) AND (
    EXISTS (SELECT 1 FROM vectors v WHERE v.kind = {int(VectorKind.MESSAGE)} AND v.item = m.id)
    OR EXISTS (SELECT 1 FROM vector_retries r
      WHERE r.kind = {int(VectorKind.MESSAGE)} AND r.item = m.id)
    OR m.id > coalesce((SELECT min(item) FROM vector_cursors
      WHERE kind = {int(VectorKind.MESSAGE)}), 0)) ORDER BY m.id"""


class RawRowsTable:
    def __init__(self, connection: Connection, parts: Parts) -> None:
        self._connection = connection
        self._parts = parts

    def read(self, episodes: Sequence[int]) -> RawRows:
        """All rows of some episodes, as they are now."""
        messages = tuple(
            (*row[:_TEXT], plain(self._connection, *row[_TEXT:]))
            for row in self._select(_MESSAGES, episodes)
        )
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
        _, session, bank, *_ = rows.episodes[0]
        blobs = list_blobs(self._connection, [row[0] for row in rows.payloads])
        self.remove(rows.messages, bank, session)
        sql = "DELETE FROM episodes WHERE id = ANY(?)"
        self._connection.execute(sql, ([row[0] for row in rows.episodes[1:]],))
        drop_unused_blobs(self._connection, blobs)
        self._add_to_sums(rows, -1)

    def put_back(self, rows: RawRows) -> None:
        """The opposite of `take_out`; rows that were of something gone since are left out."""
        _, session, bank, *_ = rows.episodes[0]
        sql = """INSERT INTO episodes (id, session, bank, at, task)
          VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"""
        self._each(sql, rows.episodes)
        sql = "UPDATE episodes SET state = 0, at = ?, task = ? WHERE id = ?"
        self._each(sql, [(row[3], row[4], row[0]) for row in rows.episodes])
        self.add(rows.messages, bank, session)
        payloads = [(bank, m, n, Payload(kind, content)) for m, n, kind, content in rows.payloads]
        keep_payloads(self._connection, payloads)
        sql = """INSERT INTO message_mentions (bank, message, entity, key)
          SELECT ?4, ?1, id, ?3 FROM entities WHERE id = ?2"""
        self._each(sql, [(*row, bank) for row in rows.mentions])
        sql = """UPDATE fact_sources SET message = ?, episode = ?, start = ?, stop = ?
          WHERE id = ? AND message IS NULL"""
        self._each(sql, [(*row[1:], row[0]) for row in rows.sources])
        self.ask_for_vectors(rows.embedded)
        self._add_to_sums(rows, 1)

    def add(self, rows: Sequence[Row], bank: int, session: int) -> None:
        """Write the messages of a summary and index them."""
        newest = self._parts.counters.get("newest_dictionary")
        written = [
            (
                *(row[0], session, bank, *row[1:_TEXT]),
                *stored(self._connection, row[_TEXT], newest, HARD_LEVEL),
            )
            for row in rows
        ]
        self._connection.insert("messages", MESSAGES, written)
        self._parts.texts.table.add([index_entry(row, bank) for row in rows])

    def remove(self, rows: Sequence[Row], bank: int, session: int) -> None:
        """Remove messages `add` has written."""
        self._parts.texts.table.remove([index_entry(row, bank) for row in rows])
        remove_messages(self._connection, self._parts, [row[0] for row in rows])

    def ask_for_vectors(self, messages: Iterable[int]) -> None:
        """Have messages embedded in every space that has passed them over already."""
        ask_again(self._connection, VectorKind.MESSAGE, list(messages))

    def add_to_sums(self, session: int, bank: int, counts: tuple[int, int, int]) -> None:
        """Change a session's episodes and messages, and a bank's messages and characters."""
        episodes, messages, chars = counts
        sql = "UPDATE sessions SET episodes = episodes + ?, messages = messages + ? WHERE id = ?"
        self._connection.execute(sql, (episodes, messages, session))
        sql = "UPDATE banks SET messages = messages + ?, chars = chars + ? WHERE id = ?"
        self._connection.execute(sql, (messages, chars, bank))

    def _add_to_sums(self, rows: RawRows, sign: int) -> None:
        _, session, bank, *_ = rows.episodes[0]
        chars = sum(len(row[_TEXT]) for row in rows.messages)
        counts = (sign * (len(rows.episodes) - 1), sign * len(rows.messages), sign * chars)
        self.add_to_sums(session, bank, counts)

    def _select(self, sql: str, ids: Sequence[int]) -> tuple[Row, ...]:
        return tuple(self._connection.execute(sql, (list(ids),))) if ids else ()

    def _each(self, sql: str, values: Sequence[tuple[Any, ...]]) -> None:
        self._connection.executemany(sql, values)


def index_entry(row: Row, bank: int) -> Entry:
    """What the text index holds of a message, exactly."""
    role = Role(ROLES[row[_ROLE]])
    calls = parse_calls(row[_CALLS]) if row[_CALLS] else ()
    return bank, row[0], row[_ROLE], index_form(indexed_part(role, row[_TEXT], calls))


def remove_messages(connection: Connection, parts: Parts, ids: Sequence[int]) -> None:
    """Remove rows of messages with what hangs on them; a quote outlives its message."""
    for table in ("payloads", "message_mentions", "summary_parts"):
        connection.execute(f"DELETE FROM {table} WHERE message = ANY(?)", (list(ids),))
    sql = "UPDATE fact_sources SET message = NULL WHERE message = ANY(?)"
    connection.execute(sql, (list(ids),))
    connection.execute("DELETE FROM messages WHERE id = ANY(?)", (list(ids),))
    remove_vectors(connection, parts.changes, VectorKind.MESSAGE, ids)


def list_blobs(connection: Connection, messages: Sequence[int]) -> list[bytes]:
    """The digests of what these messages carry."""
    sql = "SELECT DISTINCT sha256 FROM payloads WHERE message = ANY(?)"
    return [bytes(sha256) for (sha256,) in connection.execute(sql, (list(messages),))]


def drop_unused_blobs(connection: Connection, blobs: Sequence[bytes]) -> int:
    """Drop those bytes that no message refers to any more; how many there were.

    Only what was just taken from a message: what an import brings in is there before its messages.
    """
    if not blobs:
        return 0
    connection.execute(f"{_DROP_BLOBS} AND b.sha256 = ANY(?)", (list(blobs),))
    return connection.changes()


def drop_all_unused_blobs(connection: Connection) -> None:
    """Drop all bytes that no message refers to: for the end of an import, either way."""
    connection.execute(_DROP_BLOBS)
