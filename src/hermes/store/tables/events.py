"""The log of events, each chained to the one before, the same on every store."""

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from hermes.errors import NotFound
from hermes.store.base.events import EventFilter
from hermes.store.chain import (
    SALT_BYTES,
    EventContent,
    EventLink,
    Head,
    canonical,
    hash_content,
    hash_link,
)
from hermes.store.tables.statements import Statements, Test
from hermes.types import Event, EventKind

_EVENT = "SELECT id, at, kind, summary, details, ref, erased_at FROM events"
_LINK = """SELECT id, at, kind, summary, details, ref, salt, content, hash, erased_at FROM events
  WHERE id > ? ORDER BY id LIMIT ?"""


class EventTable:
    """The table of events behind a connection; a store adds where the head of the chain is kept."""

    def __init__(self, connection: Statements) -> None:
        self._connection = connection

    def add(
        self,
        kind: str,
        summary: str,
        *,
        at: int,
        details: Mapping[str, object] | None = None,
        ref: str = "",
    ) -> Event:
        kind = EventKind(kind)
        said = EventContent(summary, canonical(details or {}), ref, secrets.token_bytes(SALT_BYTES))
        number = self._append(at, kind, said)
        return Event(number, at, kind, summary, details or {}, ref)

    def erase(self, ids: Sequence[int], *, at: int) -> Event:
        sql = """UPDATE events SET summary = '', details = '{}', ref = '', salt = ?,
          erased_at = ? WHERE id = ? AND erased_at IS NULL"""
        for number in ids:
            self._connection.execute(sql, (b"", at, number))
            if not self._connection.changes():
                raise NotFound(f"There is no event {number} to erase.", "See `hermes log`.")
        what = f"event {ids[0]}" if len(ids) == 1 else f"{len(ids)} events"
        return self.add(
            EventKind.MEMORY, f"Erased the content of {what}", at=at, details={"erases": list(ids)}
        )

    def find(self, number: int) -> Event | None:
        rows = list(self._connection.execute(f"{_EVENT} WHERE id = ?", (number,)))
        return _event(rows[0]) if rows else None

    def head(self) -> Head:
        """How long the chain is, and the hash of its last link."""
        raise NotImplementedError

    def _set_head(self, head: Head) -> None:
        raise NotImplementedError

    def list_links(self, after_id: int, limit: int) -> list[EventLink]:
        return [_link(row) for row in self._connection.execute(_LINK, (after_id, limit))]

    def _append(self, at: int, kind: str, said: EventContent) -> int:
        head = self.head()
        content = hash_content(said)
        link = hash_link(head, at, kind, content)
        number = head.count + 1
        sql = """INSERT INTO events (id, at, kind, summary, details, ref, salt, content, hash)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
        values = (said.summary, said.details, said.ref, said.salt, content, link)
        self._connection.execute(sql, (number, at, kind, *values))
        self._set_head(Head(number, link))
        return number

    def list(self, wanted: EventFilter, limit: int) -> list[Event]:
        pairs: tuple[tuple[str, object], ...] = (
            ("at >= ?", wanted.since_at),
            ("at < ?", wanted.before_at),
            ("id < ?", wanted.before_id),
            ("ref = ?", wanted.ref or None),
        )
        used: list[Test] = [(test, (value,)) for test, value in pairs if value is not None]
        if wanted.kinds:
            used.append(self._connection.among("kind", [str(kind) for kind in wanted.kinds]))
        where = " AND ".join(["1 = 1", *(test for test, _ in used)])
        sql = f"{_EVENT} WHERE {where} ORDER BY id DESC LIMIT ?"
        values = (*(value for _, given in used for value in given), limit)
        return [_event(row) for row in self._connection.execute(sql, values)]


def _event(row: Sequence[Any]) -> Event:
    number, at, kind, summary, details, ref, erased_at = row
    return Event(number, at, kind, summary, json.loads(details), ref, erased_at)


def _link(row: Sequence[Any]) -> EventLink:
    """A line as it is, however wrong: a cell of another type stands for one that fits no hash."""
    number, at, kind, summary, details, ref, salt, content, digest, erased_at = row
    said = EventContent(_text(summary), _text(details), _text(ref), _blob(salt))
    at = at if isinstance(at, int) else -1
    return EventLink(number, at, _text(kind), said, _blob(content), _blob(digest), erased_at)


def _text(cell: object) -> str:
    return cell if isinstance(cell, str) else repr(cell)


def _blob(cell: object) -> bytes:
    return cell if isinstance(cell, bytes) else repr(cell).encode()
