"""Carrying memory out of SQLite and in again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hermes.store.base.portable import (
    ARRIVING,
    BLOB_PART_BYTES,
    NUMBERS,
    Cursor,
    KnownSession,
    Record,
    Section,
)
from hermes.store.records import blob
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection, scalar
from hermes.store.sqlite.portable_put import Arrivals
from hermes.store.sqlite.portable_rows import SOURCES
from hermes.store.sqlite.texts import SqliteTexts

BLOB_PARTS = 4  # at once, so that little is held in memory
_BLOB_OF_BANK = """EXISTS (SELECT 1 FROM payloads p JOIN messages m ON m.id = p.message
  JOIN episodes e ON e.id = m.episode JOIN banks k ON k.id = e.bank
  WHERE p.blob = b.id AND k.name = ?)"""
_ARRIVAL = "import"
_DROP_ENTITIES = """DELETE FROM entities WHERE id BETWEEN ? AND ?
  AND NOT EXISTS (SELECT 1 FROM fact_mentions WHERE entity = entities.id)
  AND NOT EXISTS (SELECT 1 FROM message_mentions WHERE entity = entities.id)"""
_DROP_BANK = """DELETE FROM banks WHERE name = ?
  AND NOT EXISTS (SELECT 1 FROM sessions WHERE bank = banks.id)
  AND NOT EXISTS (SELECT 1 FROM facts WHERE bank = banks.id)
  AND NOT EXISTS (SELECT 1 FROM entities WHERE bank = banks.id)
  AND NOT EXISTS (SELECT 1 FROM reflections WHERE bank = banks.id)
  AND NOT EXISTS (SELECT 1 FROM held_writes WHERE bank = banks.id)"""
_EMPTY = "SELECT NOT EXISTS (SELECT 1 FROM {}) FROM (SELECT 1)"


class SqlitePortable:
    def __init__(self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts) -> None:
        self._connection = connection
        self._arrivals = Arrivals(connection, banks, texts)

    def is_empty(self) -> bool:
        kept = ("messages", "facts", "entities", "events", "held_writes", "keys", "reflections")
        counted = any(self.get_numbers().values())
        return not counted and all(scalar(self._connection, _EMPTY.format(t)) for t in kept)

    def get_numbers(self) -> dict[str, int]:
        sql = """SELECT value FROM counters WHERE name = ?1 UNION ALL
          SELECT seq FROM sqlite_sequence WHERE name = ?1 || 's'"""
        return {name: scalar(self._connection, sql, (name,)) for name in NUMBERS}

    def raise_numbers(self, numbers: dict[str, int]) -> None:
        sql = "UPDATE counters SET value = max(value, ?) WHERE name = ?"
        self._connection.executemany(sql, [(n, name) for name, n in sorted(numbers.items())])
        last = numbers.get("reflection", 0)
        if last > self.get_numbers()["reflection"]:  # counted by SQLite itself
            self._connection.execute("DELETE FROM sqlite_sequence WHERE name = 'reflections'")
            sql = "INSERT INTO sqlite_sequence (name, seq) VALUES ('reflections', ?)"
            self._connection.execute(sql, (last,))

    def reset_numbers(self) -> None:
        sql = "UPDATE counters SET value = 0 WHERE name = ?"
        self._connection.executemany(sql, [(name,) for name in NUMBERS])
        self._connection.execute("DELETE FROM sqlite_sequence WHERE name = 'reflections'")

    def reserve(self, name: str, count: int) -> int:
        sql = "UPDATE counters SET value = value + ? WHERE name = ? RETURNING value"
        return scalar(self._connection, sql, (count, name)) - count + 1

    def count(self, section: Section, bank: str) -> int:
        if section is Section.BLOBS:
            return scalar(self._connection, "SELECT count(*) FROM blobs")
        source = SOURCES[section]
        if bank and not source.of_bank:
            return 0
        where = " AND ".join(test for test in (source.where, bank and source.of_bank) if test)
        sql = f"SELECT count(*) FROM ({source.select} {f'WHERE {where}' if where else ''})"
        return scalar(self._connection, sql, (bank,) if bank else ())

    def list_records(
        self, section: Section, after: Cursor, *, limit: int, bank: str = ""
    ) -> list[tuple[Cursor, Record]]:
        if section is Section.BLOBS:
            return self._list_blobs(after or (b"", -1), bank)
        source = SOURCES[section]
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
        return [(tuple(row[:width]), source.shape(tuple(row[width:]))) for row in rows]

    def put(self, section: Section, records: Sequence[Record]) -> None:
        self._arrivals.put(section, records)

    def link_entities(self, pairs: Sequence[tuple[int, int]]) -> None:
        sql = "UPDATE entities SET merged_into = ?2 WHERE id = ?1"
        self._connection.executemany(sql, pairs)

    def link_facts(self, pairs: Sequence[tuple[int, int]]) -> None:
        self._connection.executemany("UPDATE facts SET superseded_by = ?2 WHERE id = ?1", pairs)

    def add_contradictions(self, pairs: Sequence[tuple[int, int, int]]) -> None:
        sql = """INSERT OR IGNORE INTO contradictions (fact, other, at)
          VALUES (min(?1, ?2), max(?1, ?2), ?3)"""
        self._connection.executemany(sql, pairs)

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
        sql = "INSERT INTO changes (kind, first, last, op) VALUES ('session', ?, ?, 'change')"
        self._connection.execute(sql, (first, last))

    def drop_arrival(self, spans: Mapping[str, tuple[int, int]], banks: Sequence[str]) -> None:
        run = self._connection.execute
        gone = "SELECT id FROM sessions WHERE hidden_at = ?"
        run(f"DELETE FROM episodes WHERE session IN ({gone})", (ARRIVING,))
        run("DELETE FROM sessions WHERE hidden_at = ?", (ARRIVING,))
        run("DELETE FROM keys WHERE first BETWEEN ? AND ?", spans.get("message", (1, 0)))
        run(_DROP_ENTITIES, spans.get("entity", (1, 0)))
        run("DELETE FROM blobs WHERE id NOT IN (SELECT blob FROM payloads)")
        self._connection.executemany(_DROP_BANK, [(name,) for name in banks])
        run("UPDATE counters SET value = value + 1 WHERE name = 'entity_version'")

    def find_session(self, session_id: str) -> KnownSession | None:
        sql = f"""SELECT s.id, b.name,
          ifnull((SELECT max(id) FROM episodes WHERE session = s.id), 0)
          FROM sessions s JOIN banks b ON b.id = s.bank
          WHERE s.uid = ? AND s.hidden_at IS NOT {ARRIVING}"""
        rows = list(self._connection.execute(sql, (session_id,)))
        return KnownSession(*rows[0]) if rows else None

    def list_session(self, session_id: str) -> list[Record]:
        source = SOURCES[Section.MESSAGES]
        sql = f"""{source.select} JOIN sessions s ON s.id = e.session
          WHERE s.uid = ? ORDER BY m.id"""
        rows = list(self._connection.execute(sql, (session_id,)))
        return [source.shape(tuple(row[1:])) for row in rows]

    def find_bank(self, name: str) -> Record | None:
        source = SOURCES[Section.BANKS]
        rows = list(self._connection.execute(f"{source.select} WHERE name = ?", (name,)))
        return source.shape(tuple(rows[0][1:])) if rows else None

    def find_entity(self, bank: str, kind: str, key: str) -> int | None:
        sql = """SELECT e.id FROM entity_names n JOIN entities e ON e.id = n.entity
          JOIN banks b ON b.id = e.bank WHERE n.key = ? AND b.name = ? AND e.kind = ?
          ORDER BY e.id LIMIT 1"""
        return scalar(self._connection, sql, (key, bank, kind)) or None

    def find_fact(self, bank: str, text: str, recorded_at: int) -> int | None:
        sql = """SELECT f.id FROM facts f JOIN banks b ON b.id = f.bank
          WHERE b.name = ? AND f.recorded_at = ? AND f.text = ? ORDER BY f.id LIMIT 1"""
        return scalar(self._connection, sql, (bank, recorded_at, text)) or None

    def has_reflection(self, bank: str, task_type: str, lesson_key: str) -> bool:
        sql = """SELECT count(*) FROM reflections r JOIN banks b ON b.id = r.bank
          WHERE b.name = ? AND r.task_type = ? AND r.lesson_key = ?"""
        return scalar(self._connection, sql, (bank, task_type, lesson_key)) > 0

    def has_event(self, content: str) -> bool:
        sql = "SELECT count(*) FROM events WHERE content = ?"
        return scalar(self._connection, sql, (bytes.fromhex(content),)) > 0

    def has_key(self, key: str) -> bool:
        sql = "SELECT count(*) FROM keys WHERE key = ?"
        return scalar(self._connection, sql, (bytes.fromhex(key),)) > 0

    def has_held(self, record: Record) -> bool:
        sql = """SELECT count(*) FROM held_writes w JOIN banks b ON b.id = w.bank
          WHERE b.name = ? AND w.target = ? AND w.text = ? AND w.held_at = ?"""
        told = (record["bank"], record["target"], record["text"], record["held_at"])
        return scalar(self._connection, sql, told) > 0

    def _list_blobs(self, after: Cursor, bank: str) -> list[tuple[Cursor, Record]]:
        last, last_part = after
        where = f"sha256 >= ? {f'AND {_BLOB_OF_BANK}' if bank else ''}"
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

    def _blob_part(self, sha256: bytes, part: int) -> bytes:
        sql = "SELECT substr(content, ?, ?) FROM blobs WHERE sha256 = ?"
        place = part * BLOB_PART_BYTES + 1
        ((content,),) = list(self._connection.execute(sql, (place, BLOB_PART_BYTES, sha256)))
        return bytes(content or b"")  # of an empty one there is no part


def _before(start: Cursor) -> Cursor:
    """A place before the first: keys are never empty, numbers begin with one, parts with none."""
    return tuple(-1 if part == 0 else part for part in start)
