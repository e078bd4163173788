"""Sessions, episodes and messages on SQLite: reading, and small changes."""

from collections.abc import Sequence

from hermes.store.sqlite import rows
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection
from hermes.store.sqlite.groups import list_groups
from hermes.store.sqlite.record import CHUNK, Recording
from hermes.store.sqlite.texts import SqliteTexts
from hermes.store.tables.sessions import SessionTable
from hermes.store.tables.statements import ChangeLog
from hermes.types import Episode, Message, Payload, Recorded, Turn


class SqliteConversations(SessionTable):
    _connection: Connection

    def __init__(
        self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts, changes: ChangeLog
    ) -> None:
        self._connection = connection
        self._banks = banks
        self._texts = texts
        self._changes = changes

    def record(self, turns: Sequence[Turn], now: int) -> list[Recorded]:
        return self.record_all([(turns, now)])[0]

    def record_all(self, requests: Sequence[tuple[Sequence[Turn], int]]) -> list[list[Recorded]]:
        """`record` for several callers at once: as if one after the other, and much faster."""
        return Recording(self._connection, self._banks, self._texts).record(requests)

    def list_messages(
        self, session_id: str, *, after_id: int = 0, before_id: int = 0, limit: int = 100
    ) -> list[Message]:
        sql = rows.SESSION_MESSAGES_BEFORE if before_id else rows.SESSION_MESSAGES_AFTER
        edge = before_id or after_id
        found = self._connection.execute(sql, (session_id, edge, edge, limit))
        messages = [rows.message(row) for row in found]
        return messages[::-1] if before_id else messages

    def get_messages(self, ids: Sequence[int], *, chars: int | None = None) -> dict[int, Message]:
        found: dict[int, Message] = {}
        decode = self._connection.codec.decode
        for marks, part in list_groups(ids):
            sql = f"{rows.STORED_MESSAGE} WHERE s.hidden_at IS NULL AND m.id IN ({marks})"
            for row in self._connection.execute(sql, part):
                found[row[0]] = rows.message((*row[:5], decode(row[5]), *row[6:]), chars)
        return found

    def find_visible(self, ids: Sequence[int], *, session_id: str = "") -> set[int]:
        found: set[int] = set()
        within, named = ("AND s.uid = ?", (session_id,)) if session_id else ("", ())
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            sql = f"{rows.VISIBLE} {within} AND m.id IN ({_marks(part)})"
            found.update(number for (number,) in self._connection.execute(sql, (*named, *part)))
        return found

    def list_payloads(self, message_id: int) -> list[Payload]:
        sql = """SELECT p.media_type, b.content FROM payloads p JOIN blobs b ON b.id = p.blob
                 WHERE p.message = ? ORDER BY p.n"""
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
        sql = f"{rows.EPISODE} WHERE {where} ORDER BY e.at DESC, e.id DESC LIMIT ?"
        found = list(self._connection.execute(sql, (*bindings, limit)))
        messages = self._messages_of([row[0] for row in found])
        return [rows.episode(row, messages.get(row[0], ())) for row in found]

    def _messages_of(self, episodes: Sequence[int]) -> dict[int, tuple[Message, ...]]:
        found: dict[int, list[Message]] = {}
        for start in range(0, len(episodes), CHUNK):
            part = episodes[start : start + CHUNK]
            sql = f"{rows.MESSAGE} WHERE m.episode IN ({_marks(part)}) ORDER BY m.id"
            for message in map(rows.message, self._connection.execute(sql, tuple(part))):
                found.setdefault(message.episode_id, []).append(message)
        return {episode: tuple(messages) for episode, messages in found.items()}


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
