"""Erasing on PostgreSQL: rows with their index entries, vectors, quotes and payloads."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from hermes.store.archive import archived_row, unpack
from hermes.store.base.erase import Passage, Quoted, TextKind
from hermes.store.base.vectors import VectorKind
from hermes.store.postgres.connection import Connection
from hermes.store.postgres.dictionaries import open_dictionaries
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.raw_rows import (
    drop_unused_blobs,
    index_entry,
    list_blobs,
    remove_messages,
)
from hermes.store.postgres.rows import plain
from hermes.store.postgres.vector_rows import remove_vectors
from hermes.store.rows import ROLES
from hermes.store.tables.erasures import ErasureTable

# (number, where, time, role, texts…) of each kind, by number.
_TEXTS = {
    TextKind.MESSAGE: """SELECT m.id, s.uid, m.at, m.role, m.packed, m.text, m.speaker, m.calls,
      m.call_id FROM messages m JOIN sessions s ON s.id = m.session
      WHERE m.id > ? ORDER BY m.id LIMIT ?""",
    TextKind.EPISODE: """SELECT e.id, s.uid, e.at, NULL, e.task FROM episodes e
      JOIN sessions s ON s.id = e.session WHERE e.id > ? AND e.task IS NOT NULL
      ORDER BY e.id LIMIT ?""",
    TextKind.SESSION: """SELECT id, uid, last_at, NULL, title, task, identity FROM sessions
      WHERE id > ? ORDER BY id LIMIT ?""",
    TextKind.FACT: """SELECT f.id, b.name, f.recorded_at, NULL, f.text, f.subject, f.value,
      (SELECT string_agg(quote, chr(10) ORDER BY id) FROM fact_sources WHERE fact = f.id),
      (SELECT string_agg(reason || chr(10) || before || chr(10) || after, chr(10) ORDER BY id)
       FROM fact_history WHERE fact = f.id)
      FROM facts f JOIN banks b ON b.id = f.bank WHERE f.id > ? ORDER BY f.id LIMIT ?""",
    TextKind.REFLECTION: """SELECT id, CASE WHEN successes + failures < 2 THEN session END,
      updated_at, NULL, lesson, worked, failed, next_time, task_type FROM reflections
      WHERE id > ? ORDER BY id LIMIT ?""",
    TextKind.ENTITY: """SELECT e.id, b.name, e.created_at, NULL,
      (SELECT string_agg(name, chr(10) ORDER BY place) FROM entity_names WHERE entity = e.id)
      FROM entities e JOIN banks b ON b.id = e.bank WHERE e.id > ? ORDER BY e.id LIMIT ?""",
    TextKind.EVENT: """SELECT id, ref, at, NULL, summary, details FROM events
      WHERE id > ? AND erased_at IS NULL ORDER BY id LIMIT ?""",
    TextKind.HELD: """SELECT id, target, held_at, NULL, text, reason, payload FROM held_writes
      WHERE id > ? ORDER BY id LIMIT ?""",
    TextKind.JOB: """SELECT id, kind, created_at, NULL, key, payload, saved, text, error FROM jobs
      WHERE id > ? ORDER BY id LIMIT ?""",
    TextKind.BANK: """SELECT id, name, created_at, NULL, description FROM banks
      WHERE id > ? ORDER BY id LIMIT ?""",
}
_DROP_QUOTED = """DELETE FROM fact_history WHERE action = 'source'
  AND fact IN (SELECT fact FROM fact_sources WHERE message = ANY(?1))
  AND (after::json #>> '{source,message}')::int8 = ANY(?1)"""
_BLANK = {
    TextKind.EPISODE: "UPDATE episodes SET task = NULL WHERE id = ANY(?)",
    TextKind.SESSION: "UPDATE sessions SET title = '', task = '', identity = '' WHERE id = ANY(?)",
    TextKind.BANK: "UPDATE banks SET description = '' WHERE id = ANY(?)",
}
_DROP_EMPTY_SESSION = """DELETE FROM sessions s WHERE s.id = ANY(?)
  AND NOT EXISTS (SELECT 1 FROM episodes e WHERE e.session = s.id) RETURNING s.id"""
_REMOVE = {
    TextKind.REFLECTION: "DELETE FROM reflections WHERE id = ANY(?)",
    TextKind.ENTITY: "DELETE FROM entities WHERE id = ANY(?)",
    TextKind.HELD: "DELETE FROM held_writes WHERE id = ANY(?)",
    TextKind.JOB: "DELETE FROM jobs WHERE id = ANY(?)",
}


class PostgresErasures(ErasureTable):
    _connection: Connection
    _newer_stone: ClassVar = """ON CONFLICT (profile, bank, digest)
      DO UPDATE SET at = greatest(tombstones.at, excluded.at)"""

    def __init__(self, connection: Connection, parts: Parts) -> None:
        self._connection = connection
        self._parts = parts
        self._dictionaries = open_dictionaries(connection, parts.counters)

    def list_texts(self, kind: TextKind, *, after: int, limit: int) -> list[Passage]:
        if kind is TextKind.ARCHIVE:
            return self._list_archived(after, limit)
        found = self._connection.execute(_TEXTS[kind], (after, limit))
        if kind is TextKind.MESSAGE:
            found = [(*row[:4], plain(self._connection, *row[4:6]), *row[6:]) for row in found]
        return [_passage(kind, row) for row in found]

    def list_messages_of(self, session_id: str) -> list[int]:
        sql = """SELECT m.id FROM sessions s JOIN episodes e ON e.session = s.id
          JOIN messages m ON m.episode = e.id WHERE s.uid = ? ORDER BY m.id"""
        return [int(row) for (row,) in self._connection.execute(sql, (session_id,))]

    def find_session_number(self, session_id: str) -> int | None:
        sql = "SELECT id FROM sessions WHERE uid = ?"
        found = [int(row) for (row,) in self._connection.execute(sql, (session_id,))]
        return found[0] if found else None

    def list_quoted(self, messages: Collection[int], behind: Collection[int] = ()) -> list[Quoted]:
        archived = self._archived_sources(behind)
        gone = frozenset(messages)
        hidden = [source for source, message in archived.items() if message in gone]
        sql = """SELECT fact, id, message, quote FROM fact_sources WHERE fact IN
          (SELECT fact FROM fact_sources WHERE message = ANY(?1)
            OR (message IS NULL AND id = ANY(?2))) ORDER BY fact, id"""
        found = self._connection.execute(sql, (list(messages), hidden))
        return [
            Quoted(fact, archived.get(source) if message is None else message, quote)
            for fact, source, message, quote in found
        ]

    def _archived_sources(self, behind: Collection[int]) -> dict[int, int]:
        """The messages that sources had before those were archived, by the source."""
        sql = "SELECT content FROM archives WHERE summary = ANY(?)"
        found = [bytes(blob) for (blob,) in self._connection.execute(sql, (list(behind),))]
        return {source: message for b in found for source, message, *_ in unpack(b).sources}

    def remove_messages(self, ids: Collection[int]) -> dict[str, int]:
        wanted = sorted(ids)
        episodes = self._remove_from_index(wanted)
        named = self._entities("message_mentions WHERE message = ANY(?)", wanted)
        self._connection.execute(_DROP_QUOTED, (wanted,))
        self._connection.execute("DELETE FROM fact_sources WHERE message = ANY(?)", (wanted,))
        blobs = list_blobs(self._connection, wanted)
        remove_messages(self._connection, self._parts, wanted)
        counts = {"messages": len(wanted), **self._drop_empty(episodes)}
        counts["payloads"] = drop_unused_blobs(self._connection, blobs)
        counts["entities"] = self.drop_unmentioned(named)
        self._parts.changes.record_all("message", wanted, "remove")
        return {name: count for name, count in counts.items() if count}

    def remove_facts(self, ids: Collection[int], *, now: int) -> int:
        gone = sorted(ids)
        run = self._connection.execute
        named = self._entities("fact_mentions WHERE fact = ANY(?)", gone)
        sql = "SELECT id, text, bank, vector FROM facts WHERE id = ANY(?)"
        found = run(sql, (gone,))
        for fact, text, bank, _ in found:
            self._parts.fact_texts.remove(fact, text, bank)
        sql = """UPDATE facts SET retracted_at = coalesce(retracted_at, ?), superseded_by = NULL
          WHERE superseded_by = ANY(?)"""
        run(sql, (now, gone))
        for table in ("fact_sources", "fact_history", "fact_mentions", "held_writes"):
            run(f"DELETE FROM {table} WHERE fact = ANY(?)", (gone,))
        run("DELETE FROM contradictions WHERE fact = ANY(?1) OR other = ANY(?1)", (gone,))
        run("DELETE FROM facts WHERE id = ANY(?)", (gone,))
        vectors = {fact: vector for fact, _, _, vector in found}
        for fact in ids:
            wanted = [vectors[fact]] if fact in vectors else []
            remove_vectors(self._connection, self._parts.changes, VectorKind.FACT, wanted)
        self._parts.changes.record_all("fact", gone, "remove")
        self.drop_unmentioned(named)
        return len(ids)

    def blank_texts(self, kind: TextKind, ids: Collection[int]) -> int:
        if kind is TextKind.SESSION:
            self._drop_empty_sessions(ids)
        return self._each(_BLANK[kind], ids)

    def remove_rows(self, kind: TextKind, ids: Collection[int]) -> int:
        if kind is TextKind.REFLECTION:
            self._unindex_reflections(ids)
        if kind is TextKind.ENTITY:
            self._drop_of_entities(ids)
        removed = self._each(_REMOVE[kind], ids)
        if kind is TextKind.ENTITY and removed:
            self._touch_entities()
        return removed

    def drop_payloads(self, media_types: Sequence[str]) -> int:
        sql = "DELETE FROM payloads WHERE media_type = ANY(?) RETURNING sha256"
        found = self._connection.execute(sql, (list(media_types),))
        drop_unused_blobs(self._connection, list({bytes(sha256) for (sha256,) in found}))
        self._drop_archived_payloads(media_types)
        return len(found)

    def _unindex_reflections(self, ids: Collection[int]) -> None:
        sql = """SELECT id, task_type || ' ' || lesson, bank FROM reflections
          WHERE id = ANY(?) AND deleted_at IS NULL"""
        for number, body, bank in self._connection.execute(sql, (list(ids),)):
            self._parts.reflection_texts.remove(number, body, bank)
        changes = self._parts.changes
        changes.record_all("reflection", sorted(ids), "remove")
        remove_vectors(self._connection, changes, VectorKind.REFLECTION, ids)

    def _list_archived(self, after: int, limit: int) -> list[Passage]:
        sql = """SELECT x.id, s.uid, a.content FROM archives a JOIN summaries x ON x.id = a.summary
          JOIN sessions s ON s.id = x.session WHERE a.summary > ? ORDER BY a.summary LIMIT ?"""
        found = self._connection.execute(sql, (after, max(1, limit // 100)))
        return [
            replace(_passage(TextKind.ARCHIVE, archived_row(uid, row)), behind=number)
            for number, uid, archive in found
            for row in unpack(archive).messages
        ]

    def _remove_from_index(self, ids: Sequence[int]) -> set[int]:
        """Take messages out of the index and the sums; the episodes they were in."""
        sql = """SELECT id, episode, at, role, origin, trust, speaker, call_id, calls, packed, text,
          bank, session FROM messages WHERE id = ANY(?)"""
        texts: list[str] = []
        entries = []
        episodes: set[int] = set()
        for row in self._connection.execute(sql, (list(ids),)):
            *cells, packed, kept, bank, session = row
            text = plain(self._connection, packed, kept)
            entries.append(index_entry((*cells, text), bank))
            texts.append(text)
            episodes.add(int(row[1]))
            self._parts.banks.add_text(bank, -1, -len(text))
            sql = "UPDATE sessions SET messages = messages - 1 WHERE id = ?"
            self._connection.execute(sql, (session,))
        self._parts.texts.table.remove(entries)
        self._dictionaries.note_removed(texts)
        return episodes

    def _drop_empty(self, episodes: Collection[int]) -> dict[str, int]:
        """Remove episodes and sessions that have nothing left."""
        sql = """DELETE FROM episodes e WHERE e.id = ANY(?)
          AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.episode = e.id) RETURNING e.session"""
        gone = [session for (session,) in self._connection.execute(sql, (list(episodes),))]
        for session in gone:
            sql = "UPDATE sessions SET episodes = episodes - 1 WHERE id = ?"
            self._connection.execute(sql, (session,))
        sessions = self._drop_empty_sessions(sorted(set(gone)))
        return {"episodes": len(gone), "sessions": sessions}

    def _drop_empty_sessions(self, ids: Collection[int]) -> int:
        gone = [s for (s,) in self._connection.execute(_DROP_EMPTY_SESSION, (list(ids),))]
        for table in ("extractions", "reflected"):
            self._connection.execute(f"DELETE FROM {table} WHERE session = ANY(?)", (gone,))
        sql = "DELETE FROM summaries WHERE session = ANY(?) RETURNING id"
        summaries = [number for (number,) in self._connection.execute(sql, (gone,))]
        for table in ("archives", "summary_parts"):
            self._connection.execute(f"DELETE FROM {table} WHERE summary = ANY(?)", (summaries,))
        return len(gone)

    def _entities(self, where: str, ids: Sequence[int]) -> set[int]:
        sql = f"SELECT DISTINCT entity FROM {where}"
        return {int(entity) for (entity,) in self._connection.execute(sql, (list(ids),))}

    def _drop_of_entities(self, ids: Collection[int]) -> None:
        for table in ("entity_names", "fact_mentions", "message_mentions"):
            self._connection.execute(f"DELETE FROM {table} WHERE entity = ANY(?)", (list(ids),))
        sql = "UPDATE entities SET merged_into = NULL WHERE merged_into = ANY(?)"
        self._connection.execute(sql, (list(ids),))

    def drop_unmentioned(self, entities: Collection[int]) -> int:
        """An entity that nothing mentions any more would say that something once did."""
        sql = """DELETE FROM entities e WHERE e.id = ANY(?)
          AND NOT EXISTS (SELECT 1 FROM fact_mentions m WHERE m.entity = e.id)
          AND NOT EXISTS (SELECT 1 FROM message_mentions m WHERE m.entity = e.id)
          AND NOT EXISTS (SELECT 1 FROM entities o WHERE o.merged_into = e.id) RETURNING e.id"""
        gone = [int(number) for (number,) in self._connection.execute(sql, (list(entities),))]
        self._drop_of_entities(gone)
        if gone:
            self._touch_entities()
        return len(gone)

    def _touch_entities(self) -> None:
        self._parts.counters.take("entity_version")

    def _each(self, sql: str, ids: Collection[int]) -> int:
        """Run a statement for each of the numbers, one given twice counting twice."""
        changed = 0
        for number in ids:
            self._connection.execute(sql, ([number],))
            changed += self._connection.changes()
        return changed


def _passage(kind: TextKind, row: Sequence[Any]) -> Passage:
    number, where, at, role, *texts = row
    said = tuple(str(text or "") for text in texts)
    return Passage(kind, number, said, where or "", at, "" if role is None else ROLES[role])
