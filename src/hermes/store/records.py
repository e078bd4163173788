"""Rows of any store as records: what an export says of each, with everything empty left out."""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hermes.store.base.portable import Cursor, Record
from hermes.store.rows import ORIGINS, ROLES, STATES
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


def bank(row: Row) -> Record:
    name, description, created_at = row
    return {"name": name, "created_at": created_at} | slim({"description": description})


def entity(row: Row) -> Record:
    number, bank, kind, merged_into, created_at, names = row
    record = {"id": number, "bank": bank, "kind": kind, "created_at": created_at}
    record["names"] = [{"key": key, "name": name} for key, name in json.loads(names)]
    return record | slim({"merged_into": merged_into})


def blob(sha256: bytes, part: int, parts: int, content: bytes) -> Record:
    encoded = base64.b64encode(content).decode("ascii")
    return {"sha256": sha256.hex(), "part": part, "parts": parts, "content": encoded}


def session(row: Row) -> Record:
    uid, bank, started_at, last_at, *rest = row
    names = ("platform", "identity", "title", "task", "parent")
    more = ("ended_at", "hidden_at", "extracted_upto", "reflected_upto")
    told = dict(zip((*names, *more), rest, strict=True))
    return {"id": uid, "bank": bank, "started_at": started_at, "last_at": last_at} | slim(told)


def episode(row: Row) -> Record:
    number, session, at, state, task = row
    record = {"id": number, "session": session, "at": at, "state": str(STATES[state])}
    return record | slim({"task": task})


def message(row: Row) -> Record:
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


def key(row: Row) -> Record:
    key, first, last = row
    return {"key": key.hex(), "first": first, "last": last}


_SUMMARY = (
    *("session", "episode", "first_at", "last_at", "made_at", "purge_at", "author"),
    *("episodes", "messages", "raw_chars", "chars", "probes", "found"),
)


def summary(row: Row) -> Record:
    number, *told, parts = row
    record = {"id": number} | dict(zip(_SUMMARY, told, strict=True))
    record["parts"] = [{"message": message, "last": last} for message, last in json.loads(parts)]
    return record


_FACT = ("id", "number", "bank", "text", "kind", "recorded_at", "confidence")
_FACT_MORE = (
    *("subject", "subject_key", "attribute", "value", "valid_from", "valid_to", "retracted_at"),
    *("superseded_by", "extractor"),
)
SOURCE = ("message", "episode", "session", "quote", "start", "stop", "at")
_CHANGE = ("at", "action", "by", "reason")


def fact(row: Row) -> Record:
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
    named = slim(dict(zip(SOURCE, told, strict=True)))
    return {"quote": ""} | named | {"trust": Trust(trust).name.lower()}


def _change(cells: list[Any]) -> Record:
    *told, before, after = cells
    record = dict(zip(_CHANGE, told, strict=True))
    return record | {"before": json.loads(before), "after": json.loads(after)}


LESSON = (
    *("id", "bank", "task_type", "lesson", "lesson_key", "successes", "failures"),
    *("created_at", "updated_at"),
)
LESSON_MORE = ("worked", "failed", "next_time", "author", "session", "deleted_at")


def reflection(row: Row) -> Record:
    cells = list(row)
    record = {name: cells.pop(0) for name in LESSON}
    more = {name: cells.pop(0) for name in LESSON_MORE}
    held, origin, trust = cells
    record |= {"origin": str(ORIGINS[origin]), "trust": Trust(trust).name.lower()}
    return record | slim(more | {"held": bool(held)})


def held(row: Row) -> Record:
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


def event(row: Row) -> Record:
    number, at, kind, content, digest, summary, details, ref, salt, erased_at = row
    told = {"summary": summary, "ref": ref, "salt": salt.hex(), "erased_at": erased_at}
    record = {"id": number, "at": at, "kind": kind, "content": content.hex(), "hash": digest.hex()}
    return record | slim(told | {"details": "" if details == "{}" else details})
