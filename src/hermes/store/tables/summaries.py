"""Summaries, the same on every store: rows move into an archive and back, and both ways are checked
before they are kept.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from hermes.errors import Conflict, HermesError, NotFound
from hermes.store.archive import RawRows, Row, pack, unpack
from hermes.store.base.summaries import EpisodeCounts, NewSummary, Summary, SummaryPart
from hermes.store.base.vectors import VectorKind
from hermes.store.rows import EPISODE, ORIGIN_NUMBER, ROLE_NUMBER, SESSION, episode, session
from hermes.store.tables.statements import BankNumbers, Statements, count
from hermes.types import Episode, Message, Origin, Role, Session

_SUMMARY = """SELECT x.id, s.uid, b.name, x.episode, x.first_at, x.last_at, x.made_at, x.purge_at,
  x.purged_at, x.author, x.episodes, x.messages, x.raw_chars, x.chars, x.probes, x.found,
  coalesce((SELECT length(content) FROM archives WHERE summary = x.id), 0)
  FROM summaries x JOIN sessions s ON s.id = x.session JOIN banks b ON b.id = s.bank"""
_SESSIONS = f"""SELECT n.id, found.* FROM (SELECT s.id FROM sessions s
    WHERE s.id > ?2 AND s.started_at < ?1 AND s.hidden_at IS NULL AND EXISTS
      (SELECT 1 FROM episodes e WHERE e.session = s.id AND e.state = 0 AND e.at < ?1)
    ORDER BY s.id LIMIT ?3) n
  JOIN ({SESSION.replace("SELECT", "SELECT s.id AS number,", 1)}) found
  ON found.number = n.id ORDER BY n.id"""
_RAW_EPISODES = f"{EPISODE} WHERE s.uid = ? AND e.state = 0 ORDER BY e.id"
_MARK = "compress."
_CHUNK = 500
COLUMNS = """session, episode, first_at, last_at, made_at, purge_at, author, episodes, messages,
  raw_chars, chars, probes, found"""


class RawRowsTable(Protocol):
    """The rows of episodes, as a store keeps them."""

    def read(self, episodes: Sequence[int]) -> RawRows: ...

    def take_out(self, rows: RawRows) -> None: ...

    def put_back(self, rows: RawRows) -> None: ...

    def add(self, rows: Sequence[Row], bank: int, session: int) -> None: ...

    def remove(self, rows: Sequence[Row], bank: int, session: int) -> None: ...

    def ask_for_vectors(self, messages: Iterable[int]) -> None: ...

    def add_to_sums(self, session: int, bank: int, counts: tuple[int, int, int]) -> None: ...


class SummaryTable:
    """The table of summaries behind a connection; a store adds its rows, texts and changes."""

    def __init__(self, connection: Statements, banks: BankNumbers, raw: RawRowsTable) -> None:
        self._connection = connection
        self._banks = banks
        self._raw = raw

    def _raw_messages(self, session_id: str) -> Iterable[Message]:
        """The messages of a session's raw episodes, in order."""
        raise NotImplementedError

    def _parts(self, number: int) -> list[Row]:
        """The messages a summary consists of, as raw rows."""
        raise NotImplementedError

    def _insert(self, bank: int, values: Row, archive: bytes) -> int:
        """Add a row of `COLUMNS` and its archive; its number."""
        raise NotImplementedError

    def _insert_parts(self, bank: int, parts: Sequence[Row], mentions: Sequence[Row]) -> None:
        """Add rows of (message, summary, last) and of (message, entity, key)."""
        raise NotImplementedError

    def _log(self, first: int, last: int) -> None:
        """Leave word of changed messages for those who follow."""
        raise NotImplementedError

    def list_sessions(self, before_at: int, after: int, limit: int) -> list[tuple[int, Session]]:
        found = self._connection.execute(_SESSIONS, (before_at, after, limit))
        return [(row[0], session(row[2:])) for row in found]

    def list_raw(self, session_id: str) -> list[Episode]:
        said: dict[int, list[Message]] = {}
        for message in self._raw_messages(session_id):
            said.setdefault(message.episode_id, []).append(message)
        found = self._connection.execute(_RAW_EPISODES, (session_id,))
        return [episode(row, tuple(said.get(row[0], ()))) for row in found]

    def add(self, new: NewSummary) -> Summary:
        raw = self._raw.read(new.episode_ids)
        _check_unchanged(raw, new)
        blob = pack(raw)
        if unpack(blob) != raw:
            raise _wrong("the archive does not give back what was put into it")
        before = self._count(raw.episodes[0][1])
        self._raw.take_out(raw)
        number = self._add_row(new, raw, blob)
        self._add_parts(number, new, raw)
        self._forward_sources(raw)
        self._check_counts(raw, before, len(new.parts) - len(raw.messages))
        self._log(raw.messages[0][0], raw.messages[-1][0])
        return self._get(number)

    def restore(self, number: int) -> Summary:
        summary = self._get(number)
        raw = unpack(self._load_archive(summary))
        conversation, bank = raw.episodes[0][1:3]
        before = self._count(conversation)
        parts = self._parts(number)
        self._raw.remove(parts, bank, conversation)
        self._raw.add_to_sums(conversation, bank, (0, -len(parts), -sum(len(p[9]) for p in parts)))
        late = self._late_messages(raw)
        self._raw.put_back(raw)
        sql = "UPDATE messages SET episode = ? WHERE id = ?"
        self._connection.executemany(sql, [(raw.episodes[-1][0], each) for each in late])
        self._check_restored(raw, late)
        self._check_counts(raw, before, len(raw.messages) - len(parts))
        for table, column in (
            ("archives", "summary"),
            ("summary_parts", "summary"),
            ("summaries", "id"),
        ):
            self._connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))
        self._log(raw.messages[0][0], raw.messages[-1][0])
        return summary

    def purge(self, now: int, limit: int) -> list[Summary]:
        where = "x.purged_at IS NULL AND x.purge_at <= ? ORDER BY x.purge_at, x.id LIMIT ?"
        due = self._list(where, (now, limit))
        sql = "UPDATE summaries SET purged_at = ? WHERE id = ?"
        self._connection.executemany(sql, [(now, each.id) for each in due])
        sql = "DELETE FROM archives WHERE summary = ?"
        self._connection.executemany(sql, [(each.id,) for each in due])
        return due

    def find(self, number: int) -> Summary | None:
        found = self._list("x.id = ?", (number,))
        return found[0] if found else None

    def find_of_message(self, message_id: int) -> Summary | None:
        where = "x.id = (SELECT summary FROM summary_parts WHERE message = ?)"
        found = self._list(where, (message_id,))
        return found[0] if found else None

    def has_parts(self) -> bool:
        sql = "SELECT count(*) FROM (SELECT 1 FROM summary_parts LIMIT 1) AS any_part"
        return count(self._connection, sql) > 0  # read to its end: a cursor left half-way stays

    def find_parts(self, messages: Sequence[int]) -> set[int]:
        if not self.has_parts():
            return set()
        found: set[int] = set()
        for start in range(0, len(messages), _CHUNK):
            where, values = self._connection.among("message", messages[start : start + _CHUNK])
            sql = f"SELECT message FROM summary_parts WHERE {where}"
            found.update(int(each) for (each,) in self._connection.execute(sql, values))
        return found

    def find_unfinished(self, at: int) -> frozenset[int]:
        sql = """SELECT p.message FROM summaries x JOIN summary_parts p ON p.summary = x.id
          WHERE x.first_at <= ? AND x.last_at > ?"""
        return frozenset(int(each) for (each,) in self._connection.execute(sql, (at, at)))

    def last_made_at(self) -> int | None:
        return count(self._connection, "SELECT max(made_at) FROM summaries") or None

    def newest_at(self) -> int | None:
        return count(self._connection, "SELECT max(last_at) FROM sessions") or None

    def count_episodes(self, bank: str = "") -> EpisodeCounts:
        number = self._banks.find_number(bank) if bank else None
        where, values = ("WHERE bank = ?", (number,)) if bank else ("", ())
        sql = f"SELECT count(*), coalesce(sum(state), 0) FROM episodes {where}"
        ((episodes, compressed),) = list(self._connection.execute(sql, values))
        return EpisodeCounts(int(episodes) - int(compressed), int(compressed))

    def count_vectors(self, space: int) -> dict[VectorKind, int]:
        sql = "SELECT kind, count(*) FROM vectors WHERE space = ? GROUP BY kind"
        found = self._connection.execute(sql, (space,))
        return {VectorKind(kind): int(vectors) for kind, vectors in found}

    def load_mark(self, name: str) -> str:
        sql = "SELECT value FROM meta WHERE name = ?"
        found = [str(value) for (value,) in self._connection.execute(sql, (_MARK + name,))]
        return found[0] if found else ""

    def save_mark(self, name: str, text: str) -> None:
        self._connection.execute("DELETE FROM meta WHERE name = ?", (_MARK + name,))
        sql = "INSERT INTO meta (name, value) VALUES (?, ?)"
        self._connection.execute(sql, (_MARK + name, text))

    def _list(self, where: str, values: tuple[object, ...]) -> list[Summary]:
        found = self._connection.execute(f"{_SUMMARY} WHERE {where}", values)
        return [Summary(*row) for row in found]

    def _get(self, number: int) -> Summary:
        found = self.find(number)
        if found is None:
            raise NotFound(f"There is no summary {number}.", "See `hermes memory compact --list`.")
        return found

    def _load_archive(self, summary: Summary) -> bytes:
        for blob in self._archives(summary.id):
            return blob
        raise Conflict(
            f"The raw episodes of summary {summary.id} were dropped after their grace period.",
            "Restore a backup from before, with `hermes backup restore`.",
        )

    def _archives(self, number: int) -> list[bytes]:
        """The archive of a summary, if it still has one."""
        sql = "SELECT content FROM archives WHERE summary = ?"
        return [bytes(blob) for (blob,) in self._connection.execute(sql, (number,))]

    def _add_row(self, new: NewSummary, raw: RawRows, blob: bytes) -> int:
        times = [row[2] for row in raw.messages]
        values = (
            *(raw.episodes[0][1], raw.episodes[0][0], min(times), max(times)),
            *(new.made_at, new.purge_at, new.author, len(raw.episodes), len(raw.messages)),
            *(sum(len(row[9]) for row in raw.messages), sum(len(p.text) for p in new.parts)),
            *(new.probes, new.found),
        )
        return self._insert(raw.episodes[0][2], values, blob)

    def _add_parts(self, number: int, new: NewSummary, raw: RawRows) -> None:
        first, conversation, bank, *_ = raw.episodes[0]
        said_at = {row[0]: row[2] for row in raw.messages}
        role, origin = ROLE_NUMBER[Role.ASSISTANT], ORIGIN_NUMBER[Origin.AGENT]
        written: list[Row] = [
            (
                *(part.first_id, first, said_at[part.first_id], role, origin, int(part.trust)),
                *(None, None, None, part.text),
            )
            for part in new.parts
        ]
        self._raw.add(written, bank, conversation)
        parts = [(part.first_id, number, part.last_id) for part in new.parts]
        self._insert_parts(bank, parts, _mentions(new.parts, raw))
        self._connection.execute("UPDATE episodes SET state = 1 WHERE id = ?", (first,))
        self._raw.ask_for_vectors(part.first_id for part in new.parts)
        chars = sum(len(part.text) for part in new.parts)
        self._raw.add_to_sums(conversation, bank, (0, len(parts), chars))

    def _forward_sources(self, raw: RawRows) -> None:
        """The quotes stay with their facts; the episode they are said to stand in exists."""
        sql = "UPDATE fact_sources SET episode = ?, start = NULL, stop = NULL WHERE id = ?"
        first = raw.episodes[0][0]
        self._connection.executemany(sql, [(first, row[0]) for row in raw.sources])

    def _late_messages(self, raw: RawRows) -> list[int]:
        """What was said in the compressed episode after it had been compressed."""
        sql = "SELECT id FROM messages WHERE episode = ? ORDER BY id"
        return [int(row) for (row,) in self._connection.execute(sql, (raw.episodes[0][0],))]

    def _count(self, session: int) -> int:
        sql = """SELECT count(*) FROM episodes e JOIN messages m ON m.episode = e.id
          WHERE e.session = ?"""
        return count(self._connection, sql, (session,))

    def _check_counts(self, raw: RawRows, before: int, change: int) -> None:
        """Every other message of the session is still there, and its sums say so."""
        session = raw.episodes[0][1]
        counted = self._count(session)
        sql = """SELECT messages = ?2 AND episodes =
          (SELECT count(*) FROM episodes WHERE session = ?1) FROM sessions WHERE id = ?1"""
        if counted != before + change or not count(self._connection, sql, (session, counted)):
            raise _wrong(f"session {session} would have {counted} messages, not {before + change}")

    def _check_restored(self, raw: RawRows, late: Sequence[int]) -> None:
        now = self._raw.read([row[0] for row in raw.episodes])
        kept = tuple(row for row in now.messages if row[0] not in set(late))
        if (now.episodes, kept, now.payloads) != (raw.episodes, raw.messages, raw.payloads):
            raise _wrong("the raw episodes did not come back as they were")

    def list(self, *, session_id: str = "", limit: int = 1_000) -> list[Summary]:
        where, values = ("s.uid = ?", (session_id,)) if session_id else ("true", ())
        return self._list(f"{where} ORDER BY x.id DESC LIMIT ?", (*values, limit))


def _mentions(parts: Sequence[SummaryPart], raw: RawRows) -> list[Row]:
    """What the messages mentioned that a part stands for, the part mentions."""
    found = (
        (part.first_id, entity, key)
        for message, entity, key in raw.mentions
        for part in parts
        if part.first_id <= message <= part.last_id
    )
    return list(dict.fromkeys(found))


def _check_unchanged(raw: RawRows, new: NewSummary) -> None:
    ids = tuple(row[0] for row in raw.messages)
    firsts = {part.first_id for part in new.parts}
    together = len({row[1] for row in raw.episodes}) == 1
    if ids != new.message_ids or len(raw.episodes) != len(new.episode_ids) or not together:
        raise Conflict(
            f"Episodes of session {new.session_id!r} changed while they were summarised.",
            "Nothing was compressed; the next run looks at them again.",
        )
    if not firsts or len(firsts) != len(new.parts) or not firsts <= set(ids):
        raise _wrong("a part of the summary stands for no message")


def _wrong(what: str) -> HermesError:
    """The stored bytes are sound: it is the step that is not, and it is undone."""
    return HermesError(
        f"Compression was stopped: {what}.",
        "Nothing was changed. Run `hermes doctor`, and report this.",
    )
