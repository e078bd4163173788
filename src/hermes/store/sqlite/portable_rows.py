"""Rows as records: what an export says of each, with everything empty left out."""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hermes.store.base.portable import Cursor, Record, Section
from hermes.store.sqlite.rows import ORIGINS, ROLES, STATES
from hermes.types import Trust

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a section comes from: a SELECT whose first columns are `keys`, and what a row says.

    `of_bank` narrows it to a bank's rows; without it the section is left out of a bank's export.
    """

    select: str
    keys: tuple[str, ...]
    start: Cursor
    shape: Callable[[Row], Record]
    of_bank: str = ""
    where: str = ""


def slim(record: Record) -> Record:
    """Without what is empty: it is understood."""
    return {key: value for key, value in record.items() if not _is_empty(value)}


def _is_empty(value: object) -> bool:
    return value is None or value is False or value in ("", [], {})  # not nought: it says something


def _bank(row: Row) -> Record:
    name, description, created_at = row
    return {"name": name, "created_at": created_at} | slim({"description": description})


def _entity(row: Row) -> Record:
    number, bank, kind, merged_into, created_at, names = row
    record = {"id": number, "bank": bank, "kind": kind, "created_at": created_at}
    record["names"] = [{"key": key, "name": name} for key, name in json.loads(names)]
    return record | slim({"merged_into": merged_into})


def blob(sha256: bytes, part: int, parts: int, content: bytes) -> Record:
    encoded = base64.b64encode(content).decode("ascii")
    return {"sha256": sha256.hex(), "part": part, "parts": parts, "content": encoded}


def _session(row: Row) -> Record:
    uid, bank, started_at, last_at, *rest = row
    names = ("platform", "identity", "title", "task", "parent")
    more = ("ended_at", "hidden_at", "extracted_upto", "reflected_upto")
    told = dict(zip((*names, *more), rest, strict=True))
    return {"id": uid, "bank": bank, "started_at": started_at, "last_at": last_at} | slim(told)


def _episode(row: Row) -> Record:
    number, session, at, state, task = row
    record = {"id": number, "session": session, "at": at, "state": str(STATES[state])}
    return record | slim({"task": task})


def _message(row: Row) -> Record:
    number, episode, at, role, origin, trust, text, speaker, call_id, *rest = row
    calls, payloads, mentions = (json.loads(cell) if cell else [] for cell in rest)
    return {
        "id": number,
        "episode": episode,
        "at": at,
        "role": str(ROLES[role]),
        "origin": str(ORIGINS[origin]),
        "trust": Trust(trust).name.lower(),
        "text": text,
    } | slim(
        {
            "speaker": speaker,
            "call_id": call_id,
            "calls": [dict(zip(("id", "name", "arguments"), c, strict=True)) for c in calls],
            "payloads": [{"media_type": kind, "sha256": digest} for kind, digest in payloads],
            "mentions": [{"entity": entity, "key": key} for entity, key in mentions],
        }
    )


def _key(row: Row) -> Record:
    key, first, last = row
    return {"key": key.hex(), "first": first, "last": last}


_SUMMARY = (
    *("session", "episode", "first_at", "last_at", "made_at", "purge_at", "author"),
    *("episodes", "messages", "raw_chars", "chars", "probes", "found"),
)


def _summary(row: Row) -> Record:
    number, *told, parts = row
    record = {"id": number} | dict(zip(_SUMMARY, told, strict=True))
    record["parts"] = [{"message": message, "last": last} for message, last in json.loads(parts)]
    return record


_FACT = ("id", "number", "bank", "text", "kind", "recorded_at", "confidence")
_FACT_MORE = (
    *("subject", "subject_key", "attribute", "value", "valid_from", "valid_to", "retracted_at"),
    *("superseded_by", "extractor"),
)
_SOURCE = ("message", "episode", "session", "quote", "start", "stop", "at")
_CHANGE = ("at", "action", "by", "reason")


def _fact(row: Row) -> Record:
    cells = list(row)
    record = {name: cells.pop(0) for name in _FACT}
    more = {name: cells.pop(0) for name in _FACT_MORE}
    single, ended, held, origin, trust, sources, history, mentions, rivals = cells
    record |= {"origin": str(ORIGINS[origin]), "trust": Trust(trust).name.lower()}
    more |= {"single": bool(single), "ended": bool(ended), "held": bool(held)}
    more["sources"] = [_source(source) for source in json.loads(sources)]
    more["history"] = [_change(change) for change in json.loads(history)]
    more["mentions"] = [{"entity": entity, "key": key} for entity, key in json.loads(mentions)]
    more["contradicts"] = [{"fact": fact, "at": at} for fact, at in json.loads(rivals)]
    return record | slim(more)


def _source(cells: list[Any]) -> Record:
    *told, trust = cells
    named = slim(dict(zip(_SOURCE, told, strict=True)))
    return {"quote": ""} | named | {"trust": Trust(trust).name.lower()}


def _change(cells: list[Any]) -> Record:
    *told, before, after = cells
    record = dict(zip(_CHANGE, told, strict=True))
    return record | {"before": json.loads(before), "after": json.loads(after)}


_LESSON = (
    *("id", "bank", "task_type", "lesson", "lesson_key", "successes", "failures"),
    *("created_at", "updated_at"),
)
_LESSON_MORE = ("worked", "failed", "next_time", "author", "session", "deleted_at")


def _reflection(row: Row) -> Record:
    cells = list(row)
    record = {name: cells.pop(0) for name in _LESSON}
    more = {name: cells.pop(0) for name in _LESSON_MORE}
    held, origin, trust = cells
    record |= {"origin": str(ORIGINS[origin]), "trust": Trust(trust).name.lower()}
    return record | slim(more | {"held": bool(held)})


def _held(row: Row) -> Record:
    number, bank, target, text, held_at, origin, trust, payload, *rest = row
    reason, fact, decided_at, verdict = rest
    return {
        "id": number,
        "bank": bank,
        "target": target,
        "text": text,
        "held_at": held_at,
        "origin": str(ORIGINS[origin]),
        "trust": Trust(trust).name.lower(),
        "payload": json.loads(payload),
    } | slim({"reason": reason, "fact": fact, "decided_at": decided_at, "verdict": verdict})


def _event(row: Row) -> Record:
    number, at, kind, content, digest, summary, details, ref, salt, erased_at = row
    told = {"summary": summary, "ref": ref, "salt": salt.hex(), "erased_at": erased_at}
    record = {"id": number, "at": at, "kind": kind, "content": content.hex(), "hash": digest.hex()}
    return record | slim(told | {"details": "" if details == "{}" else details})


_ARRAY = "SELECT json_group_array(json_array({}) ORDER BY {}) FROM {}"

SOURCES = {
    Section.BANKS: Source(
        "SELECT name, name, description, created_at FROM banks b",
        ("name",),
        ("",),
        _bank,
        "b.name = ?",
    ),
    Section.ENTITIES: Source(
        f"""SELECT e.id, e.id, b.name, e.kind, e.merged_into, e.created_at,
          ({_ARRAY.format("key, name", "place", "entity_names WHERE entity = e.id")})
          FROM entities e JOIN banks b ON b.id = e.bank""",
        ("e.id",),
        (0,),
        _entity,
        "b.name = ?",
    ),
    Section.SESSIONS: Source(
        """SELECT s.uid, s.uid, b.name, s.started_at, s.last_at, s.platform, s.identity, s.title,
          s.task, s.parent, s.ended_at, s.hidden_at,
          (SELECT nullif(upto, 0) FROM extractions x WHERE x.session = s.id),
          (SELECT nullif(upto, 0) FROM reflected r WHERE r.session = s.id)
          FROM sessions s JOIN banks b ON b.id = s.bank""",
        ("s.uid",),
        ("",),
        _session,
        "b.name = ?",
    ),
    Section.EPISODES: Source(
        """SELECT e.id, e.id, s.uid, e.at, e.state, e.task FROM episodes e
          JOIN sessions s ON s.id = e.session JOIN banks b ON b.id = e.bank""",
        ("e.id",),
        (0,),
        _episode,
        "b.name = ?",
    ),
    Section.MESSAGES: Source(
        f"""SELECT m.id, m.id, m.episode, m.at, m.role, m.origin, m.trust, plain(m.text), m.speaker,
          m.call_id, m.calls,
          (SELECT json_group_array(json_array(p.media_type, lower(hex(k.sha256))) ORDER BY p.n)
           FROM payloads p JOIN blobs k ON k.id = p.blob WHERE p.message = m.id),
          ({_ARRAY.format("entity, key", "entity, key", "message_mentions WHERE message = m.id")})
          FROM messages m CROSS JOIN episodes e ON e.id = m.episode
          CROSS JOIN banks b ON b.id = e.bank""",
        ("m.id",),
        (0,),
        _message,
        "b.name = ?",
    ),
    Section.KEYS: Source(
        "SELECT k.key, k.key, k.first, k.last FROM keys k",
        ("k.key",),
        (b"",),
        _key,
        """EXISTS (SELECT 1 FROM messages m JOIN episodes e ON e.id = m.episode
          JOIN banks b ON b.id = e.bank WHERE m.id = k.first AND b.name = ?)""",
    ),
    Section.SUMMARIES: Source(
        f"""SELECT x.id, x.id, s.uid, x.episode, x.first_at, x.last_at, x.made_at, x.purge_at,
          x.author, x.episodes, x.messages, x.raw_chars, x.chars, x.probes, x.found,
          ({_ARRAY.format("message, last", "message", "summary_parts WHERE summary = x.id")})
          FROM summaries x JOIN sessions s ON s.id = x.session JOIN banks b ON b.id = s.bank""",
        ("x.id",),
        (0,),
        _summary,
        "b.name = ?",
    ),
    Section.FACTS: Source(
        f"""SELECT f.id, f.id, f.number, b.name, f.text, f.kind, f.recorded_at, f.confidence,
          f.subject, f.subject_key, f.attribute, f.value, f.valid_from, f.valid_to, f.retracted_at,
          f.superseded_by, f.extractor, f.single, f.ended, f.held, f.origin, f.trust,
          ({_ARRAY.format(", ".join((*_SOURCE, "trust")), "id", "fact_sources WHERE fact = f.id")}),
          ({
            _ARRAY.format(
                "at, action, by, reason, before, after", "id", "fact_history WHERE fact = f.id"
            )
        }),
          ({_ARRAY.format("entity, key", "place, entity, key", "fact_mentions WHERE fact = f.id")}),
          ({_ARRAY.format("other, at", "other", "contradictions WHERE fact = f.id")})
          FROM facts f JOIN banks b ON b.id = f.bank""",
        ("f.id",),
        (0,),
        _fact,
        "b.name = ?",
    ),
    Section.REFLECTIONS: Source(
        f"""SELECT r.id, r.id, b.name, {", ".join(f"r.{name}" for name in _LESSON[2:])},
          {", ".join(f"r.{name}" for name in _LESSON_MORE)}, r.held, r.origin, r.trust
          FROM reflections r JOIN banks b ON b.id = r.bank""",
        ("r.id",),
        (0,),
        _reflection,
        "b.name = ?",
    ),
    Section.HELD: Source(
        """SELECT w.id, w.id, b.name, w.target, w.text, w.held_at, w.origin, w.trust, w.payload,
          w.reason, w.fact, w.decided_at, w.verdict
          FROM held_writes w JOIN banks b ON b.id = w.bank""",
        ("w.id",),
        (0,),
        _held,
        "b.name = ?",
    ),
    Section.EVENTS: Source(
        """SELECT e.id, e.id, e.at, e.kind, e.content, e.hash, e.summary, e.details, e.ref, e.salt,
          e.erased_at FROM events e""",
        ("e.id",),
        (0,),
        _event,
    ),
}
