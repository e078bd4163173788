"""Carrying memory out of a store and in again, the same on every one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from hermes.store.base.portable import (
    ARRIVING,
    BLOB_PART_BYTES,
    Cursor,
    KnownSession,
    Record,
    Section,
)
from hermes.store.records import Source, blob
from hermes.store.tables.statements import Statements, count

BLOB_PARTS = 4  # at once, so that little is held in memory
_ARRIVAL = "import"
_UNMENTIONED = """id BETWEEN ? AND ?
  AND NOT EXISTS (SELECT 1 FROM fact_mentions m WHERE m.entity = entities.id)
  AND NOT EXISTS (SELECT 1 FROM message_mentions m WHERE m.entity = entities.id)"""
_DROP_ENTITIES = f"DELETE FROM entities WHERE {_UNMENTIONED}"
_DROP_NAMES = f"""DELETE FROM entity_names
  WHERE entity IN (SELECT id FROM entities WHERE {_UNMENTIONED})"""
_DROP_BANK = """DELETE FROM banks WHERE name = ?
  AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.bank = banks.id)
  AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.bank = banks.id)
  AND NOT EXISTS (SELECT 1 FROM entities e WHERE e.bank = banks.id)
  AND NOT EXISTS (SELECT 1 FROM reflections r WHERE r.bank = banks.id)
  AND NOT EXISTS (SELECT 1 FROM held_writes w WHERE w.bank = banks.id)"""
_ANY = "SELECT count(*) FROM (SELECT 1 FROM {} LIMIT 1) AS kept"


class Arrivals(Protocol):
    """What comes in, written as a store writes it."""

    def put(self, section: Section, records: Sequence[Record]) -> None: ...

    def finish(self, extracted: Mapping[str, int], reflected: Mapping[str, int]) -> None: ...

    def settle(self) -> None: ...


class PortableTable:
    """What is carried, behind a connection; a store adds its numbers, bytes and changes."""

    def __init__(
        self, connection: Statements, arrivals: Arrivals, sources: Mapping[Section, Source]
    ) -> None:
        self._connection = connection
        self._arrivals = arrivals
        self._sources = sources

    def get_numbers(self) -> dict[str, int]:
        raise NotImplementedError

    def _cells(self, section: Section, row: Sequence[Any]) -> tuple[Any, ...]:
        """A row as `store.records` reads it: texts plain, lists as JSON."""
        raise NotImplementedError

    def _blob_part(self, sha256: bytes, part: int) -> bytes:
        raise NotImplementedError

    def _of_bank(self) -> str:
        """A test that a blob `b` is carried by a message of the bank given."""
        raise NotImplementedError

    def _drop_unused_blobs(self) -> None:
        raise NotImplementedError

    def _renew_entities(self) -> None:
        """Count the entities' version on, so that nobody goes by what is gone."""
        raise NotImplementedError

    def _log_changed(self, kind: str, first: int, last: int) -> None:
        """Leave word of changed sessions or facts for those who follow."""
        raise NotImplementedError

    def is_empty(self) -> bool:
        kept = ("messages", "facts", "entities", "events", "held_writes", "keys", "reflections")
        counted = any(self.get_numbers().values())
        return not counted and not any(count(self._connection, _ANY.format(t)) for t in kept)

    def count(self, section: Section, bank: str) -> int:
        if section is Section.BLOBS:
            return count(self._connection, "SELECT count(*) FROM blobs")
        source = self._sources[section]
        if bank and not source.of_bank:
            return 0
        where = " AND ".join(test for test in (source.where, bank and source.of_bank) if test)
        tables = source.select.rsplit("FROM ", 1)[1]
        sql = f"SELECT count(*) FROM {tables} {f'WHERE {where}' if where else ''}"
        return count(self._connection, sql, (bank,) if bank else ())

    def list_records(
        self, section: Section, after: Cursor, *, limit: int, bank: str = ""
    ) -> list[tuple[Cursor, Record]]:
        if section is Section.BLOBS:
            return self._list_blobs(after or (b"", -1), bank)
        source = self._sources[section]
        if bank and not source.of_bank:
            return []
        marks = ", ".join("?" * len(source.keys))
        keys = ", ".join(source.keys)
        tests = [f"({keys}) > ({marks})", source.where, bank and source.of_bank]
        where = " AND ".join(test for test in tests if test)
        sql = f"{source.select} WHERE {where} ORDER BY {keys} LIMIT ?"
        values = (*(after or _before(source.start)), *((bank,) if bank else ()), limit)
        width = len(source.keys)
        rows = list(self._connection.execute(sql, values))
        return [
            (tuple(row[:width]), source.shape(self._cells(section, row[width:]))) for row in rows
        ]

    def put(self, section: Section, records: Sequence[Record]) -> None:
        self._arrivals.put(section, records)

    def link_entities(self, pairs: Sequence[tuple[int, int]]) -> None:
        sql = "UPDATE entities SET merged_into = ?2 WHERE id = ?1"
        self._connection.executemany(sql, pairs)

    def link_facts(self, pairs: Sequence[tuple[int, int]]) -> None:
        self._connection.executemany("UPDATE facts SET superseded_by = ?2 WHERE id = ?1", pairs)

    def finish(self, extracted: Mapping[str, int], reflected: Mapping[str, int]) -> None:
        self._arrivals.finish(extracted, reflected)

    def settle(self) -> None:
        self._arrivals.settle()

    def load_arrival(self) -> str:
        found = self._connection.execute("SELECT value FROM meta WHERE name = ?", (_ARRIVAL,))
        return "".join(str(value) for (value,) in found)

    def save_arrival(self, noted: str) -> None:
        self._connection.execute("DELETE FROM meta WHERE name = ?", (_ARRIVAL,))
        if noted:
            sql = "INSERT INTO meta (name, value) VALUES (?, ?)"
            self._connection.execute(sql, (_ARRIVAL, noted))

    def list_arriving(self, limit: int) -> list[int]:
        sql = """SELECT m.id FROM sessions s JOIN episodes e ON e.session = s.id
          JOIN messages m ON m.episode = e.id WHERE s.hidden_at = ? LIMIT ?"""
        return [int(number) for (number,) in self._connection.execute(sql, (ARRIVING, limit))]

    def show_arrived(self, hidden: Mapping[str, int]) -> None:
        sql = "SELECT min(id), max(id) FROM sessions WHERE hidden_at = ?"
        ((first, last),) = list(self._connection.execute(sql, (ARRIVING,)))
        if first is None:
            return
        sql = "UPDATE sessions SET hidden_at = NULL WHERE hidden_at = ?"
        self._connection.execute(sql, (ARRIVING,))
        sql = "UPDATE sessions SET hidden_at = ? WHERE uid = ?"
        self._connection.executemany(sql, [(at, uid) for uid, at in hidden.items()])
        self._log_changed("session", first, last)

    def list_arriving_facts(self, limit: int) -> list[int]:
        sql = "SELECT id FROM facts WHERE retracted_at = ? LIMIT ?"
        return [int(number) for (number,) in self._connection.execute(sql, (ARRIVING, limit))]

    def show_facts(self, span: tuple[int, int], retracted: Mapping[int, int]) -> None:
        sql = "UPDATE facts SET retracted_at = NULL WHERE id BETWEEN ? AND ? AND retracted_at = ?"
        self._connection.execute(sql, (*span, ARRIVING))
        sql = "UPDATE facts SET retracted_at = ? WHERE id = ?"
        self._connection.executemany(sql, [(at, number) for number, at in retracted.items()])
        self._log_changed("fact", *span)

    def drop_arrival(self, spans: Mapping[str, tuple[int, int]], banks: Sequence[str]) -> None:
        run = self._connection.execute
        gone = "SELECT id FROM sessions WHERE hidden_at = ?"
        run(f"DELETE FROM episodes WHERE session IN ({gone})", (ARRIVING,))
        run("DELETE FROM sessions WHERE hidden_at = ?", (ARRIVING,))
        run("DELETE FROM keys WHERE first BETWEEN ? AND ?", spans.get("message", (1, 0)))
        for sql in (_DROP_NAMES, _DROP_ENTITIES):
            run(sql, spans.get("entity", (1, 0)))
        self._drop_unused_blobs()
        self._connection.executemany(_DROP_BANK, [(name,) for name in banks])
        self._renew_entities()

    def find_session(self, session_id: str) -> KnownSession | None:
        sql = f"""SELECT s.id, b.name,
          coalesce((SELECT max(id) FROM episodes WHERE session = s.id), 0)
          FROM sessions s JOIN banks b ON b.id = s.bank
          WHERE s.uid = ? AND s.hidden_at IS DISTINCT FROM {ARRIVING}"""
        rows = list(self._connection.execute(sql, (session_id,)))
        return KnownSession(*rows[0]) if rows else None

    def list_session(self, session_id: str) -> list[Record]:
        source = self._sources[Section.MESSAGES]
        sql = f"""{source.select} JOIN episodes x ON x.id = m.episode
          JOIN sessions s ON s.id = x.session WHERE s.uid = ? ORDER BY m.id"""
        rows = list(self._connection.execute(sql, (session_id,)))
        return [source.shape(self._cells(Section.MESSAGES, row[1:])) for row in rows]

    def find_bank(self, name: str) -> Record | None:
        source = self._sources[Section.BANKS]
        rows = list(self._connection.execute(f"{source.select} WHERE name = ?", (name,)))
        return source.shape(tuple(rows[0][1:])) if rows else None

    def find_entity(self, bank: str, kind: str, key: str) -> int | None:
        sql = """SELECT e.id FROM entity_names n JOIN entities e ON e.id = n.entity
          JOIN banks b ON b.id = e.bank WHERE n.key = ? AND b.name = ? AND e.kind = ?
          ORDER BY e.id LIMIT 1"""
        return count(self._connection, sql, (key, bank, kind)) or None

    def find_fact(self, bank: str, text: str, recorded_at: int) -> int | None:
        sql = """SELECT f.id FROM facts f JOIN banks b ON b.id = f.bank
          WHERE b.name = ? AND f.recorded_at = ? AND f.text = ?
            AND f.retracted_at IS DISTINCT FROM ? ORDER BY f.id LIMIT 1"""
        return count(self._connection, sql, (bank, recorded_at, text, ARRIVING)) or None

    def has_reflection(self, bank: str, task_type: str, lesson_key: str) -> bool:
        sql = """SELECT count(*) FROM reflections r JOIN banks b ON b.id = r.bank
          WHERE b.name = ? AND r.task_type = ? AND r.lesson_key = ?"""
        return count(self._connection, sql, (bank, task_type, lesson_key)) > 0

    def has_event(self, content: str) -> bool:
        sql = "SELECT count(*) FROM events WHERE content = ?"
        return count(self._connection, sql, (bytes.fromhex(content),)) > 0

    def has_key(self, key: str) -> bool:
        sql = "SELECT count(*) FROM keys WHERE key = ?"
        return count(self._connection, sql, (bytes.fromhex(key),)) > 0

    def has_held(self, record: Record) -> bool:
        sql = """SELECT count(*) FROM held_writes w JOIN banks b ON b.id = w.bank
          WHERE b.name = ? AND w.target = ? AND w.text = ? AND w.held_at = ?"""
        told = (record["bank"], record["target"], record["text"], record["held_at"])
        return count(self._connection, sql, told) > 0

    def _list_blobs(self, after: Cursor, bank: str) -> list[tuple[Cursor, Record]]:
        last, last_part = after
        where = f"sha256 >= ? {f'AND {self._of_bank()}' if bank else ''}"
        sql = f"SELECT sha256, length(content) FROM blobs b WHERE {where} ORDER BY sha256 LIMIT ?"
        values = (last, *((bank,) if bank else ()), BLOB_PARTS + 1)
        found: list[tuple[Cursor, Record]] = []
        for sha256, size in list(self._connection.execute(sql, values)):
            parts = max(1, -(-size // BLOB_PART_BYTES))
            for part in range(last_part + 1 if sha256 == last else 0, parts):
                if len(found) == BLOB_PARTS:
                    return found
                content = self._blob_part(sha256, part)
                found.append(((sha256, part), blob(sha256, part, parts, content)))
        return found


def _before(start: Cursor) -> Cursor:
    """A place before the first: keys are never empty, numbers begin with one, parts with none."""
    return tuple(-1 if part == 0 else part for part in start)
