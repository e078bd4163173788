"""Records as rows: written in bulk, with the index, sums and references that belong to them."""

from collections.abc import Callable, Mapping, Sequence

from hermes.store.base.portable import Record, Section
from hermes.store.postgres.connection import PROFILE, Connection, scalar
from hermes.store.postgres.dictionaries import open_dictionaries
from hermes.store.postgres.parts import Parts
from hermes.store.postgres.portable_cells import log_added
from hermes.store.postgres.portable_learnt import Learnt
from hermes.store.postgres.raw_rows import drop_all_unused_blobs
from hermes.store.postgres.record import MESSAGES, mark_grown
from hermes.store.postgres.rows import stored
from hermes.store.postgres.words import Entry
from hermes.store.rows import ORIGIN_NUMBER, ROLE_NUMBER, STATES, render_calls
from hermes.store.tables.portable_blobs import ArrivingBlobs
from hermes.store.tables.portable_cells import bank_number, trust_number, wrong
from hermes.store.text import index_form, indexed_part
from hermes.types import EpisodeState, Origin, Role, ToolCall

INDEX_AT_ONCE = 10_000  # the index is quickest in bulk, and what waits is held in memory
_STATE_NUMBER = {state: n for n, state in enumerate(STATES)}
_TOLD = ("platform", "identity", "title", "task", "parent")
_SESSIONS = (
    "id int8, uid text, bank int8, started_at int8, last_at int8, ended_at int8, hidden_at int8, "
    + ", ".join(f"{name} text" for name in _TOLD)
)
_EPISODES = "id int8, session int8, bank int8, at int8, state int8, task text"
_ENTITIES = "id int8, bank int8, kind text, created_at int8"
_NAMES = "bank int8, entity int8, place int8, key text, name text"
_PAYLOADS = "bank int8, message int8, n int8, media_type text, sha256 bytea"
_MENTIONS = "bank int8, message int8, entity int8, key text"
_EVENTS = (
    "id int8, at int8, kind text, summary text, details text, ref text, salt bytea, "
    "content bytea, hash bytea, erased_at int8"
)
_SUMMARY = (
    *("id", "bank", "session", "episode", "first_at", "last_at", "made_at", "purge_at"),
    *("purged_at", "author", "episodes", "messages", "raw_chars", "chars", "probes", "found"),
)


