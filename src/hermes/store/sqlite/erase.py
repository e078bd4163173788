"""Erasing on SQLite: rows with their index entries, vectors, quotes, payloads and dictionaries."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from hermes.store.archive import archived_row, unpack
from hermes.store.base.erase import Passage, Quoted, TextKind
from hermes.store.sqlite.banks import SqliteBanks
from hermes.store.sqlite.connection import Connection
from hermes.store.sqlite.dictionaries import open_dictionaries
from hermes.store.sqlite.fact_texts import SqliteFactTexts
from hermes.store.sqlite.raw_rows import drop_unused_blobs
from hermes.store.sqlite.rows import ROLES, parse_calls
from hermes.store.sqlite.texts import SqliteTexts, index_row
from hermes.store.tables.erasures import ErasureTable
from hermes.store.text import index_form, indexed_part
from hermes.types import Role

CHUNK = 500

# (number, where, time, role, texts…) of each kind, by number.
_TEXTS = {
    TextKind.MESSAGE: """SELECT m.id, s.uid, m.at, m.role, plain(m.text), m.speaker, m.calls,
      m.call_id FROM messages m CROSS JOIN episodes e ON e.id = m.episode
      CROSS JOIN sessions s ON s.id = e.session WHERE m.id > ? ORDER BY m.id LIMIT ?""",
    TextKind.EPISODE: """SELECT e.id, s.uid, e.at, NULL, e.task FROM episodes e
      JOIN sessions s ON s.id = e.session WHERE e.id > ? AND e.task IS NOT NULL
      ORDER BY e.id LIMIT ?""",
    TextKind.SESSION: """SELECT id, uid, last_at, NULL, title, task, identity FROM sessions
      WHERE id > ? ORDER BY id LIMIT ?""",
    TextKind.FACT: """SELECT f.id, b.name, f.recorded_at, NULL, f.text, f.subject, f.value,
      (SELECT group_concat(quote, char(10)) FROM fact_sources WHERE fact = f.id),
      (SELECT group_concat(reason || char(10) || before || char(10) || after, char(10))
       FROM fact_history WHERE fact = f.id)
      FROM facts f JOIN banks b ON b.id = f.bank WHERE f.id > ? ORDER BY f.id LIMIT ?""",
    TextKind.REFLECTION: """SELECT id, CASE WHEN successes + failures < 2 THEN session END,
      updated_at, NULL, lesson, worked, failed, next_time, task_type FROM reflections
      WHERE id > ? ORDER BY id LIMIT ?""",
    TextKind.ENTITY: """SELECT e.id, b.name, e.created_at, NULL,
      (SELECT group_concat(name, char(10)) FROM entity_names WHERE entity = e.id)
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
  AND fact IN (SELECT fact FROM fact_sources WHERE message IN ({marks}))
  AND json_extract(after, '$.source.message') IN ({marks})"""
_BLANK = {
    TextKind.EPISODE: "UPDATE episodes SET task = NULL WHERE id = ?",
    TextKind.SESSION: "UPDATE sessions SET title = '', task = '', identity = '' WHERE id = ?",
    TextKind.BANK: "UPDATE banks SET description = '' WHERE id = ?",
}
_DROP_EMPTY_SESSION = """DELETE FROM sessions WHERE id = ?1
  AND NOT EXISTS (SELECT 1 FROM episodes WHERE session = ?1)"""
_REMOVE = {
    TextKind.REFLECTION: "DELETE FROM reflections WHERE id = ?",
    TextKind.ENTITY: "DELETE FROM entities WHERE id = ?",
    TextKind.HELD: "DELETE FROM held_writes WHERE id = ?",
    TextKind.JOB: "DELETE FROM jobs WHERE id = ?",
}


class SqliteErasures(ErasureTable):
    _connection: Connection
    _newer_stone: ClassVar = """ON CONFLICT (digest)
      DO UPDATE SET at = max(at, excluded.at)"""

    def __init__(self, connection: Connection, banks: SqliteBanks, texts: SqliteTexts) -> None:
        self._connection = connection
        self._texts = texts
        self._fact_texts = SqliteFactTexts(connection, banks, texts)
        self._dictionaries = open_dictionaries(connection)

    def list_texts(self, kind: TextKind, *, after: int, limit: int) -> list[Passage]:
        if kind is TextKind.ARCHIVE:
            return self._list_archived(after, limit)
        found = self._connection.execute(_TEXTS[kind], (after, limit))
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
        run = self._connection.execute
        archived = self._archived_sources(behind)
        sql = "SELECT DISTINCT fact FROM fact_sources WHERE message = ?"
        facts = {int(fact) for message in messages for (fact,) in run(sql, (message,))}
        sql = "SELECT fact FROM fact_sources WHERE id = ? AND message IS NULL"
        gone = frozenset(messages)
        hidden = [source for source, message in archived.items() if message in gone]
        facts |= {int(fact) for source in hidden for (fact,) in run(sql, (source,))}
        sql = "SELECT id, message, quote FROM fact_sources WHERE fact = ? ORDER BY id"
        return [
            Quoted(fact, archived.get(source) if message is None else message, quote)
            for fact in sorted(facts)
            for source, message, quote in list(run(sql, (fact,)))
        ]

    def _archived_sources(self, behind: Collection[int]) -> dict[int, int]:
        """The messages that sources had before those were archived, by the source."""
        sql = "SELECT content FROM archives WHERE summary = ?"
        found = [blob for number in behind for (blob,) in self._connection.execute(sql, (number,))]
        return {source: message for b in found for source, message, *_ in unpack(b).sources}

    def remove_messages(self, ids: Collection[int]) -> dict[str, int]:
        wanted = sorted(ids)
        run = self._connection.execute
        episodes: set[int] = set()
        named: set[int] = set()
        blobs: set[int] = set()
        self._secure(on=True)
        for part in _parts(wanted):
            episodes |= self._remove_from_index(part)
            marks = ",".join("?" * len(part))
            blobs |= self._blobs(f"message IN ({marks})", part)
            named |= self._entities(f"message_mentions WHERE message IN ({marks})", part)
            run(_DROP_QUOTED.format(marks=marks), (*part, *part))
            run(f"DELETE FROM fact_sources WHERE message IN ({marks})", part)
            run(f"DELETE FROM messages WHERE id IN ({marks})", part)
        self._secure(on=False)
        counts = {"messages": len(wanted), **self._drop_empty(episodes)}
        counts["payloads"] = drop_unused_blobs(self._connection, blobs)
        counts["entities"] = self.drop_unmentioned(named)
        self._log("message", wanted)
        return {name: count for name, count in counts.items() if count}

    def remove_facts(self, ids: Collection[int], *, now: int) -> int:
        run = self._connection.execute
        named: set[int] = set()
        self._secure(on=True)
        for fact in ids:
            named |= self._entities("fact_mentions WHERE fact = ?", (fact,))
            for text, bank in list(run("SELECT text, bank FROM facts WHERE id = ?", (fact,))):
                self._fact_texts.remove(fact, text, bank)
            sql = """UPDATE facts SET retracted_at = ifnull(retracted_at, ?), superseded_by = NULL
              WHERE superseded_by = ?"""
            run(sql, (now, fact))
            run("DELETE FROM facts WHERE id = ?", (fact,))
        self._secure(on=False)
        self._log("fact", sorted(ids))
        self.drop_unmentioned(named)
        return len(ids)

    def blank_texts(self, kind: TextKind, ids: Collection[int]) -> int:
        if kind is TextKind.SESSION:
            self._each(_DROP_EMPTY_SESSION, ids)
        return self._each(_BLANK[kind], ids)

    def remove_rows(self, kind: TextKind, ids: Collection[int]) -> int:
        if kind is TextKind.REFLECTION:
            self._unindex_reflections(ids)
        removed = self._each(_REMOVE[kind], ids)
        if kind is TextKind.ENTITY and removed:
            self._touch_entities()
        return removed

    def drop_payloads(self, media_types: Sequence[str]) -> int:
        marks = ",".join("?" * len(media_types))
        self._secure(on=True)
        blobs = self._blobs(f"media_type IN ({marks})", tuple(media_types))
        sql = f"DELETE FROM payloads WHERE media_type IN ({marks})"
        self._connection.execute(sql, tuple(media_types))
        dropped = self._connection.changes()
        drop_unused_blobs(self._connection, blobs)
        self._secure(on=False)
        self._drop_archived_payloads(media_types)
        return dropped

    def _unindex_reflections(self, ids: Collection[int]) -> None:
        sql = """SELECT id, task_type || ' ' || lesson, bank FROM reflections
          WHERE id = ? AND deleted_at IS NULL"""
        found = [row for number in ids for row in list(self._connection.execute(sql, (number,)))]
        rows = [(number, index_form(body), f"b{bank}") for number, body, bank in found]
        self._secure(on=True)
        sql = """INSERT INTO reflection_text (reflection_text, rowid, body, scope)
          VALUES ('delete', ?, ?, ?)"""
        self._connection.executemany(sql, rows)
        self._secure(on=False)
        self._log("reflection", sorted(ids))

    def _list_archived(self, after: int, limit: int) -> list[Passage]:
        sql = """SELECT x.id, s.uid, a.content FROM archives a JOIN summaries x ON x.id = a.summary
          JOIN sessions s ON s.id = x.session WHERE a.summary > ? ORDER BY a.summary LIMIT ?"""
        found = list(self._connection.execute(sql, (after, max(1, limit // 100))))
        return [
            replace(_passage(TextKind.ARCHIVE, archived_row(uid, row)), behind=number)
            for number, uid, archive in found
            for row in unpack(archive).messages
        ]

    def _secure(self, *, on: bool) -> None:
        """Have the text indexes forget words at once, not at some later merge."""
        self._texts.flush()
        for table in ("message_text", "fact_text", "reflection_text"):
            sql = f"INSERT INTO {table} ({table}, rank) VALUES ('secure-delete', ?)"
            self._connection.execute(sql, (int(on),))

    def _remove_from_index(self, ids: Sequence[int]) -> set[int]:
        """Take messages out of the index and the sums; the episodes they were in."""
        marks = ",".join("?" * len(ids))
        sql = f"""SELECT m.id, m.episode, e.bank, e.session, m.role, m.calls, plain(m.text)
          FROM messages m JOIN episodes e ON e.id = m.episode WHERE m.id IN ({marks})"""
        found = list(self._connection.execute(sql, tuple(ids)))
        self._texts.remove([_index_row(row) for row in found])
        self._dictionaries.note_removed([row[-1] for row in found])
        for _, _, bank, session, _, _, text in found:
            sql = "UPDATE banks SET messages = messages - 1, chars = chars - ? WHERE id = ?"
            self._connection.execute(sql, (len(text), bank))
            sql = "UPDATE sessions SET messages = messages - 1 WHERE id = ?"
            self._connection.execute(sql, (session,))
        return {int(row[1]) for row in found}

    def _drop_empty(self, episodes: Collection[int]) -> dict[str, int]:
        """Remove episodes and sessions that have nothing left."""
        sessions = 0
        gone = 0
        for episode in sorted(episodes):
            sql = """DELETE FROM episodes WHERE id = ?1
              AND NOT EXISTS (SELECT 1 FROM messages WHERE episode = ?1) RETURNING session"""
            for (session,) in list(self._connection.execute(sql, (episode,))):
                gone += 1
                sql = "UPDATE sessions SET episodes = episodes - 1 WHERE id = ?"
                self._connection.execute(sql, (session,))
                sessions += self._each(_DROP_EMPTY_SESSION, (session,))
        return {"episodes": gone, "sessions": sessions}

    def _blobs(self, where: str, values: tuple[object, ...]) -> set[int]:
        sql = f"SELECT DISTINCT blob FROM payloads WHERE {where}"
        return {int(blob) for (blob,) in self._connection.execute(sql, values)}

    def _entities(self, where: str, values: tuple[int, ...]) -> set[int]:
        sql = f"SELECT DISTINCT entity FROM {where}"
        return {int(entity) for (entity,) in self._connection.execute(sql, values)}

    def drop_unmentioned(self, entities: Collection[int]) -> int:
        """An entity that nothing mentions any more would say that something once did."""
        sql = """DELETE FROM entities WHERE id = ?1
          AND NOT EXISTS (SELECT 1 FROM fact_mentions WHERE entity = ?1)
          AND NOT EXISTS (SELECT 1 FROM message_mentions WHERE entity = ?1)
          AND NOT EXISTS (SELECT 1 FROM entities WHERE merged_into = ?1)"""
        gone = self._each(sql, entities)
        if gone:
            self._touch_entities()
        return gone

    def _touch_entities(self) -> None:
        sql = "UPDATE counters SET value = value + 1 WHERE name = 'entity_version'"
        self._connection.execute(sql)

    def _each(self, sql: str, ids: Collection[int]) -> int:
        count = 0
        for number in ids:
            self._connection.execute(sql, (number,))
            count += self._connection.changes()
        return count

    def _log(self, kind: str, ids: Sequence[int]) -> None:
        sql = "INSERT INTO changes (kind, first, last, op) VALUES (?, ?, ?, 'remove')"
        self._connection.executemany(sql, [(kind, *span) for span in _spans(ids)])


def _passage(kind: TextKind, row: Sequence[Any]) -> Passage:
    number, where, at, role, *texts = row
    said = tuple(str(text or "") for text in texts)
    return Passage(kind, number, said, where or "", at, "" if role is None else ROLES[role])


def _index_row(row: Sequence[Any]) -> tuple[int, str]:
    number, _, bank, session, role, calls, text = row
    spoken = Role(ROLES[role])
    body = indexed_part(spoken, text, parse_calls(calls) if calls else ())
    return index_row(number, body, bank=bank, session=session, role=spoken)


def _parts(ids: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for start in range(0, len(ids), CHUNK):
        yield tuple(ids[start : start + CHUNK])


def _spans(ids: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of consecutive numbers, first and last."""
    start = 0
    for n in range(1, len(ids) + 1):
        if n == len(ids) or ids[n] != ids[n - 1] + 1:
            yield ids[start], ids[n - 1]
            start = n
