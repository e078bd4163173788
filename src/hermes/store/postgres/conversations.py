"""Sessions, episodes and messages on PostgreSQL: reading, and small changes."""

from collections.abc import Sequence

from hermes.store.postgres import rows
from hermes.store.postgres.connection import Connection
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.record import Recording
from hermes.store.rows import EPISODE, episode
from hermes.store.tables.sessions import SessionTable
from hermes.types import Episode, Message, Payload, Recorded, Turn


class PostgresConversations(SessionTable):
    _connection: Connection

    def __init__(self, connection: Connection, parts: Parts) -> None:
        self._connection = connection
        self._parts = parts
        self._banks = parts.banks
        self._changes = parts.changes

    def record(self, turns: Sequence[Turn], now: int) -> list[Recorded]:
        return self.record_all([(turns, now)])[0]

    def record_all(self, requests: Sequence[tuple[Sequence[Turn], int]]) -> list[list[Recorded]]:
        """`record` for several callers at once: as if one after the other, and much faster."""
        return Recording(self._connection, self._parts).record(requests)

    def list_messages(
        self, session_id: str, *, after_id: int = 0, before_id: int = 0, limit: int = 100
    ) -> list[Message]:
        sql = rows.SESSION_MESSAGES_BEFORE if before_id else rows.SESSION_MESSAGES_AFTER
        edge = before_id or after_id
        found = self._connection.execute(sql, (session_id, edge, limit))
        messages = [rows.message(self._connection, row) for row in found]
        return messages[::-1] if before_id else messages

    def get_messages(self, ids: Sequence[int], *, chars: int | None = None) -> dict[int, Message]:
        sql = f"{rows.MESSAGE} WHERE s.hidden_at IS NULL AND m.id = ANY(?)"
        found = self._connection.execute(sql, (list(ids),)) if ids else []
        return {row[0]: rows.message(self._connection, row, chars) for row in found}

    def find_visible(self, ids: Sequence[int], *, session_id: str = "") -> set[int]:
        if not ids:
            return set()
        sql = f"{rows.VISIBLE} AND m.id = ANY(?1) AND (?2 = '' OR s.uid = ?2)"
        return {number for (number,) in self._connection.execute(sql, (list(ids), session_id))}

    def list_payloads(self, message_id: int) -> list[Payload]:
        sql = """SELECT p.media_type, b.content FROM payloads p JOIN blobs b ON b.sha256 = p.sha256
          WHERE b.bank = 0 AND p.message = ? ORDER BY p.n"""
        return [Payload(*row) for row in self._connection.execute(sql, (message_id,))]

    def list_episodes(
        self, bank: str, *, limit: int, before_at: int | None = None
    ) -> list[Episode]:
        number = self._banks.find_number(bank) if bank else 0
        if number is None:
            return []
        where = "s.hidden_at IS NULL" + (" AND e.bank = ?" if bank else "")
        bindings: list[object] = [number] if bank else []
        if before_at is not None:
            where += " AND e.at < ?"
            bindings.append(before_at)
        sql = f"{EPISODE} WHERE {where} ORDER BY e.at DESC, e.id DESC LIMIT ?"
        found = self._connection.execute(sql, (*bindings, limit))
        messages = self._messages_of([row[0] for row in found])
        return [episode(row, messages.get(row[0], ())) for row in found]

    def _messages_of(self, episodes: Sequence[int]) -> dict[int, tuple[Message, ...]]:
        found: dict[int, list[Message]] = {}
        sql = f"{rows.MESSAGE} WHERE m.episode = ANY(?) ORDER BY m.id"
        for row in self._connection.execute(sql, (list(episodes),)) if episodes else ():
            found.setdefault(row[2], []).append(rows.message(self._connection, row))
        return {number: tuple(messages) for number, messages in found.items()}