class Arrivals:
    """What comes in, in one transaction."""

    def __init__(self, connection: Connection, parts: Parts) -> None:
        self._connection = connection
        self._banks = parts.banks
        self._parts = parts
        self._learnt = Learnt(connection, parts)
        self._dictionaries = open_dictionaries(connection, parts.counters)
        self._place_of: dict[int, tuple[int, int]] = {}  # bank and session of an episode
        self._sessions: set[int] = set()
        self._unindexed = 0
        self._blobs = ArrivingBlobs(connection)

    def put(self, section: Section, records: Sequence[Record]) -> None:
        if records:
            _PUT[section](self, records)

    def settle(self) -> None:
        self._parts.texts.table.flush()
        self._sum_up({})

    def finish(self, extracted: Mapping[str, int], reflected: Mapping[str, int]) -> None:
        self._parts.texts.table.flush()
        self._sum_up(extracted)
        sql = """INSERT INTO reflected (bank, session, upto)
          SELECT bank, id, ?2 FROM sessions WHERE uid = ?1 ON CONFLICT (profile, bank, session)
          DO UPDATE SET upto = greatest(reflected.upto, excluded.upto)"""
        self._connection.executemany(sql, list(reflected.items()))
        drop_all_unused_blobs(self._connection)
        self._parts.counters.take("entity_version")

    def _sum_up(self, extracted: Mapping[str, int]) -> None:
        """What sessions say of their messages, and what of them is left to be extracted."""
        said = """FROM episodes e JOIN messages m ON m.episode = e.id
          WHERE e.session = sessions.id"""
        sql = f"""UPDATE sessions SET messages = (SELECT count(*) {said}),
            last_at = greatest(last_at, coalesce((SELECT max(m.at) {said}), last_at)),
            episodes = (SELECT count(*) FROM episodes e WHERE e.session = sessions.id)
          WHERE id = ANY(?)"""
        self._connection.execute(sql, (list(self._sessions),))
        sql = "SELECT bank, id FROM sessions WHERE id = ANY(?) AND messages > 0"
        mark_grown(self._connection, self._connection.execute(sql, (list(self._sessions),)))
        sql = """UPDATE extractions SET upto = greatest(upto, ?1), pending = EXISTS
            (SELECT 1 FROM episodes e JOIN messages m ON m.episode = e.id
             WHERE e.session = extractions.session AND m.id > greatest(extractions.upto, ?1))
          WHERE session = (SELECT id FROM sessions WHERE uid = ?2)"""
        self._connection.executemany(sql, [(upto, uid) for uid, upto in extracted.items()])

    def _put_banks(self, records: Sequence[Record]) -> None:
        first = scalar(self._connection, "SELECT max(id) FROM banks") + 1
        rows = [
            (n, r["name"], r.get("description", ""), r["created_at"])
            for n, r in enumerate(records, first)
        ]
        columns = "id int8, name text, description text, created_at int8"
        self._connection.insert("banks", columns, rows)

    def _put_entities(self, records: Sequence[Record]) -> None:
        banks = {r["id"]: bank_number(self._banks, r["bank"]) for r in records}
        rows = [(r["id"], banks[r["id"]], r["kind"], r["created_at"]) for r in records]
        self._connection.insert("entities", _ENTITIES, rows)
        names = [
            (banks[r["id"]], r["id"], place, name["key"], name["name"])
            for r in records
            for place, name in enumerate(r["names"])
        ]
        self._connection.insert("entity_names", _NAMES, names)
        log_added(self._parts.changes, "entity", records)

    def _put_blobs(self, records: Sequence[Record]) -> None:
        self._blobs.put(records)

    def _put_sessions(self, records: Sequence[Record]) -> None:
        first = self._parts.counters.take("session", len(records))
        rows = [
            (
                *(number, r["id"], bank_number(self._banks, r["bank"])),
                *(r["started_at"], r["last_at"], r.get("ended_at"), r.get("hidden_at")),
                *(r.get(name, "") for name in _TOLD),
            )
            for number, r in enumerate(records, first)
        ]
        self._connection.insert("sessions", _SESSIONS, rows)
        self._sessions.update(number for number, *_ in rows)

    def _put_episodes(self, records: Sequence[Record]) -> None:
        sql = "SELECT uid, bank, id FROM sessions WHERE uid = ANY(?)"
        uids = list(dict.fromkeys(r["session"] for r in records))
        there = {
            uid: (bank, number) for uid, bank, number in self._connection.execute(sql, (uids,))
        }
        rows = []
        for r in records:
            bank, session = there[r["session"]]
            state = _STATE_NUMBER[EpisodeState(r["state"])]
            rows.append((r["id"], session, bank, r["at"], state, r.get("task") or None))
            self._place_of[r["id"]] = (bank, session)
            self._sessions.add(session)
        self._connection.insert("episodes", _EPISODES, rows)

    def _put_messages(self, records: Sequence[Record]) -> None:
        dictionary = self._dictionaries.current()
        self._find_places([r["episode"] for r in records])
        rows: list[tuple[object, ...]] = []
        index: list[Entry] = []
        chars: dict[int, tuple[int, int]] = {}
        for r in records:
            role, text = Role(r["role"]), r["text"]
            who = (ROLE_NUMBER[role], ORIGIN_NUMBER[Origin(r["origin"])], trust_number(r))
            calls = _calls(r)
            named = (r.get("speaker") or None, r.get("call_id") or None, render_calls(calls))
            bank, session = self._place_of[r["episode"]]
            kept = stored(self._connection, text, dictionary)
            placed = (r["id"], session, bank, r["episode"], r["at"])
            rows.append((*placed, *who, *named, *kept))
            index.append((bank, r["id"], who[0], index_form(indexed_part(role, text, calls))))
            count, size = chars.get(bank, (0, 0))
            chars[bank] = (count + 1, size + len(text))
        self._connection.insert("messages", MESSAGES, rows)
        self._parts.texts.table.add(index)
        self._unindexed += len(index)
        if self._unindexed >= INDEX_AT_ONCE:
            self._parts.texts.table.flush()
            self._unindexed = 0
        for bank, sums in chars.items():
            self._banks.add_text(bank, *sums)
        self._put_attachments(records)
        log_added(self._parts.changes, "message", records)

    def _put_attachments(self, records: Sequence[Record]) -> None:
        payloads = [
            (self._bank_of(r), r["id"], n, p["media_type"], bytes.fromhex(p["sha256"]))
            for r in records
            for n, p in enumerate(r.get("payloads", ()))
        ]
        if payloads:
            self._expect_blobs({row[4]: row[1] for row in payloads})
        self._connection.insert("payloads", _PAYLOADS, payloads)
        mentions = [
            (self._bank_of(r), r["id"], m["entity"], m["key"])
            for r in records
            for m in r.get("mentions", ())
        ]
        self._connection.insert("message_mentions", _MENTIONS, list(dict.fromkeys(mentions)))

    def _expect_blobs(self, named: Mapping[bytes, int]) -> None:
        """Refuse a payload, named with its message, whose bytes did not come."""
        sql = "SELECT sha256 FROM blobs WHERE bank = 0 AND sha256 = ANY(?)"
        there = {bytes(digest) for (digest,) in self._connection.execute(sql, (list(named),))}
        for digest, message in named.items():
            if digest not in there:
                raise wrong(f"message {message} has a payload that is not in the file")

    def _put_keys(self, records: Sequence[Record]) -> None:
        sql = f"""INSERT INTO keys (profile, bank, key, first, last)
          SELECT {PROFILE}, coalesce(m.bank, 0), k.key, k.first, k.last
          FROM unnest(?::bytea[], ?::int8[], ?::int8[]) AS k (key, first, last)
          LEFT JOIN messages m ON m.id = k.first"""
        keys = [bytes.fromhex(r["key"]) for r in records]
        spans = [r["first"] for r in records], [r["last"] for r in records]
        self._connection.defer(sql, (keys, *spans))

    def _put_summaries(self, records: Sequence[Record]) -> None:
        marks = ", ".join("?" * len(_SUMMARY))
        sql = f"INSERT INTO summaries ({', '.join(_SUMMARY)}) VALUES ({marks})"
        for r in records:
            find = "SELECT id, bank FROM sessions WHERE uid = ?"
            ((session, bank),) = self._connection.execute(find, (r["session"],))
            number = r.get("id") or self._parts.counters.take("summary")
            self._parts.counters.raise_to("summary", number)
            given = r | {"id": number, "session": session, "bank": bank}
            given["purged_at"] = r["made_at"]  # the raw rows stay behind
            self._connection.execute(sql, tuple(given.get(name) for name in _SUMMARY))
            parts = [(bank, part["message"], number, part["last"]) for part in r["parts"]]
            add = "INSERT INTO summary_parts (bank, message, summary, last) VALUES (?, ?, ?, ?)"
            self._connection.executemany(add, parts)

    def _put_events(self, records: Sequence[Record]) -> None:
        rows = [
            (
                *(r["id"], r["at"], r["kind"], r.get("summary", ""), r.get("details", "{}")),
                *(r.get("ref", ""), bytes.fromhex(r.get("salt", ""))),
                *(bytes.fromhex(r["content"]), bytes.fromhex(r["hash"]), r.get("erased_at")),
            )
            for r in records
        ]
        self._connection.insert("events", _EVENTS, rows)
        sql = """INSERT INTO event_head (count, hash) VALUES (?, ?)
          ON CONFLICT (profile, bank) DO UPDATE SET count = excluded.count, hash = excluded.hash"""
        self._connection.execute(sql, (rows[-1][0], rows[-1][8]))

    def _find_places(self, episodes: Sequence[int]) -> None:
        """Bank and session of episodes that were put before, here or long ago."""
        sought = list({number for number in episodes if number not in self._place_of})
        if not sought:
            return
        sql = "SELECT id, bank, session FROM episodes WHERE id = ANY(?)"
        for number, bank, session in self._connection.execute(sql, (sought,)):
            self._place_of[number] = (bank, session)
            self._sessions.add(session)

    def _bank_of(self, message: Record) -> int:
        return self._place_of[message["episode"]][0]


_PUT: dict[Section, Callable[[Arrivals, Sequence[Record]], None]] = {
    Section.BANKS: Arrivals._put_banks,
    Section.ENTITIES: Arrivals._put_entities,
    Section.BLOBS: Arrivals._put_blobs,
    Section.SESSIONS: Arrivals._put_sessions,
    Section.EPISODES: Arrivals._put_episodes,
    Section.MESSAGES: Arrivals._put_messages,
    Section.KEYS: Arrivals._put_keys,
    Section.SUMMARIES: Arrivals._put_summaries,
    Section.FACTS: lambda arrivals, records: arrivals._learnt.put_facts(records),
    Section.REFLECTIONS: lambda arrivals, records: arrivals._learnt.put_reflections(records),
    Section.HELD: lambda arrivals, records: arrivals._learnt.put_held(records),
    Section.EVENTS: Arrivals._put_events,
}


def _calls(record: Record) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(c["id"], c["name"], c["arguments"]) for c in record.get("calls", ()))
